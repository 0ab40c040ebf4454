"""The human-rated data sets: what their papers say of them, and files that are not theirs."""

import pickle
from collections import Counter

import pytest

from paragauge.benchmarks import Benchmark, benchmark, files_of, folders, names, open_ratings, sha256, verify
from paragauge.errors import ExistingFileError, InputError
from paragauge.files.layout import Layout
from paragauge.files.pickles import read_plain

SIZES = {  # rows, sources, rows of the published dev part
    "twitter-para": (7159, 761, 715),
    "bq-para": (5590, 559, 559),
    "twitter-para-extended": (7159 + 153, 761, 731),
    "bq-para-extended": (5590 + 112, 559, 570),
    "ppdb": (26456, 2286, 2645),
    "wikipedia-phrases": (13954, 100, 1395),
    "stsb": (2879, None, 1500),
}


LABELLED = ("cr", "imdb", "mr", "sst2")  # texts with labels, for `paragauge extrinsic`


@pytest.mark.parametrize("name", [name for name in names() if name not in ("wmt19", *LABELLED)])
def test_each_data_set_has_its_published_size(name, data):
    found = benchmark(name).load(data)
    rows, sources, dev = SIZES[name]
    assert len(found) == rows
    assert sources is None or found.sources().max() + 1 == sources
    assert len(found.published_split()[0]) == dev
    assert benchmark(name).name == found.name == name


def test_wmt19_is_known_by_its_files_and_says_which_command_reads_it(data):
    assert benchmark("wmt19").changed(benchmark("wmt19").place(data)) == []
    assert sum("system-outputs" in file for file in benchmark("wmt19").files) == 91
    with pytest.raises(InputError, match="use `paragauge references evaluate wmt19`"):
        benchmark("wmt19").load(data)


@pytest.mark.parametrize("name", LABELLED)
def test_labelled_texts_are_known_by_their_files_and_say_which_command_reads_them(name, data):
    assert benchmark(name).changed(benchmark(name).place(data)) == []
    with pytest.raises(InputError, match=f"use `paragauge extrinsic {name}`"):
        benchmark(name).load(data)


def test_scores_are_shares_of_five_votes(data):
    found = benchmark("twitter-para").load(data)
    assert set(Counter(found.human)) == {0, 0.2, 0.4, 0.6, 0.8, 1}


def test_judgments_of_phrase_pairs_have_the_published_mean(data):
    for name in ("ppdb", "wikipedia-phrases"):
        found = benchmark(name).load(data)
        means = [sum(given) / len(given) for given in found.judgments]
        assert means == pytest.approx(found.human.tolist(), abs=5e-3)  # the files print two digits


def test_the_published_cut_goes_through_a_source(data):
    dev, test = benchmark("twitter-para").load(data).published_split()
    assert len(set(dev.samples.sources) & set(test.samples.sources)) == 1


class _Evil:
    def __reduce__(self):
        return (print, ("gone",))


@pytest.mark.parametrize("content", [pickle.dumps(_Evil()), pickle.dumps(Counter()), b"", b"no pickle"])
def test_a_pickle_that_asks_for_anything_is_refused(tmp_path, content, capsys):
    file = tmp_path / "evil.pickle"
    file.write_bytes(content)
    with pytest.raises(InputError, match="is not a pickle of plain values"):
        read_plain(file)
    assert "gone" not in capsys.readouterr().out


def small(content: bytes, path: str = "small/data.txt") -> Benchmark:
    import hashlib

    digest = hashlib.sha256(content).hexdigest()
    return Benchmark("small", "Small", "", "en", "", "", "example.org", {path: digest}, lambda folder: folder)


def test_files_are_taken_in_by_their_content_whatever_their_name(tmp_path):
    origin, target = tmp_path / "clone" / "deep", tmp_path / "data"
    origin.mkdir(parents=True)
    (origin / "other-name").write_bytes(b"rows")
    assert small(b"rows").import_from(tmp_path / "clone", target) == target
    assert (target / "small" / "data.txt").read_bytes() == b"rows"
    assert small(b"rows").load(target) == target


def test_nothing_is_taken_where_a_file_is_missing_or_changed(tmp_path):
    origin, target = tmp_path / "clone", tmp_path / "data"
    origin.mkdir()
    (origin / "data.txt").write_bytes(b"changed rows")
    with pytest.raises(InputError, match=r"content of small/data.txt .*has that name and the sha256 \w{64}$"):
        small(b"rows").import_from(origin, target)
    assert not target.exists()
    with pytest.raises(InputError, match="there is no file or folder"):
        small(b"rows").import_from(tmp_path / "nowhere", target)


