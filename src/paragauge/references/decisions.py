"""Pairwise decisions of a metric against human rankings of outputs (DARR), and how further references change them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..errors import InputError
from .human import Rankings

Floats = NDArray[np.float64]
Booleans = NDArray[np.bool_]
# Two outputs with other counts can have the same BLEU, and then the last bits depend on the order of the arithmetic:
# what differs by no more than that is a tie. Scores that truly differ do so by far more.
ROUNDING = 1e-12


class Agreement(NamedTuple):
    """How a metric's scores agree with human rankings; `value` is NaN where no ranking could be compared."""

    value: float
    rankings: int
    concordant: int
    discordant: int
    ties: int
    undefined: int  # rankings of which the metric has no score, left out


class Changes(NamedTuple):
    """Decisions that became right, and that became wrong, with other scores."""

    improved: int
    degraded: int
    rankings: int

    @property
    def improved_share(self) -> float:
        return self.improved / self.rankings if self.rankings else np.nan

    @property
    def degraded_share(self) -> float:
        return self.degraded / self.rankings if self.rankings else np.nan


def agreement(segments: Floats, rankings: Rankings) -> Agreement:
    """The Kendall-τ-like statistic of WMT 2017 to 2020 (Ma et al. 2019, Results of the WMT19 Metrics Shared Task).

    (concordant − discordant) / (concordant + discordant), a tie of the metric being discordant, as people ranked the
    two. `segments` is (systems, segments), higher is better.
    """
    margins = _margins(segments, rankings)
    undefined = int(np.isnan(margins).sum())
    concordant, ties = int((margins > 0).sum()), int((margins == 0).sum())
    compared = len(margins) - undefined
    value = (2 * concordant - compared) / compared if compared else np.nan
    return Agreement(value, len(margins), concordant, compared - concordant - ties, ties, undefined)


def changes(before: Floats, after: Floats, rankings: Rankings) -> Changes:
    """What becomes of each decision when `before` is replaced by `after`; a tie is a wrong decision."""
    right, then, compared = _both(before, after, rankings)
    return Changes(int((~right & then & compared).sum()), int((right & ~then & compared).sum()), int(compared.sum()))


def segment_sums(before: Floats, after: Floats, rankings: Rankings) -> Floats:
    """Of each segment: rankings that both compare, right before, right after; shape (segments, 3)."""
    right, then, compared = _both(before, after, rankings)
    columns = [compared, right & compared, then & compared]
    return np.stack(
        [np.bincount(rankings.segment, weights=column, minlength=before.shape[1]) for column in columns], axis=1
    )


def _both(before: Floats, after: Floats, rankings: Rankings) -> tuple[Booleans, Booleans, Booleans]:
    if before.shape != after.shape:
        raise InputError(f"scores of shape {before.shape} and {after.shape}; expected the same systems and segments")
    old, new = _margins(before, rankings), _margins(after, rankings)
    return old > 0, new > 0, ~(np.isnan(old) | np.isnan(new))


def _margins(segments: Floats, rankings: Rankings) -> Floats:
    if segments.ndim != 2:
        raise InputError(f"scores of shape {segments.shape}; expected (systems, segments)")
    if len(rankings) and (
        rankings.segment.max() >= segments.shape[1]
        or max(rankings.better.max(), rankings.worse.max()) >= segments.shape[0]
    ):
        raise InputError(f"the rankings name systems or segments beyond the {segments.shape} that have scores")
    better = segments[rankings.better, rankings.segment]
    worse = segments[rankings.worse, rankings.segment]
    margins = better - worse
    return np.where(np.abs(margins) <= ROUNDING * np.maximum(np.abs(better), np.abs(worse)), 0.0, margins)
