"""Whatever stands in names, columns, files and texts, nothing of it reaches the terminal as a control character."""

from __future__ import annotations

import ast
import csv
import io
import json
import os
import pty
import re
import subprocess
import sys
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import polars
import pytest

import paragauge
from paragauge.compute.workspace import Workspace
from paragauge.metric import Floats
from paragauge.metrics.form.ned import Ned
from paragauge.tables.notices import NoticeKind

from .program import call, call_bytes, command, read_terminal, refused

# clear the screen, set the title, C1's CSI, a bell, override and isolate of direction, delete, a line separator
HOSTILE = "x\x1b[2J\x1b]0;owned\x07\x9b31m\u202egnp\u2066z\x7f\u2028y"
SPELLED = r"x\x1b[2J\x1b]0;owned\x07\x9b31m\u202egnp\u2066z\x7f\u2028y"
FORMATS = ["table", "json", "csv", "markdown", "latex"]
PACKAGE = Path(paragauge.__file__).parent


def controls(text: str) -> set[str]:
    """Control characters, and those that change the direction of what follows."""
    return {
        mark
        for mark in text
        if (unicodedata.category(mark) in ("Cc", "Zl", "Zp", "Cs") and mark != "\n")
        or unicodedata.bidirectional(mark) in ("LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI")
    }


def shown(*arguments: object, **options: str) -> str:
    """What the program prints; line separators would be swallowed by text mode's universal newlines, so bytes."""
    result = call_bytes(*arguments, environment=options)
    text = (result.stdout + result.stderr).decode()
    assert "Traceback" not in text
    assert not controls(text), ascii(text)
    return text


@pytest.fixture
def table(tmp_path: Path) -> Path:
    """A rated table with the hostile text wherever it can stand, in a file of that name."""
    file = tmp_path / f"{HOSTILE}.jsonl"
    rows = [
        {
            "source": f"source {row // 2} {HOSTILE}", "candidate": f"one {'two ' * (row % 5)}{HOSTILE}",
            "reference": "one two two", "system": f"{HOSTILE}{row % 2}", "id": f"{row} {HOSTILE}", "human": row % 4,
            HOSTILE: row % 3, "rating": HOSTILE,
        }
        for row in range(12)
    ]  # fmt: skip
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return file


@pytest.fixture
def systems(tmp_path: Path) -> list[object]:
    """Outputs of three systems and two references, for `paragauge references`."""
    outputs = tmp_path / "outputs"
    outputs.mkdir()
    for system in range(3):
        (outputs / f"{HOSTILE}{system}").write_text(f"one two \x1b[2J{system} three four\n" * 4, encoding="utf-8")
    for name in ("reference", "extra"):
        (tmp_path / f"{HOSTILE}.{name}").write_text("one two three four\n" * 4, encoding="utf-8")
    return [
        "--outputs", outputs, "--reference", tmp_path / f"{HOSTILE}.reference", "--extra",
        tmp_path / f"{HOSTILE}.extra",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("format", "level"),
    [*((format, []) for format in FORMATS), ("table", ["--sentence-level"]), ("csv", ["--sentence-level"])],
)
def test_scores(table, format, level):
    text = shown("score", table, "-m", "bleu", "-f", format, *level)
    if format == "json":
        assert json.loads(text)[0]["system"][:-1] == HOSTILE  # the same text, written with \u
    elif format == "csv":
        assert next(csv.DictReader(io.StringIO(text)))["system"][:-1] == SPELLED
    else:
        assert re.search(r"x(\\\\|\\|\\textbackslash\{\})x1b", text)


@pytest.mark.parametrize(
    "arguments",
    [
        ["meta", "TABLE", "--score", HOSTILE, "--figures", f"FOLDER/{HOSTILE}"],
        ["meta", "TABLE", "--score", HOSTILE, "-m", "ned.free", "--analysis", "differences", "-f", "csv"],
        ["meta", "TABLE", "--score", HOSTILE, "--analysis", "groups", "--resamples", "100", "-f", "markdown"],
        ["references", "score", "SYSTEMS"],
        ["references", "coverage", "SYSTEMS", "--show", "missing", "-f", "latex"],
        ["references", "coverage", "SYSTEMS", "--show", "unrewarded", "--folds", "3", "-f", "csv"],
        ["data", "list", "--data", f"FOLDER/{HOSTILE}"],
        ["models", "verify"],
        ["metrics", "--cards", f"FOLDER/{HOSTILE}"],
    ],
    ids=lambda arguments: ascii(" ".join(arguments[:2] + arguments[3:])),
)
def test_what_is_printed(tmp_path, table, systems, arguments):
    cache = tmp_path / "cache" / HOSTILE
    (cache / "models" / "all-MiniLM-L6-v2").mkdir(parents=True)  # found damaged, and told where
    asked: list[object] = []
    for argument in arguments:
        whole = argument.replace("TABLE", str(table)).replace("FOLDER", str(tmp_path))
        asked += systems if argument == "SYSTEMS" else [whole]
    text = shown(*asked, PARAGAUGE_CACHE=str(cache), PARAGAUGE_OFFLINE="1")
    assert r"\x1b" in text or "textbackslash{}x1b" in text


