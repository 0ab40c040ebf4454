"""How a study goes: how far it is, how well raters agree, whether each of them is careful, and how long they take."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence
from statistics import median
from typing import NamedTuple

import numpy as np

from ...stats.raters import Alpha, SignedRank, alpha, signed_rank
from ...stats.resample import RESAMPLES
from .design import Design, RaterAnswer, points, preferred
from .store import StudyStore

FEWEST_CHECKS = 5  # with fewer, not even a rater who is always right has p < 0.05
LEVEL = 0.05


class RaterProgress(NamedTuple):
    """One rater: NaN where nothing says it."""

    rater: str
    understood: bool
    attempts: int  # at the comprehension check
    judged: int  # tasks, checks among them
    skipped: int
    seconds: float  # median of a task
    agreement: float  # Pearson's r with the mean of the others; for comparisons, the share of equal choices
    leaning: float  # how much higher than the others' mean, on the scale of the ratings
    shared: int  # items that the former two rest on
    broken: SignedRank  # is the original above its broken copy?
    repeats: int
    apart: float  # mean distance of the ratings of a repeated item; for comparisons, the share of other choices
    verdict: str  # careful, not careful, or unknown


class StudyProgress(NamedTuple):
    """A study at this moment."""

    items: int
    complete: int  # items with as many raters as wanted
    judgments: int  # of items, without checks
    alphas: dict[str, Alpha]  # by question
    raters: list[RaterProgress]


def progress(store: StudyStore, resamples: int = RESAMPLES) -> StudyProgress:
    """Computed from all judgments; skipped tasks count as not judged."""
    rows = store.judgments()
    answered = [row for row in rows if not row.skipped]
    genuine = [row for row in answered if row.kind == "genuine"]
    number = np.bincount([row.unit for row in genuine], minlength=len(store.items.units))
    raters = [
        _rater(store, one.rater, one.understood, one.attempts, [row for row in rows if row.rater == one.rater], genuine)
        for one in store.raters()
    ]
    complete = int((number >= store.design.redundancy).sum())
    return StudyProgress(len(number), complete, len(genuine), alphas(store, genuine, resamples), raters)


def alphas(store: StudyStore, genuine: Sequence[RaterAnswer], resamples: int = RESAMPLES) -> dict[str, Alpha]:
    """Of ratings by their distance (interval), of choices by whether they are equal (nominal); sources resampled."""
    design = store.design
    units = [row.unit for row in genuine]
    sources = [store.samples.sources[store.items.units[unit][0]] for unit in units]
    kind = "interval" if design.task == "direct" else "nominal"
    found = {}
    for place, question in enumerate(design.asked):
        if design.task == "direct":
            values = [float(row.answer[question]) for row in genuine]
        else:
            # by the place in the item, which is random: what is expected by chance knows nothing of systems
            values = [_place(store, row, place) for row in genuine]
        found[question] = alpha(values, units, sources or None, kind, resamples)
    return found


def _place(store: StudyStore, row: RaterAnswer, place: int) -> float:
    chosen = preferred(store.design, row)
    return -1.0 if chosen == "neither" else float(store.items.units[row.unit].index(int(chosen[place])))


def _rater(
    store: StudyStore,
    name: str,
    understood: bool,
    attempts: int,
    own: Sequence[RaterAnswer],
    genuine: Sequence[RaterAnswer],
) -> RaterProgress:
    answered = [row for row in own if not row.skipped]
    agreement, leaning, shared = _agreement(store.design, name, genuine)
    broken = _broken(store.design, answered)
    apart = _repeats(store.design, answered)
    return RaterProgress(
        name, understood, attempts, len(answered), len(own) - len(answered),
        median(row.seconds for row in own) if own else math.nan, agreement, leaning, shared, broken,
        len(apart), float(np.mean(apart)) if apart else math.nan, _verdict(broken),
    )  # fmt: skip


def _verdict(broken: SignedRank) -> str:
    if broken.pairs < FEWEST_CHECKS:
        return "unknown"
    return "careful" if broken.p < LEVEL else "not careful"


def _agreement(design: Design, name: str, genuine: Sequence[RaterAnswer]) -> tuple[float, float, int]:
    units = {row.unit: row for row in genuine if row.rater == name}
    others = defaultdict(list)
    for row in genuine:
        if row.rater != name and row.unit in units:
            others[row.unit].append(row)
    if design.task != "direct":
        equal = [
            float(np.mean([preferred(design, units[unit]) == preferred(design, row) for row in rows]))
            for unit, rows in others.items()
        ]
        return (float(np.mean(equal)) if equal else math.nan), math.nan, len(equal)
    mine = np.array([points(design, units[unit])[0] for unit in others])
    theirs = np.array([np.mean([points(design, row)[0] for row in rows]) for rows in others.values()])
    leaning = float((mine - theirs).mean()) if len(mine) else math.nan
    if len(mine) < 3 or np.ptp(mine) == 0 or np.ptp(theirs) == 0:
        return math.nan, leaning, len(mine)
    return float(np.corrcoef(mine, theirs)[0, 1]), leaning, len(mine)


def _broken(design: Design, own: Sequence[RaterAnswer]) -> SignedRank:
    """Each original against its broken copy, by one rater: pairs, and so a paired test."""
    originals = {row.unit: row for row in own if row.kind == "genuine"}
    higher, lower = [], []
    for row in own:
        if row.kind != "broken":
            continue
        given = points(design, row)
        if design.task == "direct":
            if row.unit in originals:
                higher.append(points(design, originals[row.unit])[0])
                lower.append(given[0])
        else:
            (place,) = [place for place, (_, made) in enumerate(row.shown) if made is not None]
            higher.append(given[row.shown.index((row.shown[place][0], None))])
            lower.append(given[place])
    return signed_rank(higher, lower)


def _repeats(design: Design, own: Sequence[RaterAnswer]) -> list[float]:
    originals = {row.unit: row for row in own if row.kind == "genuine"}
    again = [(originals[row.unit], row) for row in own if row.kind == "repeat" and row.unit in originals]
    if design.task == "direct":
        return [abs(points(design, one)[0] - points(design, two)[0]) for one, two in again]
    return [float(preferred(design, one) != preferred(design, two)) for one, two in again]
