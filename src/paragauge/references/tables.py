"""What further references reward, and what good systems agree on, as tables."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from ..errors import Hint, InputError
from .coverage import better_half, measure_coverage, unrewarded
from .folds import unrewarded_by_fold
from .human import read_score_file
from .scoring import score_task
from .task import Task

Table = tuple[list[str], list[list[str | float | int]]]


def coverage_table(task: Task, show: str = "shares", top: int = 20) -> Table:
    """`shares` of the n-grams that are matched, or the most frequent n-grams that are `gained` or still `missing`."""
    if not task.extras and show == "gained":
        hint = Hint("give at least one file with {extras}", extras=None)
        raise InputError("there are no further references", hint)
    found = measure_coverage(task, top)
    if show == "shares":
        return ["n", "n-grams", "by the reference", "with the extras", "gained"], [
            [row.length, row.total, row.single_share, row.augmented_share, row.augmented_share - row.single_share]
            for row in found
        ]
    return ["n", "n-gram", "occurrences", "segments"], [
        [row.length, *counted] for row in found for counted in (row.gained if show == "gained" else row.missing)
    ]


def unrewarded_table(
    task: Task, human: Path | None = None, share: float = 0.75, folds: int | None = None, seed: int = 0
) -> Table:
    """By segment, n-grams that the reference lacks and that share of the better half of the systems have.

    With `folds`, for each of them by the systems of the others.
    """
    quality = system_quality(task, human)
    if folds is None:
        found = unrewarded(task, better_half(quality, task.systems), share, maximal=True)
        return ["segment", "n-gram", "systems", "share"], [[row.segment + 1, *row[1:]] for row in found]
    return ["fold", "scored", "segment", "n-gram", "systems", "share"], [
        [number, " ".join(fold.scored), row.segment + 1, *row[1:]]
        for number, (fold, listed) in enumerate(unrewarded_by_fold(task, quality, folds, seed, share), 1)
        for row in listed
    ]


def system_quality(task: Task, human: Path | None = None) -> dict[str, float]:
    """How good each system is: the mean of its scores in a file of human scores, or else its BLEU."""
    if human is not None:
        judged = read_score_file(human)
        return {system: float(np.nanmean(values)) for system, values in judged.items() if not np.isnan(values).all()}
    scored = score_task(task, sizes=[0])[0]
    return dict(zip(scored.systems, map(float, scored.corpus), strict=True))
