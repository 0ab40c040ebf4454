"""Scores next to human ratings: direction, names, missing values."""

import numpy as np
import pytest

from paragauge.errors import InputError
from paragauge.meta.scored import RatedScores, score_ratings
from paragauge.metrics import parse
from paragauge.tables.ratings import Ratings
from paragauge.tables.samples import Samples

SAMPLES = Samples.of(["abcd", "abcd", "same"], ["abcx", "", "same"], [["abxx"], ["abxx"], ["sama"]])
RATINGS = Ratings(SAMPLES, np.array([0.8, 0.2, 0.0]), "three")


def test_higher_is_better_everywhere() -> None:
    found = score_ratings(RATINGS, ["ned", "ned.free"])
    # abcx/abxx and same/sama: 1 of 4 characters; an empty text has no distance. To the source: 1 of 4, and a copy.
    np.testing.assert_array_equal(found["ned"], [-0.25, np.nan, -0.25])
    np.testing.assert_array_equal(found["ned.free"][[0, 2]], [0.25, 0])
    assert found.flipped == {"ned"}


def test_names_are_kept_as_typed_and_signatures_say_the_rest() -> None:
    found = score_ratings(RATINGS, ["bleu:smoothing=exp", "bleu", parse("ned.free")], lang="zh")
    assert list(found.scores) == ["bleu:smoothing=exp", "bleu", "ned.free"]
    np.testing.assert_array_equal(found["bleu"], found["bleu:smoothing=exp"])
    assert found.signatures["bleu"] == found.signatures["bleu:smoothing=exp"]
    assert "zh" in found.signatures["bleu"]
    assert "zh" not in found.signatures["ned.free"]


def test_undefined_rows_stay_with_a_note() -> None:
    samples = Samples.of(["abcd", "efgh"], ["abcx", "efgx"], [["abxx"], []])
    found = score_ratings(Ratings(samples, np.array([1.0, 0.0])), ["ned", "ned.free"])
    assert np.isnan(found["ned"]).tolist() == [False, True]
    assert found.undefined() == {"ned": 1}
    assert len(found.complete()) == 1
    assert found.complete().ratings.samples.candidates == ["abcx"]
    assert len(found.only(["ned.free"]).complete()) == 2


def test_scores_that_came_with_the_ratings_are_taken_over() -> None:
    given = Ratings(SAMPLES, RATINGS.human, scores={"mine": np.array([1.0, 2.0, 3.0])})
    found = score_ratings(given, ["ned.free"])
    assert found["mine"].tolist() == [1, 2, 3]
    assert "mine" not in found.signatures
    assert score_ratings(given, []).scores.keys() == {"mine"}
    clash = Ratings(SAMPLES, RATINGS.human, scores={"ned.free": np.zeros(3)})
    with pytest.raises(InputError, match="free is requested and also a column of the ratings"):
        score_ratings(clash, ["ned.free"])


def test_rows_and_only() -> None:
    found = score_ratings(RATINGS, ["ned.free", "length-ratio"]).rows([2, 0])
    assert found["ned.free"].tolist() == [0, 0.25]
    assert found.ratings.human.tolist() == [0.0, 0.8]
    assert list(found.only(["length-ratio"]).signatures) == ["length-ratio"]
    with pytest.raises(InputError, match="'ned' was not scored; known: length-ratio, ned"):
        found["ned"]


def test_bad_requests() -> None:
    with pytest.raises(InputError, match="2 scores of m for 3 rows"):
        RatedScores(RATINGS, {"m": np.zeros(2)}, {})
    with pytest.raises(InputError, match="none of the metrics has a parameter 'encoder'"):
        score_ratings(RATINGS, ["ned.free"], encoder="m3e-small")
    with pytest.raises(InputError, match="needs references"):
        score_ratings(Ratings(Samples.of(["a"], ["b"]), np.ones(1)), ["bleu"])


def test_an_encoder_goes_to_the_metrics_that_have_one(encoder: object) -> None:  # noqa: ARG001
    found = score_ratings(RATINGS, ["cosine.free", "ned.free"], encoder="all-MiniLM-L6-v2")
    assert set(found.scores) == {"cosine.free", "ned.free"}
    assert found["cosine.free"][2] == pytest.approx(1, abs=1e-6)  # a copy, in float32


def test_a_metric_that_is_undefined_for_many_rows_is_left_out_and_named():
    ratings = Ratings(Samples.of(["a"] * 40, ["b"] * 40), np.arange(40.0))
    few, many = np.arange(40.0), np.arange(40.0)
    few[:2], many[:3] = np.nan, np.nan
    scored = RatedScores(ratings, {"few": few, "many": many}, {}, notes=("said before",))
    found = scored.widely_defined()
    assert list(found.scores) == ["few"]
    assert found.notes == (
        "said before",
        "left out because undefined for many rows (metrics includes them): many (3)",
    )
    assert scored.widely_defined(0.1) is scored
