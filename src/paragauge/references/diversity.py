"""How much several versions of the same lines differ in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ..compute.workspace import Workspace
from ..errors import InputError
from ..metrics.diversity.ds_bow import DsBow
from ..tables.samples import Samples


class Diversity(NamedTuple):
    """Mean over the lines, and on how many of them it is defined."""

    kind: str
    value: float
    lines: int
    undefined: int


def word_diversity(versions: Sequence[Sequence[str]], tokenizer: str = "13a") -> Diversity:
    """DS-BOW of Bawden et al. 2020: line n of every version is a set, in which an empty line is a word of its own."""
    lines = by_line(versions)
    sets = [Samples.of(candidates=texts) for texts in lines]
    # as published: with empty lines, which `DsBow.rate` leaves out of a set
    return mean_of("words", DsBow(tokenizer=tokenizer).rate_sets(sets, Workspace()))


def by_line(versions: Sequence[Sequence[str]]) -> list[tuple[str, ...]]:
    """Line n of every version, for each n."""
    if len(versions) < 2:
        raise InputError(f"{len(versions)} version has nothing to differ from; expected at least 2")
    lengths = {len(column) for column in versions}
    if lengths == {0}:
        raise InputError("the versions have no lines; expected at least one")
    if len(lengths) > 1:
        raise InputError(f"the versions have {sorted(lengths)} lines; line n of each belongs to line n of all")
    return list(zip(*versions, strict=True))


def mean_of(kind: str, scores: np.ndarray[tuple[int, ...], np.dtype[np.float64]]) -> Diversity:
    """The mean of the lines that have a score."""
    defined = scores[~np.isnan(scores)]
    mean = float(defined.mean()) if len(defined) else float("nan")
    return Diversity(kind, mean, len(scores), len(scores) - len(defined))
