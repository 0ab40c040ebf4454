"""Is one metric really better than another: tests of differences in agreement, and the clusters they make."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import InputError
from .arrays import LEVELS, Floats, Integers, choice, codes, count, matrix, numbers, vector
from .correlation import correlate_many
from .correlations import names
from .interval import Resamples, widen_p, widen_tail
from .resample import RESAMPLES

ALPHA = 0.05
METHODS = ("both", "crossed", "inputs", "systems")
_ROUNDING = 1e-12  # differences closer than this are equal but for the order of their sums
_BLOCK = 4_000_000  # numbers held at once


class Williams(NamedTuple):
    """Williams' t with n − 3 degrees of freedom; `p` of "not greater", `p_two_sided` of "equal"; NaN with a reason."""

    t: float
    p: float
    p_two_sided: float
    n: int
    reason: str


class Permutation(NamedTuple):
    """How much better the first metric is, and the p-values over `permutations` permutations; NaN with a reason."""

    difference: float
    p: float
    p_two_sided: float
    permutations: int
    reason: str


def williams(r12: float, r13: float, r23: float, n: int) -> Williams:
    """Is r12, the correlation of people (1) with metric 2, greater than r13, theirs with metric 3? n is the rows.

    t = (r12 − r13) √((n−1)(1+r23)) / √(2 K (n−1)/(n−3) + (r12+r13)² (1−r23)³ / 4), where
    K = 1 − r12² − r13² − r23² + 2 r12 r13 r23 (Williams 1959; for metrics, Graham and Baldwin 2014). r23 is the
    correlation of the two metrics. The test is made for Pearson's r and independent rows: where sources have several
    candidates its p-values are too small, and the bootstrap by source (`bootstrap_matrix`) is to be preferred.
    """
    for name, value in (("r12", r12), ("r13", r13), ("r23", r23)):
        if math.isnan(value):
            return Williams(math.nan, math.nan, math.nan, n, f"{name} is undefined")
        if not -1 <= value <= 1:
            raise InputError(f"{name} is {value!r}; expected a correlation, from -1 to 1")
    count(n, "the number of rows", 0)
    # no three variables have correlations with a negative determinant; rounding may take it a little below 0
    if 1 - r12**2 - r13**2 - r23**2 + 2 * r12 * r13 * r23 < -1e-9:
        raise InputError(
            f"the correlations {r12}, {r13} and {r23} contradict each other; expected those of three variables"
        )
    if n < 4:
        return Williams(math.nan, math.nan, math.nan, n, f"there are {n} rows, and the test needs 4")
    t, p, two_sided = (float(part[0]) for part in _williams(np.array([r12]), np.array([r13]), np.array([r23]), n))
    reason = "the two metrics are perfectly correlated" if math.isnan(t) else ""
    return Williams(t, p, two_sided, n, reason)


def williams_matrix(scores: ArrayLike, human: ArrayLike, statistic: str = "pearson") -> Floats:
    """One-sided p-values of Williams' test for all pairs, (metrics, metrics): [a, b] small where a is better than b.

    Pooled over all rows. NaN on the diagonal, and where a correlation is undefined or 1.
    """
    ratings = vector(human, "the ratings")
    table = matrix(scores, "the scores", len(ratings))
    agreement = correlate_many(table, ratings, statistic)
    between = np.stack([correlate_many(table, row, statistic) for row in table]) if len(table) else np.empty((0, 0))
    if len(ratings) < 4:
        return np.full(between.shape, math.nan)
    one, two = np.broadcast_to(agreement[:, None], between.shape), np.broadcast_to(agreement, between.shape)
    values = _williams(one, two, between, len(ratings))[1]
    np.fill_diagonal(values, math.nan)
    return values


