"""Intervals by a Poisson bootstrap over sources: are the weights Poisson, and does 95% mean 95%?"""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from paragauge.stats.interval import Estimate, Resamples
from paragauge.stats.resample import RESAMPLES, Resampled, count_sources, draw, source_keys, weighted_sums, weights


def add(entry: Resampled, keys: np.ndarray, drawn: np.ndarray, rows: np.ndarray) -> None:
    """A chunk of rows, one per key."""
    entry.add(keys, rows.sum(axis=0), drawn.astype(np.float64) @ rows)


SOURCES = [f"source number {number}" for number in range(2_000)]


def test_weights_are_poisson_with_mean_1():
    drawn = weights(source_keys(SOURCES)).astype(np.float64)
    assert drawn.shape == (RESAMPLES, len(SOURCES))
    # five standard errors of 2 million draws: of the mean 1/√n, of the variance √((μ4 − σ⁴)/n) = √(3/n) for Poisson(1)
    assert abs(drawn.mean() - 1) < 5 / math.sqrt(drawn.size)
    assert abs(drawn.var() - 1) < 5 * math.sqrt(3 / drawn.size)
    for count in range(6):
        share = math.exp(-1) / math.factorial(count)
        assert abs((drawn == count).mean() - share) < 5 * math.sqrt(share * (1 - share) / drawn.size)


def test_weights_are_independent_between_sources_resamples_and_seeds():
    keys = source_keys(SOURCES)
    drawn, other = weights(keys), weights(keys, seed=1)
    # a correlation of n independent pairs has standard error 1/√n; five of them, and the largest of many pairs
    between = [np.corrcoef(drawn[:, one].ravel(), drawn[:, one + 1].ravel())[0, 1] for one in range(0, 200, 2)]
    assert max(map(abs, between)) < 5 / math.sqrt(RESAMPLES)
    within = [np.corrcoef(drawn[one], drawn[one + 1])[0, 1] for one in range(200)]
    assert max(map(abs, within)) < 5 / math.sqrt(len(SOURCES))
    assert abs(np.corrcoef(drawn.ravel(), other.ravel())[0, 1]) < 5 / math.sqrt(drawn.size)


@given(st.lists(st.text(max_size=5), min_size=1, max_size=20), st.integers(1, 50), st.integers(0, 3))
def test_a_source_has_the_same_weights_in_any_company(sources, resamples, seed):
    together = weights(source_keys(sources), resamples, seed)
    assert together.shape == (resamples, len(sources))
    for place, source in enumerate(sources):
        assert weights(source_keys([source]), resamples, seed)[:, 0].tolist() == together[:, place].tolist()
    assert weights(source_keys(sources), resamples + 7, seed)[:resamples].tolist() == together.tolist()


@pytest.mark.parametrize("size", [0, 1, 255, 256, 257, 700])
def test_sums_in_blocks_are_those_of_all_weights_at_once(size):
    keys, table = source_keys(SOURCES[:size]), np.arange(3.0 * size).reshape(size, 3)
    expected = weights(keys, 50, 1).astype(np.float64) @ table
    assert weighted_sums(keys, table, 50, 1).tolist() == expected.tolist()  # whole numbers: exact in any order


@given(st.lists(st.text(max_size=3), max_size=30))
def test_keys_stand_for_texts(sources):
    keys = source_keys(sources)
    assert len(set(keys.tolist())) == len(set(sources))
    assert keys.dtype == np.uint64


def mean_interval(sources: list[str], values: np.ndarray, resamples: int = RESAMPLES, seed: int = 0) -> Estimate:
    """The interval of the mean, all rows at once."""
    keys, place = np.unique(source_keys(sources), return_inverse=True)
    rows = np.zeros((len(keys), 2))
    np.add.at(rows, place, np.stack([np.ones(len(values)), values], axis=1))
    entry = Resampled(2, resamples, seed)
    add(entry, keys, weights(keys, resamples, seed), rows)
    return mean_of(entry)


def mean_of(entry: Resampled) -> Estimate:
    with np.errstate(invalid="ignore"):  # a resample may draw nothing: NaN, which the interval leaves out
        values = entry.sums[:, 1] / entry.sums[:, 0]
    return Resamples(values[None], entry.total[1:] / entry.total[0], entry.sources).estimate(0)


