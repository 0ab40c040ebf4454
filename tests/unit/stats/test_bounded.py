"""Means of scores with two ends, and shares: does 95% mean 95%, near the ends and with few sources?"""

import itertools
import math
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import betaincinv, ndtr

from paragauge.stats.bounded import BoundedMean, apart
from paragauge.stats.interval import Resamples
from paragauge.stats.resample import weighted_sums


def drawn(random: np.random.Generator, *scores: np.ndarray, scale=(0, 1), shares: bool = True) -> Resamples:
    """Means of scores of shape (sources, rows)."""
    keys = random.integers(2**64, size=len(scores[0]), dtype=np.uint64)
    sums = np.stack([*(one.sum(axis=1) for one in scores), np.full(len(keys), float(scores[0].shape[1]))], axis=1)
    found = weighted_sums(keys, sums)
    with np.errstate(invalid="ignore"):
        values = found[:, :-1] / found[:, -1:]
    rows = np.full(len(scores), float(scores[0].size)) if shares else None
    return Resamples(values.T, np.array([one.mean() for one in scores]), len(keys), scale, rows)


def alike(random: np.random.Generator, share: float, sources: int, size: int, correlation: float) -> np.ndarray:
    """Answers that are 1 by this share, those of a source correlated: each source has a share of its own (beta)."""
    own = np.full(sources, share)
    if correlation:
        whole = 1 / correlation - 1
        own = random.beta(share * whole, (1 - share) * whole, sources)
    return (random.random((sources, size)) < own[:, None]).astype(float)


def measured(random: np.random.Generator, kind: str, sources: int, size: int, correlation: float) -> np.ndarray:
    """Scores from 0 to 1 of mean 0.5, or 0.95 (beta), those of a source correlated as normal numbers are."""
    numbers = math.sqrt(correlation) * random.normal(size=(sources, 1))
    numbers = numbers + math.sqrt(1 - correlation) * random.normal(size=(sources, size))
    if kind == "normal":
        return 0.5 + 0.1 * numbers
    places = ndtr(numbers)
    concentration = float(kind.removeprefix("beta")) if kind != "uniform" else 0
    return places if kind == "uniform" else betaincinv(0.95 * concentration, 0.05 * concentration, places)


SOURCES, SHARES = (10, 30, 300), ((0.01, 0.1), (0.3, 0.7), (0.9, 0.99))


def cells(trials: int, *values: Sequence[object]) -> list[object]:
    """Every combination with 3,000 trials; and with fewer each third of them, in which every value stands."""
    found = []
    for places in itertools.product(*(range(len(own)) for own in values)):
        cell = [own[place] for own, place in zip(values, places, strict=True)]
        found.append(pytest.param(*cell, 3_000, marks=pytest.mark.thorough))
        if sum(places) % 3 == 0 and max(places) < 3:
            found.append(pytest.param(*cell, trials))
    return found


ERROR = 3 * math.sqrt(0.95 * 0.05)  # three binomial standard errors of one trial


@pytest.mark.parametrize(
    "sources, share, rows, trials", cells(400, SOURCES, SHARES, [(1, 0), (3, 0.3), (8, 0.6), (8, 0)])
)
def test_intervals_cover_the_true_share(sources, share, rows, trials):
    """Over shares in a range: for a single one, what can be covered jumps with the few numbers of rows there are.

    Between 93% and 98%, and three binomial standard errors; percentiles of the resamples have 35% near 0 and 1 with
    10 sources of one row. Rows of a source correlate by 0.3 in Twitter-Para, the human-rated set with most.
    """
    size, correlation = rows
    random = np.random.default_rng(sources + size)
    covered = 0
    for _ in range(trials):
        truth = random.uniform(*share)
        _, low, high, _ = drawn(random, alike(random, truth, sources, size, correlation)).estimate(0).numbers
        assert 0 <= low < high <= 1
        covered += low <= truth <= high
    error = ERROR / math.sqrt(trials)
    assert 0.93 - error < covered / trials < 0.98 + error


