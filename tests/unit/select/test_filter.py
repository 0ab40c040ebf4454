"""Filtering rows: conditions, the best of each source, near-duplicates, and how many were rejected for what."""

import json

import polars
import pytest

import paragauge as pg
from paragauge.errors import InputError
from paragauge.evaluate.score_file import score_file

ROWS = [
    {"source": "a b c", "candidate": "one two three", "quality": 0.9, "tags": ["x"], "system": "s", "id": "1"},
    {"source": "a b c", "candidate": "one two three!", "quality": 0.8, "tags": [], "system": "s", "id": "2"},
    {"source": "a b c", "candidate": "something else", "quality": 0.7, "tags": [], "system": "s", "id": "3"},
    {"source": "d", "candidate": "d", "quality": None, "tags": [], "system": "s", "id": "4"},
    {"source": "d", "candidate": "e", "quality": 0.2, "tags": [], "system": "s", "id": "5"},
    {"source": "f", "candidate": "", "quality": 1.0, "tags": [], "system": "s", "id": "6"},
]


def ids(found):
    return [row["id"] for row in found.rows]


def test_a_condition_on_a_column_and_a_metric():
    found = pg.filter(ROWS, "quality >= 0.5 and ned.free > 0.9")
    assert ids(found) == ["3"]
    assert found.read == 6
    assert found.rejected == {
        "ned.free > 0.9": 2,
        "quality >= 0.5 (undefined: quality)": 1,
        "quality >= 0.5": 1,
        "there is no candidate": 1,
    }
    assert found.rows[0]["ned.free"] == pytest.approx(13 / 14)
    assert found.rows[0]["tags"] == []


def test_the_best_of_each_source_without_near_duplicates():
    found = pg.filter(ROWS, "quality > 0", best=2, dedupe=0.9)
    assert ids(found) == ["1", "3", "5"]
    assert found.rejected["near-duplicate (similarity of at least 0.9)"] == 1
    assert ids(pg.filter(ROWS, best=1, by="quality")) == ["1", "5"]
    assert ids(pg.filter(ROWS, best=1, by="bleu.free")) == ["1", "4"]
    assert pg.filter(ROWS, "quality > 0", best=1).rejected["not among the best 1"] == 2


def test_a_metric_where_less_is_better_is_best_where_it_is_least():
    rows = [{"source": "a b c d", "candidate": text, "id": text} for text in ("a b c d", "x y z w")]
    assert ids(pg.filter(rows, best=1, by="ter.free")) == ["a b c d"]


@pytest.mark.parametrize("name", ["kept.jsonl", "kept.csv", "kept.parquet", "kept.jsonl.gz"])
@pytest.mark.parametrize("given", ["in.jsonl", "in.csv", "in.parquet"])
def test_every_format_in_and_out(given, name, tmp_path):
    from paragauge.files.rows import read_rows, write_rows

    write_rows(ROWS, tmp_path / given)
    pg.filter(tmp_path / given, "quality >= 0.7", output=tmp_path / name)
    rows = read_rows(tmp_path / name)
    assert [row["id"] for row in rows] == ["1", "2", "3"]
    assert [float(row["quality"]) for row in rows] == [0.9, 0.8, 0.7]
    with pytest.raises(InputError, match="already exists"):
        pg.filter(tmp_path / given, "quality >= 0.7", output=tmp_path / name)
    with pytest.raises(InputError, match="it is the input"):
        pg.filter(tmp_path / given, "quality >= 0.7", output=tmp_path / given, overwrite=True)


@pytest.mark.parametrize("name", ["none.csv", "none.tsv", "none.parquet"])
def test_a_table_without_rows_keeps_its_columns(name, tmp_path):
    assert not pg.filter(ROWS, "quality > 2 and ned.free > 0", output=tmp_path / name).rows
    read = {"csv": polars.read_csv, "parquet": polars.read_parquet}.get(name[5:])
    frame = polars.read_csv(tmp_path / name, separator="\t") if read is None else read(tmp_path / name)
    assert frame.columns == [*ROWS[0], "ned.free"]


