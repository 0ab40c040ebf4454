"""Agreement by distance: groups, ties between them, and cases."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from paragauge.benchmarks import benchmark
from paragauge.errors import InputError
from paragauge.meta.scored import score_ratings
from paragauge.tables.ratings import Ratings
from paragauge.tables.samples import Samples
from paragauge_research.analyses.distances import (
    CASES,
    by_case,
    by_case_of,
    by_distance,
    by_distance_of,
    distance_of,
    equal_groups,
)


def test_groups_are_equal():
    assert equal_groups(np.array([0.8, 0.1, 0.5, 0.3, 0.7, 0.2, 0.6, 0.4])).tolist() == [3, 0, 2, 1, 3, 0, 2, 1]


def test_ties_stay_together_and_undefined_rows_are_in_no_group():
    # ranks 1, 3, 3, 3 (the middle of 2, 3, 4), 5: of two groups, (2·3 − 1)·2/10 = 1 puts the tie into the second
    assert equal_groups(np.array([0.1, 0.5, 0.5, np.nan, 0.5, 0.9]), 2).tolist() == [0, 1, 1, -1, 1, 1]
    assert equal_groups(np.full(6, 0.5), 4).tolist() == [2] * 6
    assert equal_groups(np.empty(0)).tolist() == []
    with pytest.raises(InputError, match="0 groups; expected"):
        equal_groups(np.ones(3), 0)


@given(st.lists(st.integers(0, 12), min_size=1, max_size=60), st.integers(1, 5))
def test_groups_rise_with_distance_and_differ_in_size_by_ties_only(values, groups):
    far = np.array(values) / 10
    place = equal_groups(far, groups)
    assert (np.diff(place[np.argsort(far)]) >= 0).all()
    assert place.min() >= 0
    assert place.max() < groups
    if len(set(values)) == len(values):
        sizes = np.bincount(place, minlength=groups)
        assert sizes.max() - sizes.min() <= 1


def test_each_group_has_the_correlation_of_its_rows():
    human = np.array([0.0, 0.5, 1.0, 0.0, 0.5, 1.0])
    far = np.array([0.1, 0.2, 0.3, 0.7, 0.8, 0.9])
    scores = {"m": np.array([1.0, 2.0, 3.0, 3.0, 2.0, 1.0])}  # agrees with people near the source, and not far from it
    near, away = by_distance(scores, human, np.arange(6), far, groups=2, resamples=0)
    assert (near.group, near.nearest, near.farthest, near.correlation.rows) == (1, 0.1, 0.3, 3)
    assert near.correlation.value == pytest.approx(1)
    assert (away.group, away.nearest, away.farthest) == (2, 0.7, 0.9)
    assert away.correlation.value == pytest.approx(-1)


def test_an_empty_group_says_so():
    found = by_distance({"m": np.ones(2)}, np.ones(2), np.arange(2), np.ones(2), groups=3, resamples=10)
    assert [row.correlation.rows for row in found] == [0, 2, 0]
    assert all(math.isnan(row.correlation.value) and row.correlation.reason for row in found)
    assert math.isnan(found[0].nearest)


@given(st.permutations(range(24)))
def test_the_order_of_rows_means_nothing(order):
    random = np.random.default_rng(3)
    far, human, score = random.integers(0, 6, 24) / 6, random.random(24), random.random(24)
    plain = by_distance({"m": score}, human, np.arange(24) // 3, far, resamples=0)
    other = by_distance({"m": score[order]}, human[order], (np.arange(24) // 3)[order], far[order], resamples=0)
    for one, two in zip(plain, other, strict=True):
        assert one[:4] == two[:4]
        assert one.correlation.value == pytest.approx(two.correlation.value, abs=1e-12)  # sums in another order


def test_cases():
    to_source, to_reference = np.array([0.1, 0.2, 0.3, 0.5, 0.6]), np.array([0.4, 0.4, 0.4, 0.5, 0.1])
    human, scores = np.array([0.0, 0.5, 1.0, 0.2, 0.4]), {"m": np.array([1.0, 2.0, 3.0, 1.0, 1.0])}
    found = {row.case: row for row in by_case(scores, human, np.arange(5), to_source, to_reference, resamples=0)}
    assert tuple(found) == CASES
    assert [found[case].share for case in CASES] == [0.6, 0.2, 0.2]
    assert found["nearer to the source"].correlation.value == pytest.approx(1)
    assert math.isnan(found["equally near"].correlation.value)


def test_distances_are_edit_distances():
    ratings = Ratings(Samples.of(["abcd"], ["abxx"], [["abxx", "zzzz"]]), np.ones(1))
    assert distance_of(ratings, "source").tolist() == [0.5]
    assert distance_of(ratings, "references").tolist() == [0.0]
    with pytest.raises(InputError, match="no distance to 'reference'; did you mean 'references'"):
        distance_of(ratings, "reference")


def test_twitter(data):  # noqa: ARG001
    """Without an encoder: near the reference NED agrees with people, far from it not at all."""
    scored = score_ratings(benchmark("twitter-para").load(), ["ned", "rouge1", "rouge1.free"])
    groups = by_distance_of(scored, "references", resamples=200)
    values = {(row.metric, row.group): row.correlation for row in groups}
    assert [round(values["ned", group].value, 3) for group in (1, 2, 3, 4)] == [0.311, 0.008, 0.055, -0.119]
    assert [values["ned", group].rows for group in (1, 2, 3, 4)] == [1789, 1791, 1773, 1806]
    cases = {(row.metric, row.case): row for row in by_case_of(scored, resamples=0)}
    shares = [cases["ned", case].share for case in CASES]
    assert sum(shares) == pytest.approx(1)
    assert [round(share, 3) for share in shares] == [0.509, 0.442, 0.049]
    # who is nearer to the source is better judged by the source, and the other way round
    by_source, by_reference = (cases["rouge1.free", case].correlation.value for case in CASES[:2])
    assert by_source > cases["rouge1", CASES[0]].correlation.value
    assert by_reference < cases["rouge1", CASES[1]].correlation.value