def test_a_changed_file_is_refused_when_read(tmp_path):
    (tmp_path / "small").mkdir()
    (tmp_path / "small" / "data.txt").write_bytes(b"changed")
    with pytest.raises(InputError, match="is not the file that was published"):
        small(b"rows").load(tmp_path)


def test_an_absent_data_set_says_where_it_was_looked_for_and_how_to_get_it(tmp_path):
    with pytest.raises(InputError, match=r"small was not found.*from example.org and run `paragauge data import"):
        small(b"rows").load(tmp_path)


def test_the_folder_named_is_the_only_one_and_the_variable_comes_before_the_cache(monkeypatch, tmp_path):
    monkeypatch.setenv("PARAGAUGE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("PARAGAUGE_DATA", str(tmp_path))
    assert folders() == [tmp_path, tmp_path / "cache" / "data"]
    assert folders(tmp_path / "named") == [tmp_path / "named"]
    monkeypatch.delenv("PARAGAUGE_DATA")
    assert folders() == [tmp_path / "cache" / "data"]  # nothing below or next to the working directory


def test_an_unknown_name_is_answered_with_the_nearest():
    with pytest.raises(InputError, match="no data set named 'twitter'; did you mean 'twitter-para'"):
        benchmark("twitter")


def test_sha256_of_a_file(tmp_path):
    (tmp_path / "empty").write_bytes(b"")
    assert sha256(tmp_path / "empty").startswith("e3b0c44298fc1c14")


def test_what_lies_in_the_data_folder_is_replaced_only_when_told(tmp_path):
    origin, target = tmp_path / "clone", tmp_path / "data"
    origin.mkdir()
    (origin / "rows").write_bytes(b"rows")
    (target / "small").mkdir(parents=True)
    there = target / "small" / "data.txt"
    there.write_bytes(b"years of work")
    with pytest.raises(ExistingFileError):
        small(b"rows").import_from(origin, target)
    assert there.read_bytes() == b"years of work"
    small(b"rows").import_from(origin, target, overwrite=True)
    small(b"rows").import_from(origin, target)  # it is there already
    small(b"rows").import_from(target, target)
    assert there.read_bytes() == b"rows"


def test_a_file_that_is_read_is_not_written(tmp_path):
    """Two files that lie at each other's place: to write the one would lose the other."""
    import hashlib

    sums = {name: hashlib.sha256(name.encode()).hexdigest() for name in ("a", "b")}
    both = Benchmark("small", "Small", "", "en", "", "", "example.org", sums, lambda folder: folder)
    (tmp_path / "a").write_bytes(b"b")
    (tmp_path / "b").write_bytes(b"a")
    with pytest.raises(InputError, match="it is the input"):
        both.import_from(tmp_path, tmp_path, overwrite=True)
    assert ((tmp_path / "a").read_bytes(), (tmp_path / "b").read_bytes()) == (b"b", b"a")


def test_a_data_set_or_a_file_is_opened_by_its_name(tmp_path, data):
    assert open_ratings("stsb", folder=data).name == "stsb"
    assert files_of("stsb", data) == [data / file for file in benchmark("stsb").files]
    file = tmp_path / "mine.csv"
    file.write_text("source,candidate,human\na b,a c,1\n")
    assert open_ratings(file).human.tolist() == [1.0]
    assert files_of(file) == [file]
    for table, arguments, expected in (
        ("stsb", {"human": "rating"}, "stsb is a data set, whose columns are known; human is for a file"),
        ("stsb", {"layout": Layout(columns={"source": "a"})}, "columns is for a file"),
        ("stbs", {}, "stbs is neither a file nor a data set; did you mean 'stsb'"),
    ):
        with pytest.raises(InputError, match=expected):
            open_ratings(table, folder=data, **arguments)


def test_what_is_here_is_verified(tmp_path, data):
    assert dict(verify("stsb", data)) == {"stsb": []}
    assert set(dict(verify(None, tmp_path)).values()) == {None}
    assert benchmark("stsb").here(tmp_path) is None
    with pytest.raises(InputError, match="was not found"):
        list(verify("stsb", tmp_path))