@pytest.mark.parametrize("experiments", [250, pytest.param(1_600, marks=pytest.mark.thorough)])
@pytest.mark.parametrize("effect", [0.0, 1.0, 3.0], ids=lambda effect: f"source effect {effect}")
def test_intervals_cover_the_true_mean_of_clustered_data(effect, experiments):
    """Sources have an effect of their own, so that rows are not independent; the interval must know.

    200 sources of 1 to 6 rows. The share that covers the truth is binomial: three standard errors are allowed (of 0.55
    points with 1,600 experiments), and below also the point by which percentile intervals of 200 clusters fall short.
    """
    covered, error = 0, math.sqrt(0.95 * 0.05 / experiments)
    for seed in range(experiments):
        random = np.random.default_rng(seed)
        sizes = random.integers(1, 7, 200)
        sources = [f"{seed} {number}" for number, size in enumerate(sizes) for _ in range(size)]
        own = np.repeat(random.normal(0, effect, len(sizes)), sizes)
        values = 0.5 + own + random.normal(0, 1, len(own))
        _, low, high, _ = mean_interval(sources, values, resamples=400, seed=seed).numbers
        covered += low <= 0.5 <= high
    assert 0.95 - 0.01 - 3 * error <= covered / experiments <= 0.95 + 3 * error


def test_a_bootstrap_of_rows_would_be_too_narrow_here():
    """The same data with every row its own source: this is what resampling by source prevents."""
    random = np.random.default_rng(0)
    own = np.repeat(random.normal(0, 3, 100), 10)
    values = own + random.normal(0, 1, 1_000)
    by_source = mean_interval([str(number // 10) for number in range(1_000)], values)
    by_row = mean_interval([str(number) for number in range(1_000)], values)
    # rows of a source agree almost wholly: 100 independent values, not 1,000, so √10 times as wide (here within 20%)
    ratio = (by_source.high - by_source.low) / (by_row.high - by_row.low)
    assert 0.8 * math.sqrt(10) < ratio < 1.2 * math.sqrt(10)


@given(st.integers(0, 1_000), st.integers(1, 7))
def test_chunks_add_up(seed, chunk):
    random = np.random.default_rng(seed)
    keys = np.sort(source_keys([str(number) for number in range(20)]))
    rows = random.normal(size=(20, 3))
    whole, parts = Resampled(3, 50), Resampled(3, 50)
    add(whole, keys, weights(keys, 50), rows)
    for start in range(0, 20, chunk):
        part = slice(start, start + chunk)
        add(parts, keys[part], weights(keys[part], 50), rows[part])
    # sums of at most 20 numbers around 1, in another order: nothing but double rounding
    np.testing.assert_allclose(parts.total, whole.total, rtol=0, atol=1e-12)
    np.testing.assert_allclose(parts.sums, whole.sums, rtol=0, atol=1e-11)
    assert parts.sources == whole.sources == 20


def test_one_source_has_no_interval():
    assert mean_interval(["same"] * 10, np.arange(10.0)) == Estimate(4.5)
    assert None not in mean_interval(["same"] * 9 + ["other"], np.arange(10.0))[:3]


def test_one_source_in_many_chunks_has_no_interval():
    entry = Resampled(2, 50)
    for text, number in (("same", 1.0), ("same", 2.0), ("same", 3.0), ("other", 4.0)):
        keys = source_keys([text])
        add(entry, keys, weights(keys, 50), np.array([[1.0, number]]))
        assert entry.sources == 1 + (text == "other")
        assert (mean_of(entry).low is None) == (text == "same")


@pytest.mark.parametrize("number", [1, 2, 5, 499, 500, 501, 5_000, 100_000])
def test_sources_are_counted_in_any_chunks(number):
    keys = source_keys([f"{number} {place}" for place in range(number)])
    entry, others = Resampled(0, 1), Resampled(0, 1)
    nothing = np.empty(0), np.empty((1, 0))
    for start in range(0, number, 700):
        entry.add(keys[start : start + 700], *nothing)
        others.add(keys[max(0, start - 50) : start + 700], *nothing)  # some come up again
    others.merge(entry)
    assert entry.sources == others.sources == count_sources(keys) == count_sources(keys[::-1])
    # exact below 500; above, the standard error is 1/√500, of which three are allowed
    assert entry.sources == number if number < 500 else abs(entry.sources / number - 1) < 3 / math.sqrt(500)


@given(st.integers(1, 30), st.integers(1, 30), st.integers(0, 40), st.integers(0, 3))
def test_resamples_are_the_same_in_any_blocks(units, resamples, start, seed):
    whole = draw(units, start + resamples, seed)
    assert whole.shape == (start + resamples, units)
    assert draw(units, resamples, seed, start).tolist() == whole[start:].tolist()


def test_undefined_resamples_do_not_count():
    values, undefined = np.array([1.0, 2.0, 3.0, 4.0]), [math.nan] * 4
    found = Resamples(np.array([[*values, *undefined]]), np.array([2.5]), 10)
    assert found.estimate(0) == Resamples(values[None], np.array([2.5]), 10).estimate(0)
    assert Resamples(np.array([undefined]), np.array([2.5]), 10).estimate(0) == Estimate(2.5)


def test_what_no_resample_moves_has_no_interval():
    """Not one of no width: that all sources say the same does not prove that any other would."""
    assert mean_interval(list("abcde"), np.full(5, 0.3)) == Estimate(pytest.approx(0.3))
