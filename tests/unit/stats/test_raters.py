"""Agreement of raters: alpha against its definition and a published table, and the exact paired test."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from paragauge.errors import InputError
from paragauge.stats.interval import interval
from paragauge.stats.raters import alpha, signed_rank

_ = math.nan
# Krippendorff 2011, Computing Krippendorff's alpha-reliability: 4 observers, 12 units; α there is 0.743 (nominal),
# 0.815 (ordinal) and 0.849 (interval)
PUBLISHED = np.array(
    [
        [1, 2, 3, 3, 2, 1, 4, 1, 2, _, _, _],
        [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, _, 3],
        [_, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, _],
        [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, _],
    ]
)


def listed(table):
    raters, units = np.nonzero(~np.isnan(table))
    return table[raters, units], units


def slow_alpha(values, units, distance) -> float:
    """By its definition, pair by pair."""
    groups = [values[units == unit] for unit in np.unique(units)]
    groups = [group for group in groups if len(group) > 1]
    pooled = np.concatenate(groups)
    number = len(pooled)
    observed = sum(
        distance(one, two, pooled) / (len(group) - 1)
        for group in groups
        for one, two in itertools.permutations(group, 2)
    )
    expected = sum(distance(one, two, pooled) for one, two in itertools.permutations(pooled, 2))
    return math.nan if expected == 0 else 1 - (observed / number) / (expected / (number * (number - 1)))


def ordinal(one, two, pooled):
    low, high = min(one, two), max(one, two)
    between = ((pooled >= low) & (pooled <= high)).sum() - ((pooled == low).sum() + (pooled == high).sum()) / 2
    return float(between) ** 2 if low != high else 0.0


DISTANCES = {
    "nominal": lambda one, two, _: float(one != two),
    "ordinal": ordinal,
    "interval": lambda one, two, _: (one - two) ** 2,
}


@pytest.mark.parametrize(("measurement", "printed"), [("nominal", 0.743), ("ordinal", 0.815), ("interval", 0.849)])
def test_the_published_example(measurement, printed):
    found = alpha(*listed(PUBLISHED), measurement=measurement)
    assert round(found.value, 3) == printed
    assert (found.units, found.judgments) == (11, 40)
    assert found.low < found.value < found.high


@given(
    st.lists(st.tuples(st.integers(0, 5), st.integers(0, 4)), min_size=2, max_size=25),
    st.sampled_from(sorted(DISTANCES)),
)
def test_it_is_its_definition(rows, measurement):
    values, units = np.array([row[0] for row in rows], dtype=float), np.array([row[1] for row in rows])
    found = alpha(values, units, measurement=measurement, resamples=0)
    if found.units == 0:
        assert found.reason == "no unit has two judgments"
        return
    assert found.value == pytest.approx(slow_alpha(values, units, DISTANCES[measurement]), abs=1e-12, nan_ok=True)
    assert math.isnan(found.value) == (found.reason == "all judgments are equal")


def test_it_agrees_with_the_package():
    package = pytest.importorskip("krippendorff", reason="needs krippendorff")
    random = np.random.default_rng(0)
    table = np.round(random.normal(50, 20, (1, 80)) + random.normal(0, 15, (4, 80)), -1)
    table[random.random(table.shape) < 0.4] = math.nan
    for measurement in DISTANCES:
        expected = package.alpha(table, level_of_measurement=measurement)
        assert alpha(*listed(table), measurement=measurement, resamples=0).value == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("measurement", sorted(DISTANCES))
def test_a_resample_is_alpha_of_what_was_drawn(measurement, monkeypatch):
    """Drawn twice, a source is there twice, with units of its own."""
    values, units = listed(PUBLISHED[:, :8])
    drawn = np.array([[2, 0, 1, 0, 1, 3, 1, 0], [1, 2, 0, 1, 1, 0, 2, 1]], dtype=float)
    monkeypatch.setattr("paragauge.stats.raters.draw", lambda *_: drawn)
    found = alpha(values, units, measurement=measurement, resamples=2)
    expected = []
    for counts in drawn:
        copies = [
            (value, (unit, copy))
            for value, unit in zip(values, units, strict=True)
            for copy in range(int(counts[unit]))
        ]
        labels = np.unique([f"{label}" for _, label in copies], return_inverse=True)[1]
        expected.append(slow_alpha(np.array([value for value, _ in copies]), labels, DISTANCES[measurement]))
    assert (found.low, found.high) == pytest.approx(interval(expected, units=drawn.shape[1]), abs=1e-12)


def test_what_cannot_be_told():
    assert alpha([1.0, 2.0], [0, 1]).reason == "no unit has two judgments"
    for value in (50.0, 0.1, 0.3):  # the mean of equal values may be off by a rounding
        assert alpha([value] * 7, [0, 0, 1, 1, 2, 2, 2]).reason == "all judgments are equal"
    assert alpha([], []).reason == "no unit has two judgments"
    one = alpha([1.0, 2.0, 4.0, 4.0], [0, 0, 1, 1], ["a"] * 4)
    assert (one.value == one.value, math.isnan(one.low)) == (True, True)
    with pytest.raises(InputError, match="two sources"):
        alpha([1.0, 2.0], [0, 0], ["a", "b"])
    with pytest.raises(InputError, match="no measurement named 'ratio'"):
        alpha([1.0, 2.0], [0, 0], measurement="ratio")


@pytest.mark.thorough
def test_the_interval_holds_the_truth():
    """Units of one source are alike in how much raters differ on them; 300 studies of 40 sources with 3 items each."""
    random = np.random.default_rng(5)

    def study(sources):
        spread = np.repeat(random.choice([5.0, 25.0], sources), 3)  # some sources are hard to judge
        truth = random.normal(60, 15, 3 * sources)
        table = truth + random.normal(0, 1, (3, 3 * sources)) * spread
        return table.ravel(), np.tile(np.arange(3 * sources), 3), np.tile(np.repeat(np.arange(sources), 3), 3)

    true = alpha(*study(100_000), resamples=0).value
    found = [alpha(*study(40), resamples=500) for _ in range(300)]
    held = np.mean([one.low <= true <= one.high for one in found])
    assert 0.91 <= held <= 0.985  # 0.95, less about 1% for 500 resamples; standard error 1.3%


def slow_signed_rank(gaps) -> float:
    """Over all signs."""
    from scipy.stats import rankdata

    ranks = rankdata(np.abs(gaps))
    above = ranks[gaps > 0].sum()
    ranks = ranks[gaps != 0]
    sums = [sum(rank for rank, up in zip(ranks, signs, strict=True) if up)
            for signs in itertools.product([True, False], repeat=len(ranks))]  # fmt: skip
    return float(np.mean([one >= above - 1e-9 for one in sums]))


@given(st.lists(st.integers(-4, 6), min_size=1, max_size=9))
def test_the_paired_test_counts_all_signs(gaps):
    found = signed_rank(np.array(gaps, dtype=float), np.zeros(len(gaps)))
    assert found.p == pytest.approx(slow_signed_rank(np.array(gaps)), abs=1e-12)
    assert found.difference == pytest.approx(np.mean(gaps))


def test_the_paired_test_is_that_of_scipy():
    from scipy.stats import wilcoxon

    random = np.random.default_rng(1)
    first, second = random.normal(0.3, 1, 40), random.normal(0, 1, 40)
    expected = wilcoxon(first, second, alternative="greater", method="exact").pvalue
    assert signed_rank(first, second).p == pytest.approx(expected, rel=1e-9)
    first, second = random.normal(0.1, 1, 300), random.normal(0, 1, 300)
    expected = wilcoxon(first, second, alternative="greater", method="approx").pvalue
    assert signed_rank(first, second).p == pytest.approx(expected, rel=1e-9)
    above = signed_rank(first[:200], second[:200]).p, signed_rank(first[:201], second[:201]).p
    assert abs(above[0] - above[1]) < 0.02  # from exact to normal; the pair that comes in counts too
    assert signed_rank([], []).reason == "there are no pairs"
    with pytest.raises(InputError, match="expected pairs"):
        signed_rank([1.0], [1.0, 2.0])


def test_pairs_are_told_apart_that_an_unpaired_test_does_not_see():
    """Raters who rate a broken copy 15 lower (noise 8, items of standard deviation 20), as in differences.md."""
    from scipy.stats import mannwhitneyu

    random = np.random.default_rng(0)
    paired, unpaired, wrong = [], [], []
    for _ in range(120):
        worth = random.normal(65, 20, 8)
        original, broken, again = (
            np.clip(np.round(worth - lower + random.normal(0, 8, 8)), 0, 100) for lower in (0, 15, 0)
        )
        paired.append(signed_rank(original, broken).p < 0.05)
        unpaired.append(mannwhitneyu(original, broken, alternative="greater").pvalue < 0.05)
        wrong.append(signed_rank(original, again).p < 0.05)
    assert np.mean(paired) == pytest.approx(0.92, abs=0.08)  # standard error 2.5%
    assert np.mean(unpaired) == pytest.approx(0.28, abs=0.13)  # 4.1%
    assert np.mean(wrong) < 0.11  # 4.4% of 2,000; standard error 1.9%
