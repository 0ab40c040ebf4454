"""The means of systems, and the correlation of these means in resamples."""

from __future__ import annotations

import math

import numpy as np

from .arrays import Floats, Integers
from .numerics import levelled
from .statistic import Statistic


def system_means(table: Floats, labels: Integers) -> Floats:
    """The mean of each row over the columns of each system: (metrics, systems)."""
    sizes = np.bincount(labels)
    sums = np.array([np.bincount(labels, row, len(sizes)) for row in table])
    return levelled(sums.reshape(len(table), len(sizes)) / sizes)


def weighted_systems(
    table: Floats, ratings: Floats, systems: Integers, units: Integers, drawn: Floats, statistic: Statistic
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
        values[metric, whole] = statistic.rowwise(means[whole], mean_ratings[whole])
        for place in np.flatnonzero(~whole):
            kept = present[place]
            values[metric, place] = statistic.rowwise(means[place, kept][None], mean_ratings[place, kept][None])[0]
    return values
