"""Confidence intervals of a metric's agreement with people, by drawing sources again."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from ..errors import InputError
from .arrays import Floats, count
from .resample import Interval


class Difference(NamedTuple):
    """How much the first metric agrees better than the second: value, interval, p-values of "not better", "equal"."""

    value: float
    low: float
    high: float
    p: float
    p_two_sided: float


class Resamples(NamedTuple):
    """The agreement of each metric in each resample (metrics, resamples), NaN where undefined, and in the data."""

    values: Floats
    point: Floats
    units: int

    def interval(self, metric: int, share: float = 0.95) -> Interval:
        """The percentile interval of one metric, expanded for the number of units."""
        if self.units < 2 or math.isnan(self.point[metric]):
            return Interval(math.nan, math.nan)
        return interval(self.values[metric], share, self.units)

    def difference(self, first: int, second: int, share: float = 0.95) -> Difference:
        """The first metric less the second, on the same resamples.

        `p` is (c+1)/(n+1) for the c of n resamples in which the first is not ahead, made larger for few units as the
        interval is made wider; two-sided, twice the smaller tail.
        """
        value = float(self.point[first] - self.point[second])
        if self.units < 2 or math.isnan(value):
            return Difference(value, math.nan, math.nan, math.nan, math.nan)
        gaps = self.values[first] - self.values[second]
        gaps = gaps[~np.isnan(gaps)]
        tails = [(int((sign * gaps <= 0).sum()) + 1) / (len(gaps) + 1) for sign in (1, -1)]
        p, other = map(float, expanded(tails, self.units))
        return Difference(value, *interval(gaps, share, self.units), p, min(1.0, 2 * min(p, other)))


def interval(values: ArrayLike, share: float = 0.95, units: int | None = None) -> Interval:
    """The middle `share` of the resampled values, without the undefined ones (Efron 1979, percentile method).

    With few units that is too narrow: a resample varies as if with divisor n, and by the normal and not the t
    distribution. Given `units`, the share is expanded to 1 − 2Φ(−√(n/(n−1)) t) for the t quantile of n−1 degrees of
    freedom (Hesterberg 2015, What Teachers Should Know about the Bootstrap). Of 2,000 samples of simulated clustered
    data (8 rows a source, intra-class correlation 0.6), the 95% interval of Pearson's r from 1,000 resamples held the
    truth in 94.0% with 20 sources, 94.4% with 60, 95.3% with 200 and 94.4% with 760 (standard error 0.5%); not
    expanded, in 91.8%, 94.0%, 95.0% and 94.2%. 200 resamples cost another 1%.
    """
    if not 0 < share < 1:
        raise InputError(f"the share of an interval is {share!r}; expected a number between 0 and 1")
    found = np.asarray(values, dtype=np.float64)
    found = found[~np.isnan(found)]
    if not len(found):
        return Interval(math.nan, math.nan)
    tail = (1 - share) / 2 if units is None else contracted((1 - share) / 2, units)
    low, high = np.quantile(found, [tail, 1 - tail])
    return Interval(float(low), float(high))


def contracted(tail: float, units: int) -> float:
    """The tail of a bootstrap of n units that corresponds to this tail: the inverse of `expanded`."""
    from scipy.special import ndtr, stdtrit

    number = count(units, "the number of units", 2)
    return float(ndtr(math.sqrt(number / (number - 1)) * stdtrit(number - 1, tail)))


def expanded(tails: ArrayLike, units: int) -> Floats:
    """One-sided p-values of a bootstrap of n units, as `interval` would have them.

    The interval of share 1 − 2p is bounded by the quantile Φ(√(n/(n−1)) t_p); turned round, the p-value of a quantile q
    is that of t = √((n−1)/n) Φ⁻¹(q) with n−1 degrees of freedom. Of 2,000 samples of simulated clustered data (8 rows a
    source, intra-class correlation 0.6) with two equally good metrics, the two-sided test at 5% told them apart in 3.3%
    with 10 sources, 4.8% with 20 and 5.7% with 60 (standard error 0.5%); not expanded, in 8.9%, 7.6% and 6.8%.
    """
    from scipy.special import ndtri, stdtr

    number = count(units, "the number of units", 2)
    values: Floats = stdtr(number - 1, math.sqrt((number - 1) / number) * ndtri(np.asarray(tails, dtype=np.float64)))
    return values


def draw(random: np.random.Generator, resamples: int, units: int) -> Floats:
    """How often each unit is drawn in each resample, (resamples, units): rows add up to the number of units."""
    places = random.integers(units, size=(resamples, units)) + units * np.arange(resamples)[:, None]
    return np.bincount(places.ravel(), minlength=resamples * units).reshape(resamples, units).astype(np.float64)
