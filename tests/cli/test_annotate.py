"""`paragauge annotate` around a study: mailed pages, status, export to `meta` and `tune`, plan."""

import json
import random
from pathlib import Path

import pytest

from paragauge.web.annotate.store import StudyStore

from ..annotate.made import answer_by, judge
from .program import call, refused


@pytest.fixture
def table(tmp_path: Path) -> Path:
    """Ten sources, each with a copy, a near copy and an unrelated sentence."""
    chance = random.Random(1)
    words = ["alpha", "bravo", "carol", "delta", "echo", "fox", "golf", "hotel", "india", "juliet"]
    path = tmp_path / "pairs.jsonl"
    with path.open("w") as stream:
        for number in range(10):
            source = f"{' '.join(chance.sample(words, 7))} {number}"
            near = source.replace("a", "e")
            for system, text in (("copy", source), ("near", near), ("far", " ".join(chance.sample(words, 5)))):
                row = {"id": number, "system": system, "source": source, "candidate": text, "reference": near}
                stream.write(json.dumps(row) + "\n")
    return path


def fill(study: Path) -> None:
    """Two raters, who like copies, and broken copies less."""
    liked = {"copy": 90, "near": 70, "far": 30}
    chance = random.Random(3)
    with StudyStore(study) as store:

        def worth(cell: int, broken: bool) -> float:
            return liked[store.samples.systems[cell]] - 15 * broken + chance.uniform(-9, 9)

        for rater in ("anna", "ben"):
            judge(store, rater, answer_by(store, worth))


def test_from_a_table_to_what_meta_and_tune_say(table: Path, tmp_path: Path) -> None:
    study, page = tmp_path / "pairs.annotations.db", tmp_path / "carl.html"
    mailed = call("annotate", table, "--offline", page, "--block", 10)
    assert mailed.returncode == 0, mailed.stderr
    assert "10 tasks" in mailed.stderr
    fill(study)
    ratings = tmp_path / "ratings.csv"
    assert call("annotate", "export", study, "-o", ratings).returncode == 0
    assert refused("annotate", "export", study, "-o", ratings).endswith(
        "ratings.csv already exists; --overwrite replaces it"
    )
    meta = call("meta", ratings, "-m", "ned.free", "-m", "chrf.free", "--no-sentinels", "-f", "json")
    assert meta.returncode == 0, meta.stderr
    by_name = {row["metric"]: row for row in json.loads(meta.stdout)}
    assert by_name["chrf.free"]["pearson"] > 0.8
    assert "raters disagree: a perfect metric could reach a pooled Pearson of about 0.9" in meta.stderr
    tune = call("tune", ratings, "-m", "ibleu", "--grid", "alpha=0.5,0.9", "--share", "0.3", "-f", "json")
    assert tune.returncode == 0, tune.stderr
    assert [row["which"] for row in json.loads(tune.stdout)] == ["before", "chosen", "gain"]
    plan = call("annotate", "plan", ratings, "--system", "copy", "--system", "near", "--difference", "5", "-f", "json")
    assert plan.returncode == 0, plan.stderr
    rows = json.loads(plan.stdout)
    assert rows[0]["items"] > rows[-1]["items"] > 1


def test_what_metrics_dispute_is_asked_first(table: Path, tmp_path: Path) -> None:
    run = tmp_path / "run"
    assert call("score", table, "-m", "chrf.free", "-m", "ned.free", "--run", run, "-q").returncode == 0
    page = tmp_path / "anna.html"
    options = ("--first", "disputed", "--offline", page, "--overlap", 0, "--checks", 0, "--block", 5)
    assert call("annotate", run, *options).returncode == 0
    store = StudyStore(tmp_path / "run.annotations.db")
    asked = {cell for task in store.tasks("anna") for cell, _ in task.shown}
    from paragauge.reports.runs import read_runs
    from paragauge.reports.sections.examples import disputes

    worth = disputes(read_runs([run]))
    least = min(worth[cell] for cell in asked)
    assert all(worth[row] <= least for row in range(len(worth)) if row not in asked)
    said = refused("annotate", table, "--first", "disputed", "--offline", tmp_path / "ben.html")
    assert said.endswith("or name two or more columns of scores with --score")


def test_wrong_calls_are_told_in_a_sentence(table: Path, tmp_path: Path) -> None:
    assert "--rater is for --offline" in refused("annotate", table, "--rater", "anna")
    assert "task='rank' is unknown" in refused("annotate", table, "--task", "rank", "--offline", tmp_path / "anna.html")
    assert "is not a study" in refused("annotate", "status", table)
    assert "there is no study" in refused("annotate", "export", tmp_path / "no.db", "-o", tmp_path / "x.csv")
    assert "expected whole numbers" in refused("annotate", "plan", table, "--raters", "0")
    assert "no column 'human'" in refused("annotate", "plan", table)
    call("annotate", table, "--offline", tmp_path / "anna.html")
    said = refused("annotate", table, "--redundancy", 9, "--offline", tmp_path / "ben.html")
    assert said.endswith("begin another with --study NEW.db")
    assert "is not JSON" in refused("annotate", "import", tmp_path / "pairs.annotations.db", table)
