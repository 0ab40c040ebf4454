"""Copies among the candidates, and the weight of diversity that sees them."""

import dataclasses
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from paragauge.benchmarks import benchmark
from paragauge.errors import InputError
from paragauge.metrics.overall.parascore import ParaScore
from paragauge.tables.ratings import Ratings
from paragauge.tables.samples import Samples
from paragauge_research.analyses.copies import (
    copy_preference,
    copy_preference_of,
    copy_sensitivity,
    copy_sensitivity_of,
    replaced,
    score_copies,
)

SOURCES = np.repeat(np.arange(40), 5)


@given(st.lists(st.integers(0, 5), min_size=1, max_size=40), st.floats(0, 1), st.integers(0, 50))
def test_every_source_gives_its_share(sources, share, seed):
    codes = np.array(sources)
    rows = replaced(codes, share, seed)
    assert rows.tolist() == sorted(set(rows.tolist()))
    for source in set(sources):
        size, gone = sources.count(source), int((codes[rows] == source).sum())
        assert math.floor(share * size) <= gone <= math.ceil(share * size + 1e-12)
    assert set(replaced(codes, share / 2, seed)) <= set(rows)
    assert replaced(codes, share, seed).tolist() == rows.tolist()


def test_shares_are_exact_at_the_ends_and_on_average():
    assert len(replaced(SOURCES, 0)) == 0
    assert len(replaced(SOURCES, 1)) == 200
    # a source of 5 gives 1 or 2 at 30%; over 200 seeds and 40 sources the mean share has standard error 0.1/√8000
    mean = np.mean([len(replaced(SOURCES, 0.3, seed)) / 200 for seed in range(200)])
    assert abs(mean - 0.3) < 5 * 0.1 / math.sqrt(8000)
    with pytest.raises(InputError, match=r"a share of 1\.5"):
        replaced(SOURCES, 1.5)


def curves(**changes):
    random = np.random.default_rng(1)
    human = random.random(200)
    scores = {"likes": human + random.normal(0, 0.1, 200), "dislikes": human + random.normal(0, 0.3, 200)}
    copies = {"likes": np.ones(200), "dislikes": np.full(200, -0.5)}
    return human, scores, copy_sensitivity(scores, copies, human, SOURCES, **{"seeds": 4, **changes})


def test_a_metric_that_likes_copies_falls_behind():
    human, scores, points = curves(shares=[0, 0.5])
    assert [(point.metric, point.share) for point in points] == [
        ("likes", 0), ("dislikes", 0), ("likes", 0.5), ("dislikes", 0.5)
    ]  # fmt: skip
    for point in points[:2]:
        assert point.value == pytest.approx(np.corrcoef(scores[point.metric], human)[0, 1], abs=1e-12)
        assert point.spread == pytest.approx(0, abs=1e-12)
        assert point.copies == 0
    assert [point.rank for point in points] == [1, 2, 2, 1]
    assert points[2].value < 0 < points[0].value
    assert points[3].value > points[1].value
    assert points[2].spread > 0
    assert points == curves(shares=[0, 0.5])[2]


def test_one_share_by_hand():
    """Of a source with two rows, half is one; the curve is the correlation of what is then in the table."""
    human, scores, copies = (
        np.array([0.9, 0.3, 0.6, 0.2]),
        np.array([1.0, 2.0, 3.0, 4.0]),
        np.array([9.0, 9.0, 7.0, 7.0]),
    )
    codes = np.array([0, 0, 1, 1])
    rows = replaced(codes, 0.5, 0)
    assert len(rows) == 2
    table, rated = scores.copy(), human.copy()
    table[rows], rated[rows] = copies[rows], 0.1
    found = copy_sensitivity({"m": scores}, {"m": copies}, human, codes, [0.5], seeds=1, rating=0.1)[0]
    assert found.value == pytest.approx(np.corrcoef(table, rated)[0, 1], abs=1e-12)
    assert (found.copies, found.rank, found.spread) == (2, 1, 0)


