"""Outputs and references from files."""

import json
from pathlib import Path

import pytest

from paragauge.errors import InputError
from paragauge.references import wmt
from paragauge.references.task import EvaluationSet, read_lines, read_outputs, read_task, system_name


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two systems of two segments in a folder laid out as WMT's data, with extra references."""
    outputs = tmp_path / "system-outputs" / "de-en"
    outputs.mkdir(parents=True)
    (outputs / "newstest2019.a.b-1.de-en").write_text("one\ntwo\n")
    (outputs / "newstest2019.c.de-en").write_text("uno\r\ndue\r\n")
    (tmp_path / "references").mkdir()
    (tmp_path / "references" / "newstest2019-deen-ref.en").write_text("1\n2\n")
    (tmp_path / "extra").mkdir()
    for number in (1, 2, 10):
        (tmp_path / "extra" / f"deen-{number}.en").write_text(f"x{number}\n\n")
    (tmp_path / "extra" / "deen-1.en.parse").write_text("(())\n(())\n")
    (tmp_path / "extra" / "fien-1.en").write_text("y\n")
    return tmp_path


def test_a_language_pair(folder):
    extras = wmt.extra_files(folder / "extra", "de-en")
    assert [path.name for path in extras] == ["deen-1.en", "deen-2.en", "deen-10.en"]  # neither parses nor fi-en
    task = wmt.read_pair(folder, "de-en", extras)
    assert task.outputs == {"a.b-1": ["one", "two"], "c": ["uno", "due"]}
    assert task.references == [["1", "2"], ["x1", ""], ["x2", ""], ["x10", ""]]
    assert (task.segments, task.extras, task.systems) == (2, 3, ["a.b-1", "c"])
    assert wmt.pairs(folder) == ["de-en"]
    assert wmt.read_pair(folder, "de-en", extras, first=1).references[0] == ["1"]


def written(path: Path, *rows: tuple[str, str, str | None]) -> Path:
    """A file as `paragauge paraphrase` writes it, of ids, sources and candidates."""
    named = (dict(zip(("id", "source", "candidate"), row, strict=True)) for row in rows)
    path.write_text("".join(json.dumps(row) + "\n" for row in named))
    return path


def test_what_paraphrase_wrote_is_a_column_for_each_rank(folder):
    (folder / "generated").mkdir()
    rows = ("1.1", "1", "one"), ("1.2", "1", "a\none"), ("2.1", "2", None), ("3.1", "3", "of no line")
    written(folder / "generated" / "deen.jsonl", *rows)
    task = wmt.read_pair(folder, "de-en", wmt.extra_files(folder / "generated", "de-en"))
    assert task.references == [["1", "2"], ["one", ""], ["a one", ""]]


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([("1.1", "1", "one")], "has no row for line 2 of the reference"),
        ([("1.1", "7", "one")], "the source of id 1.1 is '7', and line 1 of the reference is '1'"),
        ([("one", "1", "one")], "has no id such as 7.1"),
        ([("1.1", "1", 1)], "has no id such as 7.1"),
    ],
)
def test_what_paraphrase_wrote_for_other_lines_is_refused(folder, rows, message):
    extra = written(folder / "deen.jsonl", *rows)
    with pytest.raises(InputError, match=message):
        wmt.read_pair(folder, "de-en", [extra])


def test_the_folder_is_found_by_name_in_the_data(folder, monkeypatch):
    monkeypatch.setenv("PARAGAUGE_DATA", str(folder.parent))
    assert wmt.find_folder(folder.name) == folder
    monkeypatch.delenv("PARAGAUGE_DATA")
    assert wmt.find_folder(str(folder)) == folder
    with pytest.raises(InputError, match=r"no WMT data in nowhere or .*; expected a folder with system-outputs"):
        wmt.find_folder("nowhere")


@pytest.mark.parametrize(
    ("name", "system"),
    [
        ("newstest2019.MSRA.MADL.6910.de-en", "MSRA.MADL.6910"),
        ("newstest2019.PROMT_NMT_DE-EN.6683.de-en", "PROMT_NMT_DE-EN.6683"),
        ("newstest2019.online-A.0.de-en.gz", "online-A.0"),
        ("mine.txt", "mine"),
        ("mine.en.gz", "mine"),
        ("mine.v2.en", "mine.v2"),
        ("mine", "mine"),
    ],
)
def test_system_names(name, system):
    assert system_name(Path(name)) == system


def test_what_is_refused(folder, tmp_path):
    outputs, reference = folder / "system-outputs" / "de-en", folder / "references" / "newstest2019-deen-ref.en"
    short = tmp_path / "short.en"
    short.write_text("x\n")
    with pytest.raises(InputError, match=r"has 2 lines but .*short.en has 1; first=1 compares the first 1 lines"):
        read_task(outputs, reference, [short])
    with pytest.raises(InputError, match="has 2 lines; expected at least 3"):
        read_task(outputs, reference, first=3)
    with pytest.raises(InputError, match="is not a folder"):
        read_outputs(reference)
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match="has no files"):
        read_outputs(tmp_path / "empty")
    (outputs / "newstest2018.c.de-en").write_text("x\ny\n")
    with pytest.raises(InputError, match="two files for the system 'c'"):
        read_outputs(outputs)
    with pytest.raises(InputError, match="no outputs for 'de-fr'; did you mean 'de-en'"):
        wmt.read_pair(folder, "de-fr")
    (folder / "references" / "other.de-en").write_text("x\n")
    with pytest.raises(InputError, match="has 2 files for de-en; expected one"):
        wmt.read_pair(folder, "de-en")
    with pytest.raises(InputError, match="the reference has 2 lines but the output of a has 1"):
        EvaluationSet("t", {"a": ["x"]}, [["1", "2"]])
    with pytest.raises(InputError, match="no system output"):
        EvaluationSet("t", {}, [["1"]])
    with pytest.raises(InputError, match="no reference"):
        EvaluationSet("t", {"a": []}, [])
    with pytest.raises(InputError, match="no such file"):
        read_lines(tmp_path / "nothing")


def test_a_file_that_is_not_utf_8_sends_to_no_option(tmp_path):
    path = tmp_path / "latin.en"
    path.write_bytes(b"caf\xe9\n")
    with pytest.raises(
        InputError, match=r"line 1: byte 0xe9 at offset 3 is not utf-8; convert the file to utf-8 first$"
    ):
        read_lines(path)


def test_segments_without_a_reference_are_told(tmp_path):
    (tmp_path / "outputs").mkdir()
    for name, text in (("outputs/a.en", "x\ny\n"), ("bare.en", "x\n\n"), ("empty.en", "\n\n"), ("whole.en", "x\ny\n")):
        (tmp_path / name).write_text(text)
    bare, empty, whole = (tmp_path / f"{name}.en" for name in ("bare", "empty", "whole"))
    outputs = tmp_path / "outputs"
    assert read_task(outputs, whole).warnings() == []
    assert read_task(outputs, bare).warnings() == ["outputs: 1 of 2 segments have no reference, and count nowhere"]
    assert "count only with the extra references" in read_task(outputs, bare, [whole]).warnings()[0]
    with pytest.raises(InputError, match=r"empty.en has no text in its 2 lines; expected references"):
        read_task(outputs, empty)
