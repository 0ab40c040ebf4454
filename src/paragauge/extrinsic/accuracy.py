"""Accuracies over seeds and test texts: means with intervals, paired differences, McNemar's test."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import InputError

Floats = NDArray[np.float64]


class Mean(NamedTuple):
    """A mean over seeds and test texts with its 95% interval and the p-value of "it is zero"."""

    value: float
    low: float
    high: float
    p: float
    error: float  # the standard error
    spread: float  # the standard deviation of the seeds' means; NaN for one seed


class McNemar(NamedTuple):
    """How many texts only the first, and only the second, gets right, and the exact two-sided p-value."""

    first: int
    second: int
    p: float


def crossed_mean(table: ArrayLike, share: float = 0.95) -> Mean:
    """The mean of numbers of shape (seeds, texts), where both other seeds and other texts might have been drawn.

    A text is hard or easy for every seed, and a seed good or bad for every text, so cells are not independent: a mixed
    model with seeds and texts crossed, both random (Clark 1973, The Language-as-Fixed-Effect Fallacy). The variance of
    the mean is that of the texts' means plus that of the seeds' means less that of the residuals, which is in both, and
    no less than either of the first two; degrees of freedom by Satterthwaite, so that few seeds widen the interval as
    much as the seeds matter. With one seed nothing is known of other seeds: the interval is that of other texts alone.
    NaN for one text.
    """
    cells = np.asarray(table, dtype=np.float64)
    if cells.ndim != 2 or not cells.size:
        raise InputError(f"the numbers have shape {cells.shape}; expected (seeds, texts)")
    if not 0 < share < 1:
        raise InputError(f"the share of an interval is {share!r}; expected a number between 0 and 1")
    seeds, texts = cells.shape
    value = float(cells.mean())
    rows, columns = cells.mean(axis=1, keepdims=True), cells.mean(axis=0, keepdims=True)
    spread = float(rows.std(ddof=1)) if seeds > 1 else math.nan
    if texts < 2:
        return Mean(value, math.nan, math.nan, math.nan, math.nan, spread)
    variances, freedoms = [float(columns.var(ddof=1)) / texts], [texts - 1]
    variance = variances[0]
    if seeds > 1:
        left = (seeds - 1) * (texts - 1)
        residual = float(((cells - rows - columns + value) ** 2).sum()) / left / cells.size
        variances += [float(rows.var(ddof=1)) / seeds, residual]
        freedoms += [seeds - 1, left]
        # where all seeds have one mean and all texts too, what is left is in the residuals
        variance = max(variances[0] + variances[1] - residual, *variances[:2]) or residual
    if variance == 0:
        return Mean(value, value, value, 1.0 if value == 0 else 0.0, 0.0, spread)
    weights = sum(own**2 / freedom for own, freedom in zip(variances, freedoms, strict=True))
    return _by_t(value, math.sqrt(variance), variance**2 / weights, share, spread)


def mean_accuracy(right: ArrayLike, share: float = 0.95) -> Mean:
    """The mean of answers that are right (1) or wrong (0), of shape (seeds, texts); the interval within 0 and 1.

    Where all are right, or all wrong, the interval is the exact one of so many texts (Clopper and Pearson 1934): 40
    right answers of 40 do not prove that none would ever be wrong.
    """
    found = crossed_mean(right, share)
    if found.error == 0 and found.value in (0, 1):
        reach = _unseen(np.shape(right)[1], share)
        return found._replace(low=1 - reach) if found.value == 1 else found._replace(high=reach)
    return found._replace(low=max(found.low, 0.0), high=min(found.high, 1.0))


def mean_difference(right: ArrayLike, base: ArrayLike, share: float = 0.95) -> Mean:
    """The mean of the difference of two such tables, paired by seed and text; the interval within −1 and 1.

    With one seed p is that of McNemar's exact test: of few texts that differ, a t test makes too much. Where no answer
    differs, or all do in one direction, the interval is what so many texts leave possible: others may differ the other
    way, so that it holds 0 just where McNemar's p is above 1 − share.
    """
    one, two = np.asarray(right, dtype=np.float64), np.asarray(base, dtype=np.float64)
    found = crossed_mean(one - two, share)
    texts = one.shape[1]
    reach = _unseen(texts, share)
    if found.error == 0 and found.value == 0:
        found = found._replace(low=-reach, high=reach)
    elif found.error == 0 and abs(found.value) == 1:
        other = found.value * (1 - 2 * reach)
        found = found._replace(low=min(found.value, other), high=max(found.value, other), p=min(1.0, 2 * 0.5**texts))
    if len(one) == 1:
        found = found._replace(p=mcnemar(one[0], two[0]).p)
    return found._replace(low=max(found.low, -1.0), high=min(found.high, 1.0))


def _unseen(texts: int, share: float) -> float:
    """The greatest share of texts of some kind of which so many texts may well have none."""
    return float(1 - ((1 - share) / 2) ** (1 / texts))


def _by_t(value: float, error: float, freedom: float, share: float, spread: float) -> Mean:
    from scipy.special import stdtr, stdtrit

    reach = float(stdtrit(freedom, (1 + share) / 2)) * error
    p = 2 * float(stdtr(freedom, -abs(value) / error))
    return Mean(value, value - reach, value + reach, p, error, spread)


def mcnemar(first: ArrayLike, second: ArrayLike) -> McNemar:
    """Do two classifiers, right or wrong on the same texts, differ (McNemar 1947)? Exact, by the binomial distribution.

    >>> mcnemar([1, 1, 1, 1, 0], [0, 0, 0, 0, 1])
    McNemar(first=4, second=1, p=0.375)
    """
    one, two = np.asarray(first, dtype=bool), np.asarray(second, dtype=bool)
    if one.shape != two.shape or one.ndim != 1:
        raise InputError(f"{one.shape} and {two.shape} answers; expected one of each per text")
    only, other = int((one & ~two).sum()), int((two & ~one).sum())
    if not only + other:
        return McNemar(0, 0, 1.0)
    from scipy.stats import binom

    return McNemar(only, other, min(1.0, 2 * float(binom.cdf(min(only, other), only + other, 0.5))))