# least coverage where scores pile up at 1 and there are few sources: most samples have none of those far below
HARD = {("beta5", 10, 1): 0.89, ("beta2", 10, 1): 0.83, ("beta2", 10, 8): 0.90, ("beta2", 30, 1): 0.90}


@pytest.mark.parametrize(
    "sources, kind, rows, trials",
    cells(200, SOURCES, ["uniform", "beta5", "normal", "beta10", "beta2"], [(1, 0), (8, 0.6)]),
)
def test_intervals_cover_the_true_mean(sources, kind, rows, trials):
    """The scale may be another, and turned round."""
    size, correlation = rows
    random = np.random.default_rng(sources + size)
    truth = 0.95 if kind.startswith("beta") else 0.5
    covered = 0
    for trial in range(trials):
        scores = measured(random, kind, sources, size, correlation)
        least, sign = (0, 100) if trial % 2 else (1, -1)
        found = drawn(random, least + sign * scores, scale=(min(0, sign + least), max(1, sign)), shares=False)
        low, high = ((end - least) / sign for end in found.estimate(0)[1:3])
        covered += min(low, high) <= truth <= max(low, high)
    error = ERROR / math.sqrt(trials)
    assert HARD.get((kind, sources, size), 0.93) - error < covered / trials < 0.975 + error


@pytest.mark.parametrize("sources, share, trials", cells(400, SOURCES, [0.1, 0.5, 0.95]))
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
    assert BoundedMean(0.2, spread, 0.06, 10, 10).ends == pytest.approx(expected, abs=1e-6)
    assert BoundedMean(0.0, 0.0, 0.0, 10, 10).ends == pytest.approx((0, z**2 / (10 + z**2)), abs=1e-6)
    assert BoundedMean(0.0, 0.0, 0.0, 10, 80).ends[1] > z**2 / (10 + z**2)  # rows of one source may all be alike


def test_rows_of_a_source_that_are_alike_count_once():
    wide, narrow = (BoundedMean(0.5, spread, 0.0, 25, 100).ends for spread in (0.1, 0.05))
    assert wide[1] - wide[0] > 1.8 * (narrow[1] - narrow[0])
    assert BoundedMean(0.5, 0.0, 0.0, 25, 100).ends[0] < 0.5 - 1.9 * 0.05  # never more rows than there are


def test_a_mean_in_the_middle_has_students_interval():
    """± t √(n/(n−1)) s of a narrow distribution: with 10 sources and s = 0.01, 0.5 ± 2.2622 · 0.01054."""
    low, high = BoundedMean(0.5, 0.01, 0.0, 10).ends
    assert (low, high) == pytest.approx((0.5 - 0.023844, 0.5 + 0.023844), rel=2e-3)


@given(st.floats(0, 1), st.floats(0, 0.3), st.floats(-0.1, 0.1), st.integers(2, 50))
def test_both_ends_are_alike(value, spread, skew, units):
    low, high = BoundedMean(value, spread, skew, units).ends
    assert 0 <= low <= value <= high <= 1
    assert BoundedMean(1 - value, spread, -skew, units).ends == pytest.approx((1 - high, 1 - low), abs=1e-9)


def test_a_mean_off_its_scale_or_without_one_has_percentiles():
    values = np.linspace(0, 1, 1000)[None]
    found = [Resamples(values, np.array([0.5]), 20, scale).estimate(0) for scale in [(0, 0.4), (0, math.inf), (1, 1)]]
    assert found[0] == found[1] == found[2] == Resamples(values, np.array([0.5]), 20).estimate(0)


def test_the_difference_of_shares_that_never_differed():
    """Near 0.5 that of Agresti and Min (2005): ± z/(n+2) with one row a source, here to the last of five pairs."""
    values = np.stack([np.random.default_rng(0).normal(0.5, 0.05, 1000)] * 2)
    one = BoundedMean(0.5, 0.05, 0.0, 100, 100)
    low, high, p = apart(one, one, values)
    assert p == 1
    assert (low, high) == pytest.approx((-1.96 / 102, 1.96 / 102), rel=0.03)