@pytest.mark.parametrize(
    "arguments",
    [
        ["score", HOSTILE],
        ["score", "TABLE", "-m", f"{HOSTILE}\nb"],
        ["score", "TABLE", "--column", f"source={HOSTILE}2"],
        ["score", "TABLE", "-o", f"nowhere/{HOSTILE}.csv"],
        ["score", "TABLE", f"--{HOSTILE}"],
        ["meta", HOSTILE],
        ["meta", "TABLE", "--human", "rating"],
        ["tune", "TABLE", "--grid", HOSTILE],
        ["references", "evaluate", HOSTILE, "--extra-dir", HOSTILE],
        ["data", "import", "twitter-para", HOSTILE],
        ["models", "get", "default"],
        ["reproduce", "parascore", "--encoder", f"{HOSTILE}=x"],
        [HOSTILE],
    ],
    ids=lambda arguments: ascii(" ".join(arguments)),
)
def test_what_is_refused(tmp_path, table, arguments):
    # the cache is in a folder of that name too, for messages that name it
    text = shown(
        *(str(table) if argument == "TABLE" else argument for argument in arguments),
        PARAGAUGE_CACHE=str(tmp_path / HOSTILE), PARAGAUGE_OFFLINE="1",
    )  # fmt: skip
    assert len(text.strip().splitlines()) == 1
    assert r"\x1b" in text


def test_a_name_that_is_not_utf8(tmp_path):
    """Python reads such a byte as half of a surrogate pair, which standard output cannot encode."""
    folder = os.fsdecode(os.fsencode(tmp_path) + b"/\xff")
    assert r"\udcff" in shown("data", "list", "--data", folder)


def test_a_terminal_is_sent_no_more_than_bold_letters(table):
    """-q, as a busy machine would show a progress bar, which moves the cursor."""
    terminal, other = pty.openpty()
    with subprocess.Popen(command("score", table, "-m", "bleu", "-q"), stdout=other, stderr=other) as process:
        os.close(other)
        text = read_terminal(terminal)
    os.close(terminal)
    assert process.returncode == 0
    written = text.decode().replace("\r\n", "\n").replace("\x1b[1m", "").replace("\x1b[0m", "")
    assert not controls(written), ascii(written)
    assert r"\x1b" in written


def test_the_progress_bar_shows_a_label_as_it_is_spelled(monkeypatch):
    from paragauge.cli.terminal import progress

    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    stream = Terminal()
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setattr(progress, "DELAY", 0)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "200")
    with progress.Bar() as bar:
        bar.update(f"[/b]{HOSTILE}", 1, 2)
    assert f"[/b]{SPELLED}" in stream.getvalue()
    assert "\x1b]0;" not in stream.getvalue()


@dataclass(frozen=True, kw_only=True)
class Truncating(Ned):
    """A metric that says of an encoder in a folder of the hostile name that it cuts texts off."""

    def compare(self, pairs: Sequence[tuple[str, str]], work: Workspace) -> Floats:
        work.notices.add(NoticeKind.TRUNCATED, HOSTILE)
        return super().compare(pairs, work)


def test_errors_and_warnings_of_the_library():
    with pytest.raises(paragauge.ParagaugeError) as caught:
        paragauge.score(["a"], ["b"], metrics=[f"{HOSTILE}\nand more"])
    with pytest.warns(UserWarning, match="longer than") as warned:
        paragauge.score(["a"], ["b"], metrics=[Truncating(free=True)])
    for text in (str(caught.value), str(warned[0].message)):
        assert SPELLED in text
        assert not controls(text)
        assert "\n" not in text


def test_nothing_prints_but_what_escapes():
    """A bare `print` would let through whatever it is given."""
    found = []
    for file in PACKAGE.rglob("*.py"):
        if file.relative_to(PACKAGE).as_posix() in ("printable.py", "cli/terminal/printing.py"):
            continue
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and ast.unparse(node.func) in (
                "print",
                "sys.stderr.write",
                "sys.stdout.write",
            ):
                found.append(f"{file.relative_to(PACKAGE)}:{node.lineno}")
    assert found == [], "use paragauge.printable.say, or lines of paragauge.cli.terminal.printing"


def test_formulas_are_marked_as_text_for_a_spreadsheet(tmp_path):
    file, target = tmp_path / "pairs.csv", tmp_path / "scores.tsv"
    systems = ["=cmd|' /C calc'!A0", "+1+1", "-x", "@SUM(A1)", "-0.5", "plain"]
    with file.open("w", newline="") as stream:
        writer = csv.writer(stream)
        writer.writerow(["source", "candidate", "system", "id"])
        writer.writerows([["a b", "a c", system, f"={number}"] for number, system in enumerate(systems)])
    options = ["score", file, "-m", "ned.free", "--sentence-level", "-q", "-f", "csv"]
    guarded = ["'=cmd|' /C calc'!A0", "'+1+1", "'-x", "'@SUM(A1)", "-0.5", "plain"]
    for extra, expected in (([], systems), (["--spreadsheet"], guarded)):
        printed = list(csv.DictReader(io.StringIO(call(*options, "-o", target, *extra).stdout)))
        assert [row["system"] for row in printed] == expected
        assert [row["sample"][0] for row in printed] == ["'" if extra else "="] * 6
        written = polars.read_csv(target, separator="\t", infer_schema=False)
        assert written["system"].to_list() == expected
        assert [float(value) for value in written["score"]] == [float(row["ned.free"]) for row in printed]
        target.unlink()


def test_a_spreadsheet_option_that_would_be_passed_over_is_refused(tmp_path):
    file = tmp_path / "pairs.csv"
    file.write_text("source,candidate\na,b\n")
    assert call("score", file, "-m", "ned.free", "--spreadsheet", "-o", tmp_path / "scores.csv").returncode == 0
    for options in (["-f", "json"], ["-o", tmp_path / "scores.parquet"]):
        assert "--spreadsheet applies only to csv" in refused(
            "score", file, "-m", "ned.free", "--spreadsheet", *options
        )
