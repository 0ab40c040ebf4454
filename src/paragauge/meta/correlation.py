"""How well scores agree with human ratings: correlations over all rows, within sources, and of systems' means."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from ..errors import InputError
from .checks import LEVELS, Floats, Integers, choice, codes, matrix, vector

_MANY_ROWS = 200  # a group larger than this has its pairs counted by sorting, not one by one
_BLOCK = 4_000_000  # numbers held at once


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


def pearson(x: ArrayLike, y: ArrayLike) -> Correlation:
    """Pearson's r = Σ(x−x̄)(y−ȳ) / √(Σ(x−x̄)² Σ(y−ȳ)²) (Pearson 1895).

    >>> pearson([1, 2, 3], [2, 4, 6])
    Correlation(value=1.0, rows=3, reason='')
    >>> pearson([1, 1, 1], [2, 4, 6])
    Correlation(value=nan, rows=3, reason='the scores are constant')
    """
    return _two(x, y, "pearson")


def spearman(x: ArrayLike, y: ArrayLike) -> Correlation:
    """Spearman's ρ: Pearson's r of the ranks, equal values sharing their mean rank (Spearman 1904)."""
    return _two(x, y, "spearman")


def kendall_b(x: ArrayLike, y: ArrayLike) -> Correlation:
    """Kendall's τ_b = (C − D) / √((P − T_x)(P − T_y)): concordant less discordant of P pairs, T tied (Kendall 1945)."""
    return _two(x, y, "kendall-b")


def kendall_c(x: ArrayLike, y: ArrayLike) -> Correlation:
    """Stuart's τ_c = 2(C − D) / (n² (m−1)/m), where m is the smaller number of distinct values (Stuart 1953).

    For scores with many values against ratings with few, where τ_b cannot reach 1.
    """
    return _two(x, y, "kendall-c")


STATISTICS: Mapping[str, Callable[[ArrayLike, ArrayLike], Correlation]] = {
    "pearson": pearson,
    "spearman": spearman,
    "kendall-b": kendall_b,
    "kendall-c": kendall_c,
}


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
        within = within_sources(row[None], ratings, sources, statistic)[0]
        defined = within[~np.isnan(within)]
        reason = "" if len(defined) else "in no source are there two rows that differ in score and in rating"
        value = float(defined.mean()) if len(defined) else math.nan
        return Grouped(value, len(defined), len(within) - len(defined), reason)
    if level == "system":
        labels = codes(systems, "systems", len(ratings))
        means, mean_ratings = _system_means(row[None], labels)[0], _system_means(ratings[None], labels)[0]
        found = _two(means, mean_ratings, statistic, "systems")
        return Grouped(found.value, len(means), 0, found.reason)
    choice(level, LEVELS, "level")
    found = _two(row, ratings, statistic)
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
        return mean_defined(within_sources(table, ratings, sources, statistic))
    if level == "system":
        labels = codes(systems, "systems", len(ratings))
        table, ratings = _system_means(table, labels), _system_means(ratings[None], labels)[0]
    return rowwise(table, np.broadcast_to(ratings, table.shape), statistic)


def mean_defined(values: Floats) -> Floats:
    """The mean over the last axis of what is not NaN; NaN where nothing is left."""
    defined = ~np.isnan(values)
    number = defined.sum(axis=-1)
    total: Floats = np.where(defined, values, 0).sum(axis=-1)
    means: Floats = np.divide(total, number, out=np.full(total.shape, math.nan), where=number > 0)
    return means


def rowwise(x: Floats, y: Floats, statistic: str) -> Floats:
    """The correlation of each row of `x` with the same row of `y`; NaN where either is constant."""
    choice(statistic, tuple(STATISTICS), "statistic")
    if x.shape[1] < 2:
        return np.full(len(x), math.nan)
    if statistic in ("kendall-b", "kendall-c"):
        if x.shape[1] <= _MANY_ROWS:
            return _kendall_by_pairs(x, y, statistic)
        return np.array([_kendall_by_sorting(one, two, statistic) for one, two in zip(x, y, strict=True)])
    values = np.empty(len(x))
    step = max(1, _BLOCK // x.shape[1])
    for start in range(0, len(x), step):
        one, two = x[start : start + step], y[start : start + step]
        if statistic == "spearman":
            one, two = _ranks(one), _ranks(two)
        values[start : start + step] = _cosine(centred(one), centred(two))
    return values


def within_sources(table: Floats, ratings: Floats, sources: ArrayLike | None, statistic: str) -> Floats:
    """The correlation within each source: (metrics, sources), NaN where it is undefined."""
    choice(statistic, tuple(STATISTICS), "statistic")
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


def _two(x: ArrayLike, y: ArrayLike, statistic: str, of: str = "rows") -> Correlation:
    choice(statistic, tuple(STATISTICS), "statistic")
    one, two = vector(x, "the scores"), vector(y, "the ratings")
    _paired(len(one), len(two))
    if len(one) < 2:
        return Correlation(math.nan, len(one), f"there are fewer than 2 {of}")
    for values, what in ((one, "scores"), (two, "ratings")):
        if values.min() == values.max():
            return Correlation(math.nan, len(one), f"the {what} are constant")
    return Correlation(float(rowwise(one[None], two[None], statistic)[0]), len(one), "")


def _paired(scores: int, ratings: int) -> None:
    if scores != ratings:
        raise InputError(f"there are {scores} scores and {ratings} ratings; expected one of each per row")


def _system_means(table: Floats, labels: Integers) -> Floats:
    sizes = np.bincount(labels)
    # the mean of equal numbers must be that number, else systems that are all alike would seem to differ
    first = table[:, np.unique(labels, return_index=True)[1]]
    sums = np.stack([np.bincount(labels, row, len(sizes)) for row in table - first[:, labels]])
    means: Floats = first + sums / sizes
    return means


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
            values[chosen] = [_kendall_by_sorting(x[rows], y[rows], statistic) for rows in places]
    return values


def _kendall_by_pairs(x: Floats, y: Floats, statistic: str) -> Floats:
    """τ of each row of (groups, size), from all pairs of its columns."""
    size = x.shape[1]
    first, second = np.triu_indices(size, 1)
    values = np.empty(len(x))
    step = max(1, _BLOCK // len(first))
    for start in range(0, len(x), step):
        one, two = x[start : start + step], y[start : start + step]
        up, right = np.sign(one[:, first] - one[:, second]), np.sign(two[:, first] - two[:, second])
        surplus = np.einsum("ij,ij->i", up, right)
        if statistic == "kendall-b":
            lengths = np.sqrt(np.abs(up).sum(axis=1) * np.abs(right).sum(axis=1))
        else:
            classes = np.minimum(*(1 + (np.diff(np.sort(part, axis=1)) > 0).sum(axis=1) for part in (one, two)))
            lengths = size**2 * (classes - 1) / classes / 2
        values[start : start + step] = ratio(surplus, lengths)
    return values


def _kendall_by_sorting(x: Floats, y: Floats, statistic: str) -> float:
    if x.min() == x.max() or y.min() == y.max():
        return math.nan
    from scipy.stats import kendalltau

    # the asymptotic p-value is not used, but the exact one would take its time
    return float(kendalltau(x, y, method="asymptotic", variant=statistic[-1]).statistic)
