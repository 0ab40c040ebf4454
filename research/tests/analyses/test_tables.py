"""The analyses by name: what is refused before any work is done, and what is scored for each."""

import numpy as np
import pytest

from paragauge.errors import InputError
from paragauge.meta.analysis import ANALYSES, Request, analyse, check_analysis, score_for
from paragauge.meta.leaderboard import leaderboard, metrics_to_judge
from paragauge.tables.ratings import Ratings
from paragauge.tables.samples import Samples

SOURCES = ["one two three", "four five six", "seven eight nine", "ten eleven twelve"]
CANDIDATES = ["one two three", "four five", "seven nine", "twelve"]
RATINGS = Ratings(Samples.of(SOURCES, CANDIDATES), np.array([0.0, 0.5, 0.4, 1.0]), "made")


def request(*metrics, similarity="ned.free"):
    return Request(list(metrics), "pearson", similarity, 20, 0, None, "auto", lambda *_: None)


def test_what_an_analysis_would_pass_over_is_refused():
    check_analysis("correlations", "pearson", "source", "williams")
    for arguments, expected in (
        (("group", "pearson", "pooled", "bootstrap"), "no analysis named 'group'; did you mean 'groups'"),
        (("groups", "pearson", "source", "bootstrap"), "level is for analysis='correlations'"),
        (("cases", "pearson", "pooled", "williams"), "test is for analysis='correlations'"),
        (("copies", "pearson", "pooled", "bootstrap", ["mine"]), "'mine' has no scores of these; leave out scores"),
    ):
        with pytest.raises(InputError, match=expected):
            check_analysis(*arguments)


def test_an_analysis_has_what_it_is_made_of_and_copies_are_scored_anew():
    assert list(score_for("attribution", RATINGS, request("bleu.free")).scores) == ["bleu.free", "ned.free"]
    assert list(score_for("attribution", RATINGS, request("ned.free")).scores) == ["ned.free"]
    assert not score_for("copies", RATINGS, request("bleu.free")).scores


def test_the_table_of_groups_has_every_metric_in_every_group():
    asked = request("bleu.free", "ned.free")
    found = analyse("groups", score_for("groups", RATINGS, asked), asked)
    assert {(row[1], row[4]) for row in found.rows} == {
        (group, metric) for group in range(1, 5) for metric in asked.metrics
    }
    assert all(len(row) == len(found.header) for row in found.rows)
    assert "groups" in ANALYSES


def test_metrics_to_judge_stand_there_once_and_with_sentinels():
    assert metrics_to_judge(RATINGS, ["ned.free", "ned.free"], sentinels=False) == ["ned.free"]
    assert "length-ratio.free" in map(str, metrics_to_judge(RATINGS, ["ned.free", "length-ratio.free"]))
    assert len(metrics_to_judge(RATINGS)) > len(metrics_to_judge(RATINGS, ["ned.free"])) > 1
    scored = Ratings(RATINGS.samples, RATINGS.human, "made", scores={"mine": RATINGS.human})
    assert metrics_to_judge(scored, sentinels=False) == metrics_to_judge(RATINGS, sentinels=False)  # next to it


def test_the_leaderboard_tells_of_its_rows():
    asked = request("ned.free")
    found = leaderboard(score_for("correlations", RATINGS, asked), resamples=100)
    assert found.remarks("made")[0].startswith("4 rows of 4 sources (made); clusters by bootstrap")
