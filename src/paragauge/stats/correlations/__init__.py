"""The correlations that agreement is measured by: one file each, or family, found by its name."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ...registry import Registry
from ..arrays import Floats, Integers, codes, ranked, ranked_in_groups

_BLOCK = 4_000_000  # numbers held at once
OfTables = Callable[[Floats, Floats], Floats]
OfGroups = Callable[[Floats, Floats, Integers], Floats]
OfDraws = Callable[[Floats], Floats]
Resampler = Callable[[Floats, Floats, Integers, int], OfDraws]


@dataclass(frozen=True)
class Statistic:
    """A correlation of two columns of numbers.

    `function` takes (k, n) and (k, n) or (1, n) numbers and gives (k,): the correlation of each row of the first with
    its row of the second, NaN where one of them is constant. Where `ranks`, both have been ranked before. That is all
    a statistic needs; `grouped` and `resampler` are faster ways to the same numbers, where there are any.
    """

    name: str
    function: OfTables
    ranks: bool = False
    grouped: OfGroups | None = None  # (metrics, rows), ratings and labels that ascend from 0, to (metrics, groups)
    resampler: Resampler | None = None  # of raw scores, not ranks; see `resampled`

    def rowwise(self, x: Floats, y: Floats) -> Floats:
        """The correlation of each row of `x` with the same row of `y`, or with its only one; NaN where undefined."""
        if x.shape[1] < 2:
            return np.full(len(x), math.nan)
        if self.ranks:
            y = ranked(y)
        values = np.empty(len(x))
        step = max(1, _BLOCK // x.shape[1])
        for start in range(0, len(x), step):
            part = x[start : start + step]
            part = ranked(part) if self.ranks else part
            values[start : start + step] = self.function(part, y if len(y) == 1 else y[start : start + step])
        return values

    def within(self, table: Floats, ratings: Floats, sources: ArrayLike | None) -> Floats:
        """The correlation within each source: (metrics, sources), NaN where it is undefined."""
        labels = codes(sources, "sources", len(ratings))
        if not len(labels):
            return np.empty((len(table), 0))
        order = np.argsort(labels, kind="stable")
        labels, ratings = labels[order], ratings[order]
        if self.ranks:
            ratings = ranked_in_groups(ratings[None], labels)[0]
        grouped = self.grouped or self._group_by_group
        step = max(1, _BLOCK // len(labels))
        blocks = []
        for start in range(0, len(table), step):
            block = table[start : start + step, order]
            blocks.append(grouped(ranked_in_groups(block, labels) if self.ranks else block, ratings, labels))
        return np.concatenate(blocks or [np.empty((0, int(labels[-1]) + 1))])

    def _group_by_group(self, table: Floats, ratings: Floats, labels: Integers) -> Floats:
        starts = np.flatnonzero(np.diff(labels, prepend=-1))
        values = np.full((len(table), len(starts)), math.nan)
        for place, (start, end) in enumerate(zip(starts, [*starts[1:], len(labels)], strict=True)):
            if end - start > 1:
                values[:, place] = self.function(table[:, start:end], ratings[None, start:end])
        return values

    def resampled(self, table: Floats, ratings: Floats, units: Integers, number: int) -> OfDraws:
        """A function of draws (resamples, units), how often each of the `number` units is drawn in each resample.

        It gives the correlation of each metric in each resample, (metrics, resamples).
        """
        if self.resampler is not None:
            return self.resampler(table, ratings, units, number)
        return lambda drawn: self.written_out(table, ratings, units, drawn)

    def written_out(self, table: Floats, ratings: Floats, units: Integers, drawn: Floats) -> Floats:
        """Each resample as rows of its own: slow, and obviously right."""
        values = np.empty((len(table), len(drawn)))
        for place, counts in enumerate(drawn.astype(np.int64)):
            rows = np.repeat(np.arange(len(units)), counts[units])
            values[:, place] = self.rowwise(table[:, rows], ratings[None, rows])
        return values


FAMILIES = {"kendall": ("kendall-b", "kendall-c")}  # files that hold several
CORRELATIONS = Registry[Statistic](Statistic, "statistic", __name__, group="paragauge.correlations", families=FAMILIES)
statistic = CORRELATIONS.load
_FIRST = ("pearson", "spearman")


def names() -> tuple[str, ...]:
    """The statistics there are: the most common two, then the others by name."""
    return tuple(sorted(CORRELATIONS.names(), key=lambda name: (name not in _FIRST, name)))
