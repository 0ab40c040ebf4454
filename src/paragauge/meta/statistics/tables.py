"""Correlations of whole tables at once: row by row, and within groups of columns."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from .checks import Floats, Integers, choice, codes

NAMES = ("pearson", "spearman", "kendall-b", "kendall-c")
_MANY_ROWS = 200  # a group larger than this has its pairs counted by sorting, not one by one
_BLOCK = 4_000_000  # numbers held at once
_ROUNDING = 1e-12  # means closer than this share of the largest are equal but for the order of their sums


def mean_defined(values: Floats) -> Floats:
    """The mean over the last axis of what is not NaN; NaN where nothing is left."""
    defined = ~np.isnan(values)
    number = defined.sum(axis=-1)
    total: Floats = np.where(defined, values, 0).sum(axis=-1)
    means: Floats = np.divide(total, number, out=np.full(total.shape, math.nan), where=number > 0)
    return means


def levelled(means: Floats) -> Floats:
    """Means that are equal but for rounding made equal, row by row, lest an order be seen among equals."""
    order = np.argsort(means, axis=1, kind="stable")
    ascending = np.take_along_axis(means, order, axis=1)
    near = _ROUNDING * np.abs(means).max(axis=1, keepdims=True, initial=0)
    fresh = np.diff(ascending, axis=1, prepend=-math.inf) > near  # not the value before
    first = np.maximum.accumulate(np.where(fresh, np.arange(means.shape[1]), 0), axis=1)
    result = np.empty_like(means)
    np.put_along_axis(result, order, np.take_along_axis(ascending, first, axis=1), axis=1)
    return result


def rowwise(x: Floats, y: Floats, statistic: str) -> Floats:
    """The correlation of each row of `x` with the same row of `y`, or with its only one; NaN where one is constant."""
    choice(statistic, NAMES, "statistic")
    if x.shape[1] < 2:
        return np.full(len(x), math.nan)
    if statistic in ("kendall-b", "kendall-c"):
        if x.shape[1] <= _MANY_ROWS:
            return _kendall_by_pairs(x, y, statistic)
        return np.array(
            [kendall_by_sorting(*rows, statistic) for rows in zip(x, np.broadcast_to(y, x.shape), strict=True)]
        )
    values = np.empty(len(x))
    y = centred(_ranks(y) if statistic == "spearman" else y)
    step = max(1, _BLOCK // x.shape[1])
    for start in range(0, len(x), step):
        part = x[start : start + step]
        part = centred(_ranks(part) if statistic == "spearman" else part)
        values[start : start + step] = _cosine(part, y if len(y) == 1 else y[start : start + step])
    return values


def within_sources(table: Floats, ratings: Floats, sources: ArrayLike | None, statistic: str) -> Floats:
    """The correlation within each source: (metrics, sources), NaN where it is undefined."""
    choice(statistic, NAMES, "statistic")
    labels = codes(sources, "sources", len(ratings))
    if not len(labels):
        return np.empty((len(table), 0))
    order = np.argsort(labels, kind="stable")
    labels, ratings = labels[order], ratings[order]
    step = max(1, _BLOCK // len(labels))
    blocks = [table[start : start + step, order] for start in range(0, len(table), step)]
    if statistic in ("kendall-b", "kendall-c"):
        parts = [_kendall(row, ratings, labels, statistic) for block in blocks for row in block]
        return np.array(parts).reshape(len(table), labels[-1] + 1)
    if statistic == "spearman":
        ratings = _grouped_ranks(ratings[None], labels)[0]
        blocks = [_grouped_ranks(block, labels) for block in blocks]
    return np.concatenate([_grouped_pearson(block, ratings, labels) for block in blocks] or [np.empty((0, 0))])


def centred(table: Floats) -> Floats:
    """Rows less their mean, divided by the largest remainder, so that squares neither overflow nor vanish."""
    constant = table.min(axis=1, keepdims=True) == table.max(axis=1, keepdims=True)
    scale = np.abs(table).max(axis=1, keepdims=True)
    scaled = table / np.where(scale > 0, scale, 1)
    rest = scaled - scaled.mean(axis=1, keepdims=True)
    largest = np.abs(rest).max(axis=1, keepdims=True)
    rest = rest / np.where(largest > 0, largest, 1)
    return np.where(constant, 0.0, rest)


def _cosine(x: Floats, y: Floats) -> Floats:
    products = np.einsum("ij,ij->i", x, y)
    lengths = np.sqrt(np.einsum("ij,ij->i", x, x) * np.einsum("ij,ij->i", y, y))
    return ratio(products, lengths)


def ratio(products: Floats, lengths: Floats) -> Floats:
    """A correlation from its two parts: within [−1, 1], NaN where the length is 0."""
    values: Floats = np.divide(products, lengths, out=np.full(products.shape, math.nan), where=lengths > 0)
    return np.clip(values, -1.0, 1.0)


def _ranks(table: Floats) -> Floats:
    from scipy.stats import rankdata

    ranks: Floats = rankdata(table, axis=1)
    return ranks


def _grouped_ranks(table: Floats, labels: Integers) -> Floats:
    """Mean ranks within each group; `labels` ascend."""
    from scipy.stats import rankdata

    ranks = np.empty_like(table)
    starts, sizes = np.unique(labels, return_index=True, return_counts=True)[1:]
    for size in np.unique(sizes):  # groups of one size are ranked together
        places = starts[sizes == size][:, None] + np.arange(size)
        ranks[:, places] = rankdata(table[:, places], axis=2)
    return ranks


def _grouped_pearson(table: Floats, ratings: Floats, labels: Integers) -> Floats:
    """Pearson's r in each group; `labels` ascend."""
    starts, sizes = np.unique(labels, return_index=True, return_counts=True)[1:]
    x, y = _grouped_centred(table, starts, sizes), _grouped_centred(ratings[None], starts, sizes)
    products = np.add.reduceat(x * y, starts, axis=1)
    return ratio(products, np.sqrt(np.add.reduceat(x * x, starts, axis=1) * np.add.reduceat(y * y, starts, axis=1)))


