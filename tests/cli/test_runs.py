"""`paragauge runs`, the real program in a subprocess."""

import csv
import io
import json
import os
import shutil
from pathlib import Path

import polars
import pytest

from paragauge.errors import InputError
from paragauge.evaluate.score_file import score_file
from paragauge.runs.listing import export_run, find_runs, verify_run
from paragauge.runs.scores import PART, save_scores
from paragauge.runs.store import Store

from .program import call, refused

PAIRS = Path(__file__).parents[2] / "examples" / "pairs.csv"


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A complete run, an interrupted one, a damaged record, and folders that are none."""
    below = tmp_path_factory.mktemp("runs")
    result = call("score", PAIRS, "-m", "bleu", "-m", "ned.free", "--run", below / "whole", "-o", below / "scores.csv")
    assert result.returncode == 0, result.stderr
    Store(below / "later" / "half", {"metrics": {"bleu": "…"}}).release()
    (below / "broken" / "parts").mkdir(parents=True)
    (below / "broken" / "run.json").write_text("{")
    (below / "other").mkdir()
    (below / "other" / "run.json").write_text('{"status": "green"}')
    (below / "others").mkdir()
    (below / "others" / "run.json").write_text("{")
    return below


@pytest.fixture
def whole(runs: Path, tmp_path: Path) -> Path:
    shutil.copytree(runs / "whole", tmp_path / "whole")
    return tmp_path / "whole"


def test_list(runs: Path) -> None:
    result = call("runs", "list", runs, "-f", "json")
    assert result.returncode == 0
    found = {Path(row["run"]).name: row for row in json.loads(result.stdout)}
    assert {name: row["status"] for name, row in found.items()} == {
        "broken": "damaged",
        "half": "interrupted",
        "whole": "complete",
    }
    assert (found["whole"]["metrics"], found["half"]["rows"]) == ("bleu, ned.free", None)
    assert found["whole"]["rows"] == len(list(csv.DictReader(io.StringIO(PAIRS.read_text()))))
    assert [run.folder.name for run in find_runs(runs)] == ["broken", "half", "whole"]


def test_a_run_at_work_is_running(tmp_path: Path) -> None:
    store = Store(tmp_path / "run", {"metrics": {}})
    assert [found.status for found in find_runs(tmp_path)] == ["running"]
    store.release()
    assert [found.status for found in find_runs(tmp_path)] == ["interrupted"]


def test_nothing_to_list(tmp_path: Path) -> None:
    assert call("runs", "list", tmp_path).stdout == f"no run folder in {tmp_path}\n"
    assert "there is no folder nowhere" in refused("runs", "list", "nowhere")


def test_show_has_the_numbers_of_the_run(runs: Path) -> None:
    shown = call("runs", "show", runs / "whole", "-f", "csv")
    scored = call("score", PAIRS, "-m", "bleu", "-m", "ned.free", "-f", "csv")
    columns = ("metric", "system", "mean", "low", "high", "corpus", "rows", "signature")
    both = [list(csv.DictReader(io.StringIO(result.stdout))) for result in (shown, scored)]
    assert both[0]
    assert [[row[name] for name in columns] for row in both[0]] == [[row[name] for name in columns] for row in both[1]]
    table = call("runs", "show", runs / "whole").stdout
    assert "bleu|against:references|" in table
    assert "is not complete; rerun to resume" in refused("runs", "show", runs / "later" / "half")


def test_verify_names_what_is_wrong(runs: Path, whole: Path) -> None:
    good = call("runs", "verify", whole, runs / "later" / "half")
    assert good.returncode == 0
    assert good.stdout.splitlines() == [
        f"{whole}: unchanged",
        f"{runs / 'later' / 'half'}: unchanged; not complete: 0 parts are finished",
    ]
    (whole / "samples.parquet").write_bytes(b"")
    (whole / "timings.json").unlink()
    bad = call("runs", "verify", whole)
    assert (bad.returncode, bad.stderr) == (1, "")
    assert set(bad.stdout.splitlines()) == {
        f"{whole}: samples.parquet was changed or damaged",
        f"{whole}: timings.json is missing",
    }


def test_verify_looks_into_the_parts_of_an_unfinished_run(tmp_path: Path) -> None:
    from paragauge import score

    store = Store(tmp_path / "run", {"metrics": {}})
    found = score(["a b"], ["b a"], metrics=["ned.free"])
    for number in range(3):
        save_scores(store.kept(PART), number, found)
    store.release()
    assert verify_run(tmp_path / "run") == []
    (store.parts / "000001.notes.json").write_text("{ }")
    (store.parts / "000002.scores.parquet").unlink()  # not finished: nothing is wrong with it
    assert verify_run(tmp_path / "run") == ["parts/000001.notes.json was changed or damaged"]


@pytest.mark.parametrize("suffix", ["csv", "tsv", "jsonl", "parquet", "csv.gz"])
def test_exported_scores_are_those_that_score_writes(runs: Path, tmp_path: Path, suffix: str) -> None:
    export_run(runs / "whole", tmp_path / f"scores.{suffix}")
    score_file(PAIRS, metrics=["bleu", "ned.free"], output=tmp_path / f"own.{suffix}")
    assert (tmp_path / f"scores.{suffix}").read_bytes() == (tmp_path / f"own.{suffix}").read_bytes()


def test_exported_samples_can_be_scored_again(runs: Path, tmp_path: Path) -> None:
    target = tmp_path / "samples.csv"
    assert call("export", runs / "whole", "--table", "samples", "-o", target).returncode == 0
    samples = polars.read_parquet(runs / "whole" / "samples.parquet")
    written = list(csv.DictReader(io.StringIO(target.read_text())))
    assert [json.loads(row["references"]) for row in written] == samples["references"].to_list()
    again = call("score", target, "-m", "bleu", "-m", "ned.free", "-f", "csv")
    assert again.stdout == call("score", PAIRS, "-m", "bleu", "-m", "ned.free", "-f", "csv").stdout


def test_exports_that_are_refused(runs: Path, whole: Path, tmp_path: Path) -> None:
    target = tmp_path / "scores.csv"
    target.write_text("years of work")
    assert "--overwrite" in refused("export", whole, "-o", target)
    assert target.read_text() == "years of work"
    export_run(whole, target, overwrite=True)
    assert target.read_bytes() == (runs / "scores.csv").read_bytes()
    for arguments, words in [
        ((whole, whole / "x.csv"), "it lies in the input"),
        ((whole, tmp_path / "x.xlsx"), "is of no known format"),
        ((whole, tmp_path / "x.csv", "score"), "did you mean 'scores'"),
        ((runs / "later" / "half", tmp_path / "x.csv"), "is not complete"),
        ((runs / "broken", tmp_path / "x.csv"), "is not a run folder"),
    ]:
        with pytest.raises(InputError, match=words):
            export_run(*arguments)
    (whole / "scores.parquet").write_bytes(b"")
    with pytest.raises(InputError, match=r"was modified after the run: scores\.parquet was changed"):
        export_run(whole, tmp_path / "x.csv")
    assert not (tmp_path / "x.csv").exists()


@pytest.mark.parametrize("damage", ["deep", "pipe"])
def test_a_record_that_cannot_be_read_is_one_sentence_whatever_reads_it(whole: Path, damage: str) -> None:
    record = whole / "run.json"
    record.unlink()
    if damage == "deep":
        record.write_bytes(b"[" * 100_000)
    else:
        os.mkfifo(record)
    report = ("report", whole, "-o", whole.parent / "report.html")
    score = ("score", PAIRS, "-m", "bleu", "-m", "ned.free", "--run", whole)
    for arguments in (("runs", "show", whole), ("runs", "verify", whole), ("compare", whole), report, score):
        assert f"{whole} is not a run folder: run.json cannot be read" in refused(*arguments)
    listed = call("runs", "list", whole.parent, "-f", "json")
    assert [row["status"] for row in json.loads(listed.stdout)] == ["damaged"]
