"""How much several versions of the same lines differ, in words and in syntax."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from ..compute.workspace import Workspace
from ..errors import InputError
from ..metrics.diversity.ds_bow import DsBow
from ..tables.samples import Samples
from ..text.kernels import tree_diversity
from ..text.trees import read_lines as read_trees
from .task import read_lines, text_lines


class Diversity(NamedTuple):
    """Mean over the lines, and on how many of them it is defined."""

    kind: str
    value: float
    lines: int
    undefined: int


def word_diversity(versions: Sequence[Sequence[str]], tokenizer: str = "13a") -> Diversity:
    """DS-BOW of Bawden et al. 2020: line n of every version is a set, in which an empty line is a word of its own."""
    lines = _lines(versions)
    sets = [Samples.of(candidates=texts) for texts in lines]
    # as published: with empty lines, which `DsBow.rate` leaves out of a set
    return _mean("words", DsBow(tokenizer=tokenizer).rate_sets(sets, Workspace()))


def syntax_diversity(parses: Sequence[Sequence[str]], decay: float = 0.5, words: str = "removed") -> Diversity:
    """DS-tree of the bracketed parses: line n of every version is a set."""
    _lines(parses)
    trees = list(zip(*(read_trees(list(column)) for column in parses), strict=True))
    return _mean(f"trees, words {words}", tree_diversity([list(group) for group in trees], decay, words))


def diversity_of_files(texts: Sequence[Path], parses: Sequence[Path] = ()) -> list[Diversity]:
    """Of files of texts by words and, where there are parses of them, by syntax."""
    versions = [read_lines(path) for path in texts]
    for path, lines in zip(texts, versions, strict=True):
        if len(lines) != len(versions[0]):
            raise InputError(
                f"{texts[0]} has {len(versions[0]):,} lines but {path} has {len(lines):,}; line n of each belongs to "
                "line n of all"
            )
    found = [word_diversity(versions)]
    if parses:
        if len(parses) != len(texts):
            raise InputError(f"{len(parses)} files of parses for {len(texts)} of texts; expected one for each")
        columns = [[line.rstrip("\r\n") for line in text_lines(path)] for path in parses]
        found += [syntax_diversity(columns, words=words) for words in ("removed", "blank")]
    return found


def _lines(versions: Sequence[Sequence[str]]) -> list[tuple[str, ...]]:
    if len(versions) < 2:
        raise InputError(f"{len(versions)} version has nothing to differ from; expected at least 2")
    lengths = {len(column) for column in versions}
    if lengths == {0}:
        raise InputError("the versions have no lines; expected at least one")
    if len(lengths) > 1:
        raise InputError(f"the versions have {sorted(lengths)} lines; line n of each belongs to line n of all")
    return list(zip(*versions, strict=True))


def _mean(kind: str, scores: np.ndarray[tuple[int, ...], np.dtype[np.float64]]) -> Diversity:
    defined = scores[~np.isnan(scores)]
    mean = float(defined.mean()) if len(defined) else float("nan")
    return Diversity(kind, mean, len(scores), len(scores) - len(defined))
