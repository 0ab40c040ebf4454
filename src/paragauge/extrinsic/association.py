"""Does an intrinsic score of a paraphrased text go with the classifier getting it right? Table 3 of Hailu et al."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from ..errors import InputError
from ..metric import Floats
from ..stats.arrays import ranked, ratio

MEASURES = ("pearson", "spearman")
_ROUNDING = 1e-12  # of a sum of squares


class Association(NamedTuple):
    """Correlations between a metric's scores and right (1) or wrong (0) answers, with 95% intervals over texts.

    `biserial` is the point-biserial correlation: as answers are 0 or 1, it is Pearson's r by another formula.
    """

    metric: str
    pearson: float
    pearson_low: float
    pearson_high: float
    pearson_p: float
    spearman: float
    spearman_low: float
    spearman_high: float
    spearman_p: float
    biserial: float
    texts: int
    reason: str  # why it is undefined, or nothing


def associations(scores: Mapping[str, Floats], correct: ArrayLike) -> list[Association]:
    """For each metric: its scores of the paraphrased texts against the answers, (seeds, texts), right or wrong.

    All seeds count; intervals leave out one text after the other with the answers of every seed, since these are about
    one text (`_estimate`). Texts that a metric has no score of are left out for that metric. p is two-sided, of "no
    correlation", and says what the interval says: it is 5% where the 95% interval ends at 0.
    """
    answers = np.asarray(correct, dtype=np.float64)
    if answers.ndim != 2:
        raise InputError(f"the answers have shape {answers.shape}; expected (seeds, texts)")
    return [_one(name, own, answers) for name, own in scores.items()]


def _one(metric: str, scores: Floats, answers: Floats) -> Association:
    if scores.shape != (answers.shape[1],):
        raise InputError(f"{len(scores)} scores of {metric} for {answers.shape[1]} texts; expected one a text")
    known = np.flatnonzero(~np.isnan(scores))
    own, right = scores[known], answers[:, known]
    reason = _undefined(own, right)
    if reason:
        lacking = dict.fromkeys(Association._fields[1:-2], math.nan)
        return Association(metric=metric, texts=len(known), reason=reason, **lacking)
    numbers = {"biserial": point_biserial(np.tile(own, len(right)), right.ravel())}
    for measure in MEASURES:
        found = _estimate(own, right, by_rank=measure == "spearman")
        numbers |= {f"{measure}{part}": value for part, value in zip(("", "_low", "_high", "_p"), found, strict=True)}
    return Association(metric=metric, texts=len(known), reason="", **numbers)


def _undefined(scores: Floats, right: Floats) -> str:
    if len(scores) < 3:
        return f"{len(scores)} texts have a score; expected 3 or more"
    if scores.min() == scores.max():
        return "the scores are constant"
    if right.min() == right.max():
        return f"every answer is {'right' if right.min() else 'wrong'}"
    return ""


def _estimate(scores: Floats, right: Floats, by_rank: bool) -> tuple[float, float, float, float]:
    """The correlation, its 95% interval and p, by Fisher's z, whose standard error is that of a jackknife of texts.

    Degrees of freedom are n − 2, as in the t test of a correlation. A percentile bootstrap is too narrow for few texts:
    of 1,000 samples of 12 texts, 70% of them right, whose scores have nothing to do with it, it found r not 0 in 13.6%,
    even when expanded for 12 units; this, of 3,000 samples, in 3.5%, with 30 texts in 5.0% and with 500 in 5.1%. Where
    without one of the texts nothing would be left to correlate, anything is possible. A correlation of 1 has no z, and
    is taken as in `fisher_interval`.
    """
    from scipy.special import stdtr, stdtrit

    seeds, texts = right.shape
    answers = right.sum(axis=0)
    whole, without = (_by_rank if by_rank else _by_value)(scores, answers)
    value = float(_correlation(whole, answers.sum(), seeds, texts))
    others = _correlation(without, answers.sum() - answers, seeds, texts - 1)
    if texts == 3 or np.isnan(others).any():
        return value, -1.0, 1.0, 1.0
    bound = 1 - 6 / (texts * (texts**2 - 1))
    z, around = (np.arctanh(np.clip(found, -bound, bound)) for found in (value, others))
    error = math.sqrt((texts - 1) * float(around.var())) or 1 / math.sqrt(texts - 3)
    reach = float(stdtrit(texts - 2, 0.975)) * error
    low, high = (math.tanh(float(z) + side * reach) for side in (-1, 1))
    p = 2 * float(stdtr(texts - 2, -abs(float(z)) / error))
    return value, -1.0 if value <= -bound else low, 1.0 if value >= bound else high, p


def _by_value(scores: Floats, answers: Floats) -> tuple[Floats, Floats]:
    """The sums over texts of scores, of their squares and of them times right answers; the same without each text."""
    values = scores - scores.mean()
    own = np.stack([values, values**2, values * answers])
    whole = own.sum(axis=1)
    return whole, whole[:, None] - own


def _by_rank(scores: Floats, answers: Floats) -> tuple[Floats, Floats]:
    """The same of ranks; without a text, those above it rank one lower, and its equals half of one."""
    values = ranked(scores[None])[0]
    whole, without = _by_value(values, answers)
    order = np.argsort(scores, kind="stable")
    first, end = (np.searchsorted(scores[order], scores, side) for side in ("left", "right"))

    def above_and_equal(numbers: Floats) -> tuple[Floats, Floats]:
        upto = np.concatenate([[0.0], np.cumsum(numbers[order])])
        return upto[-1] - upto[end], upto[end] - upto[first] - numbers

    (above, equal), (ranks_above, ranks_equal), (right_above, right_equal) = map(
        above_and_equal, (np.ones(len(scores)), values - values.mean(), answers)
    )
    lower = [above + equal / 2, 2 * ranks_above + ranks_equal - above - equal / 4, right_above + right_equal / 2]
    return whole, without - np.stack(lower)


def _correlation(sums: Floats, right: ArrayLike, seeds: int, texts: int) -> Floats:
    """Pearson's r over seeds and texts, of one score a text; NaN where scores or answers are constant.

    Answers are 0 or 1, so that they are their own squares, and their ranks a line of them.
    """
    total, squares, products = sums
    spread = texts * squares - total**2
    spread = np.where(spread > _ROUNDING * texts * squares, spread, 0.0)
    answers = np.asarray(right, dtype=np.float64)
    lengths = np.sqrt(spread * (seeds * texts * answers - answers**2))
    return ratio(np.asarray(texts * products - total * answers), lengths)


def point_biserial(scores: ArrayLike, right: ArrayLike) -> float:
    """(M₁ − M₀) / s · √(pq): the means of the scores of right and wrong answers, and the shares of both.

    >>> point_biserial([1, 2, 3, 4], [0, 0, 1, 1])
    0.8944271909999159
    """
    values, answers = np.asarray(scores, dtype=np.float64), np.asarray(right, dtype=np.float64)
    share = float(answers.mean())
    gap = values[answers == 1].mean() - values[answers == 0].mean()
    return float(gap / values.std() * math.sqrt(share * (1 - share)))


def stars(p: float) -> str:
    """As the paper marks them: * for p ≤ 0.05, ** for p ≤ 0.01."""
    return "**" if p <= 0.01 else "*" if p <= 0.05 else ""


def mean_scores(scores: Mapping[str, Floats]) -> dict[str, float]:
    """The mean of what is defined, for each metric; NaN where nothing is."""
    found = {}
    for name, own in scores.items():
        values = own[~np.isnan(own)]
        found[name] = float(values.mean()) if len(values) else math.nan
    return found
