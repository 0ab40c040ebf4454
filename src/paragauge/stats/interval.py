"""A number with its interval, from its values in resamples of the units that it rests on."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from ..errors import InputError
from .arrays import Floats, count
from .bounded import BoundedMean, apart, normal_tail, student_quantile

_ROUNDING = 1e-6  # values closer than this differ by the arithmetic of a model alone


class Estimate(NamedTuple):
    """A number, its 95% interval, and the two-sided p-value of "it is 0"; None wherever there is no number."""

    value: float | None
    low: float | None = None
    high: float | None = None
    p: float | None = None

    @classmethod
    def of(cls, *numbers: float) -> Estimate:
        """Of numbers that are NaN where there is none."""
        return cls(*(None if math.isnan(one) else one for one in numbers))

    @property
    def numbers(self) -> tuple[float, float, float, float]:
        """Its four numbers, NaN where there is none."""
        value, low, high, p = (math.nan if one is None else one for one in self)
        return value, low, high, p


class Resamples(NamedTuple):
    """Some numbers, each in each resample of the same units (numbers, resamples), NaN where undefined, and in the data.

    Where they are means of scores with a lowest and a highest value, `scale` has these, and where they are shares,
    `rows` has of how many rows each: their intervals are those of `bounded.py`. Intervals are of the first resamples
    that are `shown`, so that a number has one interval, however many resamples p-values take.
    """

    values: Floats
    point: Floats
    units: int
    scale: tuple[float, float] = (-math.inf, math.inf)
    rows: Floats | None = None
    shown: int | None = None

    def estimate(self, place: int) -> Estimate:
        """One number with its interval, which it lacks where it is of one unit, or the same in all resamples.

        A share has one even there: that of n rows that are all alike.
        """
        value = float(self.point[place])
        if self.units < 2 or math.isnan(value):
            return Estimate.of(value)
        shown = self.values[place, : self.shown]
        bounded = self._bounded(place)
        if bounded is None or (self.rows is None and _all_alike(shown)):
            return Estimate.of(value, *interval(shown, units=self.units))
        low, high = self.scale
        return Estimate(value, *(min(max(low + (high - low) * end, low), high) for end in bounded.ends))

    def difference(self, first: int, second: int) -> Estimate:
        """The first less the second, on the same resamples.

        Its p-value is twice the smaller tail, (c+1)/(n+1) for the c of n resamples on the other side of 0, made larger
        for few units as the interval is made wider.
        """
        value = float(self.point[first] - self.point[second])
        if self.units < 2 or math.isnan(value):
            return Estimate.of(value)
        if self.rows is not None:
            one, other = self._bounded(first), self._bounded(second)
            if one is not None and other is not None:
                return Estimate(value, *apart(one, other, self.values[[first, second], : self.shown]))
        gaps = self.values[first] - self.values[second]
        known = gaps[~np.isnan(gaps)]
        tails = [(int((sign * known <= 0).sum()) + 1) / (len(known) + 1) for sign in (1, -1)]
        p = min(1.0, 2 * float(widen_p(tails, self.units).min()))
        return Estimate.of(value, *interval(gaps[: self.shown], units=self.units), p)

    def _bounded(self, place: int) -> BoundedMean | None:
        """The number as a mean of scores from 0 to 1, where it is one."""
        low, high = self.scale
        if not 0 < high - low < math.inf:
            return None
        value = (float(self.point[place]) - low) / (high - low)
        if not -_ROUNDING <= value <= 1 + _ROUNDING:
            return None
        values = (self.values[place, : self.shown] - low) / (high - low)
        rows = math.inf if self.rows is None else float(self.rows[place])
        return BoundedMean.of(min(max(value, 0.0), 1.0), values, self.units, rows)


def interval(values: ArrayLike, share: float = 0.95, units: int | None = None) -> tuple[float, float]:
    """The middle `share` of the resampled values, without the undefined ones (Efron 1979, percentile method).

    NaN where all values are the same: a number that no resample moves may still be another for other units. With few
    units the middle is too narrow: a resample varies as if with divisor n, and by the normal and not the t
    distribution. Given `units`, the share is expanded to 1 − 2Φ(−√(n/(n−1)) t) for the t quantile of n−1 degrees of
    freedom (Hesterberg 2015, What Teachers Should Know about the Bootstrap).

    Of 2,000 simulated samples, 95% intervals of means of 10, 30 and 300 sources held the truth in 95.6%, 95.1% and
    95.1% (normal; plain percentiles of 10 in 90.9%). Of 1,000, those of Pearson's r with 10, 20 and 60 sources (8 rows
    each, intra-class correlation 0.6) in 98.0%, 95.8% and 95.3%.
    """
    if not 0 < share < 1:
        raise InputError(f"the share of an interval is {share!r}; expected a number between 0 and 1")
    found = np.asarray(values, dtype=np.float64)
    found = found[~np.isnan(found)]
    if _all_alike(found):
        return math.nan, math.nan
    tail = (1 - share) / 2 if units is None else widen_tail((1 - share) / 2, units)
    low, high = np.quantile(found, [tail, 1 - tail])
    return float(low), float(high)


def _all_alike(values: Floats) -> bool:
    known = values[~np.isnan(values)]
    return not len(known) or bool(np.ptp(known) <= _ROUNDING * max(1.0, float(np.abs(known).max())))


def widen_tail(tail: float, units: int) -> float:
    """The tail of a bootstrap of n units that corresponds to this tail: the inverse of `widen_p`."""
    number = count(units, "the number of units", 2)
    return normal_tail(math.sqrt(number / (number - 1)) * student_quantile(tail, number - 1))


def widen_p(tails: ArrayLike, units: int) -> Floats:
    """One-sided p-values of a bootstrap of n units, as `interval` would have them.

    The interval of share 1 − 2p is bounded by the quantile Φ(√(n/(n−1)) t_p); turned round, the p-value of a quantile q
    is that of t = √((n−1)/n) Φ⁻¹(q) with n−1 degrees of freedom. Of 1,000 samples of simulated clustered data (8 rows a
    source, intra-class correlation 0.6) with two equally good metrics, the two-sided test at 5% told them apart in 1.4%
    with 10 sources, 4.5% with 20 and 6.8% with 60 (standard error 0.7%).
    """
    from scipy.special import ndtri, stdtr

    number = count(units, "the number of units", 2)
    values: Floats = stdtr(number - 1, math.sqrt((number - 1) / number) * ndtri(np.asarray(tails, dtype=np.float64)))
    return values
