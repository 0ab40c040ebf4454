"""How well scores agree with human ratings: correlations over all rows, within sources, and of systems' means."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from ..errors import InputError
from .arrays import LEVELS, Floats, Integers, choice, codes, levelled, matrix, mean_defined, vector
from .correlations import Statistic
from .correlations import statistic as named


class Correlation(NamedTuple):
    """A correlation over `rows` rows; where it is undefined, `value` is NaN and `reason` says why."""

    value: float
    rows: int
    reason: str


class Grouped(NamedTuple):
    """A correlation at some level: how many groups it was made of, and how many were left out as undefined.

    Pooled, there is one group. By source, `groups` sources entered the mean and `left_out` could not (one row, or
    constant scores or ratings). By system, `groups` is the number of systems.
    """

    value: float
    groups: int
    left_out: int
    reason: str


def correlation(scores: ArrayLike, human: ArrayLike, statistic: str = "pearson", of: str = "rows") -> Correlation:
    """The correlation of two columns by the statistic of this name; `of` says in the reason what the rows are."""
    measure = named(statistic)
    one, two = vector(scores, "the scores"), vector(human, "the ratings")
    _paired(len(one), len(two))
    if len(one) < 2:
        return Correlation(math.nan, len(one), f"there are fewer than 2 {of}")
    for values, what in ((one, "scores"), (two, "ratings")):
        if values.min() == values.max():
            return Correlation(math.nan, len(one), f"the {what} are constant")
    return Correlation(float(measure.rowwise(one[None], two[None])[0]), len(one), "")


def pearson(x: ArrayLike, y: ArrayLike) -> Correlation:
    """Pearson's r = Σ(x−x̄)(y−ȳ) / √(Σ(x−x̄)² Σ(y−ȳ)²) (Pearson 1895).

    >>> pearson([1, 2, 3], [2, 4, 6])
    Correlation(value=1.0, rows=3, reason='')
    >>> pearson([1, 1, 1], [2, 4, 6])
    Correlation(value=nan, rows=3, reason='the scores are constant')
    """
    return correlation(x, y, "pearson")


def spearman(x: ArrayLike, y: ArrayLike) -> Correlation:
    """Spearman's ρ: Pearson's r of the ranks, equal values sharing their mean rank (Spearman 1904)."""
    return correlation(x, y, "spearman")


def correlate(
    scores: ArrayLike,
    human: ArrayLike,
    statistic: str = "pearson",
    level: str = "pooled",
    sources: ArrayLike | None = None,
    systems: ArrayLike | None = None,
) -> Grouped:
    """The correlation of one metric's scores with the human ratings, one of each per row.

    Level `pooled` takes all rows together; `source` is the mean of the correlations within each source, without those
    that are undefined; `system` correlates the systems' mean scores with their mean ratings. The three answer
    different questions and may differ in sign.
    """
    row = vector(scores, "the scores")
    ratings = vector(human, "the ratings")
    _paired(row.shape[0], ratings.shape[0])
    if level == "source":
        within = named(statistic).within(row[None], ratings, sources)[0]
        defined = within[~np.isnan(within)]
        reason = "" if len(defined) else "in no source are there two rows that differ in score and in rating"
        value = float(defined.mean()) if len(defined) else math.nan
        return Grouped(value, len(defined), len(within) - len(defined), reason)
    if level == "system":
        labels = codes(systems, "systems", len(ratings))
        means, mean_ratings = system_means(row[None], labels)[0], system_means(ratings[None], labels)[0]
        found = correlation(means, mean_ratings, statistic, "systems")
        return Grouped(found.value, len(means), 0, found.reason)
    choice(level, LEVELS, "level")
    found = correlation(row, ratings, statistic)
    return Grouped(found.value, 1, 0, found.reason)


def correlate_many(
    scores: ArrayLike,
    human: ArrayLike,
    statistic: str = "pearson",
    level: str = "pooled",
    sources: ArrayLike | None = None,
    systems: ArrayLike | None = None,
) -> Floats:
    """`correlate` for many metrics at once: scores (metrics, rows) to values (metrics,), NaN where undefined."""
    choice(level, LEVELS, "level")
    ratings = vector(human, "the ratings")
    table = matrix(scores, "the scores", len(ratings))
    if level == "source":
        return mean_defined(named(statistic).within(table, ratings, sources))
    if level == "system":
        labels = codes(systems, "systems", len(ratings))
        table, ratings = system_means(table, labels), system_means(ratings[None], labels)[0]
    return named(statistic).rowwise(table, ratings[None])


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


def _paired(scores: int, ratings: int) -> None:
    if scores != ratings:
        raise InputError(f"there are {scores} scores and {ratings} ratings; expected one of each per row")
