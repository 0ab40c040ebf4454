"""How often a metric ranks two candidates, or two systems, as people do."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import InputError
from .arrays import Floats, Integers, codes, count, numbers, vector

_ROUNDING = 1e-12  # sums closer than this share of what was added up are equal
_BLOCK = 4_000_000  # numbers held at once
Flags = NDArray[np.bool_]


class PairwiseAccuracy(NamedTuple):
    """The share of pairs that a metric ranks as people do, and what it is made of.

    `value` is the mean over `sources` sources, `left_out` more having a single row; `epsilon` is the largest
    difference of scores that counts as a tie. When cross-fitted, `halves` holds the two epsilons that were used, and
    `epsilon` the one of all the data. `pairs`, `correct` and the ties are counts.
    """

    value: float = math.nan
    epsilon: float = math.nan
    pairs: int = 0
    correct: int = 0
    human_ties: int = 0
    metric_ties: int = 0
    sources: int = 0
    left_out: int = 0
    halves: tuple[float, ...] = ()
    reason: str = ""


class SystemAccuracy(NamedTuple):
    """The share of `pairs` pairs of systems that are ranked as by people."""

    value: float
    pairs: int
    correct: int
    human_ties: int
    reason: str


class SoftAccuracy(NamedTuple):
    """Soft pairwise accuracy over `pairs` pairs of systems; `left_out` pairs have no segment in common."""

    value: float
    pairs: int
    left_out: int
    reason: str


class _Pairs(NamedTuple):
    """All pairs of rows that are compared: their source, |difference of scores|, agreement in sign, human ties."""

    source: Integers
    gap: Floats
    agree: Flags
    tied: Flags
    number: int  # of sources, with and without pairs


def pairwise_accuracy(
    scores: ArrayLike,
    human: ArrayLike,
    sources: ArrayLike | None = None,
    epsilon: float | None = None,
    cross_fit: bool = False,
    seed: int = 0,
) -> PairwiseAccuracy:
    """Pairwise accuracy with ties, acc_eq = (C + T_hm) / P (Deutsch, Foster and Freitag 2023, Ties Matter).

    A pair counts as correct where score and rating order it alike, or where both are tied: people exactly, the metric
    where the scores differ by no more than `epsilon`. Pairs are taken within each source and the sources' accuracies
    are averaged; without `sources`, all rows are paired.

    `epsilon=None` calibrates ties: of all thresholds, the smallest with the best accuracy, found exactly by one pass
    over the sorted differences. That value is optimistic, as epsilon was chosen to make it large. `cross_fit=True`
    chooses epsilon on one random half of the sources and measures on the other, and the other way round.
    """
    ratings = vector(human, "the ratings")
    row = vector(scores, "the scores")
    if len(row) != len(ratings):
        raise InputError(f"there are {len(row)} scores and {len(ratings)} ratings; expected one of each per row")
    if epsilon is not None and not (math.isfinite(epsilon) and epsilon >= 0):
        raise InputError(f"epsilon is {epsilon!r}; expected a number of at least 0, or None to calibrate it")
    if cross_fit and (sources is None or epsilon is not None):
        raise InputError("cross-fitting needs sources to split and an epsilon to calibrate; expected both")
    labels = np.zeros(len(row), dtype=np.int64) if sources is None else codes(sources, "sources", len(row))
    pairs = _pairs(row, ratings, labels)
    usable = np.unique(pairs.source)
    left_out = pairs.number - len(usable)
    if not len(usable):
        reason = "no source has two rows" if sources is not None else "there are fewer than 2 rows"
        return PairwiseAccuracy(left_out=left_out, reason=reason)
    threshold = calibrate(pairs) if epsilon is None else float(epsilon)
    thresholds = np.full(pairs.number, threshold)
    halves: tuple[float, ...] = ()
    if cross_fit:
        if len(usable) < 2:
            reason = "cross-fitting needs two sources with two rows each, and there is one"
            return PairwiseAccuracy(
                epsilon=threshold, pairs=len(pairs.gap), sources=1, left_out=left_out, reason=reason
            )
        shuffled = np.random.default_rng(count(seed, "the seed", 0)).permutation(usable)
        parts = shuffled[: len(usable) // 2], shuffled[len(usable) // 2 :]
        halves = (calibrate(_chosen(pairs, parts[0])), calibrate(_chosen(pairs, parts[1])))
        thresholds[parts[1]], thresholds[parts[0]] = halves[0], halves[1]
    tie = pairs.gap <= thresholds[pairs.source]
    correct = np.where(tie, pairs.tied, pairs.agree)
    by_source = np.bincount(pairs.source, correct)[usable] / np.bincount(pairs.source)[usable]
    ties = int(pairs.tied.sum()), int(tie.sum())
    mean, right = float(by_source.mean()), int(correct.sum())
    return PairwiseAccuracy(mean, threshold, len(pairs.gap), right, *ties, len(usable), left_out, halves)


def accuracy_within_sources(table: Floats, ratings: Floats, labels: Integers, epsilons: ArrayLike | None) -> Floats:
    """The accuracy in each source with fixed epsilons, one per metric: (metrics, sources), NaN without a pair."""
    if epsilons is None:
        raise InputError(f"the accuracies have no epsilons; expected one for each of the {len(table)} metrics")
    fixed = vector(epsilons, "the epsilons")
    if len(fixed) != len(table) or (fixed < 0).any():
        raise InputError(f"the epsilons are {fixed.tolist()}; expected {len(table)} numbers of at least 0")
    first, second, source = _places(labels)
    number = int(labels.max()) + 1
    size = np.bincount(source, minlength=number)
    right = np.sign(ratings[first] - ratings[second])
    values = np.full((len(table), number), math.nan)
    for metric, row in enumerate(table):
        gap = row[first] - row[second]
        correct = np.where(np.abs(gap) <= fixed[metric], 0.0, np.sign(gap)) == right
        np.divide(np.bincount(source, correct, number), size, out=values[metric], where=size > 0)
    return values


def calibrate(pairs: _Pairs) -> float:
    """The smallest epsilon of the best mean accuracy: 0, or one of the differences of scores.

    As epsilon grows past a pair's difference, the pair becomes a tie: won where people tie, lost where it agreed.
    """
    sizes = np.bincount(pairs.source)
    common = math.lcm(*(int(size) for size in np.unique(sizes[sizes > 0])))
    order = np.argsort(pairs.gap, kind="stable")
    gaps = pairs.gap[order]
    change = (pairs.tied.astype(np.int64) - pairs.agree)[order]
    if common * len(sizes) < 2**62:  # whole numbers, so that equal accuracies are equal to the last bit
        gained = np.cumsum(change * (common // np.maximum(sizes, 1))[pairs.source[order]])
    else:
        gained = np.cumsum(change / sizes[pairs.source[order]])
    last = np.flatnonzero(np.append(gaps[1:] != gaps[:-1], True))  # all pairs of one difference become ties at once
    candidates, gains = gaps[last], gained[last]
    if candidates[0] > 0:
        candidates, gains = np.append(0.0, candidates), np.append(gains.dtype.type(0), gains)
    return float(candidates[np.argmax(gains)])


def system_pairwise_accuracy(scores: ArrayLike, human: ArrayLike) -> SystemAccuracy:
    """The share of pairs of systems with sign(Δ score) = sign(Δ rating) (Kocmi et al. 2021, To Ship or Not to Ship).

    One score and one rating per system. Two systems that people rate exactly alike are ranked rightly only by a tie.
    """
    means, ratings = vector(scores, "the scores"), vector(human, "the ratings")
    if len(means) != len(ratings):
        raise InputError(f"there are {len(means)} scores and {len(ratings)} ratings; expected one of each per system")
    first, second = np.triu_indices(len(means), 1)
    if not len(first):
        return SystemAccuracy(math.nan, 0, 0, 0, "there are fewer than 2 systems")
    right = np.sign(ratings[first] - ratings[second])
    correct = int((np.sign(means[first] - means[second]) == right).sum())
    return SystemAccuracy(correct / len(first), len(first), correct, int((right == 0).sum()), "")


def soft_pairwise_accuracy(
    scores: ArrayLike, human: ArrayLike, permutations: int = 1000, seed: int = 0
) -> SoftAccuracy:
    """SPA = mean over pairs of systems of 1 − |p_human − p_metric| (Thompson et al. 2024, Improving Statistical
    Significance in Human Evaluation of Automatic Metrics via Soft Pairwise Accuracy).

    `scores` and `human` have shape (systems, segments); NaN is missing, and a pair of systems is compared on the
    segments where all four numbers are there. p is the one-sided p-value of a paired permutation test that the first
    system is the better one: the signs of the segments' differences are flipped at random, the same flips for the
    metric and for people. p = (c+1)/(n+1), where the paper has c/n; the value moves by less than 1/n.
    """
    table, ratings = numbers(scores, "the scores"), numbers(human, "the ratings")
    if table.ndim != 2 or table.shape != ratings.shape:
        raise InputError(f"scores have shape {table.shape} and ratings {ratings.shape}; expected (systems, segments)")
    if np.isinf(table).any() or np.isinf(ratings).any():
        raise InputError("scores or ratings are infinite; expected numbers, or NaN where one is missing")
    count(permutations, "the number of permutations")
    random = np.random.default_rng(count(seed, "the seed", 0))
    first, second = np.triu_indices(len(table), 1)
    gaps = [values[first] - values[second] for values in (table, ratings)]
    shared: Flags = np.logical_not(np.isnan(gaps[0] + gaps[1]))
    kept: Flags = np.any(shared, axis=1)
    gaps = [np.where(shared, part, 0.0)[kept] for part in gaps]
    if not kept.any():
        return SoftAccuracy(math.nan, 0, len(kept), "no two systems have a segment in common")
    # the all-positive flip must count as no smaller than the observed sum, whatever the order of addition
    least = [part.sum(axis=1) - _ROUNDING * np.abs(part).sum(axis=1) for part in gaps]
    reached = [np.ones(len(part)) for part in gaps]
    step = max(1, _BLOCK // table.shape[1])
    for start in range(0, permutations, step):
        size = (table.shape[1], min(step, permutations - start))
        signs = 2.0 * random.integers(0, 2, size=size) - 1.0
        for place, part in enumerate(gaps):
            reached[place] += (part @ signs >= least[place][:, None]).sum(axis=1)
    difference = np.abs(reached[0] - reached[1]) / (permutations + 1)
    return SoftAccuracy(float(1 - difference.mean()), int(kept.sum()), int((~kept).sum()), "")


def _places(labels: Integers) -> tuple[Integers, Integers, Integers]:
    """The first and second row of every pair within a source, and the source."""
    order = np.argsort(labels, kind="stable")
    starts, sizes = np.unique(labels[order], return_index=True, return_counts=True)[1:]
    first, second = [], []
    for size in np.unique(sizes):  # sources of one size are paired together
        one, two = np.triu_indices(size, 1)
        begin = starts[sizes == size][:, None]
        first.append(order[(begin + one).ravel()])
        second.append(order[(begin + two).ravel()])
    rows = [np.concatenate(part or [np.empty(0, dtype=np.int64)]) for part in (first, second)]
    return rows[0], rows[1], labels[rows[0]]


def _pairs(row: Floats, ratings: Floats, labels: Integers) -> _Pairs:
    first, second, source = _places(labels)
    gap, right = row[first] - row[second], ratings[first] - ratings[second]
    agree = (np.sign(gap) == np.sign(right)) & (right != 0)
    return _Pairs(source, np.abs(gap), agree, right == 0, int(labels.max(initial=-1)) + 1)


def _chosen(pairs: _Pairs, sources: Integers) -> _Pairs:
    inside = np.isin(pairs.source, sources)
    return _Pairs(pairs.source[inside], pairs.gap[inside], pairs.agree[inside], pairs.tied[inside], pairs.number)
