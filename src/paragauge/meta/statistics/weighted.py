"""Correlations of resampled rows, where a row counts as often as its unit was drawn and none is copied."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from .checks import Floats, Integers
from .tables import centred, kendall_by_sorting, levelled, ratio, rowwise

_NOISE = 1e-12  # a variance this small beside the sum it is the remainder of is rounding: the resample is constant
_BLOCK = 4_000_000  # numbers held at once
_RANK_BLOCK = 500_000  # fewer where they are gone through many times: 4 MB stay in the cache


def weighted_pearson(table: Floats, ratings: Floats, units: Integers, drawn: Floats) -> Floats:
    """Pearson's r of (metrics, rows) with the ratings in each resample, (metrics, resamples).

    `drawn` (resamples, units) says how often a unit was drawn; Σ over the drawn rows is `drawn` times the units' sums.
    """
    return pearson_of_sums(drawn @ pearson_sums(table, ratings, units, drawn.shape[1]))


def pearson_sums(table: Floats, ratings: Floats, units: Integers, number: int) -> Floats:
    """What Pearson's r is made of, added up by unit: (units, 3 + 3 metrics)."""
    x, y = centred(table), centred(ratings[None])[0]
    columns = [np.ones_like(y), y, y * y]
    sums = [np.bincount(units, column, number) for column in columns]
    for row in x:
        sums += [np.bincount(units, column, number) for column in (row, row * row, row * y)]
    return np.array(sums, dtype=np.float64).T


def pearson_of_sums(sums: Floats) -> Floats:
    """Pearson's r of each metric, (metrics, resamples), from `pearson_sums` added up in each resample."""
    size, sum_y, square_y = sums[:, :3].T
    sum_x, square_x, product = (sums[:, place::3].T for place in (3, 4, 5))
    var_x, var_y = _variance(size * square_x, sum_x), _variance(size * square_y, sum_y)
    return ratio(size * product - sum_x * sum_y, np.sqrt(var_x * var_y))


def _variance(squares: Floats, total: Floats) -> Floats:
    rest = squares - total**2
    return np.where(rest > _NOISE * squares, rest, 0.0)