def test_a_name_that_is_a_column_and_a_metric_is_listed_once():
    with pytest.raises(InputError) as error:
        pg.filter([row | {"cosine": 0.5} for row in ROWS], "cosin > 0")
    assert str(error.value).count(" cosine,") == 1


def test_a_run_folder_has_a_column_for_each_metric(tmp_path):
    table = tmp_path / "pairs.jsonl"
    table.write_text("".join(json.dumps(row) + "\n" for row in ROWS))
    score_file(table, metrics=["ned.free", "length-ratio"], run=tmp_path / "run")
    found = pg.filter(tmp_path / "run", "ned.free > 0.9 and length-ratio > 0")
    assert ids(found) == ["3", "5"]
    assert found.rows[0]["candidate"] == "something else"


def test_a_table_of_scores_alone_is_refused(tmp_path):
    frame = polars.DataFrame({"sample": ["1"], "system": ["s"], "metric": ["bleu"], "score": [1.0]})
    frame.write_ndjson(tmp_path / "scores.jsonl")
    with pytest.raises(InputError, match="expected a run folder"):
        pg.filter(tmp_path / "scores.jsonl", "bleu > 1")


@pytest.mark.parametrize(
    "arguments, said",
    [
        ({}, "nothing to filter by"),
        ({"where": "qualty > 1"}, "neither a column nor a metric; did you mean 'quality'"),
        ({"best": 0}, "at least 1"),
        ({"dedupe": 1.5}, "at most 1"),
        ({"best": 1}, "nothing says which candidate is better"),
        ({"where": "tags > 1"}, "row 1: tags is"),
    ],
)
def test_what_makes_no_sense_is_refused(arguments, said):
    with pytest.raises(InputError, match=said):
        pg.filter(ROWS, **arguments)


USABLE = [
    {"source": "How old are you?", "candidate": text, "id": text}
    for text in ("What do you have as your age in years now?", "What is your age?", "", "How old are you?")
]


def test_what_says_yes_or_no_ranks_by_its_meaning():
    """All that are left have usable 1, and the first of the file would be the best."""
    meaning = pg.score([row["source"] for row in USABLE[:2]], [row["id"] for row in USABLE[:2]], metrics=["meaning"])
    assert meaning["meaning"][0] < meaning["meaning"][1]
    found = pg.filter(USABLE, "`usable:accept=0.0` == 1", best=1)
    assert ids(found) == ["What is your age?"]
    columns = [row | {"usable": 1, "meaning": place} for place, row in enumerate(USABLE[:2])]
    assert ids(pg.filter(columns, "usable == 1", best=1)) == ["What is your age?"]
    assert ids(pg.filter(columns[::-1], "usable == 1", best=1, by="meaning")) == ["What is your age?"]


def test_what_is_not_usable_has_the_empty_candidates():
    """Both halves are the whole: an empty candidate is not usable."""
    kept, dropped = (pg.filter(USABLE, f"{word}usable == 1") for word in ("", "not "))
    assert sorted([*ids(kept), *ids(dropped)]) == sorted(row["id"] for row in USABLE)
    assert "" in ids(dropped)
    assert kept.rejected["there is no candidate"] == 1
    assert "" not in ids(pg.filter(USABLE, "ned.free <= 1 or not ned.free <= 1"))


@pytest.mark.parametrize("package", ["polars", "pandas"])
def test_a_data_frame_has_rows(package):
    frame = pytest.importorskip(package, reason=f"needs {package}").DataFrame([row | {"tags": 1} for row in ROWS])
    assert ids(pg.filter(frame, "quality >= 0.7")) == ["1", "2", "3"]


@pytest.mark.parametrize("given", [["a", "b"], 5, {"source": ["a"], "candidate": ["b"]}, b"a"])
def test_what_holds_no_rows_is_refused_in_a_sentence(given):
    with pytest.raises(InputError, match="holds no rows; expected Samples, a DataFrame, a list of rows"):
        pg.filter(given, "quality > 1")
