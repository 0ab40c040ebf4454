"""Spearman's ρ: Pearson's r of the ranks."""

from __future__ import annotations

import numpy as np

from ..arrays import Floats, Integers, adding_matrix, distinct_places, ratio
from . import OfDraws, Statistic, pearson

_RANK_BLOCK = 500_000  # numbers held at once: they are gone through many times, and 4 MB stay in the cache


def resampler(table: Floats, ratings: Floats, units: Integers, number: int) -> OfDraws:  # noqa: ARG001
    """ρ in each resample, with ranks recomputed in each."""
    return lambda drawn: weighted(table, ratings, units, drawn)


def weighted(table: Floats, ratings: Floats, units: Integers, drawn: Floats) -> Floats:
    """ρ in each resample: mean ranks are recomputed in each, from cumulative weights in sorted order.

    In a resample a value that is drawn w times, above c smaller draws, has the mean rank c + (w+1)/2. Sorting is done
    once; a resample costs one cumulative sum.
    """
    values = np.empty((len(table), len(drawn)))
    by_value = [distinct_places(row) for row in table]
    own_value = distinct_places(ratings)
    step = max(1, _RANK_BLOCK // len(ratings))
    for start in range(0, len(drawn), step):
        part = slice(start, start + step)
        counts = np.ascontiguousarray(drawn[part].T)  # (units, resamples): a unit's draws lie side by side
        weights, ranks = _ranks_of(own_value, units, counts)
        spread_y = np.einsum("vr,vr,vr->r", weights, ranks, ranks)
        pull = counts[units] * ranks[own_value]
        for metric, classes in enumerate(by_value):
            weights, ranks = _ranks_of(classes, units, counts)
            spread_x = np.einsum("vr,vr,vr->r", weights, ranks, ranks)
            products = np.einsum("vr,vr->r", ranks, adding_matrix(classes, np.arange(len(units)), len(units)) @ pull)
            values[metric, part] = ratio(products, np.sqrt(spread_x * spread_y))
    return values


def _ranks_of(classes: Integers, units: Integers, counts: Floats) -> tuple[Floats, Floats]:
    """How often each distinct value is drawn, and its mean rank less the mean of all ranks; (values, resamples)."""
    weights: Floats = adding_matrix(classes, units, len(counts)) @ counts
    ranks = np.cumsum(weights, axis=0)
    centre = ranks[-1] / 2
    ranks -= weights / 2
    ranks -= centre
    return weights, ranks


STATISTIC = Statistic("spearman", pearson.of_rows, ranks=True, grouped=pearson.of_groups, resampler=resampler)
