"""An output that a run has written before it was interrupted is known as its own, and no other file is."""

from pathlib import Path

import pytest

from paragauge.errors import ExistingFileError, InputError, WriteError
from paragauge.evaluate.score_file import score_file
from paragauge.runs.outputs import is_own, noting
from paragauge.runs.store import SUFFIX, Store
from paragauge.select.paraphrase import paraphrase_file

PAIRS = "source,candidate\nHow old are you?,What is your age?\nIs it late?,It is late\n"


class Killed(BaseException):
    """Nothing catches it, as nothing catches SIGKILL."""


def die(*_: object, **__: object) -> None:
    raise Killed


@pytest.fixture
def table(tmp_path: Path) -> Path:
    (tmp_path / "pairs.csv").write_text(PAIRS)
    return tmp_path / "pairs.csv"


@pytest.mark.parametrize("name", ["scores.csv", "scores.jsonl.gz", "scores.parquet", "scores/"])
def test_killed_as_soon_as_the_output_is_there(table, tmp_path, monkeypatch, name):
    kept = {"metrics": ["ned.free"], "run": tmp_path / "run"}
    output = str(tmp_path) + "/" + name
    score_file(table, metrics=["ned.free"], output=str(tmp_path) + "/whole-" + name)
    with monkeypatch.context() as patched:
        patched.setattr(Store, "finish", die)
        with pytest.raises(Killed):
            score_file(table, **kept, output=output)
    for _ in range(2):  # interrupted, and complete
        score_file(table, **kept, output=output)
        assert content(Path(output)) == content(tmp_path / f"whole-{name}")


def content(place: Path) -> dict[str, bytes]:
    files = sorted(place.iterdir()) if place.is_dir() else [place]
    return {file.name.removeprefix("whole-"): file.read_bytes() for file in files}


def test_a_file_of_others_is_not_replaced(table, tmp_path):
    kept = {"metrics": ["ned.free"], "run": tmp_path / "run"}
    output = tmp_path / "scores.csv"
    score_file(table, **kept)
    output.write_text("years of work")
    with pytest.raises(ExistingFileError):
        score_file(table, **kept, output=output)
    output.unlink()
    score_file(table, **kept, output=output)
    output.write_text(output.read_text() + "and a note of mine\n")
    with pytest.raises(ExistingFileError):
        score_file(table, **kept, output=output)
    folder = tmp_path / "folder"
    score_file(table, **kept, output=f"{folder}/")
    (folder / "mine.txt").write_text("years of work")
    with pytest.raises(InputError, match="is not empty; choose another"):
        score_file(table, **kept, output=f"{folder}/")
    assert (folder / "mine.txt").read_text() == "years of work"


def test_what_is_noted_may_be_cut_or_damaged(tmp_path):
    (tmp_path / "one").write_text("one")
    digest = "7692c3ad3540bb803c020b3aee66cd8887123234ea0c6e7143c0add73ff431ed"
    noting(tmp_path, tmp_path / "one")(digest)
    with (tmp_path / "outputs.jsonl").open("a") as stream:
        stream.write('[]\n{"output": 3}\n{"output": [], "sha256": ""}\n' + "[" * 100_000 + '\n{"output": "cu')
    assert is_own(tmp_path, tmp_path / "one")
    assert not is_own(tmp_path, tmp_path / "two")
    assert not is_own(tmp_path / "absent", tmp_path / "one")


@pytest.mark.parametrize("name", ["found.jsonl", "found.csv"])
def test_paraphrases_killed_as_soon_as_the_output_is_there(tmp_path, monkeypatch, name):
    (tmp_path / "texts.txt").write_text("one two three\nfour five six\n")
    output = tmp_path / name
    with monkeypatch.context() as patched:
        patched.setattr(Store, "remove", die)
        with pytest.raises(Killed):
            paraphrase_file(tmp_path / "texts.txt", "wordswap-1", 2, output=output)
    before = output.read_bytes()
    assert paraphrase_file(tmp_path / "texts.txt", "wordswap-1", 2, output=output).sources == 2
    assert output.read_bytes() == before
    assert not Path(f"{output}{SUFFIX}").exists()
    with pytest.raises(ExistingFileError):
        paraphrase_file(tmp_path / "texts.txt", "wordswap-1", 2, output=output)


def test_what_is_kept_on_a_full_disk_is_told_only_where_it_is(table, tmp_path):
    full, run = tmp_path / "full.csv", tmp_path / "run"
    full.symlink_to("/dev/full")
    with pytest.raises(WriteError) as caught:
        score_file(table, metrics=["ned.free"], output=full)
    assert str(caught.value).startswith(f"could not write {full}: No space left on device")
    assert "is kept" not in str(caught.value)
    with pytest.raises(WriteError) as caught:
        score_file(table, metrics=["ned.free"], output=full, run=run)
    assert str(caught.value).endswith(f"; what was finished is kept in {run}; rerun to resume")
    assert list((run / "parts").glob("*.scores.parquet"))