def test_undefined():
    points = curves(shares=[1])[2]
    assert all(math.isnan(point.value) and math.isnan(point.rank) for point in points)  # people rate all alike
    human = np.array([0.1, 0.9, np.nan, 0.4])
    scores = {"m": np.array([1.0, 3.0, 9.0, 2.0]), "holes": np.array([1.0, 2.0, 2.0, np.nan])}
    found = copy_sensitivity(scores, scores, human, np.arange(4), [0], seeds=1)
    assert [point.value for point in found] == pytest.approx([1, 1])  # on the first two rows
    assert copy_sensitivity({}, {}, human, np.arange(4)) == []


def test_bad_requests():
    with pytest.raises(InputError, match="m has scores of candidates or of copies alone"):
        copy_sensitivity({"m": np.ones(2)}, {}, np.ones(2), np.arange(2))
    with pytest.raises(InputError, match="0 seeds"):
        copy_sensitivity({}, {}, np.ones(2), np.arange(2), seeds=0)
    ones = np.ones(2)
    with pytest.raises(InputError, match="no comparison by 'row'"):
        copy_preference(ones, ones, ones, ones, ones, np.arange(2), by="row")
    with pytest.raises(InputError, match="less diversity than the copy"):
        copy_preference(ones, ones, ones, ones + 1, ones, np.arange(2))


def test_crossings_by_hand():
    # a copy has Sim 1 and DS −1. Sim 0.8 and DS 0: (1 − 0.8)/(0 + 1) = 0.2; Sim 0.7 and DS 0.5: 0.3/1.5 = 0.2;
    # Sim 0.4, DS 0.2: 0.6/1.2 = 0.5; a candidate that is a copy itself: equal for all ω; human 0.7 is not a paraphrase
    similarity, diversity = np.array([0.8, 0.7, 0.4, 1.0, 0.1]), np.array([0.0, 0.5, 0.2, -1.0, 0.0])
    human, sources = np.array([0.8, 1.0, 1.0, 0.8, 0.7]), np.array([0, 1, 1, 2, 2])
    arguments = (similarity, diversity, np.ones(5), -np.ones(5), human, sources)
    found = copy_preference(*arguments, omegas=[0, 0.1, 0.3, 0.6])
    np.testing.assert_allclose(found.crossings, [0, 0.2, 0.2, 0.5], atol=1e-15)
    assert found.shares.tolist() == [0.75, 0.75, 0.25, 0]
    assert (found.half, found.twentieth) == pytest.approx((0.2, 0.5))
    assert found.comparisons == 4
    by_source = copy_preference(*arguments, omegas=[0, 0.1, 0.3], by="source")
    np.testing.assert_allclose(by_source.crossings, [0, 0.2, 0.2], atol=1e-15)
    nothing = copy_preference(*arguments, real=2)
    assert nothing.comparisons == 0
    assert math.isnan(nothing.half)
    assert np.isnan(nothing.shares).all()
    never = copy_preference(np.zeros(1), np.zeros(1), np.ones(1), np.zeros(1), np.ones(1), np.zeros(1, dtype=np.intp))
    assert never.half == math.inf


@given(st.lists(st.tuples(st.integers(0, 20), st.integers(0, 20)), min_size=1, max_size=50), st.booleans())
def test_shares_are_those_of_scoring_again(rows, by_source):
    """In eighths and quarters, where sums and products are exact."""
    similarity, diversity = (np.array(column) / 32 for column in zip(*rows, strict=True))
    number = len(rows)
    sources = np.arange(number) % 4 if by_source else np.arange(number)
    omegas = np.arange(9) / 4
    best, least = np.full(number, 0.75), np.zeros(number)
    found = copy_preference(
        similarity, diversity, best, least, np.ones(number), sources, omegas, by="source" if by_source else "pair"
    )
    for omega, share in zip(omegas, found.shares, strict=True):
        wins = best + omega * least > similarity + omega * diversity
        expected = np.mean([wins[sources == source].all() for source in np.unique(sources)])
        assert share == pytest.approx(expected, abs=1e-12)
    for end, limit in ((found.half, 0.5), (found.twentieth, 0.05)):
        assert np.mean(found.crossings > end) <= limit
        if end > 0:
            assert np.mean(found.crossings > np.nextafter(end, 0)) > limit


