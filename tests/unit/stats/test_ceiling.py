"""Reliability and intra-class correlation: by hand, on simulated people, and on published ratings."""

import math

import numpy as np
import pytest

from paragauge.errors import InputError
from paragauge.stats.raters import ceiling_of_ratings, ceiling_of_votes, intraclass


def test_intraclass_of_a_published_example():
    """Shrout and Fleiss 1979, table 2: six targets, four judges; ICC(1,1) = .17 (table 4)."""
    ratings = np.array([[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]])
    found = intraclass(ratings.ravel(), np.repeat(np.arange(6), 4))
    assert round(found.value, 2) == 0.17
    assert (found.sources, found.size) == (6, 4)
    assert found.design_effect == pytest.approx(1 + 3 * found.value)


def test_intraclass_of_unequal_sources_by_hand():
    """Sources (1, 3), (5, 5, 8), mean 4.4: MSB = 2·2.4² + 3·1.6² = 19.2; MSW = (2 + 6)/3; n₀ = (5 − 13/5)/1 = 2.4."""
    found = intraclass([1, 3, 5, 5, 8], [0, 0, 1, 1, 1])
    assert found.size == pytest.approx(2.4)
    assert found.value == pytest.approx((19.2 - 8 / 3) / (19.2 + 1.4 * 8 / 3))


def test_intraclass_recovers_what_was_put_in():
    random = np.random.default_rng(0)
    sizes = random.integers(2, 12, 2000)
    sources = np.repeat(np.arange(2000), sizes)
    human = math.sqrt(0.3) * random.normal(size=2000)[sources] + math.sqrt(0.7) * random.normal(size=len(sources))
    # the standard error of an ICC of 0.3 with 2,000 groups of about 6 is 0.012 (Fisher's (1−ρ)(1+(k−1)ρ)/√(kg(k−1)/2))
    assert intraclass(human, sources).value == pytest.approx(0.3, abs=0.04)


def test_ceiling_of_votes_is_what_a_perfect_metric_reaches():
    random = np.random.default_rng(1)
    truth = random.beta(0.6, 0.6, 40_000)
    for votes in (2, 5, 20):
        shares = random.binomial(votes, truth) / votes
        # 40,000 rows: the error of a correlation is below 0.005
        assert ceiling_of_votes(shares, votes).value == pytest.approx(np.corrcoef(truth, shares)[0, 1], abs=0.01)


def test_ceiling_of_ratings_is_what_a_perfect_metric_reaches():
    random = np.random.default_rng(2)
    truth = random.normal(size=20_000)
    spread = np.exp(0.5 * random.normal(size=len(truth)))  # some rows are harder to agree on
    judgments = [
        value + wide * random.normal(size=number)
        for value, wide, number in zip(truth, spread, random.integers(2, 7, len(truth)), strict=True)
    ]
    means = [part.mean() for part in judgments]
    assert ceiling_of_ratings(judgments).value == pytest.approx(np.corrcoef(truth, means)[0, 1], abs=0.01)


def test_votes_are_ratings_of_0_and_1():
    shares = np.array([0, 0.2, 0.4, 1, 0.6, 0.8])
    votes = [[1] * round(5 * share) + [0] * round(5 * (1 - share)) for share in shares]
    assert ceiling_of_ratings(votes)[:4] == pytest.approx(ceiling_of_votes(shares, 5)[:4])


def test_a_row_with_one_judgment_has_the_noise_of_the_others():
    """Spreads 2 and 8 (of n−1), so 5 for the third row: noise (2/2 + 8/2 + 5/1)/3."""
    found = ceiling_of_ratings([[1, 3], [10, 14], [30]])
    assert found.noise == pytest.approx(10 / 3)
    assert found.reliability == pytest.approx(1 - (10 / 3) / np.var([2, 12, 30], ddof=1))


def test_twitter(twitter):
    """Shares of five votes; candidates of one tweet are rated alike."""
    sources = np.unique(twitter.sources, return_inverse=True)[1]
    found = intraclass(twitter.ratings, sources)
    assert round(found.value, 3) == 0.286
    assert round(found.design_effect, 2) == 3.41
    assert round(ceiling_of_votes(twitter.ratings, 5).value, 3) == 0.861


def test_ppdb(data):
    lines = (data / "ppdb-human" / "ppdb-sample.tsv").read_text(encoding="utf-8").splitlines()
    judgments = [[float(part) for part in line.split("\t")[4].split(",")] for line in lines]
    assert len(judgments) == 26_456
    found = ceiling_of_ratings(judgments)
    # five people on a scale of five; the mean of half of them against the other half, stepped up, says the same
    random = np.random.default_rng(3)
    halves = np.array(
        [
            [mixed[:2].mean(), mixed[2:4].mean()]
            for mixed in (random.permutation(part) for part in judgments if len(part) >= 4)
        ]
    )
    between = np.corrcoef(halves.T)[0, 1]  # the reliability of two people
    number = np.mean([len(part) for part in judgments])
    stepped = between * number / 2 / (1 + (number / 2 - 1) * between)  # Spearman–Brown
    assert found.reliability == pytest.approx(stepped, abs=0.02)


def test_where_there_is_no_ceiling_the_reason_is_said():
    assert intraclass([1, 2], [0, 0]).reason == "there are fewer than 2 sources"
    assert intraclass([1, 2], [0, 1]).reason == "each source has a single row"
    assert intraclass([1, 1, 1], [0, 0, 1]).reason == "the ratings are constant"
    assert intraclass([], []).reason == "there are fewer than 2 sources"
    assert ceiling_of_votes([0.5], 2).reason == "there are fewer than 2 rows"
    assert ceiling_of_votes([0.5, 0.5], 2).reason == "the ratings are constant"
    found = ceiling_of_votes([0.5, 0.5, 0.5, 1], 2)
    assert math.isnan(found.value)
    assert found.reliability < 0
    assert "noise alone" in found.reason
    assert ceiling_of_ratings([[1], [2]]).reason == "no row has two judgments"
    assert ceiling_of_ratings([]).reason == "no row has two judgments"


@pytest.mark.parametrize(
    "call, message",
    [
        (lambda: ceiling_of_votes([0.5, 1.2], 5), "expected 0 to 1"),
        (lambda: ceiling_of_votes([0.5, 1], 5), "a proportion is 0.5; expected a multiple of 1/5"),
        (lambda: ceiling_of_votes([0, 1], 1), "the number of votes is 1"),
        (lambda: ceiling_of_votes([0, math.nan], 5), "NaN or infinite"),
        (lambda: ceiling_of_ratings([[1, 2], []]), "row 1 has no judgment"),
        (lambda: ceiling_of_ratings([[1, 2], [1, math.nan]]), "the judgments of row 1 hold"),
        (lambda: intraclass([1, 2], [0]), "one for each of the 2 rows"),
    ],
)
def test_bad_input_is_refused_in_a_sentence(call, message):
    with pytest.raises(InputError, match=message):
        call()
