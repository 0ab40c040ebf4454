"""Pearson's r."""

from __future__ import annotations

import numpy as np

from ..arrays import Floats, Integers, ratio
from . import OfDraws, Statistic

_NOISE = 1e-12  # a variance this small next to the sum it is the remainder of is rounding: the resample is constant


def of_rows(x: Floats, y: Floats) -> Floats:
    """r = Σ(x−x̄)(y−ȳ) / √(Σ(x−x̄)² Σ(y−ȳ)²) of each row."""
    x, y = centred(x), centred(y)
    y = np.broadcast_to(y, x.shape)
    products = np.einsum("ij,ij->i", x, y)
    return ratio(products, np.sqrt(np.einsum("ij,ij->i", x, x) * np.einsum("ij,ij->i", y, y)))


def of_groups(table: Floats, ratings: Floats, labels: Integers) -> Floats:
    """r in each group; `labels` ascend."""
    starts, sizes = np.unique(labels, return_index=True, return_counts=True)[1:]
    x, y = _grouped_centred(table, starts, sizes), _grouped_centred(ratings[None], starts, sizes)
    products = np.add.reduceat(x * y, starts, axis=1)
    return ratio(products, np.sqrt(np.add.reduceat(x * x, starts, axis=1) * np.add.reduceat(y * y, starts, axis=1)))


def centred(table: Floats) -> Floats:
    """Rows less their mean, divided by the largest remainder, so that squares neither overflow nor vanish."""
    constant = table.min(axis=1, keepdims=True) == table.max(axis=1, keepdims=True)
    scale = np.abs(table).max(axis=1, keepdims=True)
    scaled = table / np.where(scale > 0, scale, 1)
    rest = scaled - scaled.mean(axis=1, keepdims=True)
    largest = np.abs(rest).max(axis=1, keepdims=True)
    rest = rest / np.where(largest > 0, largest, 1)
    return np.where(constant, 0.0, rest)


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


def resampler(table: Floats, ratings: Floats, units: Integers, number: int) -> OfDraws:
    """r in each resample: Σ over the drawn rows is the draws times the units' sums, which are added up once."""
    sums = _sums(table, ratings, units, number)
    return lambda drawn: _of_sums(drawn @ sums)


def _sums(table: Floats, ratings: Floats, units: Integers, number: int) -> Floats:
    """What Pearson's r is made of, added up by unit: (units, 3 + 3 metrics)."""
    x, y = centred(table), centred(ratings[None])[0]
    columns = [np.ones_like(y), y, y * y]
    sums = [np.bincount(units, column, number) for column in columns]
    for row in x:
        sums += [np.bincount(units, column, number) for column in (row, row * row, row * y)]
    return np.array(sums, dtype=np.float64).T


def _of_sums(sums: Floats) -> Floats:
    """Pearson's r of each metric, (metrics, resamples), from `_sums` added up in each resample."""
    size, sum_y, square_y = sums[:, :3].T
    sum_x, square_x, product = (sums[:, place::3].T for place in (3, 4, 5))
    var_x, var_y = _variance(size * square_x, sum_x), _variance(size * square_y, sum_y)
    return ratio(size * product - sum_x * sum_y, np.sqrt(var_x * var_y))


def _variance(squares: Floats, total: Floats) -> Floats:
    rest = squares - total**2
    return np.where(rest > _NOISE * squares, rest, 0.0)


STATISTIC = Statistic("pearson", of_rows, grouped=of_groups, resampler=resampler)
