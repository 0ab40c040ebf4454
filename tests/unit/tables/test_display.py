"""How tables show themselves, and that scores can be pickled."""

import pickle

import numpy as np
import pytest

import paragauge
from paragauge.compute.workspace import Workspace
from paragauge.evaluate.part import score_part
from paragauge.meta.leaderboard import leaderboard
from paragauge.meta.scored import RatedScores
from paragauge.metrics import parse
from paragauge.references.scoring import score_task
from paragauge.references.task import EvaluationSet
from paragauge.tables.ratings import Ratings
from paragauge.tables.samples import Samples
from paragauge.tables.summary import Summary

HOSTILE = "<script>alert(1)</script> & \x1b[2J"
ROWS = 4_000
SAMPLES = Samples.of(
    [f"{HOSTILE} {row}" for row in range(ROWS)], [f"{HOSTILE} {row} {'long ' * 50}" for row in range(ROWS)],
    systems=[f"{HOSTILE}{row % 3}" for row in range(ROWS)],
)  # fmt: skip


def tables() -> list[object]:
    scores = score_part(SAMPLES, [parse("length-ratio"), parse("ned.free")], {}, Workspace())
    summary = Summary()
    summary.add(scores)
    human = np.random.default_rng(0).normal(size=ROWS)
    ratings = Ratings(SAMPLES, human, HOSTILE)
    scored = RatedScores(ratings, {f"{HOSTILE}{name}": human * place for place, name in enumerate("ab", 1)}, {})
    few = scored.rows(range(40))
    task = EvaluationSet(HOSTILE, {HOSTILE: SAMPLES.candidates[:50]}, [SAMPLES.sources[:50]])
    return [SAMPLES, scores, summary, ratings, scored, leaderboard(few, resamples=20), task, *score_task(task)]


@pytest.mark.parametrize("table", tables(), ids=lambda table: type(table).__name__)
def test_short_and_escaped(table):
    assert len(repr(table)) < 600
    assert "\n" not in repr(table)
    assert "\x1b" not in repr(table)
    shown = table._repr_html_()
    assert len(shown) < 20_000
    assert "<script" not in shown
    assert "<table>" in shown


def test_what_is_said():
    assert repr(SAMPLES) == "Samples(4,000 rows, 4,000 sources, 3 systems, references in 0)"
    found = paragauge.score(["s"], ["c"], metrics=["ned.free"])
    assert repr(found) == "Scores(1 row, 1 metric: ned.free)"
    assert repr(found.columns["ned.free"]) == "ScoreColumn(1 score, 0 undefined)"
    assert "… and 3,990 more rows" in SAMPLES._repr_html_()


def test_scores_can_be_pickled():
    names = ["bleu", "ned.free", "distinct", "chrf", "ter", "ibleu", "selfbleu"]
    found = paragauge.score(["s t", "s t"], ["c t", ""], [["r t"], ["t"]], metrics=names)
    back = pickle.loads(pickle.dumps(found))
    assert back.frame.equals(found.frame)
    with pytest.warns(UserWarning, match="no worst score"):
        assert back.summary().equals(found.summary())
    assert back.signatures == found.signatures
