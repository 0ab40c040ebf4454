"""Pairs of candidates that differ in meaning or in wording alone."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import spearmanr

from paragauge.benchmarks import benchmark
from paragauge.errors import InputError
from paragauge.meta.scored import RatedScores, score_ratings
from paragauge.tables.ratings import Ratings
from paragauge.tables.samples import Samples
from paragauge_research.analyses.attribution import PARTS, Thresholds, attribute, attribute_of, find_pairs

ROWS = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 100), st.integers(0, 100)), min_size=1, max_size=25)


def slow_pairs(sources, similarity, distance):
    """A double loop over hundredths, in whole numbers, so that a difference of 0.05 is exactly that."""
    found = {part: [] for part in PARTS}
    for one, two in itertools.combinations(range(len(sources)), 2):
        if sources[one] != sources[two]:
            continue
        meaning, wording = abs(similarity[one] - similarity[two]), abs(distance[one] - distance[two])
        if wording <= 5:
            found["base"].append((one, two))
        if wording <= 5 and meaning >= 15:
            found["sim"].append((one, two))
        if meaning <= 5 and wording >= 10:
            found["div"].append((one, two))
            little = min(distance[one], distance[two]) <= 35
            found["div, little changed" if little else "div, much changed"].append((one, two))
    return found


@given(ROWS)
def test_pairs_are_those_of_a_double_loop(rows):
    sources, similarity, distance = zip(*rows, strict=True)
    found = find_pairs(np.array(similarity) / 100, np.array(distance) / 100, np.array(sources))
    plain = {part: list(zip(pairs.first.tolist(), pairs.second.tolist(), strict=True)) for part, pairs in found.items()}
    assert plain == slow_pairs(sources, similarity, distance)


def test_thresholds_are_parameters():
    similarity, distance, sources = np.array([0.9, 0.8]), np.array([0.3, 0.3]), np.zeros(2, dtype=np.intp)
    assert len(find_pairs(similarity, distance, sources)["sim"].first) == 0
    assert len(find_pairs(similarity, distance, sources, Thresholds(other_similarity=0.1))["sim"].first) == 1
    with pytest.raises(InputError, match="a threshold below 0"):
        find_pairs(similarity, distance, sources, Thresholds(same_distance=-1))


def test_a_difference_at_the_limit_counts_whatever_its_binary_rounding():
    """0.35 − 0.30 is 0.04999… and 0.40 − 0.35 is 0.05000…1 in floats: both are 0.05."""
    similarity, distance, sources = np.array([0.9, 0.5] * 2), np.array([0.35, 0.3, 0.4, 0.35]), np.array([0, 0, 1, 1])
    assert distance[0] - distance[1] < 0.05 < distance[2] - distance[3]
    assert find_pairs(similarity, distance, sources)["base"].first.tolist() == [0, 2]
    assert find_pairs(similarity, distance, sources, Thresholds(rounding=0.0))["base"].first.tolist() == [0]


def test_undefined_rows_are_in_no_pair():
    similarity, distance = np.array([0.9, 0.5, 0.1]), np.array([0.3, np.nan, 0.3])
    assert find_pairs(similarity, distance, np.zeros(3, dtype=np.intp))["sim"] == (0, 2)
    human = np.array([1.0, 0.0, np.nan])
    found = attribute({"m": similarity}, human, np.zeros(3, dtype=np.intp), similarity, distance, resamples=0)
    assert [row.correlation.rows for row in found] == [0, 0, 0, 0, 0]
    assert all(math.isnan(row.correlation.value) and row.correlation.reason for row in found)


# three sources of two candidates each, alike in wording and not in meaning
SIM = np.array([0.9, 0.5, 0.8, 0.6, 0.4, 0.9])
DIST = np.full(6, 0.5)
SOURCES = np.repeat(np.arange(3), 2)
HUMAN = np.array([1.0, 0.4, 0.2, 0.6, 0.0, 0.8])
SCORE = np.array([3.0, 1.0, 1.0, 0.0, 0.0, 2.0])


def test_each_pair_counts_both_ways():
    # Δm = 2, 1, −2 and Δh = 0.6, −0.4, −0.8: Σ ΔmΔh = 1.2 − 0.4 + 1.6 = 2.4; Σ Δm² = 9; Σ Δh² = 1.16
    found = attribute({"m": SCORE}, HUMAN, SOURCES, SIM, DIST, resamples=0)[0]
    assert (found.metric, found.part, found.correlation.rows, found.correlation.sources) == ("m", "sim", 3, 3)
    assert found.correlation.value == pytest.approx(2.4 / math.sqrt(9 * 1.16), abs=1e-12)


def test_the_order_given_is_an_ordinary_correlation_that_depends_on_the_order():
    first = attribute({"m": SCORE}, HUMAN, SOURCES, SIM, DIST, order="given", resamples=0)[0].correlation
    assert first.value == pytest.approx(np.corrcoef([2, 1, -2], [0.6, -0.4, -0.8])[0, 1], abs=1e-12)
    turned = np.array([0, 1, 2, 3, 5, 4])  # the same pairs, one of them the other way round
    swapped = [column[turned] for column in (SCORE, HUMAN, SOURCES, SIM, DIST)]
    other = attribute({"m": swapped[0]}, *swapped[1:], order="given", resamples=0)[0].correlation
    assert other.value == pytest.approx(np.corrcoef([2, 1, 2], [0.6, -0.4, 0.8])[0, 1], abs=1e-12)
    assert abs(first.value - other.value) > 0.1
    with pytest.raises(InputError, match="no order of pairs named 'one'"):
        attribute({"m": SCORE}, HUMAN, SOURCES, SIM, DIST, order="one")


@given(st.permutations(range(30)), st.permutations(range(5)))
def test_neither_order_nor_names_mean_anything(order, names):
    random = np.random.default_rng(5)
    similarity, distance, human, score = random.random((4, 30))
    sources = np.arange(30) % 5
    plain = attribute({"m": score}, human, sources, similarity, distance, resamples=0)
    moved = [column[order] for column in (human, np.array(names)[sources], similarity, distance)]
    other = attribute({"m": score[order]}, *moved, resamples=0)
    for one, two in zip(plain, other, strict=True):
        assert one.correlation.rows == two.correlation.rows
        assert one.correlation.value == pytest.approx(two.correlation.value, abs=1e-12, nan_ok=True)  # order of sums


def test_spearman_and_intervals():
    random = np.random.default_rng(2)
    human = random.random(200)
    score, similarity = human + random.normal(0, 0.2, 200), random.random(200)
    sources = np.arange(200) // 4
    arguments = ({"m": score}, human, sources, similarity, np.full(200, 0.5))
    found = attribute(*arguments, statistic="spearman", resamples=300)[0].correlation
    pairs = find_pairs(similarity, np.full(200, 0.5), sources)["sim"]
    gaps = [np.concatenate([column[pairs.first] - column[pairs.second]] * 2) for column in (score, human)]
    for gap in gaps:
        gap[len(pairs.first) :] *= -1
    assert found.value == pytest.approx(spearmanr(*gaps).statistic, abs=1e-12)
    assert found.low < found.value < found.high
    assert attribute(*arguments, resamples=300) == attribute(*arguments, resamples=300)
    assert attribute(*arguments, resamples=300, seed=1)[0].correlation.low != attribute(*arguments)[0].correlation.low


def test_scored_ratings_bring_their_own_distance():
    samples = Samples.of(["abcdefghij"] * 2, ["abcdefghiX", "abcdeXXXXX"])
    scored = RatedScores(Ratings(samples, np.array([1.0, 0.0])), {"same": np.array([0.5, 0.52]), "m": np.ones(2)}, {})
    found = {(row.metric, row.part): row.correlation for row in attribute_of(scored, "same", resamples=0)}
    assert found["m", "div"].rows == 1  # distances 0.1 and 0.5
    assert found["m", "div, little changed"].rows == 1
    assert found["m", "sim"].rows == 0
    assert found["same", "div"].value == pytest.approx(-1)
    with pytest.raises(InputError, match=r"'cosine.free' was not scored"):
        attribute_of(scored)


def test_twitter_order_matters_little_in_the_file_and_much_when_sorted(data):  # noqa: ARG001
    """rouge1.free stands in for Sim, so that no encoder is needed."""
    scored = score_ratings(benchmark("twitter-para").load(), ["rouge1.free", "chrf"])

    def values(table, order):
        rows = attribute_of(table, "rouge1.free", order=order, resamples=0)
        return np.array([row.correlation.value for row in rows if row.metric == "chrf"])

    both = values(scored, "both")
    apart = abs(values(scored, "given") - both)
    assert apart[[0, 1, 2, 4]].max() < 0.001  # parts of thousands of pairs
    assert 0.02 < apart[3] < 0.04  # the part of few: 0.298 in the order of the file, 0.270 in both
    by_rating = scored.rows(np.argsort(-scored.ratings.human, kind="stable"))
    np.testing.assert_allclose(values(by_rating, "both"), both, atol=1e-12)  # sums in another order
    assert abs(values(by_rating, "given") - both).max() > 0.05
