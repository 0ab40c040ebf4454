"""Shares of rows that are 0 or 1: does 95% mean 95%, near 0 and 1 and with few sources?"""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from paragauge.stats.interval import Resamples
from paragauge.stats.resample import weighted_sums
from paragauge.stats.shares import Share, apart


def drawn(random: np.random.Generator, *answers: np.ndarray) -> Resamples:
    """Shares of answers of shape (sources, rows)."""
    keys = random.integers(2**64, size=len(answers[0]), dtype=np.uint64)
    sums = np.stack([*(one.sum(axis=1) for one in answers), np.full(len(keys), float(answers[0].shape[1]))], axis=1)
    found = weighted_sums(keys, sums)
    with np.errstate(invalid="ignore"):
        values = found[:, :-1] / found[:, -1:]
    return Resamples(
        values.T, np.array([one.mean() for one in answers]), len(keys), np.full(len(answers), float(answers[0].size))
    )


def alike(random: np.random.Generator, share: float, sources: int, size: int, correlation: float) -> np.ndarray:
    """Answers that are 1 by this share, those of a source correlated: each source has a share of its own (beta)."""
    own = np.full(sources, share)
    if correlation:
        whole = 1 / correlation - 1
        own = random.beta(share * whole, (1 - share) * whole, sources)
    return (random.random((sources, size)) < own[:, None]).astype(float)


TRIALS = [400, pytest.param(3_000, marks=pytest.mark.thorough)]


@pytest.mark.parametrize("trials", TRIALS)
@pytest.mark.parametrize("size", [1, 3], ids=["one row a source", "three rows"])
@pytest.mark.parametrize("share", [(0.01, 0.1), (0.3, 0.7), (0.9, 0.99)], ids=["near 0", "middle", "near 1"])
@pytest.mark.parametrize("sources", [10, 30, 300])
def test_intervals_cover_the_true_share(sources, share, size, trials):
    """Over shares in a range: for a single one, what can be covered jumps with the few numbers of rows there are.

    Between 93% and 98%, and three binomial standard errors; percentiles of the resamples have 35% near 0 and 1 with
    10 sources of one row. Rows of a source correlate by 0.3, as in Twitter-Para, the human-rated set with most.
    """
    random = np.random.default_rng(sources + size)
    covered = 0
    for _ in range(trials):
        truth = random.uniform(*share)
        _, low, high, _ = drawn(random, alike(random, truth, sources, size, 0.3 * (size > 1))).estimate(0).numbers
        assert 0 <= low < high <= 1
        covered += low <= truth <= high
    error = 3 * math.sqrt(0.95 * 0.05 / trials)
    assert 0.93 - error < covered / trials < 0.98 + error


@pytest.mark.parametrize("trials", TRIALS)
@pytest.mark.parametrize("share", [0.1, 0.5, 0.95])
@pytest.mark.parametrize("sources", [10, 30, 300])
def test_a_difference_of_equal_shares_is_rarely_significant(sources, share, trials):
    """Two systems that are equally good, and better on the same sources."""
    random = np.random.default_rng(sources)
    found = 0
    for _ in range(trials):
        hard = alike(random, share, sources, 1, 0)
        own = [alike(random, share, sources, 1, 0) for _ in range(2)]
        one, other = (np.where(random.random(hard.shape) < 0.5, hard, answers) for answers in own)
        gap = drawn(random, one, other).difference(0, 1)
        assert gap.low < gap.high
        assert (gap.p < 0.05) == (not gap.low <= 0 <= gap.high)
        found += gap.p < 0.05
    assert found / trials < 0.06 + 3 * math.sqrt(0.05 * 0.95 / trials)


@given(st.integers(2, 12), st.integers(1, 3), st.integers(0, 2**20))
def test_no_share_has_an_interval_without_width(sources, size, seed):
    """Not where all sources are alike, nor where two systems are: no five sources show “50% (50% to 50%)”."""
    random = np.random.default_rng(seed)
    chosen = random.integers(0, 3)
    answers = np.tile([np.zeros(size), np.ones(size), np.arange(size) % 2.0][chosen], (sources, 1))
    found = drawn(random, answers, answers)
    share, gap = found.estimate(0), found.difference(0, 1)
    assert 0 <= share.low <= share.value <= share.high <= 1
    assert share.high - share.low > 1 / (2 * sources * size)
    assert -1 <= gap.low < gap.value == 0 < gap.high <= 1
    assert gap.p == 1


def test_of_one_row_a_source_it_is_wilsons_interval():
    """Of 2 in 10: (0.2 + z²/20 ± z √(0.016 + z²/400)) / (1 + z²/10), with as many rows as sources and z = 1.96."""
    spread = math.sqrt(0.2 * 0.8 / 10)
    z = 1.959964
    centre, reach = 0.2 + z**2 / 20, z * math.sqrt(0.016 + z**2 / 400)
    expected = [(centre - reach) / (1 + z**2 / 10), (centre + reach) / (1 + z**2 / 10)]
    assert Share(0.2, spread, 10, 10).bounds == pytest.approx(expected, abs=1e-6)
    assert Share(0.0, 0.0, 10, 10).bounds == pytest.approx((0, z**2 / (10 + z**2)), abs=1e-6)
    assert Share(0.0, 0.0, 10, 80).bounds[1] > z**2 / (10 + z**2)  # rows of one source may all be alike


def test_rows_of_a_source_that_are_alike_count_once():
    wide, narrow = Share(0.5, 0.1, 25, 100).bounds, Share(0.5, 0.05, 25, 100).bounds
    assert wide[1] - wide[0] > 1.8 * (narrow[1] - narrow[0])
    assert Share(0.5, 0.0, 25, 100).bounds == pytest.approx(narrow, abs=1e-12)  # never more than there are


def test_the_difference_of_shares_that_never_differed():
    """Near 0.5 that of Agresti and Min (2005): ± z/(n+2) with one row a source, here to the last of five pairs."""
    values = np.stack([np.random.default_rng(0).normal(0.5, 0.05, 1000)] * 2)
    one = Share(0.5, 0.05, 100, 100)
    low, high, p = apart(one, one, values)
    assert p == 1
    assert (low, high) == pytest.approx((-1.96 / 102, 1.96 / 102), rel=0.03)