def _williams(r12: Floats, r13: Floats, r23: Floats, n: int) -> tuple[Floats, Floats, Floats]:
    from scipy.special import stdtr

    determinant = np.maximum(1 - r12**2 - r13**2 - r23**2 + 2 * r12 * r13 * r23, 0.0)
    lengths = np.sqrt(2 * determinant * (n - 1) / (n - 3) + (r12 + r13) ** 2 / 4 * (1 - r23) ** 3)
    top = (r12 - r13) * np.sqrt((n - 1) * (1 + r23))
    usable = (lengths > 0) & (r23 < 1 - _ROUNDING)
    t: Floats = np.divide(top, lengths, out=np.full(top.shape, math.nan), where=usable)
    p: Floats = stdtr(n - 3, -t)
    two_sided: Floats = 2 * stdtr(n - 3, -np.abs(t))
    return t, p, two_sided


def bootstrap_matrix(drawn: Resamples) -> Floats:
    """One-sided p-values for all pairs on shared resamples, (metrics, metrics): [a, b] small where a is better.

    p is (c+1)/(n+1), where in c of n resamples a is not ahead of b (Koehn 2004), made larger for few units.
    """
    number = len(drawn.point)
    values = np.full((number, number), math.nan)
    if drawn.units < 2:
        return values
    undefined = np.isnan(drawn.values)
    for one in range(number):
        usable = ~(undefined | undefined[one])
        behind = (drawn.values[one] <= drawn.values) & usable
        values[one] = widen_p((behind.sum(axis=1) + 1) / (usable.sum(axis=1) + 1), drawn.units)
    values[np.isnan(drawn.point)] = math.nan
    values[:, np.isnan(drawn.point)] = math.nan
    np.fill_diagonal(values, math.nan)
    return values


