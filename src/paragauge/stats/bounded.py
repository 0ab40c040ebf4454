"""Intervals of means of scores that have a lowest and a highest value, and of differences of shares.

Percentiles of resamples fail near the ends of a scale: most samples have no row far from the end, or one source with
some, and no resample has what the sample has not. Of 10 sources and shares (means of rows that are 0 or 1) from 0.01 to
0.05 they held the truth in 26% of simulated samples. docs/differences.md has what these intervals reach.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from .arrays import Floats

TAIL = 0.025
_ROUNDING = 1e-12


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


class BoundedMean(NamedTuple):
    """A mean of scores from 0 to 1, how it varies between resamples of its units, and on how much it rests.

    `skew` is the third central moment of the resampled values divided by the second: the length of the step by which
    one source moves the mean, where few of them do. `rows` is given for shares alone, and else infinite.
    """

    value: float
    spread: float
    skew: float
    units: int
    rows: float = math.inf

    @classmethod
    def of(cls, value: float, values: Floats, units: int, rows: float = math.inf) -> BoundedMean:
        """From its values in resamples, NaN where undefined."""
        gaps = values[~np.isnan(values)]
        gaps = gaps - gaps.mean() if len(gaps) else np.zeros(1)
        variance = float(np.mean(gaps**2))
        skew = float(np.mean(gaps**3)) / variance if variance > _ROUNDING**2 else 0.0
        return cls(value, math.sqrt(variance), skew, units, rows)

    @property
    def ends(self) -> tuple[float, float]:
        """The 95% interval."""
        return self.within(TAIL)

    def within(self, tail: float) -> tuple[float, float]:
        """Wilson's interval (1927) of as many independent rows of 0 and 1 as would vary as much.

        They are counted by the variance of the resamples, as in surveys (Kott and Carr 1997, Dean and Pagano 2015). A
        share has never more than there are rows, and never fewer than units. A sample that lacks the rarer sources
        looks surer than it is: half a step of the mean is added to what varies, as in mid-p intervals for sums of rare
        events (Fay and Kim 2017). The variance that rows of 0 and 1 have in any case takes the normal quantile, and
        what is estimated of the units, beyond it, that of Student's t (Korn and Graubard 1998).
        """
        product, least, most = self.value * (1 - self.value), 1 / max(self.rows, self.units), 1 / self.units
        found = most
        if product > _ROUNDING:
            found = (self.units / (self.units - 1) * self.spread**2 + self.skew**2 / 2) / product
        estimated = min(max(found, least), most) - least
        inverse = normal_quantile(tail) ** 2 * least + student_quantile(tail, self.units - 1) ** 2 * estimated
        centre = (self.value + inverse / 2) / (1 + inverse)
        reach = math.sqrt(inverse * (product + inverse / 4)) / (1 + inverse)
        # at 0 and 1 the mean is an end, but for rounding
        return max(min(centre - reach, self.value), 0.0), min(max(centre + reach, self.value), 1.0)


def apart(one: BoundedMean, other: BoundedMean, values: Floats) -> tuple[float, float, float]:
    """The interval of the first share less the second, both in the same resamples, and its two-sided p-value.

    The distances of both shares to their ends are added as those of correlated numbers are (Newcombe 1998, method 10).
    Their correlation is that of the resamples times n/(n+2) for n units, so that shares that never differed may still
    do so: for shares near 0.5 this is the interval of Agresti and Min (2005). The p-value is that of the interval which
    0 is an end of, by the tail of Student's t scaled to be 5% where that of the normal distribution is: far out, few
    units do not follow the latter.
    """
    both = values[:, ~np.isnan(values).any(axis=0)]
    spreads = both.std(axis=1)
    related = 0.0
    if (spreads**2 > _ROUNDING).all():
        related = float(np.mean(np.prod(both - both.mean(axis=1, keepdims=True), axis=0)) / np.prod(spreads))
        related *= one.units / (one.units + 2)
    gap = one.value - other.value

    def ends(tail: float) -> tuple[float, float]:
        (low, high), (least, most) = one.within(tail), other.within(tail)
        below = _distance(one.value - low, most - other.value, related)
        above = _distance(high - one.value, other.value - least, related)
        return max(gap - below, -1.0), min(gap + above, 1.0)

    if abs(gap) <= _ROUNDING:
        return *ends(TAIL), 1.0
    least, most = -40.0, math.log(0.5)  # of the tail's logarithm: halved until it is known to nine digits
    for _ in range(36):
        middle = (least + most) / 2
        low, high = ends(math.exp(middle))
        least, most = (middle, most) if low <= 0 <= high else (least, middle)
    scaled = normal_quantile(math.exp(most)) * student_quantile(TAIL, one.units - 1) / normal_quantile(TAIL)
    return *ends(TAIL), min(1.0, 2 * student_tail(scaled, one.units - 1))


def _distance(one: float, other: float, related: float) -> float:
    return math.sqrt(max(one**2 - 2 * related * one * other + other**2, 0.0))
