"""What every statistic asks of its numbers before it starts."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import InputError, nearest

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

LEVELS = ("pooled", "source", "system")


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
