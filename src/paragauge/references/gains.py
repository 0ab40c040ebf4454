"""What additional references gain: correlation with people at the system level, agreement with them on segments."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..errors import InputError
from ..stats.correlation import correlate_many, pearson
from ..stats.interval import Resamples
from ..stats.pairwise import pairwise_accuracy, soft_pairwise_accuracy, system_pairwise_accuracy
from ..stats.resample import RESAMPLES, draw
from ..stats.tests import bootstrap_matrix, williams
from .human import Rankings, agreement, changes, segment_sums
from .scoring import SystemScores

Floats = NDArray[np.float64]


class SystemGain(NamedTuple):
    """Pearson correlation of corpus scores with human scores of systems, without and with additional references.

    `low` and `high` bound the gain in 95% of resamples of the segments, the human scores held fixed; `p` is of
    Williams's one-sided test that the correlation has grown, systems being the sample. The accuracies are the share of
    pairs of systems that are ranked as by people.
    """

    task: str
    extras: int
    systems: int
    single: float = np.nan
    augmented: float = np.nan
    gain: float = np.nan
    relative: float = np.nan  # in percent of `single`; NaN where that is not above 0
    low: float = np.nan
    high: float = np.nan
    p: float = np.nan
    accuracy_single: float = np.nan
    accuracy_augmented: float = np.nan
    reason: str = ""


class SegmentGain(NamedTuple):
    """Agreement with human rankings (Kendall's τ as in DARR), without and with additional references.

    Segments are resampled, with all rankings of a segment together: rankings of one segment share its reference and
    its outputs, so they are not independent. `p` is the share of resamples without gain, (c + 1) / (n + 1), made larger
    for few segments as the interval is made wider.
    """

    task: str
    extras: int
    rankings: int
    single: float
    augmented: float
    gain: float
    relative: float  # in percent of `single`; NaN where that is not above 0
    low: float
    high: float
    p: float
    improved: float  # share of decisions that became right
    degraded: float
    reason: str


class ScoredSegmentsGain(NamedTuple):
    """Where people scored every segment: soft pairwise accuracy of systems, tie-calibrated accuracy of segments."""

    task: str
    extras: int
    systems: int
    soft_single: float
    soft_augmented: float
    tied_single: float
    tied_augmented: float
    epsilon_single: float
    epsilon_augmented: float
    reason: str


class Spread(NamedTuple):
    """Mean, smallest and largest of the gains of several language pairs; NaN gains are left out and counted."""

    mean: float
    low: float
    high: float
    left_out: int


def system_gain(
    single: SystemScores,
    augmented: SystemScores,
    human: Mapping[str, float],
    task: str = "",
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> SystemGain:
    """The gain over the systems that people have judged, and the segments that have a score without the extras too."""
    _same(single, augmented)
    defined = ~np.isnan(single.segments), ~np.isnan(augmented.segments)
    shared = np.logical_and(*(np.any(there, axis=0) for there in defined))
    places = np.array([place for place, system in enumerate(single.systems) if system in human], dtype=np.intp)
    judged = np.array([human[single.systems[place]] for place in places])
    before, after = (scored.sign * _corpus(scored, shared)[places] for scored in (single, augmented))
    if np.isnan(before).any() or np.isnan(after).any():
        raise InputError(f"{task}: a system has no corpus score with {single.metric.spec}; expected one of each")
    if len(places) < 3 or np.ptp(judged) == 0:
        reason = f"people judged {len(places)} of the systems with outputs; a correlation needs 3"
        reason = reason if len(places) < 3 else "people judged all systems alike"
        return SystemGain(task=task, extras=augmented.extras, systems=len(places), reason=reason)
    old, new = pearson(before, judged), pearson(after, judged)
    p, reason = _williams(before, after, judged)
    reason = old.reason or new.reason or reason
    low = high = np.nan
    if not (old.reason or new.reason):
        weights = draw(len(shared), resamples, seed) * shared
        drawn = [scored.sign * scored.resampled(weights)[:, places] for scored in (augmented, single)]
        # where segments are few, a resample may hold none that a system has a score of
        known = ~np.isnan(np.concatenate(drawn, axis=1)).any(axis=1)
        values = np.stack([correlate_many(scores[known], judged) for scores in drawn])
        both = Resamples(values, np.array([new.value, old.value]), int(shared.sum()))
        _, low, high, _ = both.difference(0, 1).numbers
    ranked, reranked = (system_pairwise_accuracy(scores, judged).value for scores in (before, after))
    numbers = (*_change(old.value, new.value), low, high, p, ranked, reranked)
    return SystemGain(task, augmented.extras, len(places), *numbers, reason)


def segment_gain(
    single: SystemScores,
    augmented: SystemScores,
    rankings: Rankings,
    task: str = "",
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> SegmentGain:
    """The gain over all rankings of which both have scores."""
    _same(single, augmented)
    before, after = single.sign * single.segments, single.sign * augmented.segments
    undefined = np.isnan(before) | np.isnan(after)  # a first reference may be missing where an extra is there
    before, after = (np.where(undefined, np.nan, scores) for scores in (before, after))
    old, new = agreement(before, rankings), agreement(after, rankings)
    changed = changes(before, after, rankings)
    sums = segment_sums(before, after, rankings)
    reason = "" if changed.rankings else "no ranking could be compared"
    low = high = p = np.nan
    judged = sums[sums[:, 0] > 0]
    if len(judged) > 1:
        both = resampled_agreement(sums, resamples, seed)
        _, low, high, _ = both.difference(0, 1).numbers
        p = float(bootstrap_matrix(both)[0, 1])
    elif changed.rankings:
        reason = "all rankings are of one segment: there is nothing to resample"
    numbers = (*_change(old.value, new.value), low, high, p, changed.improved_share, changed.degraded_share)
    return SegmentGain(task, augmented.extras, changed.rankings, *numbers, reason)


def scored_segments_gain(
    single: SystemScores,
    augmented: SystemScores,
    human: Floats,
    task: str = "",
    permutations: int = 1000,
    seed: int = 0,
) -> ScoredSegmentsGain:
    """With a human score of every output of a segment: `human` is (systems, segments), NaN where one is missing."""
    _same(single, augmented)
    if human.shape != single.segments.shape:
        raise InputError(f"{human.shape} human scores for {single.segments.shape} outputs; expected one of each")
    found = []
    # both on the same outputs, so that a reference that only one of them has is not a gain
    human = np.where(np.isnan(single.segments) | np.isnan(augmented.segments), np.nan, human)
    for scored in (single, augmented):
        scores = scored.sign * scored.segments
        soft = soft_pairwise_accuracy(scores, human, permutations, seed)
        there = ~(np.isnan(scores) | np.isnan(human))
        segments = np.broadcast_to(np.arange(human.shape[1]), human.shape)[there]
        labels = np.unique(segments, return_inverse=True)[1]
        found.append((soft, pairwise_accuracy(scores[there], human[there], labels)))
    (soft_old, tied_old), (soft_new, tied_new) = found
    judged = int((~np.isnan(human)).any(axis=1).sum())
    values = soft_old.value, soft_new.value, tied_old.value, tied_new.value, tied_old.epsilon, tied_new.epsilon
    return ScoredSegmentsGain(task, augmented.extras, judged, *values, soft_old.reason or tied_old.reason)


def spread(gains: Sequence[float]) -> Spread:
    """Mean, smallest and largest."""
    defined = [gain for gain in gains if not np.isnan(gain)]
    if not defined:
        return Spread(np.nan, np.nan, np.nan, len(gains))
    return Spread(float(np.mean(defined)), min(defined), max(defined), len(gains) - len(defined))


def resampled_agreement(sums: Floats, resamples: int = RESAMPLES, seed: int = 0) -> Resamples:
    """Agreement with people after and before, when segments are drawn again; `sums` are those of `segment_sums`."""
    totals = np.vstack([sums.sum(axis=0), draw(len(sums), resamples, seed) @ sums])
    number = np.where(totals[:, 0] > 0, totals[:, 0], np.nan)
    values = np.stack([(2 * totals[:, place] - number) / number for place in (2, 1)])
    return Resamples(values[:, 1:], values[:, 0], int((sums[:, 0] > 0).sum()))


def _corpus(scored: SystemScores, shared: NDArray[np.bool_]) -> Floats:
    """The corpus scores over some of the segments."""
    return scored.corpus if shared.all() else scored.resampled(shared.astype(np.float64)[None])[0]


def _williams(before: Floats, after: Floats, judged: Floats) -> tuple[float, str]:
    """One-sided p-value of r(after, human) > r(before, human)."""
    if len(judged) < 4:
        return np.nan, f"Williams's test needs 4 systems, and there are {len(judged)}"
    between = pearson(before, after)
    if between.reason:
        return np.nan, between.reason
    if np.allclose(before, after, rtol=1e-12, atol=0):
        return np.nan, "both give every system the same score"
    grown, plain = pearson(after, judged).value, pearson(before, judged).value
    return williams(grown, plain, between.value, len(judged)).p, ""


def _change(before: float, after: float) -> tuple[float, float, float, float]:
    """Both, the gain, and what it is in percent of the first.

    A share of nothing or of a negative correlation means nothing, and its sign would be wrong.
    """
    return before, after, after - before, 100 * (after / before - 1) if before > 0 else np.nan


def _same(single: SystemScores, augmented: SystemScores) -> None:
    if single.systems != augmented.systems or single.segments.shape != augmented.segments.shape:
        raise InputError("the two scorings have other systems or segments; expected the same task")
    if single.metric != augmented.metric:
        raise InputError(f"the scores are by {single.metric.spec} and {augmented.metric.spec}; expected one metric")
