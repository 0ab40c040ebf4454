"""`paragauge reproduce`, the real program in a subprocess."""

from __future__ import annotations

import csv
import io
import json
from functools import partial
from pathlib import Path

import pytest

from paragauge.cli.reproduce import wanted

from . import program

call = partial(program.call, "reproduce")
refused = partial(program.refused, "reproduce")


@pytest.fixture
def parascore(data: Path) -> Path:
    if not (data / "parascore").is_dir():
        pytest.skip(f"needs Twitter-Para and BQ-Para: there is no {data / 'parascore'}")
    return data


def test_a_table_with_its_reasons_below(parascore):
    result = call("parascore", "--table", "split", "--data", parascore)
    assert result.returncode == 0, result.stderr
    lines = result.stdout.splitlines()
    assert lines[0] == "Split"
    assert lines[1].split() == ["row", "column", "printed", "authors", "corrected", "why"]
    assert lines[3].endswith("Twitter-Para        –    1.000      0.000  (1)")
    assert "(1) rows of one source in both parts: 7 in dev, 2 in test" in lines


def test_json_and_csv_carry_the_whole_reason(parascore, tmp_path):
    file = tmp_path / "cells.csv"
    result = call("parascore", "--table", "Split", "--data", parascore, "-f", "json", "-o", file)
    cells = json.loads(result.stdout)
    assert [cell["column"] for cell in cells] == ["Twitter-Para", "BQ-Para"]
    assert cells[0]["why"].startswith("rows of one source in both parts")
    rows = list(csv.DictReader(io.StringIO(file.read_text(encoding="utf-8"))))
    assert [(row["row"], float(row["authors"])) for row in rows] == [(cell["row"], cell["authors"]) for cell in cells]


@pytest.mark.parametrize(
    "arguments, sentence",
    [
        (["parascor"], "no paper named 'parascor'; did you mean 'parascore'? known: bawden2020, parascore, weem4pg"),
        (["parascore", "-f", "pdf"], "no format named 'pdf'"),
        (["parascore", "--figures", __file__], "it is a file; expected a folder"),
        (["weem4pg", "--encoder", "default"], "weem4pg takes neither --encoder nor --figures"),
        (["parascore", "--encoder", "fr=camembert"], "--encoder fr=camembert: expected a name, or one after en=, zh="),
        (["parascore", "-o", "cells.doc"], "cells.doc"),
    ],
)
def test_a_wrong_call_is_one_sentence(arguments, sentence):
    assert sentence in refused(*arguments)


@pytest.mark.parametrize("paper", ["parascore", "weem4pg"])
def test_missing_data_is_one_sentence(tmp_path, paper):
    assert "is not here" in refused(paper, "--data", tmp_path)


def test_an_unknown_table_is_one_sentence(parascore):
    assert "parascore has no table 'Table 99'" in refused("parascore", "--table", "Table 99", "--data", parascore)


@pytest.mark.parametrize(
    "label, table, expected",
    [
        ("Tables 4–8", "Table 5", True),
        ("Tables 4–8", "tables 8-9", True),
        ("Tables 4–8", "Table 9", False),
        ("Figures 1–2", "Table 1", False),
        ("Figures 1–2", "figure 2", True),
        ("Table 1", "Table 13", False),
        ("Appendix E", "appendix e", True),
        ("Table 7a, BLEU, system level", "Table 7", True),
        ("Table 7a, BLEU, system level", "table 7a", True),
        ("Table 7a, BLEU, system level", "Table 7b", False),
        ("Table 1", "", False),
    ],
)
def test_a_range_of_tables_answers_to_each_of_them(label, table, expected):
    assert wanted(label, [table]) is expected
