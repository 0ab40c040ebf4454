"""Sums, ranks and ratios of whole tables of numbers, shared by the statistics."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from .arrays import Floats, Integers

_ROUNDING = 1e-12  # means closer than this share of the largest are equal but for the order of their sums


def mean_defined(values: Floats) -> Floats:
    """The mean over the last axis of what is not NaN; NaN where nothing is left."""
    defined = ~np.isnan(values)
    number = defined.sum(axis=-1)
    total: Floats = np.where(defined, values, 0).sum(axis=-1)
    means: Floats = np.divide(total, number, out=np.full(total.shape, math.nan), where=number > 0)
    return means


def levelled(means: Floats) -> Floats:
    """Means that are equal but for rounding made equal, row by row, so that no order is seen among equals."""
    order = np.argsort(means, axis=1, kind="stable")
    ascending = np.take_along_axis(means, order, axis=1)
    near = _ROUNDING * np.abs(means).max(axis=1, keepdims=True, initial=0)
    fresh = np.diff(ascending, axis=1, prepend=-math.inf) > near  # not the value before
    first = np.maximum.accumulate(np.where(fresh, np.arange(means.shape[1]), 0), axis=1)
    result = np.empty_like(means)
    np.put_along_axis(result, order, np.take_along_axis(ascending, first, axis=1), axis=1)
    return result


def ratio(products: Floats, lengths: Floats) -> Floats:
    """A correlation from its two parts: within [−1, 1], NaN where the length is 0."""
    values: Floats = np.divide(products, lengths, out=np.full(products.shape, math.nan), where=lengths > 0)
    return np.clip(values, -1.0, 1.0)


def ranked(table: Floats) -> Floats:
    """The mean ranks of each row."""
    from scipy.stats import rankdata

    ranks: Floats = rankdata(table, axis=1)
    return ranks


def ranked_in_groups(table: Floats, labels: Integers) -> Floats:
    """Mean ranks of each row within each group of columns; `labels` ascend."""
    from scipy.stats import rankdata

    ranks = np.empty_like(table)
    starts, sizes = np.unique(labels, return_index=True, return_counts=True)[1:]
    for size in np.unique(sizes):  # groups of one size are ranked together
        places = starts[sizes == size][:, None] + np.arange(size)
        ranks[:, places] = rankdata(table[:, places], axis=2)
    return ranks


def distinct_places(values: Floats) -> Integers:
    """The place of each value among the distinct values, ascending."""
    return np.unique(values, return_inverse=True)[1].astype(np.int64)


def adding_matrix(classes: Integers, columns: Integers, number: int) -> Any:
    """The sparse matrix that adds up what belongs to each class."""
    from scipy.sparse import csr_array

    shape = (int(classes.max()) + 1, number)
    return csr_array((np.ones(len(classes)), (classes, columns)), shape=shape)
