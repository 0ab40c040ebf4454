"""Does an intrinsic score of a paraphrased text go with the classifier getting it right? Table 3 of Hailu et al."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from ...errors import InputError
from ...meta.statistics.intervals import resample
from ...metric import Floats
from ...tables.bootstrap import RESAMPLES

MEASURES = ("pearson", "spearman")


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


def associations(
    scores: Mapping[str, Floats], correct: ArrayLike, resamples: int = RESAMPLES, seed: int = 0
) -> list[Association]:
    """For each metric: its scores of the paraphrased texts against the answers, (seeds, texts), right or wrong.

    All seeds count, and intervals draw texts again with the answers of every seed, since these are about one text.
    Texts that a metric has no score of are left out for that metric. p is two-sided, of "no correlation", by the same
    resamples.
    """
    answers = np.asarray(correct, dtype=np.float64)
    if answers.ndim != 2:
        raise InputError(f"the answers have shape {answers.shape}; expected (seeds, texts)")
    return [_one(name, own, answers, resamples, seed) for name, own in scores.items()]


def _one(metric: str, scores: Floats, answers: Floats, resamples: int, seed: int) -> Association:
    if scores.shape != (answers.shape[1],):
        raise InputError(f"{len(scores)} scores of {metric} for {answers.shape[1]} texts; expected one a text")
    known = np.flatnonzero(~np.isnan(scores))
    own, right = scores[known], answers[:, known]
    reason = _undefined(own, right)
    if reason:
        lacking = dict.fromkeys(Association._fields[1:-2], math.nan)
        return Association(metric=metric, texts=len(known), reason=reason, **lacking)
    pooled, flat = np.tile(own, len(right)), right.ravel()
    texts = np.tile(np.arange(len(known)), len(right))
    numbers = {"biserial": point_biserial(pooled, flat)}
    for measure in MEASURES:
        drawn = resample(pooled[None], flat, texts, measure, resamples=resamples, seed=seed)
        low, high = drawn.interval(0)
        numbers |= {measure: float(drawn.point[0]), f"{measure}_low": low, f"{measure}_high": high}
        numbers[f"{measure}_p"] = _p(drawn.values[0])
    return Association(metric=metric, texts=len(known), reason="", **numbers)


def _undefined(scores: Floats, right: Floats) -> str:
    if len(scores) < 3:
        return f"{len(scores)} texts have a score; expected 3 or more"
    if scores.min() == scores.max():
        return "the scores are constant"
    if right.min() == right.max():
        return f"every answer is {'right' if right.min() else 'wrong'}"
    return ""


def _p(values: Floats) -> float:
    """Two-sided: twice the share of resamples on the smaller side of zero, (c+1)/(n+1)."""
    values = values[~np.isnan(values)]
    tails = [(int((sign * values <= 0).sum()) + 1) / (len(values) + 1) for sign in (1, -1)]
    return min(1.0, 2 * min(tails))


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
