"""BERT-iBLEU taken apart: what of its agreement with people is Sim's, and what the rest adds."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from paragauge.errors import InputError
from paragauge.meta.scored import RatedScores
from paragauge.metric import Floats
from paragauge.metrics.overall.bert_ibleu import harmonic
from paragauge.stats.resample import RESAMPLES
from paragauge.tables.ratings import Codes

from .agreements import Agreement, agreements, check_rows

BETAS = (4.0, 5.0, 10.0)


class Decomposition(NamedTuple):
    """BERT-iBLEU with one β, and its two addends."""

    beta: float
    score: Agreement
    similarity: Agreement  # the same for every β
    mix: Agreement
    share: float  # of the score's covariance with people, what comes from Mix: cov(Mix, h) / cov(score, h)


def mix(similarity: Floats, changed: Floats, beta: float) -> Floats:
    """What is added to Sim to get BERT-iBLEU: S·(D − S) / (βD + S), where S is Sim and D is 1 − SelfBLEU.

    From (β+1)·S·D / (βD + S) − S. It is positive where more wording is changed than meaning kept, and fades as β grows.
    Where S or D is not above 0 the score is 0, and Mix is −S.
    """
    return harmonic(similarity, changed, beta) - similarity


def decompose(
    similarity: Floats,
    changed: Floats,
    human: Floats,
    sources: Codes,
    betas: Sequence[float] = BETAS,
    statistic: str = "pearson",
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> list[Decomposition]:
    """Table 13 and appendix E of Shen et al. 2022: BERT-iBLEU = Sim + Mix, each part correlated with human ratings.

    Mix is the appendix's (Sim·Div − Sim²) / (β·Div + Sim). `changed` is Div = 1 − SelfBLEU.
    """
    check_rows({}, human, sources, similarities=similarity, changes=changed)
    for beta in betas:
        if not 0 <= beta < np.inf:
            raise InputError(f"β = {beta} cannot weigh a mean; expected a number from 0")
    result = []
    for beta in betas:
        parts = {"score": harmonic(similarity, changed, beta), "sim": similarity, "mix": mix(similarity, changed, beta)}
        parts["sim"] = np.where(np.isnan(parts["mix"]), np.nan, similarity)  # all three on the same rows
        found = agreements(parts, human, sources, statistic, resamples, seed)
        whole = _covariance(parts["score"], human)
        share = _covariance(parts["mix"], human) / whole if whole else math.nan
        result.append(Decomposition(float(beta), found["score"], found["sim"], found["mix"], share))
    return result


def decompose_of(
    scored: RatedScores,
    betas: Sequence[float] = BETAS,
    statistic: str = "pearson",
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> list[Decomposition]:
    """`decompose` with the columns `bertscore.free` and `bleu.free`, which are the parts of BERT-iBLEU."""
    ratings = scored.ratings
    changed = 1 - np.clip(scored["bleu.free"] / 100, 0, 1)
    return decompose(
        scored["bertscore.free"], changed, ratings.human, ratings.sources(), betas, statistic, resamples, seed
    )


def _covariance(column: Floats, human: Floats) -> float:
    known = ~(np.isnan(column) | np.isnan(human))
    if not known.any():
        return math.nan
    return float(np.mean((column[known] - column[known].mean()) * (human[known] - human[known].mean())))