def test_metrics_that_look_at_other_rows_are_refused():
    ratings = Ratings(Samples.of(["abc def"], ["abc xyz"], [["abc uvw"]]), np.ones(1))
    for name in ("selfbleu", "bertscore:idf=yes"):
        with pytest.raises(InputError, match="scores a row by other rows too"):
            score_copies(ratings, [name])
    with pytest.raises(InputError, match="has a fixed ω"):
        copy_preference_of(ratings, "parascore:compat=official-1.0.5")
    with pytest.raises(InputError, match="bleu has no ω"):
        copy_preference_of(ratings, "bleu")


def test_copies_are_scored_as_copies():
    samples = Samples.of(["abcd", "efgh"], ["abcx", "efxx"], [["abxx"], ["efgh"]])
    scored, copies = score_copies(Ratings(samples, np.array([0.8, 0.4])), ["ned", "ned.free"])
    assert scored["ned"].tolist() == [-0.25, -0.5]
    assert copies["ned"].tolist() == [-0.5, 0]
    assert copies["ned.free"].tolist() == [0, 0]
    assert scored.ratings.human.tolist() == [0.8, 0.4]


def test_omega_curve_is_that_of_the_metric(encoder):  # noqa: ARG001
    sources = ["How old are you?", "The cat sat on the mat.", "He left home.", "We ate early."]
    candidates = ["What is your age?", "A cat was sitting on the mat.", "He went away.", "We ate early."]
    ratings = Ratings(Samples.of(sources, candidates, [[text] for text in candidates]), np.ones(4))
    for metric in (
        ParaScore(free=True),
        ParaScore(similarity="mean", gamma=0.5),
        ParaScore(free=True, threshold=False),
    ):
        found = copy_preference_of(ratings, metric, omegas=[0, 0.05, 0.2, 0.35, 0.8])
        for omega, share in zip(found.omegas, found.shares, strict=True):
            variant = dataclasses.replace(metric, omega=float(omega))
            scored, copies = score_copies(ratings, [variant])
            wins = copies[variant.spec] > scored[variant.spec] + 1e-9  # Sim + ω·DS rounds; no two are that near
            assert share == wins.mean()


def test_twitter(data):  # noqa: ARG001
    """Without an encoder: what rewards overlap with the source falls below 0; the distance alone rises."""
    points = copy_sensitivity_of(
        benchmark("twitter-para").load(), ["rouge1.free", "ned.free"], shares=[0, 0.2], seeds=2
    )
    values = {(point.metric, point.share): point for point in points}
    assert values["rouge1.free", 0].value == pytest.approx(0.493, abs=0.0005)
    assert values["rouge1.free", 0.2].value < -0.15
    assert values["ned.free", 0].value == pytest.approx(-0.232, abs=0.0005)
    assert values["ned.free", 0.2].value > 0.3
    assert values["ned.free", 0.2].copies == pytest.approx(0.2 * 7159, abs=30)


def test_people_rated_the_copies_of_twitter_para_high(data):  # noqa: ARG001
    """The convention that a copy is worth 0 is not what the raters of this data set did."""
    ratings = benchmark("twitter-para").load()
    copied = [one == two for one, two in zip(ratings.samples.sources, ratings.samples.candidates, strict=True)]
    assert sorted(ratings.human[copied].tolist()) == [0.8, 0.8, 0.8, 1.0, 1.0, 1.0]


@pytest.mark.thorough
def test_twitter_needs_a_larger_omega(data, encoder):  # noqa: ARG001
    """The numbers of docs/analyses.md, to the digits printed there."""
    found = copy_preference_of(benchmark("twitter-para").load(), omegas=[0.05])
    assert found.comparisons == 1906
    assert [round(end, 3) for end in (found.half, found.twentieth)] == [0.219, 0.347]
    assert round(float(found.shares[0]), 3) == 0.994
