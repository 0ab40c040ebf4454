"""Random splits of systems, so that references made with the help of outputs are not tried on these outputs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from ..errors import InputError
from .coverage import Unrewarded, better_half, unrewarded
from .task import Task


class Fold(NamedTuple):
    """Systems that are scored, and the others, whose outputs may shape the references they are scored with."""

    scored: list[str]
    others: list[str]


def split_systems(systems: Sequence[str], folds: int = 10, seed: int = 0) -> list[Fold]:
    """Every system is scored in exactly one fold; folds differ in size by at most one system.

    References that contain what good systems write (Bawden et al. 2020's constraints) would otherwise reward the very
    systems they were taken from. With fewer systems than folds, each system is a fold of its own.
    """
    if folds < 2:
        raise InputError(f"{folds} folds leave no other systems; expected at least 2")
    if len(set(systems)) != len(systems):
        raise InputError("a system is named twice; expected every system once")
    if len(systems) < 2:
        raise InputError(f"{len(systems)} systems cannot be split; expected at least 2")
    order = np.random.default_rng(seed).permutation(len(systems))
    parts = np.array_split(order, min(folds, len(systems)))
    return [
        Fold([systems[place] for place in sorted(part)], [systems[place] for place in sorted(set(order) - set(part))])
        for part in parts
    ]


def unrewarded_by_fold(
    task: Task,
    quality: Mapping[str, float],
    folds: int = 10,
    seed: int = 0,
    share: float = 0.75,
    lengths: Sequence[int] = (4,),
) -> list[tuple[Fold, list[Unrewarded]]]:
    """For each fold the n-grams that the better half of the other systems agree on: what its references may use."""
    judged = [system for system in task.systems if system in quality]
    return [
        (fold, unrewarded(task, better_half(quality, fold.others), share, lengths, maximal=True))
        for fold in split_systems(judged, folds, seed)
    ]
