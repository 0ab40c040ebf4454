"""`paragauge compare` and `paragauge score --baseline`."""

import json
import re
from pathlib import Path

import pytest

from .program import call, refused

PAIRS = Path(__file__).parents[2] / "examples" / "pairs.csv"


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("run") / "demo"
    assert call("score", PAIRS, "-m", "ned.free", "-m", "bleu", "--run", folder, "-q").returncode == 0
    return folder


def test_an_unknown_format_is_refused(run):
    assert refused("compare", run, "-f", "csv") == (
        "paragauge: no format named 'csv'; known: json, latex, markdown, table"
    )


def test_score_prints_the_differences_to_a_baseline(run):
    plain = call("score", PAIRS, "-m", "ned.free", "--baseline", "copy", "-q")
    assert plain.returncode == 0, plain.stderr
    assert re.search(r"− copy +95% interval +p \(Holm\) +wins/ties/losses", plain.stdout)
    rows = json.loads(call("score", PAIRS, "-m", "ned.free", "--baseline", "copy", "-q", "-f", "json").stdout)
    compared = json.loads(call("compare", run, "-m", "ned.free", "-f", "json", "--baseline", "copy").stdout)
    for gap in compared["differences"]:
        (row,) = (row for row in rows if row["system"] == gap["first"])
        assert (row["difference"], row["p (Holm)"], row["wins"]) == (gap["value"], gap["adjusted"], gap["wins"])
    (base,) = (row for row in rows if row["system"] == "copy")
    assert base["difference"] is None


def test_a_baseline_is_checked_before_anything_is_scored(tmp_path):
    assert refused("score", PAIRS, "-m", "ned.free", "--baseline", "cop", "--run", tmp_path / "run") == (
        "paragauge: --baseline cop: no system has this name; did you mean 'copy'? known: copy, rewrite, word-swap"
    )
    assert not (tmp_path / "run").exists()


def test_a_report_shows_what_the_comparison_was_asked_for(run, tmp_path):
    asked = ("-m", "bleu", "--baseline", "rewrite", "--seed", "3")
    found = json.loads(call("compare", run, *asked, "-f", "json", "--report", tmp_path / "asked.html").stdout)
    text = (tmp_path / "asked.html").read_text(encoding="utf-8")
    assert re.search(r'class="answer">By bleu, compared with rewrite: word-swap is ', text)
    assert "Bold: no other system" not in text  # none is compared with all others
    call("export", tmp_path / "asked.html", "-o", tmp_path / "gaps.jsonl", "--table", "differences")
    shown = [json.loads(line) for line in (tmp_path / "gaps.jsonl").read_text(encoding="utf-8").splitlines()]
    names = {"metric": "metric", "system": "first", "baseline": "second", "difference": "value", "p": "p"}
    assert [[row[name] for name in names] for row in shown] == [
        [gap[name] for name in names.values()] for gap in found["differences"]
    ]
    assert {gap["second"] for gap in found["differences"]} == {"rewrite"}
    call("export", tmp_path / "asked.html", "-o", tmp_path / "systems.csv", "--table", "systems")
    assert (tmp_path / "systems.csv").read_text(encoding="utf-8").startswith("system,bleu ↑,bleu ↑ low,")


def test_the_report_of_score_compares_with_the_baseline_too(tmp_path):
    result = call("score", PAIRS, "-m", "ned.free", "--baseline", "copy", "--report", tmp_path / "report.html", "-q")
    assert result.returncode == 0, result.stderr
    assert "By ned.free, compared with copy: rewrite is significantly better (" in (tmp_path / "report.html").read_text(
        encoding="utf-8"
    )
