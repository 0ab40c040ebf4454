"""No command replaces what it reads, nor any other file unless told; and output that is lost is said."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from paragauge.benchmarks import benchmark
from paragauge.cli import app
from paragauge.errors import ExistingFileError, InputError
from paragauge.evaluate.score_file import score_file

from .program import command, refused

ROOT = Path(__file__).parents[2]
PAIRS = ROOT / "examples" / "pairs.csv"


def call(*arguments: object) -> None:
    """In this process: errors come as they are."""
    app([str(argument) for argument in arguments], standalone_mode=False)


def program(*arguments: object, **options: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command(*arguments), **{"encoding": "utf-8", "timeout": 300, **options})  # type: ignore[call-overload,no-any-return]


@pytest.fixture
def table(tmp_path: Path) -> Path:
    return Path(shutil.copy(PAIRS, tmp_path / "s.csv"))


def links(file: Path) -> list[Path]:
    """The file by its own name, by a symbolic link and by a hard link."""
    symbolic, hard = file.with_name(f"symbolic-{file.name}"), file.with_name(f"hard-{file.name}")
    symbolic.symlink_to(file)
    os.link(file, hard)
    return [file, symbolic, hard]


@pytest.mark.parametrize("overwrite", [[], ["--overwrite"]])
def test_score_never_writes_over_its_table(table, overwrite):
    before = table.read_bytes()
    for output in links(table):
        with pytest.raises(InputError, match="it is the input"):
            call("score", table, "-m", "bleu", "-o", output, *overwrite)
    assert table.read_bytes() == before


def test_score_never_writes_over_aligned_text_or_what_a_metric_reads(tmp_path):
    files = {name: tmp_path / f"{name}.csv" for name in ("source", "candidate", "reference", "unigrams")}
    for file in files.values():
        file.write_text("one two\n")
    reads = ["-s", files["source"], "-c", files["candidate"], "-r", files["reference"]]
    for name in ("source", "candidate", "reference"):
        with pytest.raises(InputError, match="it is the input"):
            call("score", *reads, "-m", "bleu", "-o", files[name], "--overwrite")
    with pytest.raises(InputError, match="it is the input"):
        call("score", *reads, "-m", f"slor:unigrams={files['unigrams']}", "-o", files["unigrams"], "--overwrite")
    assert {file.read_text() for file in files.values()} == {"one two\n"}


def test_standard_input_is_not_written_over(table):
    before = table.read_bytes()
    with table.open("rb") as stream:
        result = program("score", "-", "-m", "bleu", "-o", table, "--overwrite", stdin=stream, stderr=subprocess.PIPE)
    assert result.returncode == 2
    assert "it is the input, standard input" in result.stderr
    assert table.read_bytes() == before


def test_another_file_needs_overwrite_and_the_message_says_so(table, tmp_path):
    output = tmp_path / "scores.csv"
    output.write_text("years of work")
    result = program("score", table, "-m", "bleu", "-o", output, capture_output=True)
    assert result.returncode == 2
    assert result.stderr == f"paragauge: {output} already exists; --overwrite replaces it\n"
    assert output.read_text() == "years of work"
    call("score", table, "-m", "bleu", "-o", output, "--overwrite", "-q")
    assert output.read_text().startswith("sample,system,metric,score")


def test_a_run_is_kept_apart_from_what_is_read(table, tmp_path):
    with pytest.raises(InputError, match="it is the input"):
        call("score", table, "-m", "bleu", "--run", table)
    with pytest.raises(InputError, match=r"the input .*s\.csv is in it"):
        call("score", table, "-m", "bleu", "--run", tmp_path)
    with pytest.raises(InputError, match="is inside the run folder"):
        call("score", table, "-m", "bleu", "--run", tmp_path / "run", "-o", tmp_path / "run" / "scores.csv")
    other = tmp_path / "other.csv"
    other.write_text("years of work")
    with pytest.raises(InputError, match="is a file; expected a folder"):
        call("score", table, "-m", "bleu", "--run", other)
    assert other.read_text() == "years of work"


@pytest.fixture
def rated(tmp_path: Path) -> Path:
    file = tmp_path / "correlations.svg"  # as a figure is called
    rows = [f"source {number},candidate {'x ' * number},{number % 3}\n" for number in range(12)]
    file.write_text("source,candidate,human\n" + "".join(rows))
    return file


def test_figures(rated, tmp_path):
    pytest.importorskip("altair")
    pytest.importorskip("vl_convert")
    before = rated.read_bytes()
    arguments = ["meta", rated, "--input-format", "csv", "-m", "ned.free", "--resamples", "100", "-q", "--no-sentinels"]
    with pytest.raises(InputError, match="it is the input"):
        call(*arguments, "--figures", tmp_path, "--overwrite")
    assert rated.read_bytes() == before
    drawn = tmp_path / "drawn"
    drawn.mkdir()
    (drawn / "correlations.png").write_text("years of work")
    with pytest.raises(ExistingFileError):
        call(*arguments, "--figures", drawn)
    assert [file.name for file in drawn.iterdir()] == ["correlations.png"]
    call(*arguments, "--figures", drawn, "--overwrite")
    assert (drawn / "correlations.png").read_bytes().startswith(b"\x89PNG")


def test_reproduce(tmp_path):
    output = tmp_path / "cells.csv"
    output.write_text("years of work")
    with pytest.raises(ExistingFileError):
        call("reproduce", "weem4pg", "-o", output)
    known = benchmark("twitter-para")
    for file in known.files:
        (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / file).write_text("years of work")
    target = tmp_path / "link.csv"
    target.symlink_to(tmp_path / next(iter(known.files)))
    with pytest.raises(InputError, match="it is the input"):
        call("reproduce", "parascore", "--data", tmp_path, "-o", target, "--overwrite")
    assert target.read_text() == output.read_text() == "years of work"


def test_baseline(tmp_path):
    texts = tmp_path / "texts.txt"
    texts.write_text("one\ntwo\n")
    for output in links(texts):
        with pytest.raises(InputError, match="it is the input"):
            call("models", "baseline", texts, "-o", output, "--overwrite")
    other = tmp_path / "other.csv"
    other.write_text("years of work")
    with pytest.raises(ExistingFileError):
        call("models", "baseline", texts, "-o", other)
    assert (texts.read_text(), other.read_text()) == ("one\ntwo\n", "years of work")


def test_cards(tmp_path):
    (tmp_path / "ter.md").write_text("years of work")
    with pytest.raises(ExistingFileError):
        call("metrics", "--cards", tmp_path)
    assert [file.name for file in tmp_path.iterdir()] == ["ter.md"]
    call("metrics", "--cards", tmp_path, "--overwrite")
    assert (tmp_path / "ter.md").read_text(encoding="utf-8").startswith("# ")


def test_forms_of_tables_in_every_command_that_reads_one(tmp_path, capsys):
    file = tmp_path / "rows.csv"
    text = "a b c d e f"
    rows = [f"{text} {number}|{text[: 2 * (number % 6) + 1]} x|{number % 3}\n" for number in range(24)]
    file.write_text("".join(rows))
    layout = ["--delimiter", "|", "--columns", "question, candidate,human", "--column", "source=question"]
    call("score", file, *layout, "-m", "ned.free", "-f", "csv", "-q")
    assert ",24,0" in capsys.readouterr().out
    call("meta", file, *layout, "-m", "ned.free", "--resamples", "100", "-q", "--no-sentinels")
    assert "ned.free" in capsys.readouterr().out
    call("tune", file, *layout, "-m", "bleu.free", "--grid", "order=1,2", "--share", "0.5", "-q")
    assert "chosen" in capsys.readouterr().out
    with pytest.raises(
        InputError, match="twitter-para is a data set, whose columns are known; delimiter is for a file"
    ):
        call("meta", "twitter-para", "--delimiter", ";")


COMMANDS = [
    ["--help"],
    ["--version"],
    ["metrics"],
    ["metrics", "bleu"],
    ["models", "list"],
    ["data", "list"],
    ["score", PAIRS, "-m", "bleu"],
    ["score", PAIRS, "-m", "bleu", "-f", "csv", "--sentence-level", "-q"],
    ["references", "diversity", PAIRS, PAIRS],
]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
@pytest.mark.parametrize("words", COMMANDS, ids=lambda words: " ".join(map(str, words[:2])))
def test_a_full_disk_behind_standard_output_is_one_sentence(words):
    with open("/dev/full", "w") as full:
        result = program(*words, stdout=full, stderr=subprocess.PIPE)
    assert result.returncode == 1
    assert result.stderr == "paragauge: could not write to standard output: No space left on device\n"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_disk_behind_both_streams():
    with open("/dev/full", "w") as full:
        assert program("metrics", stdout=full, stderr=full).returncode == 1
        assert program("nonsense", stdout=full, stderr=full).returncode == 2


def test_closed_streams():
    closed = f"{sys.executable} -m paragauge metrics"
    result = subprocess.run(["sh", "-c", f"{closed} >&-"], capture_output=True, encoding="utf-8")
    assert (result.returncode, result.stderr) == (1, "paragauge: standard output is closed\n")
    result = subprocess.run(["sh", "-c", f"{closed} 2>&-"], capture_output=True, encoding="utf-8")
    assert result.returncode == 0
    assert "bleu" in result.stdout


@pytest.mark.parametrize("encoding", ["ascii", "cp1252"])
def test_an_encoding_that_lacks_characters(encoding):
    """Of a terminal without UTF-8, or of a pipe on Windows."""
    environment = os.environ | {"PYTHONIOENCODING": encoding}
    result = program("metrics", env=environment, capture_output=True, encoding=encoding)
    assert (result.returncode, result.stderr) == (0, "")
    assert set(result.stdout.splitlines()[1]) == {"-"}
    assert r"\u221e" in result.stdout  # ∞


LONG = ["a" * 300, "é" * 140, f"{'a' * 300}/x"]  # names of more than 255 bytes


@pytest.mark.parametrize("name", LONG, ids=["letters", "two bytes each", "a folder"])
@pytest.mark.parametrize(
    "words",
    [
        ["score", "TABLE", "-m", "ned.free", "-o", "NAME.csv"],
        ["score", "TABLE", "-m", "ned.free", "-o", "NAME/"],
        ["score", "TABLE", "-m", "ned.free", "--report", "NAME.html"],
        ["score", "TABLE", "-m", "ned.free", "--run", "NAME"],
        ["score", "NAME.csv"],
        ["paraphrase", "TABLE", "--method", "wordswap-1", "-o", "NAME.jsonl"],
        ["paraphrase", "TABLE", "--method", "wordswap-1", "--report", "NAME.html"],
        ["filter", "TABLE", "--best", "1", "--by", "ned.free", "-o", "NAME.csv"],
        ["filter", "NAME.csv", "--best", "1", "--by", "ned.free"],
        ["compare", "TABLE", "-m", "ned.free", "--report", "NAME.html"],
        ["compare", "NAME", "NAME"],
        ["annotate", "NAME.csv"],
        ["annotate", "TABLE", "--study", "NAME.db"],
        ["annotate", "status", "NAME.db"],
        ["report", "NAME"],
        ["report", "TABLE", "-o", "NAME.html"],
        ["meta", "TABLE", "--report", "NAME.html"],
        ["runs", "list", "NAME"],
        ["export", "TABLE", "-o", "NAME.csv"],
    ],
    ids=" ".join,
)
def test_a_name_that_is_too_long_is_one_sentence(table, name, words, monkeypatch):
    monkeypatch.chdir(table.parent)
    refused(*(word.replace("TABLE", str(table)).replace("NAME", name) for word in words))
    assert [file.name for file in table.parent.iterdir()] == [table.name]


def test_a_name_that_no_file_can_have_is_refused_by_the_library_too(table):
    for output in (f"{'a' * 300}.csv", "a\0b.csv"):
        with pytest.raises(InputError, match=r"^cannot write .*a.*: (File name too long|embedded null)"):
            score_file(table, metrics=["ned.free"], output=table.parent / output)


@pytest.mark.parametrize("option", [["--report", "r.html"], ["--baseline", "s0"]])
def test_too_many_systems_are_refused_before_they_are_scored(tmp_path, option):
    table = tmp_path / "many.csv"
    table.write_text("system,source,candidate\n" + "".join(f"s{number},a b,a c\n" for number in range(101)))
    with pytest.raises(InputError, match="101 systems are too many to compare"):
        call("score", table, "-m", "ned.free", "--run", tmp_path / "run", *option)
    assert not (tmp_path / "run").exists()