def weighted_spearman(table: Floats, ratings: Floats, units: Integers, drawn: Floats) -> Floats:
    """Spearman's ρ in each resample: mean ranks are recomputed in each, from cumulative weights in sorted order.

    In a resample a value that is drawn w times, above c smaller draws, has the mean rank c + (w+1)/2. Sorting is done
    once; a resample costs one cumulative sum.
    """
    values = np.empty((len(table), len(drawn)))
    by_value = [_classes(row) for row in table]
    own_value = _classes(ratings)
    step = max(1, _RANK_BLOCK // len(ratings))
    for start in range(0, len(drawn), step):
        part = slice(start, start + step)
        counts = np.ascontiguousarray(drawn[part].T)  # (units, resamples): a unit's draws lie side by side
        weights, ranks = _weighted_ranks(own_value, units, counts)
        spread_y = np.einsum("vr,vr,vr->r", weights, ranks, ranks)
        pull = counts[units] * ranks[own_value]
        for metric, classes in enumerate(by_value):
            weights, ranks = _weighted_ranks(classes, units, counts)
            spread_x = np.einsum("vr,vr,vr->r", weights, ranks, ranks)
            products = np.einsum("vr,vr->r", ranks, _sums(classes, np.arange(len(units)), len(units)) @ pull)
            values[metric, part] = ratio(products, np.sqrt(spread_x * spread_y))
    return values


def _weighted_ranks(classes: Integers, units: Integers, counts: Floats) -> tuple[Floats, Floats]:
    """How often each distinct value is drawn, and its mean rank less the mean of all ranks; (values, resamples)."""
    weights: Floats = _sums(classes, units, len(counts)) @ counts
    ranks = np.cumsum(weights, axis=0)
    centre = ranks[-1] / 2
    ranks -= weights / 2
    ranks -= centre
    return weights, ranks


def _classes(values: Floats) -> Integers:
    """The place of each value among the distinct values, ascending."""
    return np.unique(values, return_inverse=True)[1].astype(np.int64)


def _sums(classes: Integers, columns: Integers, number: int) -> Any:
    """The sparse matrix that adds up what belongs to each class."""
    from scipy.sparse import csr_array

    shape = (int(classes.max()) + 1, number)
    return csr_array((np.ones(len(classes)), (classes, columns)), shape=shape)


def weighted_kendall(
    table: Floats, ratings: Floats, units: Integers, drawn: Floats, statistic: str = "kendall-b"
) -> Floats:
    """Kendall's τ in each resample, exactly: C − D is a quadratic form in the draws.

    A pair of rows of units a and b stands w_a·w_b times in the resample, and the copies of one row are tied, so
    2(C − D) = Σ_ab w_a w_b K_ab, where K_ab sums the signs of the pairs between a and b. Ties come from the counts of
    the distinct values: 2(P − T) = N² − Σ t². The pairs are counted in blocks: n² operations a metric. Where rows
    are so many that this is dearer, each resample is written out and sorted.
    """
    if _sorting_is_cheaper(len(ratings), *drawn.shape):
        return _written_out(table, ratings, units, drawn, statistic)
    order = np.argsort(units, kind="stable")
    units, ratings = units[order], ratings[order]
    counts = np.ascontiguousarray(drawn.T)
    size = np.bincount(units, minlength=len(counts)) @ counts
    untied_y, classes_y = _untied(ratings, units, counts, size)
    values = np.empty((len(table), len(drawn)))
    for metric, row in enumerate(table[:, order]):
        surplus = _quadratic_form(row, ratings, units, counts)
        untied_x, classes_x = _untied(row, units, counts, size)
        if statistic == "kendall-b":
            lengths = np.sqrt(untied_x * untied_y)
        else:
            classes = np.minimum(classes_x, classes_y)
            lengths = size**2 * (classes - 1) / classes
        values[metric] = ratio(surplus, lengths)
    return values


def _sorting_is_cheaper(rows: int, resamples: int, units: int) -> bool:
    """By seconds measured on one core: pairs of rows, the quadratic form of each resample, and rows that are sorted."""
    return 6e-9 * rows**2 + 5e-11 * units**2 * resamples > 2e-7 * rows * resamples


def _written_out(table: Floats, ratings: Floats, units: Integers, drawn: Floats, statistic: str) -> Floats:
    values = np.empty((len(table), len(drawn)))
    for place, counts in enumerate(drawn.astype(np.int64)):
        rows = np.repeat(np.arange(len(units)), counts[units])
        people = ratings[rows]
        values[:, place] = [kendall_by_sorting(row[rows], people, statistic) for row in table]
    return values


def _untied(values: Floats, units: Integers, counts: Floats, size: Floats) -> tuple[Floats, Floats]:
    """Twice the pairs that differ in value, and the number of distinct values, in each resample."""
    weights: Floats = _sums(_classes(values), units, len(counts)) @ counts
    return size**2 - np.einsum("vr,vr->r", weights, weights), (weights > 0).sum(axis=0).astype(np.float64)


def _quadratic_form(x: Floats, y: Floats, units: Integers, counts: Floats) -> Floats:
    """Σ_ij w_i w_j sign(x_i − x_j) sign(y_i − y_j) in each resample; rows are sorted by unit."""
    starts = np.unique(units, return_index=True)[1]
    # small whole numbers: their differences have the right sign in 32 bits
    place_x, place_y = _classes(x).astype(np.int32), _classes(y).astype(np.int32)
    step = max(1, _BLOCK // len(x))
    total = np.zeros(counts.shape[1])
    # whole units at a time, so that a unit's rows are summed in one block
    edges = [0, *(int(start) for start in starts if start), len(x)]
    first = 0
    while first < len(x):
        last = max((edge for edge in edges if first < edge <= first + step), default=None)
        last = last or min(edge for edge in edges if edge > first)
        signs = np.sign(place_x[first:last, None] - place_x).astype(np.int8)
        signs *= np.sign(place_y[first:last, None] - place_y).astype(np.int8)
        by_unit = signs if len(starts) == len(x) else np.add.reduceat(signs, starts, axis=1, dtype=np.int32)
        inside = starts[(starts >= first) & (starts < last)] - first
        by_unit = np.add.reduceat(by_unit, inside, axis=0, dtype=np.int32).astype(np.float64)
        total += np.einsum("ar,ar->r", by_unit @ counts, counts[units[first + inside]])
        first = last
    return total


def weighted_systems(
    table: Floats, ratings: Floats, systems: Integers, units: Integers, drawn: Floats, statistic: str
) -> Floats:
    """The correlation of the systems' means in each resample, over the systems of which it holds a row."""
    cells = units * (int(systems.max()) + 1) + systems
    shape = (drawn.shape[1], int(systems.max()) + 1)

    def total(values: Floats) -> Floats:
        return drawn @ np.bincount(cells, values, shape[0] * shape[1]).reshape(shape)

    sizes = total(np.ones_like(ratings))
    present = sizes > 0
    sizes = np.where(present, sizes, 1.0)
    whole = present.all(axis=1)
    mean_ratings = levelled(total(ratings) / sizes)
    values = np.full((len(table), len(drawn)), math.nan)
    for metric, row in enumerate(table):
        means = levelled(total(row) / sizes)
        values[metric, whole] = rowwise(means[whole], mean_ratings[whole], statistic)
        for place in np.flatnonzero(~whole):
            kept = present[place]
            values[metric, place] = rowwise(means[place, kept][None], mean_ratings[place, kept][None], statistic)[0]
    return values
