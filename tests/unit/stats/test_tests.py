"""Tests of differences: against their definitions, under the null hypothesis, and clusters by hand."""

import itertools
import math

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from paragauge.errors import InputError
from paragauge.stats.agreement import resample
from paragauge.stats.correlation import correlate, correlate_many
from paragauge.stats.correlations import names
from paragauge.stats.interval import Resamples
from paragauge.stats.tests import (
    bootstrap_matrix,
    clusters,
    holm,
    permutation,
    williams,
    williams_matrix,
)


def metrics(seed: int, rows: int = 120, noises: tuple[float, ...] = (0.8, 1.2)) -> tuple[np.ndarray, np.ndarray]:
    """Metrics that are the ratings with more and more noise."""
    random = np.random.default_rng(seed)
    human = random.normal(size=rows)
    return np.stack([human + noise * random.normal(size=rows) for noise in noises]), human


def test_williams_one_sided_and_two_sided():
    found = williams(0.6, 0.5, 0.4, 50)
    assert found.t > 0
    assert found.p == pytest.approx(scipy.stats.t.sf(found.t, 47))
    assert found.p_two_sided == pytest.approx(2 * found.p)
    other = williams(0.5, 0.6, 0.4, 50)
    assert (other.t, other.p) == pytest.approx((-found.t, 1 - found.p))
    assert other.p_two_sided == pytest.approx(found.p_two_sided)
    assert williams(0.5, 0.5, 0.4, 50)[:3] == pytest.approx((0, 0.5, 1))


def test_williams_holds_its_level():
    """Two metrics with the same true correlation: p below 0.05 in 5% of samples, by Williams' approximation."""
    random = np.random.default_rng(0)
    trials, rejected = 1000, 0
    for _ in range(trials):
        human = random.normal(size=40)
        table = human + random.normal(size=(2, 40))
        rejected += williams_matrix(table, human)[0, 1] < 0.05
    assert abs(rejected / trials - 0.05) < 3 * math.sqrt(0.05 * 0.95 / trials)


@pytest.mark.parametrize("statistic", names())
def test_the_matrix_is_williams_of_every_pair(statistic):
    table, human = metrics(1, noises=(0.5, 0.8, 1.2, 2))
    found = williams_matrix(table, human, statistic)
    for one, two in itertools.permutations(range(4), 2):
        r12, r13 = (correlate(table[metric], human, statistic).value for metric in (one, two))
        r23 = correlate(table[one], table[two], statistic).value
        assert found[one, two] == pytest.approx(williams(r12, r13, r23, len(human)).p, abs=1e-12)
    assert np.isnan(np.diag(found)).all()


