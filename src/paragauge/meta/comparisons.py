"""All pairs of metrics: how far apart they are, whether that could be chance, and the clusters that follow."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations
from typing import NamedTuple

import numpy as np

from ..errors import Hint, InputError
from ..evaluate.drive import drive
from ..evaluate.engines import Engine
from ..metric import Floats
from ..stats.arrays import codes
from ..stats.correlation import system_means
from ..stats.interval import Resamples
from ..stats.tests import ALPHA, bootstrap_matrix, clusters, holm, permutation, williams_matrix
from ..tables.ratings import Ratings

TESTS = ("bootstrap", "williams", "permutation", "perm-both")
ROW_TESTS = ("williams", "perm-both")  # which take rows for independent


class MetricGap(NamedTuple):
    """Two metrics: how much better the first agrees with people, and whether that could be chance."""

    better: str
    worse: str
    value: float
    low: float
    high: float
    p: float  # two-sided: both agree equally well; which of them is called better was seen in the same data
    adjusted: float  # by Holm, over all pairs of the table


def compare(
    order: list[int], names: list[str], drawn: Resamples, pvalues: Floats
) -> tuple[list[MetricGap], dict[int, int]]:
    """All pairs, the better one first; and the cluster of each metric."""
    pairs = list(combinations(order, 2))
    adjusted = holm([pvalues[pair] for pair in pairs])
    corrected = np.full(pvalues.shape, np.nan)
    gaps = []
    for pair, p in zip(pairs, adjusted, strict=True):
        corrected[pair] = p
        better, worse = (names[place] for place in pair)
        gaps.append(MetricGap(better, worse, *drawn.difference(*pair).numbers[:3], float(pvalues[pair]), float(p)))
    groups = clusters(order, corrected, ALPHA)
    return gaps, {metric: number for number, group in enumerate(groups, 1) for metric in group}


def pvalues_of(
    test: str,
    table: Floats,
    ratings: Ratings,
    drawn: Resamples,
    statistic: str,
    level: str,
    seed: int,
    progress: Callable[[str, int, int], None] | None,
    engine: Engine | None = None,
) -> Floats:
    """[a, b]: how likely chance alone would put a and b so far apart, either way; of the permutation tests, a ahead.

    `permutation` swaps the scores of whole sources (PERM-INPUTS), `perm-both` of single rows, as published.
    """
    if test == "bootstrap":
        return _two_sided(bootstrap_matrix(drawn))
    if test == "williams":
        if level == "source":
            raise InputError(
                "Williams' test compares single correlations, not means of many", Hint("use {test}", test="bootstrap")
            )
        if level == "pooled":
            return _two_sided(williams_matrix(table, ratings.human, statistic))
        means = system_means(np.vstack([table, ratings.human]), codes(ratings.systems(), "systems", len(ratings)))
        return _two_sided(williams_matrix(means[:-1], means[-1], statistic))
    found = np.full((len(table), len(table)), np.nan)
    order = [int(place) for place in np.argsort(-drawn.point) if not math.isnan(drawn.point[place])]
    pairs = list(combinations(order, 2))
    resamples = drawn.values.shape[1]
    work = _Permuted(table, ratings, statistic, level, "both" if test == "perm-both" else "inputs", resamples, seed)
    for done, (pair, p) in enumerate(zip(pairs, drive(engine, work, pairs), strict=True), 1):
        found[pair] = p
        if progress is not None:
            progress("comparing metrics", done, len(pairs))
    return found


@dataclass(frozen=True)
class _Permuted:
    """The two-sided p-value of two metrics, by their places in the table."""

    table: Floats
    ratings: Ratings
    statistic: str
    level: str
    method: str
    permutations: int
    seed: int

    def __call__(self, pair: tuple[int, int]) -> float:
        better, worse = (self.table[place] for place in pair)
        people, sources, systems = self.ratings.human, self.ratings.sources(), self.ratings.systems()
        return permutation(
            better, worse, people, sources, systems, self.level, self.statistic,
            method=self.method, permutations=self.permutations, seed=self.seed,
        ).p_two_sided  # fmt: skip


def _two_sided(pvalues: Floats) -> Floats:
    """From the one-sided p-values of both directions."""
    both: Floats = np.minimum(2 * np.minimum(pvalues, pvalues.T), 1.0)
    return both
