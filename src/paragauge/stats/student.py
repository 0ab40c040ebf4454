"""Tails and quantiles of the normal and of Student's t distribution, one at a time, so that `score` loads no scipy."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache


def normal_tail(value: float) -> float:
    """The probability of more than this value."""
    return math.erfc(value / math.sqrt(2)) / 2


def student_tail(value: float, freedom: int) -> float:
    """The probability of more than this value, at least 0, with so many degrees of freedom.

    Half the incomplete beta function I_x(ν/2, ½) at x = ν/(ν+t²), or 1 less that of 1−x, whichever fraction converges.
    """
    half, square = freedom / 2, value * value
    scale = math.exp(-half * math.log1p(square / freedom)) * value / math.sqrt(freedom + square) / _beta(half)
    if square > 3 * freedom / (freedom + 2):
        return scale * _fraction(half, 0.5, freedom / (freedom + square)) / freedom
    return 0.5 - scale * _fraction(0.5, half, square / (freedom + square))


@lru_cache(1024)
def normal_quantile(tail: float) -> float:
    """The value that is exceeded with this probability."""
    return _quantile(tail, normal_tail, lambda value: math.exp(-value * value / 2) / math.sqrt(2 * math.pi))


@lru_cache(1024)
def student_quantile(tail: float, freedom: int) -> float:
    """The value that is exceeded with this probability."""

    def density(value: float) -> float:
        power = math.exp(-(freedom + 1) / 2 * math.log1p(value * value / freedom))
        return power / (math.sqrt(freedom) * _beta(freedom / 2))

    return _quantile(tail, lambda value: student_tail(value, freedom), density)


def _quantile(tail: float, above: Callable[[float], float], density: Callable[[float], float]) -> float:
    """Newton's method, which nears it from below, as the tail is convex."""
    if tail > 0.5:
        return -_quantile(1 - tail, above, density)
    value = 0.0
    while (step := (above(value) - tail) / density(value)) > 1e-13 * value:
        value += step
    return value


def _beta(half: float) -> float:
    """B(half, ½)."""
    if half < 1000:
        return math.exp(math.lgamma(half) + math.lgamma(0.5) - math.lgamma(half + 0.5))
    return math.sqrt(math.pi / half) * (1 + 1 / (8 * half) + 1 / (128 * half**2))  # to less than 1e-11 of it


def _fraction(a: float, b: float, x: float) -> float:
    """The continued fraction of I_x(a, b) a B(a, b) / (x^a (1−x)^b) (DLMF 8.17.22), by Lentz's method."""
    above, below = 1.0, 1 / (1 - (a + b) * x / (a + 1))
    value = below
    for place in range(1, 10_000):
        before = value
        even = place * (b - place) * x / ((a + 2 * place - 1) * (a + 2 * place))
        odd = -(a + place) * (a + b + place) * x / ((a + 2 * place) * (a + 2 * place + 1))
        for term in (even, odd):
            below, above = 1 / (1 + term * below), 1 + term / above
            value *= below * above
        if abs(value - before) < 1e-15 * value:
            break
    return value