def test_what_cannot_be_tested_has_a_reason():
    assert williams(0.5, 0.5, 1.0, 50).reason == "the two metrics are perfectly correlated"
    assert williams(0.5, 0.4, 0.3, 3).reason == "there are 3 rows, and the test needs 4"
    assert williams(math.nan, 0.4, 0.3, 30).reason == "r12 is undefined"
    table, human = metrics(2)
    assert math.isnan(williams_matrix(np.stack([table[0], table[0] * 2 + 1]), human)[0, 1])
    assert np.isnan(williams_matrix(table[:, :3], human[:3])).all()
    constant = np.ones(len(human))
    assert permutation(constant, table[0], human).reason == "the scores of a are constant"
    assert permutation(table[0], constant, human).reason == "the scores of b are constant"
    assert permutation(*table, constant).reason == "the agreement of a metric is undefined"
    assert permutation([], [], []).reason == "the scores of a are constant"
    for scores, sources in (
        (np.stack([constant, table[0]]), np.arange(len(human)) // 4),
        (table, np.zeros(len(human))),
    ):
        assert np.isnan(bootstrap_matrix(resample(scores, human, sources, resamples=20))).all()


def every_swap(one, two, human, groups, statistic) -> tuple[float, float]:
    """The exact p-values over all ways to swap groups, the definition written out."""
    one, two = ((part - part.mean()) / part.std() for part in (one, two))

    def gap(first, second):
        return correlate(first, human, statistic).value - correlate(second, human, statistic).value

    observed = gap(one, two)
    gaps = []
    for chosen in itertools.product((False, True), repeat=groups.max() + 1):
        swapped = np.array(chosen)[groups]
        gaps.append(gap(np.where(swapped, two, one), np.where(swapped, one, two)))
    gaps = np.array(gaps)
    return (gaps >= observed - 1e-9).mean(), (abs(gaps) >= abs(observed) - 1e-9).mean()


@pytest.mark.parametrize("method", ["both", "inputs", "systems"])
@pytest.mark.parametrize("statistic", ["pearson", "spearman", "kendall-b"])
def test_a_permutation_test_approaches_all_swaps(method, statistic):
    table, human = metrics(3, rows=9, noises=(0.6, 1.5))
    groups = np.array([0, 0, 1, 1, 1, 2, 3, 4, 4])  # ragged
    exact = every_swap(*table, human, np.arange(9) if method == "both" else groups, statistic)
    number = 4000
    found = permutation(*table, human, groups, groups, statistic=statistic, method=method, permutations=number)
    for value, truth in zip(found[1:3], exact, strict=True):
        # four standard errors of a share, and the one that is added for the data themselves
        assert abs(value - truth) < 4 * math.sqrt(truth * (1 - truth) / number) + 1 / number
    assert found.permutations == number


def test_crossed_swaps_a_row_if_one_of_its_source_and_system_is_chosen():
    """Of two sources and two systems, complete: a row is swapped with both, or with neither, or each with the other."""
    table, human = metrics(4, rows=4, noises=(0.6, 1.5))
    sources, systems = np.array([0, 0, 1, 1]), np.array([0, 1, 0, 1])
    one, two = ((part - part.mean()) / part.std() for part in table)

    def gap(swapped):
        first, second = np.where(swapped, two, one), np.where(swapped, one, two)
        return correlate(first, human).value - correlate(second, human).value

    chosen = [np.array(part) for part in itertools.product((False, True), repeat=4)]
    gaps = np.array([gap(part[:2][sources] ^ part[2:][systems]) for part in chosen])
    truth = (gaps >= gap(np.zeros(4, bool)) - 1e-9).mean()
    found = permutation(*table, human, sources, systems, method="crossed", permutations=4000)
    assert abs(found.p - truth) < 4 * math.sqrt(truth * (1 - truth) / 4000) + 1 / 4000


@pytest.mark.parametrize("level", ["pooled", "source", "system"])
def test_a_permutation_test_at_each_level(level):
    random = np.random.default_rng(5)
    sources, systems = random.integers(0, 30, 240), random.integers(0, 6, 240)
    human = random.normal(size=240)
    table = np.stack([human + 0.5 * random.normal(size=240), human + 2 * random.normal(size=240)])
    found = permutation(*table, human, sources, systems, level, method="inputs")
    expected = np.subtract(*correlate_many(table, human, "pearson", level, sources, systems))
    assert found.difference == pytest.approx(expected, abs=1e-12)
    assert 1 / 1001 <= found.p < 0.05
    assert found == permutation(*table, human, sources, systems, level, method="inputs")
    same = permutation(table[0], table[0], human, sources, systems, level, method="inputs")
    assert same[:3] == (0, 1, 1)
    scaled = permutation(table[0] * 7 - 3, table[1], human, sources, systems, level, method="inputs")
    assert scaled.p == found.p


@pytest.mark.parametrize("trials", [60, pytest.param(200, marks=pytest.mark.thorough)])
def test_by_source_the_tests_hold_their_level_and_swapping_rows_does_not(trials):
    """Two equally good metrics whose errors are shared by a source: independent rows promise too much."""
    random = np.random.default_rng(6)
    sources, size = 30, 6
    units = np.repeat(np.arange(sources), size)
    rejected = {"inputs": 0, "both": 0, "bootstrap": 0}
    for trial in range(trials):
        human = random.normal(size=(sources, 1)) + 0.3 * random.normal(size=(sources, size))
        table = human + random.normal(size=(2, sources, 1)) + 0.3 * random.normal(size=(2, sources, size))
        table, human = table.reshape(2, -1), human.ravel()
        for method in ("inputs", "both"):
            found = permutation(*table, human, units, method=method, permutations=199, seed=trial)
            rejected[method] += found.p <= 0.05
        rejected["bootstrap"] += (
            bootstrap_matrix(resample(table, human, units, resamples=199, seed=trial))[0, 1] <= 0.05
        )
    error = math.sqrt(0.05 * 0.95 / trials)
    assert rejected["inputs"] / trials < 0.05 + 3 * error
    # the bootstrap is not exact: with 30 sources, two points above its level are allowed for
    assert rejected["bootstrap"] / trials < 0.07 + 3 * error
    assert rejected["both"] / trials > 0.15


def test_the_better_metric_is_told_by_the_bootstrap():
    table, human = metrics(7, noises=(0.5, 1.5))
    drawn = resample(table, human, np.arange(len(human)) // 4, "spearman")
    value, low, high, p = drawn.difference(0, 1)
    assert 0 < low < value < high
    assert p < 0.05
    ahead, behind = bootstrap_matrix(drawn)[[0, 1], [1, 0]]
    assert ahead < 0.05
    assert behind > 0.95


def test_the_matrix_is_the_difference_of_every_pair():
    table, human = metrics(8, noises=(0.5, 0.6, 1, 1))
    drawn = resample(table, human, np.arange(len(human)) // 3, resamples=200)
    drawn.values[2, :7] = math.nan
    found = bootstrap_matrix(drawn)
    for one, two in itertools.permutations(range(4), 2):
        assert min(1, 2 * min(found[one, two], found[two, one])) == drawn.difference(one, two).p
    assert np.isnan(np.diag(found)).all()
    assert np.isnan(bootstrap_matrix(Resamples(drawn.values, drawn.point, 1))).all()
    undefined = np.array([math.nan, 1, 1, 1])
    assert np.isnan(bootstrap_matrix(drawn._replace(point=undefined))).sum() == 4 + 6


def test_holm_by_hand():
    """Sorted 0.005, 0.01, 0.03, 0.04 times 4, 3, 2, 1 is 0.02, 0.03, 0.06, 0.04; never falling: 0.02 0.03 0.06 0.06."""
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([0.5, 0.9]) == pytest.approx([1, 1])
    assert holm([]).tolist() == []
    square = holm([[math.nan, 0.01], [0.04, math.nan]])
    assert square == pytest.approx(np.array([[math.nan, 0.02], [0.04, math.nan]]), nan_ok=True)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=12))
def test_holm_rejects_as_the_step_down_procedure_does(values):
    adjusted = holm(values)
    for alpha in (0.01, 0.05, 0.3):
        rejected = set()
        for step, place in enumerate(np.argsort(values, kind="stable")):
            if values[place] * (len(values) - step) > alpha:
                break
            rejected.add(int(place))
        assert {place for place, value in enumerate(adjusted) if value <= alpha} == rejected
    assert (adjusted >= values).all()


def test_clusters_by_hand():
    """Metric 2 is best; 0 does not differ from it; 1 is worse than 2, though not than 0; 3 differs from none of 1."""
    p = np.full((4, 4), 0.5)
    p[2, 1] = p[2, 3] = p[0, 3] = 0.05
    assert clusters([2, 0, 1, 3], p) == [[2, 0], [1, 3]]
    assert clusters([2, 0, 1, 3], p, alpha=0.04) == [[2, 0, 1, 3]]
    assert clusters([2, 1], p) == [[2], [1]]
    assert clusters([], np.empty((0, 0))) == []
    assert clusters([0, 1], [[math.nan] * 2] * 2) == [[0, 1]]


def test_clusters_as_mt_metrics_eval_ranks():
    """Its rule: a metric gets the next rank if a metric of the current rank has p ≤ 0.05 against it."""
    random = np.random.default_rng(9)
    for _ in range(50):
        p = random.random((8, 8)) * 0.4
        ranks, start = [1] * 8, 0
        for place in range(1, 8):
            new = (p[start:place, place] <= 0.05).any()
            ranks[place] = ranks[place - 1] + int(new)
            start = place if new else start
        found = clusters(range(8), p)
        assert [rank for rank, group in enumerate(found, 1) for _ in group] == ranks


@pytest.mark.parametrize(
    "call, message",
    [
        (lambda: williams(1.2, 0, 0, 9), "r12 is 1.2"),
        (lambda: williams(0.9, -0.9, 0.9, 9), "contradict each other"),
        (lambda: williams(0.1, 0.2, 0.3, 9.5), "the number of rows is 9.5"),
        (lambda: permutation([1, 2], [1, 2], [1]), "2 scores of a, 2 of b and 1 ratings"),
        (lambda: permutation([1, 2], [1, 2], [1, 2], method="rows"), "no method named 'rows'"),
        (lambda: permutation([1, 2], [1, 2], [1, 2], method="inputs"), "there are no sources"),
        (lambda: permutation([1, 2], [1, 2], [1, 2], method="systems"), "there are no systems"),
        (lambda: permutation([1, 2], [1, 2], [1, 2], [0, 1], method="crossed"), "there are no systems"),
        (lambda: permutation([1, 2], [1, 2], [1, 2], level="system"), "there are no systems"),
        (lambda: permutation([1, 2], [1, 2], [1, 2], permutations=0), "the number of permutations is 0"),
        (lambda: permutation([1, 2], [1, 2], [1, 2], statistic="tau"), "no statistic named 'tau'"),
        (lambda: permutation([1, math.nan], [1, 2], [1, 2]), "the scores of a hold 1 of 2"),
        (lambda: holm([0.5, 1.5]), "outside 0 to 1"),
        (lambda: clusters([0, 0], np.ones((2, 2))), "different numbers from 0 to 1"),
        (lambda: clusters([0, 5], np.ones((2, 2))), "different numbers from 0 to 1"),
        (lambda: clusters([0], np.ones((2, 3))), r"expected \(metrics, metrics\)"),
        (lambda: clusters([0], np.ones((1, 1)), alpha=5), "alpha is 5"),
    ],
)
def test_bad_input_is_refused_in_a_sentence(call, message):
    with pytest.raises(InputError, match=message):
        call()