def permutation(
    scores_a: ArrayLike,
    scores_b: ArrayLike,
    human: ArrayLike,
    sources: ArrayLike | None = None,
    systems: ArrayLike | None = None,
    level: str = "pooled",
    statistic: str = "pearson",
    method: str = "both",
    permutations: int = RESAMPLES,
    seed: int = 0,
) -> Permutation:
    """Does metric a agree better with people than b, when their scores are swapped (Deutsch, Dror and Roth 2021)?

    Both are standardised over all rows, so that their scores may stand in for each other; then a random half of them
    is swapped. `inputs` swaps whole sources, `systems` whole systems, and `both` each row by itself, as the metrics
    task of WMT does (mt-metrics-eval). `crossed` swaps systems and then sources, so that a row is swapped if one of
    the two is: so the authors' package nlpstats has it under the name "both". All work with any number of rows
    per source and system. p = (c+1)/(n+1), where nlpstats has c/n.
    """
    one, two = vector(scores_a, "the scores of a"), vector(scores_b, "the scores of b")
    ratings = vector(human, "the ratings")
    if not len(one) == len(two) == len(ratings):
        found = f"{len(one)} scores of a, {len(two)} of b and {len(ratings)} ratings"
        raise InputError(f"there are {found}; expected one of each per row")
    choice(method, METHODS, "method")
    choice(level, LEVELS, "level")
    choice(statistic, names(), "statistic")
    count(permutations, "the number of permutations")
    random = np.random.default_rng(count(seed, "the seed", 0))
    labels = _groups(method, sources, systems, len(ratings))
    for name, values in (("a", one), ("b", two)):
        if not len(values) or values.min() == values.max():
            return Permutation(math.nan, math.nan, math.nan, 0, f"the scores of {name} are constant")

    def gap(first: Floats, second: Floats) -> Floats:
        return np.subtract(
            *(correlate_many(part, ratings, statistic, level, sources, systems) for part in (first, second))
        )

    one, two = ((values - values.mean()) / values.std() for values in (one, two))
    observed = float(gap(one[None], two[None])[0])
    if math.isnan(observed):
        return Permutation(observed, math.nan, math.nan, 0, "the agreement of a metric is undefined")
    step = max(1, _BLOCK // len(ratings))
    blocks = []
    for start in range(0, permutations, step):
        swapped = _swaps(random, labels, min(step, permutations - start))
        blocks.append(gap(np.where(swapped, two, one), np.where(swapped, one, two)))
    gaps = np.concatenate(blocks)
    gaps = gaps[~np.isnan(gaps)]
    p = (int((gaps >= observed - _ROUNDING).sum()) + 1) / (len(gaps) + 1)
    two_sided = (int((np.abs(gaps) >= abs(observed) - _ROUNDING).sum()) + 1) / (len(gaps) + 1)
    return Permutation(observed, p, two_sided, len(gaps), "")


def _groups(method: str, sources: ArrayLike | None, systems: ArrayLike | None, rows: int) -> list[Integers]:
    """What is swapped together."""
    if method == "both":
        return [np.arange(rows)]
    labels = []
    if method in ("inputs", "crossed"):
        labels.append(codes(sources, "sources", rows))
    if method in ("systems", "crossed"):
        labels.append(codes(systems, "systems", rows))
    return labels


def _swaps(random: np.random.Generator, labels: list[Integers], number: int) -> NDArray[np.bool_]:
    """Which rows are swapped in each permutation: those of an odd number of chosen groups."""
    swapped = np.zeros((number, len(labels[0])), dtype=np.bool_)
    for groups in labels:
        chosen = random.integers(0, 2, size=(number, int(groups.max()) + 1), dtype=np.int8) == 1
        swapped ^= chosen[:, groups]
    return swapped


def holm(p: ArrayLike) -> Floats:
    """p-values adjusted for their number (Holm 1979): sorted, the i-th of m times m−i+1, never falling, at most 1.

    Undefined p-values (NaN) stay undefined and are not counted.

    >>> holm([0.01, 0.04, 0.03]).tolist()
    [0.03, 0.06, 0.06]
    """
    values = numbers(p, "the p-values")
    flat = values.ravel()
    tested = np.flatnonzero(~np.isnan(flat))
    if ((flat[tested] < 0) | (flat[tested] > 1)).any():
        raise InputError("a p-value is outside 0 to 1; expected p-values")
    adjusted = np.full(flat.shape, math.nan)
    order = tested[np.argsort(flat[tested], kind="stable")]
    steps = flat[order] * np.arange(len(order), 0, -1)
    adjusted[order] = np.minimum(np.maximum.accumulate(steps), 1.0) if len(order) else steps
    return adjusted.reshape(values.shape)


def resamples_needed(metrics: int, sources: int | None = None) -> int:
    """How many resamples it takes for all pairs to be told apart at 5% after Holm's correction, with some to spare.

    The smallest tail of n resamples of the sources is 1/(n+1); the two-sided p-value is twice what that stands for, so
    that few sources need more resamples. Without sources: permutations, whose two-sided p-value is itself 1/(n+1).
    """
    if metrics < 2 or sources == 1:
        return 1
    level = ALPHA / (metrics * (metrics - 1) / 2)
    tail = level if sources is None else widen_tail(level / 2, sources)
    return math.ceil(1.25 / max(tail, 1e-12))  # the tail of very few sources is next to nothing


def clusters(order: Sequence[int], pvalues: ArrayLike, alpha: float = ALPHA) -> list[list[int]]:
    """Significance clusters as in the metrics task of WMT (mt-metrics-eval), best first.

    `order` lists the metrics from best to worst, and `pvalues[a, b]` is the p-value of a being better than b. Where the
    same data gave the order, the direction of each test was chosen by looking: two equally good metrics are then told
    apart in 5% of all cases by two-sided p-values, and in 10% by the one-sided ones that mt-metrics-eval takes.
    Walking down, a metric opens a new cluster if some metric of the current cluster is significantly better than it
    (p ≤ alpha), and else joins it. So no metric of a cluster is significantly better than another of it that stands
    below; but a metric may fail to differ from one of the cluster above. An undefined p-value counts as no difference.
    """
    table = numbers(pvalues, "the p-values")
    if table.ndim != 2 or table.shape[0] != table.shape[1]:
        raise InputError(f"the p-values have shape {table.shape}; expected (metrics, metrics)")
    if len(set(order)) != len(order) or not set(order) <= set(range(len(table))):
        raise InputError(f"the order is {list(order)}; expected different numbers from 0 to {len(table) - 1}")
    if not 0 < alpha < 1:
        raise InputError(f"alpha is {alpha!r}; expected a number between 0 and 1")
    found: list[list[int]] = []
    for metric in order:
        if not found or any(table[better, metric] <= alpha for better in found[-1]):
            found.append([])
        found[-1].append(int(metric))
    return found
