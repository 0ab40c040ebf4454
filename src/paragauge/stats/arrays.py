"""What every statistic asks of its numbers before it starts."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import InputError, nearest

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

LEVELS = ("pooled", "source", "system")

_ROUNDING = 1e-12  # means closer than this share of the largest are equal but for the order of their sums


def vector(values: ArrayLike, what: str) -> Floats:
    """One finite number per row."""
    array = numbers(values, what)
    if array.ndim != 1:
        raise InputError(f"{what} have shape {array.shape}; expected one number per row")
    return _finite(array, what)


def matrix(values: ArrayLike, what: str, rows: int) -> Floats:
    """Finite numbers of shape (metrics, rows)."""
    array = numbers(values, what)
    if array.ndim != 2 or array.shape[1] != rows:
        raise InputError(f"{what} have shape {array.shape}; expected (metrics, {rows})")
    return _finite(array, what)


def codes(values: ArrayLike | None, what: str, rows: int) -> Integers:
    """The groups of the rows, renumbered 0, 1, … in the order of their labels."""
    if values is None:
        raise InputError(f"there are no {what}; expected the {what[:-1]} of each of the {rows} rows")
    array = np.asarray(values)
    if array.shape != (rows,):
        raise InputError(f"{what} have shape {array.shape}; expected one for each of the {rows} rows")
    if array.dtype.kind == "f" and not np.isfinite(array).all():
        raise InputError(f"{what} hold a number that is not finite; expected a label for each of the {rows} rows")
    return np.unique(array, return_inverse=True)[1].astype(np.int64)


def choice(value: str, known: tuple[str, ...], what: str) -> str:
    """One of the known names."""
    if value not in known:
        raise InputError(f"no {what} named {value!r}{nearest(str(value), known)}")
    return value


def count(value: int, what: str, least: int = 1) -> int:
    """A whole number that is large enough."""
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or value < least:
        raise InputError(f"{what} is {value!r}; expected a whole number of at least {least}")
    return int(value)


def numbers(values: ArrayLike, what: str) -> Floats:
    """Numbers of any shape, NaN and infinity among them."""
    try:
        return np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise InputError(f"{what} are not all numbers ({error}); expected numbers") from error


def _finite(array: Any, what: str) -> Floats:
    bad = ~np.isfinite(array)
    if bad.any():
        first = tuple(int(place) for place in np.argwhere(bad)[0])
        raise InputError(
            f"{what} hold {int(bad.sum())} of {array.size} values that are NaN or infinite, the first at "
            f"{first if len(first) > 1 else first[0]}; expected such rows to be left out"
        )
    checked: Floats = array
    return checked


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
