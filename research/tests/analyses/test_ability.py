"""The leaderboard in three columns."""

import math

import numpy as np
import pytest

from paragauge.meta.scored import RatedScores
from paragauge.tables.ratings import Ratings
from paragauge.tables.samples import Samples
from paragauge_research.analyses.attribution import abilities, abilities_of, attribute

RANDOM = np.random.default_rng(11)
SIM, DIST = RANDOM.integers(0, 40, 400) / 40, RANDOM.integers(0, 40, 400) / 40
SOURCES = np.arange(400) // 5
HUMAN = SIM + 0.5 * DIST  # people who see both
SCORES = {"sim": SIM, "dist": DIST, "both": HUMAN * 2, "constant": np.ones(400)}


def test_people_who_see_both_are_followed_by_the_metric_that_sees_both():
    rows = {row.metric: row for row in abilities(SCORES, HUMAN, SOURCES, SIM, DIST, resamples=50)}
    assert list(rows) == ["both", "sim", "dist", "constant"]  # best overall first, undefined last
    assert [getattr(rows["both"], side).value for side in ("similarity", "diversity", "overall")] == pytest.approx(
        [1] * 3
    )
    assert rows["sim"].similarity.value > 0.9 > rows["sim"].diversity.value
    assert rows["dist"].diversity.value > 0.9 > rows["dist"].similarity.value
    assert math.isnan(rows["constant"].overall.value)
    assert rows["constant"].overall.reason


def test_columns_are_those_of_the_other_analyses():
    found = abilities(SCORES, HUMAN, SOURCES, SIM, DIST, resamples=50, seed=3)
    parts = attribute(SCORES, HUMAN, SOURCES, SIM, DIST, resamples=50, seed=3)
    of = {(row.metric, row.part): row.correlation for row in parts}
    for row in found[:3]:
        assert row.similarity == of[row.metric, "sim"]
        assert row.diversity == of[row.metric, "div"]
        assert row.overall.rows == 400


def test_scored_ratings():
    samples = Samples.of(["abcdefghij"] * 3, ["abcdefghiX", "abcdeXXXXX", "abcdeXXXXY"])
    scores = {"sim": np.array([0.5, 0.52, 0.9]), "m": np.array([1.0, 0.0, 3.0])}
    found = {
        row.metric: row
        for row in abilities_of(
            RatedScores(Ratings(samples, np.array([1.0, 0.0, 0.5])), scores, {}), "sim", resamples=0
        )
    }
    # sim: rows 2 and 3, Δ = (−3, −0.5); div: rows 1 and 2, Δ = (1, 1)
    assert (found["m"].similarity.rows, found["m"].diversity.rows, found["m"].overall.rows) == (1, 1, 3)
    assert found["m"].similarity.value == pytest.approx(1)
    assert found["m"].diversity.value == pytest.approx(1)
    assert found["sim"].diversity.value == pytest.approx(-1)
