"""Tails and quantiles against scipy's."""

from __future__ import annotations

import pytest
from scipy.special import ndtr, ndtri, stdtr, stdtrit

from paragauge.stats.student import normal_quantile, normal_tail, student_quantile, student_tail

TAILS = [0.975, 0.5, 0.49, 0.25, 0.05, 0.025, 1e-3, 1e-8, 4e-18]


@pytest.mark.parametrize("freedom", [1, 2, 3, 9, 29, 299, 1999, 2000, 10**4, 10**6])
def test_students_t_is_scipys(freedom):
    for tail in TAILS:
        assert student_quantile(tail, freedom) == pytest.approx(-stdtrit(freedom, tail), rel=1e-10, abs=1e-12)
    for value in (0, 0.01, 0.5, 1, 1.7, 1.75, 3, 12, 300):
        assert student_tail(value, freedom) == pytest.approx(stdtr(freedom, -value), rel=1e-10, abs=1e-300)


def test_the_normal_distribution_is_scipys():
    assert [normal_quantile(tail) for tail in TAILS] == pytest.approx(-ndtri(TAILS), rel=1e-12, abs=1e-12)
    assert [normal_tail(value) for value in (-3, 0, 2, 8)] == pytest.approx(ndtr([3, 0, -2, -8]), rel=1e-12)