def _grouped_centred(table: Floats, starts: Integers, sizes: Integers) -> Floats:
    """`centred` within each group."""

    def spread(values: Floats) -> Floats:
        return np.repeat(values, sizes, axis=1)

    constant = np.minimum.reduceat(table, starts, axis=1) == np.maximum.reduceat(table, starts, axis=1)
    scale = np.maximum.reduceat(np.abs(table), starts, axis=1)
    scaled = table / spread(np.where(scale > 0, scale, 1))
    rest = scaled - spread(np.add.reduceat(scaled, starts, axis=1) / sizes)
    largest = np.maximum.reduceat(np.abs(rest), starts, axis=1)
    return np.where(spread(constant), 0.0, rest / spread(np.where(largest > 0, largest, 1)))


def _kendall(x: Floats, y: Floats, labels: Integers, statistic: str) -> Floats:
    """Kendall's τ in each group; `labels` ascend from 0 and leave no number out."""
    starts, sizes = np.unique(labels, return_index=True, return_counts=True)[1:]
    values = np.full(len(sizes), math.nan)
    for size in np.unique(sizes[sizes > 1]):
        chosen = np.flatnonzero(sizes == size)
        places = starts[chosen][:, None] + np.arange(size)
        if size <= _MANY_ROWS:
            values[chosen] = _kendall_by_pairs(x[places], y[places], statistic)
        else:
            values[chosen] = [kendall_by_sorting(x[rows], y[rows], statistic) for rows in places]
    return values


def _kendall_by_pairs(x: Floats, y: Floats, statistic: str) -> Floats:
    """τ of each row of (groups, size), from all pairs of its columns."""
    size = x.shape[1]
    first, second = np.triu_indices(size, 1)
    values = np.empty(len(x))
    step = max(1, _BLOCK // len(first))
    for start in range(0, len(x), step):
        one, two = x[start : start + step], y if len(y) == 1 else y[start : start + step]
        up, right = np.sign(one[:, first] - one[:, second]), np.sign(two[:, first] - two[:, second])
        surplus = np.einsum("ij,ij->i", up, right)
        if statistic == "kendall-b":
            lengths = np.sqrt(np.abs(up).sum(axis=1) * np.abs(right).sum(axis=1))
        else:
            classes = np.minimum(*(1 + (np.diff(np.sort(part, axis=1)) > 0).sum(axis=1) for part in (one, two)))
            lengths = size**2 * (classes - 1) / classes / 2
        values[start : start + step] = ratio(surplus, lengths)
    return values


def kendall_by_sorting(x: Floats, y: Floats, statistic: str) -> float:
    """τ of two columns, in n log n operations; NaN where one is constant."""
    if x.min() == x.max() or y.min() == y.max():
        return math.nan
    from scipy.stats import kendalltau

    # the asymptotic p-value is not used, but the exact one would take its time
    return float(kendalltau(x, y, method="asymptotic", variant=statistic[-1]).statistic)
