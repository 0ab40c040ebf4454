"""What a table of outcomes is said to show."""

from __future__ import annotations

from paragauge.extrinsic.finding import findings
from paragauge.extrinsic.statistics.foresight import Foresight


def test_foreseen_is_only_what_the_test_and_the_interval_show():
    """A p-value of whole paraphrasers may be small where nine points leave the sign open."""
    sure = Foresight("bertscore.free", "replace", 0.9, 0.5, 0.99, 0.0005, 0.0001, 9, 27, "")
    open_sign = sure._replace(metric="meaning", value=0.49, low=-0.3, high=0.88)
    unlikely = sure._replace(metric="ned.free", value=0.7, low=0.1, high=0.9, p=0.2)
    (said,) = findings([], [], [sure, open_sign, unlikely])
    assert said.startswith("replace: bertscore.free foresees the gain (p ≤ 0.05 by Holm, interval above 0); ")
    (said,) = findings([], [], [open_sign, unlikely])
    assert said.startswith("replace: no metric is shown to foresee the gain; ")
