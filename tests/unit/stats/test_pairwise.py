"""Pairwise accuracies against brute force and worked examples."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from paragauge.errors import InputError
from paragauge.stats.pairwise import pairwise_accuracy, soft_pairwise_accuracy, system_pairwise_accuracy


def slow(scores, human, sources, epsilon) -> float:
    """The definition, pair by pair."""
    each = []
    for source in sorted(set(sources)):
        rows = [row for row, own in enumerate(sources) if own == source]
        right = []
        for one, two in itertools.combinations(rows, 2):
            gap = scores[one] - scores[two]
            sign = 0 if abs(gap) <= epsilon else math.copysign(1, gap)
            right.append(sign == np.sign(human[one] - human[two]))
        if right:
            each.append(np.mean(right))
    return float(np.mean(each)) if each else math.nan


def slow_epsilon(scores, human, sources) -> float:
    """The smallest of all possible thresholds with the best accuracy."""
    gaps = {abs(one - two) for one, two in itertools.combinations(scores, 2)}
    candidates = sorted({0.0, *gaps})
    values = [slow(scores, human, sources, epsilon) for epsilon in candidates]
    return candidates[next(place for place, value in enumerate(values) if value > max(values) - 1e-12)]


small = st.integers(-4, 4).map(float)
rows = st.lists(st.tuples(small, st.integers(0, 2).map(float), st.integers(0, 3)), min_size=2, max_size=12)


@given(rows, st.sampled_from([0.0, 1.0, 2.5]))
def test_a_fixed_epsilon_is_the_definition(data, epsilon):
    scores, human, sources = (list(part) for part in zip(*data, strict=True))
    expected = slow(scores, human, sources, epsilon)
    found = pairwise_accuracy(scores, human, sources, epsilon)
    assert found.value == pytest.approx(expected, abs=1e-14, nan_ok=True)
    assert (found.reason == "") == (not math.isnan(expected))
    assert found.sources + found.left_out == len(set(sources))
    assert pairwise_accuracy(scores, human, None, epsilon).value == pytest.approx(
        slow(scores, human, [0] * len(scores), epsilon), abs=1e-14
    )


@given(rows)
def test_calibration_tries_every_threshold(data):
    scores, human, sources = (list(part) for part in zip(*data, strict=True))
    found = pairwise_accuracy(scores, human, sources)
    if found.pairs:
        within = slow_epsilon(scores, human, sources)
        assert found.value == pytest.approx(slow(scores, human, sources, within), abs=1e-14)
        assert slow(scores, human, sources, found.epsilon) == pytest.approx(found.value, abs=1e-14)
        assert found.epsilon == within
        assert found.value >= pairwise_accuracy(scores, human, sources, 0).value - 1e-14


@given(rows, st.randoms())
def test_order_shift_and_labels_do_not_matter(data, random):
    scores, human, sources = (np.array(part) for part in zip(*data, strict=True))
    before = pairwise_accuracy(scores, human, sources)
    order = list(range(len(data)))
    random.shuffle(order)
    for after in (
        pairwise_accuracy(scores[order], human[order], sources[order]),
        pairwise_accuracy(scores + 16, human * 3, 7 - sources),
    ):
        assert after[2:] == before[2:]
        assert after.epsilon == pytest.approx(before.epsilon, nan_ok=True)
        assert after.value == pytest.approx(before.value, abs=1e-14, nan_ok=True)
    doubled = pairwise_accuracy(scores * 2, human, sources)
    assert doubled.value == pytest.approx(before.value, abs=1e-14, nan_ok=True)
    assert doubled.epsilon == pytest.approx(2 * before.epsilon, nan_ok=True)


def test_the_counts_of_a_worked_example():
    """Scores differ by 2, 6, 8, 4, 6, 2 in the six pairs, and people tie the first, second and fourth.

    With epsilon 4 the metric ties the first, fourth and sixth: wrong are the second and the sixth.
    """
    found = pairwise_accuracy([0, 2, 6, 8], [1, 1, 1, 4])
    assert found.value == pytest.approx(4 / 6)
    assert found[1:] == (4.0, 6, 4, 3, 3, 1, 0, (), "")


def test_calibrated_accuracy_is_optimistic_and_cross_fitting_is_not():
    """Scores without meaning: the best threshold seems to help, and on other sources it does not."""
    random = np.random.default_rng(0)
    calibrated, fitted, plain = [], [], []
    sources = np.repeat(np.arange(6), 4)
    for trial in range(150):
        scores, human = random.normal(size=24), random.permutation(24) % 3
        calibrated.append(pairwise_accuracy(scores, human, sources).value)
        fitted.append(pairwise_accuracy(scores, human, sources, cross_fit=True, seed=trial).value)
        plain.append(pairwise_accuracy(scores, human, sources, 0).value)
    gap = np.array(calibrated) - fitted
    assert gap.mean() > 5 * gap.std() / math.sqrt(len(gap))
    assert np.mean(calibrated) > np.mean(plain)


def test_cross_fitting_uses_each_half_for_the_other():
    random = np.random.default_rng(1)
    sources = np.repeat(np.arange(8), 5)
    human = random.integers(0, 3, 40)
    scores = human + random.normal(size=40)
    found = pairwise_accuracy(scores, human, sources, cross_fit=True, seed=3)
    assert found.epsilon == pairwise_accuracy(scores, human, sources).epsilon
    matches = []
    for chosen in itertools.combinations(range(8), 4):  # one split of the eight must give what was found
        first = np.isin(sources, chosen)
        halves = tuple(pairwise_accuracy(scores[part], human[part], sources[part]).epsilon for part in (first, ~first))
        values = [
            pairwise_accuracy(scores[part], human[part], sources[part], epsilon).value
            for part, epsilon in ((~first, halves[0]), (first, halves[1]))
        ]
        matches.append(halves == found.halves and math.isclose(np.mean(values), found.value))
    assert any(matches)


def test_very_many_unequal_sources_are_calibrated_in_floats():
    random = np.random.default_rng(2)
    sizes = np.arange(2, 70)  # the least common multiple of the numbers of pairs is beyond 64 bits
    sources = np.repeat(sizes, sizes)
    human = random.integers(0, 3, len(sources))
    scores = (human + random.normal(size=len(sources))).round(1)
    found = pairwise_accuracy(scores, human, sources)
    around = [pairwise_accuracy(scores, human, sources, epsilon).value for epsilon in np.arange(0, 4, 0.2)]
    assert found.value >= max(around) - 1e-12


def test_systems():
    """Of six pairs, people order (1, 2) the other way round, and tie (2, 3), which the metric does not."""
    found = system_pairwise_accuracy([1, 3, 2, 4], [1, 2, 3, 3])
    assert found[1:] == (6, 4, 1, "")
    assert found.value == pytest.approx(4 / 6)
    assert system_pairwise_accuracy([1, 2], [3, 3]).value == 0
    assert system_pairwise_accuracy([2, 2], [3, 3]).value == 1
    assert system_pairwise_accuracy([1], [1]).reason == "there are fewer than 2 systems"


def exact_p(gaps: np.ndarray) -> float:
    """The share of all flips of signs with a sum no smaller than the observed."""
    sums = [float(np.dot(signs, gaps)) for signs in itertools.product((-1, 1), repeat=len(gaps))]
    return float(np.mean([one >= gaps.sum() - 1e-9 for one in sums]))


def test_soft_accuracy_is_that_of_all_flips():
    random = np.random.default_rng(3)
    scores, human = random.normal(size=(2, 4, 9))
    human += scores
    scores[1, 2], human[2, 5], human[3, 0] = math.nan, math.nan, math.nan
    expected = []
    for one, two in itertools.combinations(range(4), 2):
        kept = ~np.isnan(scores[one] + scores[two] + human[one] + human[two])
        p, q = (exact_p(part[one, kept] - part[two, kept]) for part in (scores, human))
        expected.append(1 - abs(p - q))
    found = soft_pairwise_accuracy(scores, human, permutations=40_000)
    # a p-value from 40,000 draws has a standard error of at most 0.0025; the mean of six differences of two of them,
    # drawn together, no more than √2 of that, and four times so is more than chance does
    assert found.value == pytest.approx(np.mean(expected), abs=4 * 0.0025 * math.sqrt(2))
    assert found[1:] == (6, 0, "")


def test_soft_accuracy_is_1_for_the_ratings_themselves_and_0_is_their_opposite():
    random = np.random.default_rng(4)
    human = random.normal(size=(5, 200)) + np.arange(5)[:, None]
    assert soft_pairwise_accuracy(human, human).value == 1
    assert soft_pairwise_accuracy(3 * human + 8, human).value == pytest.approx(1, abs=1e-3)
    assert soft_pairwise_accuracy(-human, human).value < 0.01
    assert soft_pairwise_accuracy(human, human * 0.5, seed=1) == soft_pairwise_accuracy(human, human * 0.5, seed=1)


def test_where_there_is_nothing_to_compare_the_reason_is_said():
    assert pairwise_accuracy([], []).reason == "there are fewer than 2 rows"
    found = pairwise_accuracy([1, 2], [1, 2], [0, 1])
    assert math.isnan(found.value)
    assert (found.left_out, found.reason) == (2, "no source has two rows")
    assert "there is one" in pairwise_accuracy([1, 2], [1, 2], [0, 0], cross_fit=True).reason
    found = soft_pairwise_accuracy([[1, math.nan], [math.nan, 1]], [[1, 2], [3, 4]])
    assert found[1:] == (0, 1, "no two systems have a segment in common")
    assert soft_pairwise_accuracy([[1.0, 2]], [[1.0, 2]]).reason


@pytest.mark.parametrize(
    "call, message",
    [
        (lambda: pairwise_accuracy([1], [1, 2]), "1 scores and 2 ratings"),
        (lambda: pairwise_accuracy([1, math.nan], [1, 2]), "NaN or infinite"),
        (lambda: pairwise_accuracy([1, 2], [1, 2], epsilon=-1), "epsilon is -1"),
        (lambda: pairwise_accuracy([1, 2], [1, 2], epsilon=math.nan), "epsilon is nan"),
        (lambda: pairwise_accuracy([1, 2], [1, 2], cross_fit=True), "needs sources"),
        (lambda: pairwise_accuracy([1, 2], [1, 2], [0, 0], 0.1, cross_fit=True), "an epsilon to calibrate"),
        (lambda: system_pairwise_accuracy([1], [1, 2]), "per system"),
        (lambda: soft_pairwise_accuracy([1, 2], [1, 2]), r"expected \(systems, segments\)"),
        (lambda: soft_pairwise_accuracy([[1, 2]], [[1, 2, 3]]), r"expected \(systems, segments\)"),
        (lambda: soft_pairwise_accuracy([[math.inf]], [[1]]), "infinite"),
        (lambda: soft_pairwise_accuracy([[1]], [[1]], permutations=0), "the number of permutations is 0"),
        (lambda: soft_pairwise_accuracy([["a"]], [[1]]), "not all numbers"),
    ],
)
def test_bad_input_is_refused_in_a_sentence(call, message):
    with pytest.raises(InputError, match=message):
        call()
