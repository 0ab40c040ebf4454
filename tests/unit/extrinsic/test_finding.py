"""What a table of outcomes is said to show."""

from __future__ import annotations

import math

from paragauge.extrinsic.finding import findings
from paragauge.extrinsic.prediction import Prediction
from paragauge.extrinsic.results import TaskOutcome


def test_predicted_is_only_what_the_test_and_the_interval_show():
    """A p-value of whole paraphrasers may be small where nine points leave the sign open."""
    sure = Prediction("bertscore.free", "replace", 0.9, 0.5, 0.99, 0.0005, 0.0001, 9, 27, "")
    open_sign = sure._replace(metric="meaning", value=0.49, low=-0.3, high=0.88)
    unlikely = sure._replace(metric="ned.free", value=0.7, low=0.1, high=0.9, p=0.2)
    (said,) = findings([], [], [sure, open_sign, unlikely])
    assert said.startswith("replace: bertscore.free predicts the gain (p ≤ 0.05 by Holm, interval above 0); ")
    (said,) = findings([], [], [open_sign, unlikely])
    assert said.startswith("replace: no metric is shown to predict the gain; ")


def outcome(name: str, gain: float, low: float, high: float) -> TaskOutcome:
    return TaskOutcome(
        "cr", "replace", name, 1.0, "tfidf", 1, 8, 0.5, 0.4, 0.6, 0.1, gain, low, high, 0.5, 0.5, (), "no"
    )


def test_equal_differences_are_said_once():
    rows = [outcome("a", -0.625, -0.9, -0.3), outcome("b", -0.625, -0.9, -0.3)]
    (said,) = findings(rows, [], [])
    assert said.endswith("2 show the opposite. Every difference is −62.5 points.")
    (said,) = findings([rows[0], outcome("b", -0.5, -0.8, -0.2)], [], [])
    assert said.endswith("from −62.5 points (a, tfidf; −90.0 to −30.0) to −50.0 points (b, tfidf; −80.0 to −20.0).")


def test_an_interval_that_one_text_does_not_have_is_not_said():
    (said,) = findings([outcome("a", -1.0, math.nan, math.nan)], [], [])
    assert said.endswith("The difference is −100.0 points (a, tfidf).")
