"""BERT-iBLEU as Sim plus the rest."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from paragauge.errors import InputError
from paragauge.meta.scored import score_ratings
from paragauge.tables.ratings import Ratings
from paragauge.tables.samples import Samples
from paragauge_research.analyses.decomposition import decompose, decompose_of, mix

POSITIVE = st.floats(0.01, 1)


@given(POSITIVE, POSITIVE, st.floats(0, 50))
def test_mix_has_a_closed_form(similarity, changed, beta):
    expected = similarity * (changed - similarity) / (beta * changed + similarity)
    found = mix(np.array([similarity]), np.array([changed]), beta)[0]
    assert found == pytest.approx(expected, abs=1e-12)  # a difference of numbers up to 1


def test_mix_of_a_copy_takes_all_of_sim_away():
    assert mix(np.array([1.0, 0.5]), np.array([0.0, 0.5]), 4).tolist() == [-1, 0]


def test_parts_by_hand():
    # β = 1: the score is 2SD/(S + D)
    similarity, changed = np.array([0.5, 0.8, 0.9]), np.array([0.5, 0.2, 0.9])
    human, sources = np.array([0.0, 0.5, 1.0]), np.arange(3)
    found = decompose(similarity, changed, human, sources, [1], resamples=0)[0]
    score = np.array([0.5, 0.32, 0.9])
    for part, column in (("score", score), ("similarity", similarity), ("mix", score - similarity)):
        assert getattr(found, part).value == pytest.approx(np.corrcoef(column, human)[0, 1], abs=1e-12)
    covariances = [np.cov(column, human)[0, 1] for column in (score - similarity, score)]
    assert found.share == pytest.approx(covariances[0] / covariances[1], abs=1e-12)


def test_undefined_rows_are_left_out_of_all_three():
    similarity, changed = np.array([0.5, 0.8, 0.9, 0.3]), np.array([0.5, 0.2, 0.9, np.nan])
    human = np.array([0.0, 0.5, 1.0, 1.0])
    found = decompose(similarity, changed, human, np.arange(4), [4], resamples=0)[0]
    assert {found.score.rows, found.similarity.rows, found.mix.rows} == {3}
    assert math.isnan(decompose(similarity, changed, np.full(4, 0.5), np.arange(4), [4], resamples=0)[0].share)
    assert math.isnan(decompose(similarity, np.full(4, np.nan), human, np.arange(4), [4], resamples=0)[0].share)


@pytest.mark.parametrize("beta", [-1, math.inf, math.nan])
def test_bad_beta(beta):
    with pytest.raises(InputError, match="cannot weigh a mean"):
        decompose(np.ones(2), np.ones(2), np.ones(2), np.arange(2), [beta])


def test_the_columns_are_the_parts_of_the_metric(encoder):  # noqa: ARG001
    sources = ["How old are you today?", "The cat sat on the mat.", "He did not come home."]
    candidates = ["What is your age today?", "The cat sat on the mat.", "He never came to his home."]
    ratings = Ratings(Samples.of(sources, candidates), np.array([0.8, 0.0, 1.0]))
    scored = score_ratings(ratings, ["bertscore.free", "bleu.free", "bert-ibleu", "bert-ibleu:beta=10"])
    for beta, name in ((4, "bert-ibleu"), (10, "bert-ibleu:beta=10")):
        found = decompose_of(scored, [beta], resamples=0)[0]
        changed = 1 - scored["bleu.free"] / 100
        whole = scored["bertscore.free"] + mix(scored["bertscore.free"], changed, beta)
        np.testing.assert_allclose(whole, scored[name], atol=1e-12)
        assert found.score.value == pytest.approx(np.corrcoef(scored[name], ratings.human)[0, 1], abs=1e-12)
