"""Kendall's τ in its variants b and c: of rows, in groups and in resamples."""

from __future__ import annotations

import math

import numpy as np

from ..arrays import Floats, Integers, adding_matrix, distinct_places, ratio
from . import OfDraws, Statistic

_MANY_ROWS = 200  # a group larger than this has its pairs counted by sorting, not one by one
_BLOCK = 4_000_000  # numbers held at once


def kendall(variant: str) -> Statistic:
    """The statistic of a variant.

    τ_b = (C − D) / √((P − T_x)(P − T_y)): concordant less discordant of P pairs, T tied (Kendall 1945). Stuart's τ_c
    = 2(C − D) / (n² (m−1)/m), where m is the smaller number of distinct values (1953): for scores with many values and
    ratings with few, where τ_b cannot reach 1.
    """

    def function(x: Floats, y: Floats) -> Floats:
        return of_rows(variant, x, y)

    def grouped(table: Floats, ratings: Floats, labels: Integers) -> Floats:
        return of_groups(variant, table, ratings, labels)

    def resampler(table: Floats, ratings: Floats, units: Integers, number: int) -> OfDraws:  # noqa: ARG001
        def of_draws(drawn: Floats) -> Floats:
            if _sorting_is_cheaper(len(ratings), *drawn.shape):
                return statistic.written_out(table, ratings, units, drawn)
            return weighted(variant, table, ratings, units, drawn)

        return of_draws

    statistic = Statistic(f"kendall-{variant}", function, grouped=grouped, resampler=resampler)
    return statistic


def of_rows(variant: str, x: Floats, y: Floats) -> Floats:
    """τ of each row."""
    if x.shape[1] <= _MANY_ROWS:
        return _by_pairs(variant, x, y)
    return np.array([by_sorting(variant, *rows) for rows in zip(x, np.broadcast_to(y, x.shape), strict=True)])


def of_groups(variant: str, table: Floats, ratings: Floats, labels: Integers) -> Floats:
    """τ of each metric in each group; `labels` ascend from 0 and leave no number out."""
    found = [_in_groups(variant, row, ratings, labels) for row in table]
    return np.array(found).reshape(len(table), int(labels[-1]) + 1)


def _in_groups(variant: str, x: Floats, y: Floats, labels: Integers) -> Floats:
    starts, sizes = np.unique(labels, return_index=True, return_counts=True)[1:]
    values = np.full(len(sizes), math.nan)
    for size in np.unique(sizes[sizes > 1]):
        chosen = np.flatnonzero(sizes == size)
        places = starts[chosen][:, None] + np.arange(size)
        if size <= _MANY_ROWS:
            values[chosen] = _by_pairs(variant, x[places], y[places])
        else:
            values[chosen] = [by_sorting(variant, x[rows], y[rows]) for rows in places]
    return values


def _by_pairs(variant: str, x: Floats, y: Floats) -> Floats:
    """τ of each row of (groups, size), from all pairs of its columns."""
    size = x.shape[1]
    first, second = np.triu_indices(size, 1)
    values = np.empty(len(x))
    step = max(1, _BLOCK // len(first))
    for start in range(0, len(x), step):
        one, two = x[start : start + step], y if len(y) == 1 else y[start : start + step]
        up, right = np.sign(one[:, first] - one[:, second]), np.sign(two[:, first] - two[:, second])
        surplus = np.einsum("ij,ij->i", up, right)
        if variant == "b":
            lengths = np.sqrt(np.abs(up).sum(axis=1) * np.abs(right).sum(axis=1))
        else:
            classes = np.minimum(*(1 + (np.diff(np.sort(part, axis=1)) > 0).sum(axis=1) for part in (one, two)))
            lengths = size**2 * (classes - 1) / classes / 2
        values[start : start + step] = ratio(surplus, lengths)
    return values


def by_sorting(variant: str, x: Floats, y: Floats) -> float:
    """τ of two columns, in n log n operations; NaN where one is constant."""
    if x.min() == x.max() or y.min() == y.max():
        return math.nan
    from scipy.stats import kendalltau

    # the asymptotic p-value is not used, but the exact one would take its time
    return float(kendalltau(x, y, method="asymptotic", variant=variant).statistic)


def weighted(variant: str, table: Floats, ratings: Floats, units: Integers, drawn: Floats) -> Floats:
    """τ in each resample, exactly: C − D is a quadratic form in the draws.

    A pair of rows of units a and b stands w_a·w_b times in the resample, and the copies of one row are tied, so
    2(C − D) = Σ_ab w_a w_b K_ab, where K_ab sums the signs of the pairs between a and b. Ties come from the counts of
    the distinct values: 2(P − T) = N² − Σ t². The pairs are counted in blocks: n² operations a metric. Where rows
    are so many that this is more expensive, each resample is written out and sorted instead.
    """
    order = np.argsort(units, kind="stable")
    units, ratings = units[order], ratings[order]
    counts = np.ascontiguousarray(drawn.T)
    size = np.bincount(units, minlength=len(counts)) @ counts
    untied_y, classes_y = _untied(ratings, units, counts, size)
    values = np.empty((len(table), len(drawn)))
    for metric, row in enumerate(table[:, order]):
        surplus = _quadratic_form(row, ratings, units, counts)
        untied_x, classes_x = _untied(row, units, counts, size)
        if variant == "b":
            lengths = np.sqrt(untied_x * untied_y)
        else:
            classes = np.maximum(np.minimum(classes_x, classes_y), 1)  # an empty resample has none
            lengths = size**2 * (classes - 1) / classes
        values[metric] = ratio(surplus, lengths)
    return values


def _sorting_is_cheaper(rows: int, resamples: int, units: int) -> bool:
    """By seconds measured on one core: pairs of rows, the quadratic form of each resample, and rows that are sorted."""
    return 6e-9 * rows**2 + 5e-11 * units**2 * resamples > 2e-7 * rows * resamples


def _untied(values: Floats, units: Integers, counts: Floats, size: Floats) -> tuple[Floats, Floats]:
    """Twice the pairs that differ in value, and the number of distinct values, in each resample."""
    weights: Floats = adding_matrix(distinct_places(values), units, len(counts)) @ counts
    return size**2 - np.einsum("vr,vr->r", weights, weights), (weights > 0).sum(axis=0).astype(np.float64)


def _quadratic_form(x: Floats, y: Floats, units: Integers, counts: Floats) -> Floats:
    """Σ_ij w_i w_j sign(x_i − x_j) sign(y_i − y_j) in each resample; rows are sorted by unit."""
    starts = np.unique(units, return_index=True)[1]
    # small whole numbers: their differences have the right sign in 32 bits
    place_x, place_y = distinct_places(x).astype(np.int32), distinct_places(y).astype(np.int32)
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


KENDALL_B, KENDALL_C = kendall("b"), kendall("c")
