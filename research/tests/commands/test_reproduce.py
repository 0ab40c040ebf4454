"""`paragauge reproduce`, the real program in a subprocess."""

from __future__ import annotations

import csv
import io
import json
from functools import partial
from pathlib import Path

import pytest
from tests.cli import program

call = partial(program.call, "reproduce")
refused = partial(program.refused, "reproduce")


@pytest.fixture
def parascore(data: Path) -> Path:
    if not (data / "parascore").is_dir():
        pytest.skip(f"needs Twitter-Para and BQ-Para: there is no {data / 'parascore'}")
    return data


def test_a_table_with_its_reasons_below(parascore):
    result = call("shen2022", "--table", "split", "--data", parascore)
    assert result.returncode == 0, result.stderr
    lines = result.stdout.splitlines()
    assert lines[0] == "Split"
    assert lines[1].split() == ["row", "column", "printed", "authors", "corrected", "cause", "why"]
    assert lines[3].endswith("Twitter-Para        –    1.000      0.000  not printed  (1)")
    assert "(1) rows of one source in both parts: 7 in dev, 2 in test" in lines


def test_a_count_is_shown_as_a_count(parascore):
    lines = call("shen2022", "--table", "Table 11", "--data", parascore).stdout.splitlines()
    (candidates,) = [line.split() for line in lines if line.startswith("#candidate")]
    assert candidates == ["#candidate", "Twitter-Para", "7159", "–", "7,159", "same"]


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
        (
            ["shen2023"],
            "no paper named 'shen2023'; did you mean 'shen2022'? known: bawden2020, "
            "bawden2020-generation, hailu2020, shen2022",
        ),
        (["shen2022", "-f", "pdf"], "no format named 'pdf'"),
        (["shen2022", "--figures", __file__], "it is a file; expected a folder"),
        (["hailu2020", "--encoder", "default"], "hailu2020 takes no weights named 'en'; it takes none"),
        (["bawden2020", "--figures", "x"], "bawden2020 has no figures that can be drawn"),
        (["shen2022", "--encoder", "fr=camembert"], "shen2022 takes no weights named 'fr'"),
        (["shen2022", "--encoder", "zh="], "--encoder zh=: expected a name after zh="),
        (["shen2022", "--encoder", "a", "--encoder", "en=b"], "--encoder en= is given twice: a and b"),
        (["shen2022", "--table", "Table 99"], "shen2022 has no table 'Table 99'; known: Split, Table 1"),
        (["shen2022", "-o", "cells.doc"], "cells.doc"),
    ],
)
def test_a_wrong_call_is_one_sentence(arguments, sentence):
    assert sentence in refused(*arguments)


@pytest.mark.parametrize("paper", ["shen2022", "hailu2020", "bawden2020"])
def test_missing_data_is_one_sentence(tmp_path, paper):
    assert "was not found" in refused(paper, "--data", tmp_path)
