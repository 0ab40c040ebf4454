"""`paragauge score` where candidates are empty or missing, where systems have different rows, and without sources."""

import csv
import io
import json
from pathlib import Path

import polars
import pytest

from .program import call


def lines_of(*arguments: object) -> tuple[list[dict[str, str]], str]:
    result = call("score", *arguments, "-f", "csv")
    assert result.returncode == 0, result.stderr
    return list(csv.DictReader(io.StringIO(result.stdout))), result.stderr


@pytest.fixture
def attack(tmp_path: Path) -> Path:
    """A good system, and one that answers 3 of 14 questions as the good one does and the others not at all."""
    file = tmp_path / "attack.csv"
    rows = [(row, "good", f"What is the age of man {row}?") for row in range(14)]
    rows += [(row, "lazy", f"What is the age of man {row}?" if row < 3 else "") for row in range(14)]
    texts = [f"{row},{system},How old is the man {row}?,{candidate}" for row, system, candidate in rows]
    file.write_text("\n".join(["id,system,source,candidate", *texts]) + "\n")
    return file


def test_a_system_that_gives_nothing_does_not_win(attack):
    found, errors = lines_of(attack, "-m", "ned.free", "-m", "pinc")
    assert [row["system"] for row in found] == ["good", "lazy"] * 2
    assert [row["failures"] for row in found] == ["0", "11"] * 2
    assert float(found[1]["mean"]) == pytest.approx(float(found[0]["mean"]) * 3 / 14, abs=0.01)  # the numbers vary
    assert "|empty:worst|version:" in found[0]["signature"]
    assert errors == ""
    shown = call("score", attack, "-m", "ned.free").stdout
    assert "failures" in shown
    assert "missing" not in shown, "what is nowhere is not shown"


def test_skip(attack):
    found, errors = lines_of(attack, "-m", "ned.free", "--empty", "skip", "-q")
    assert found[0]["mean"] == found[1]["mean"]
    assert "compared on the 3 rows that all of them have; rows left out: good (11)" in errors
    assert "|empty:skip|version:" in lines_of(attack, "-m", "ned.free", "--empty", "skip")[0][0]["signature"]


def test_an_unknown_way_is_refused(attack):
    result = call("score", attack, "--empty", "best")
    assert (result.returncode, result.stdout) == (2, "")
    assert "--empty best is unknown; " in result.stderr


def test_null_is_missing_and_nothing_is_a_failure(tmp_path):
    file = tmp_path / "rows.parquet"
    polars.DataFrame({"source": ["a b", "c d", "e f"], "candidate": ["a", None, ""]}).write_parquet(file)
    out = tmp_path / "scores.jsonl"
    found, _ = lines_of(file, "-m", "ned.free", "-o", out, "--run", tmp_path / "run")
    assert (found[0]["rows"], found[0]["failures"], found[0]["missing"]) == ("3", "1", "1")
    reasons = [json.loads(line)["reason"] for line in out.read_text().splitlines()]
    assert reasons == [None, "the candidate is missing", "the candidate is empty"]
    assert polars.read_parquet(tmp_path / "run" / "samples.parquet")["candidate"].to_list() == ["a", None, ""]
    again, _ = lines_of(file, "-m", "ned.free", "--run", tmp_path / "run")
    assert again == found


def test_systems_with_other_rows(attack):
    text = attack.read_text().splitlines()
    attack.write_text("\n".join(text[:-4]) + "\n")
    found, errors = lines_of(attack, "-m", "ned.free")
    assert [(row["rows"], row["left out"]) for row in found] == [("14", "4"), ("10", "0")]
    assert "compared on the 10 rows that all of them have; rows left out: good (4)" in errors


def test_bleu_needs_no_sources(tmp_path):
    table, candidates, references = tmp_path / "t.csv", tmp_path / "c.txt", tmp_path / "r.txt"
    table.write_text("candidate,reference\na b c d,a b c d\ne f,e g\n")
    candidates.write_text("a b c d\ne f\n")
    references.write_text("a b c d\ne g\n")
    one, _ = lines_of(table, "-m", "bleu")
    two, _ = lines_of("-c", candidates, "-r", references, "-m", "bleu")
    assert one[0]["mean"] == two[0]["mean"]
    assert one[0]["low"], "rows without a source are drawn each by itself"
    for arguments in ((table, "-m", "bleu", "-m", "ned.free"), (table,)):
        refused = call("score", *arguments)
        assert refused.returncode == 2
        assert "no column 'source'" in refused.stderr
