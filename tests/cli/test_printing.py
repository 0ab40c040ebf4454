"""Tables as they are printed: on a terminal they fit, anywhere else nothing is folded."""

from __future__ import annotations

import math

import pytest

from paragauge.cli import printing

HEADER = ["references", "pair", "r with extras", "what came of it", "accuracy with extras"]
ROWS = [
    ["human", "de-en", 0.5, "as good as one could have wished for, and far better than what was had before", -0.0001],
    ["human", "fi-en", -0.25, "worse", math.nan],
]


@pytest.fixture
def terminal(monkeypatch):
    def of(columns: int) -> None:
        monkeypatch.setenv("COLUMNS", str(columns))
        monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)

    return of


def printed(capsys) -> list[str]:
    printing.table(HEADER, ROWS, "table", None)
    return capsys.readouterr().out.replace("\033[1m", "").replace("\033[0m", "").splitlines()


@pytest.mark.parametrize("columns", [120, 100, 80, 60, 40])
def test_a_table_fits_its_terminal_and_loses_no_word(terminal, capsys, columns):
    terminal(columns)
    lines = printed(capsys)
    assert max(map(len, lines)) <= columns
    words = " ".join(lines).split()
    assert {"accuracy", "extras", "wished", "before", "0.500", "-0.250", "0.000", "–"} <= set(words)


def test_each_block_of_columns_begins_with_what_tells_the_rows_apart(terminal, capsys):
    terminal(50)
    lines = printed(capsys)
    heads = [line for line in lines if line.startswith("references")]
    assert len(heads) > 1
    assert all(head.split()[:2] == ["references", "pair"] for head in heads)


def test_away_from_a_terminal_a_row_is_one_line(monkeypatch, capsys):
    monkeypatch.setenv("COLUMNS", "40")
    lines = printed(capsys)
    assert len(lines) == 4
    assert lines[2].endswith(" 0.000")  # no negative zero
    assert lines[3].endswith(" –")  # under the numbers


def test_a_line_break_in_a_cell_breaks_no_row(capsys):
    for format in ("table", "markdown", "latex"):
        printing.table(["text", "n"], [["one\ntwo", 1.0]], format, None)
        assert "one two" in capsys.readouterr().out


def test_a_column_without_any_defined_number_is_set_as_numbers(capsys):
    printing.table(["metric", "pearson"], [["bleu", math.nan]], "markdown", None)
    assert "|---|---:|" in capsys.readouterr().out


def test_a_hyphen_before_a_number_is_a_minus_in_latex(capsys):
    printing.table(["metric", "r"], [["bert-ibleu", -0.5]], "latex", None)
    assert "bert-ibleu & $-$0.500" in capsys.readouterr().out
