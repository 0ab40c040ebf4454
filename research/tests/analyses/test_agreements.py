"""Many correlations at once: undefined rows, reasons, intervals."""

import math

import numpy as np
import pytest
from scipy.stats import pearsonr, spearmanr

from paragauge.errors import InputError
from paragauge_research.analyses.agreements import agreements, check_rows

RANDOM = np.random.default_rng(7)
SOURCES = np.repeat(np.arange(30), 4)
HUMAN = RANDOM.random(120)
SCORES = {"near": HUMAN + RANDOM.normal(0, 0.3, 120), "far": RANDOM.random(120)}


@pytest.mark.parametrize(("statistic", "oracle"), [("pearson", pearsonr), ("spearman", spearmanr)])
def test_values_are_those_of_scipy(statistic, oracle):
    found = agreements(SCORES, HUMAN, SOURCES, statistic, resamples=200)
    for name, column in SCORES.items():
        assert found[name].value == pytest.approx(oracle(column, HUMAN).statistic, abs=1e-12)  # rounding of sums
        assert found[name].low < found[name].value < found[name].high
        assert found[name][3:] == (120, 30, "")


def test_a_metric_loses_only_the_rows_that_it_does_not_judge():
    holes = SCORES["near"].copy()
    holes[:8] = math.nan
    human = HUMAN.copy()
    human[-2:] = math.nan
    found = agreements({"holes": holes, **SCORES}, human, SOURCES, resamples=0)
    assert list(found) == ["holes", "near", "far"]
    assert (found["holes"].rows, found["holes"].sources, found["near"].rows) == (110, 28, 118)
    assert found["holes"].value == pytest.approx(pearsonr(holes[8:-2], human[8:-2]).statistic, abs=1e-12)
    assert math.isnan(found["near"].low)  # no resamples, no interval


def test_undefined_has_a_reason():
    found = agreements({"constant": np.ones(120), "nothing": np.full(120, np.nan)}, HUMAN, SOURCES, resamples=20)
    for name in found:
        assert math.isnan(found[name].value)
        assert math.isnan(found[name].low)
        assert found[name].reason
    assert agreements({}, HUMAN, SOURCES) == {}


def test_columns_of_unequal_length():
    with pytest.raises(InputError, match=r"near: shape \(120,\) for ratings of shape \(3,\)"):
        check_rows({"near": HUMAN}, np.ones(3), np.zeros(3, dtype=np.intp))
    with pytest.raises(InputError, match="the distances to the source: shape"):
        check_rows({}, np.ones(3), np.zeros(3, dtype=np.intp), distances_to_the_source=np.ones(2))


def test_two_rows_have_no_correlation_worth_the_name():
    found = agreements({"a": np.array([1.0, 2.0])}, np.array([3.0, 5.0]), np.array([0, 1]))["a"]
    assert math.isnan(found.value)
    assert math.isnan(found.low)
    assert found.reason == "there are fewer than 3 rows"
