"""How much several versions of the same lines differ in syntax, beside words."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from paragauge.errors import InputError
from paragauge.references.diversity import Diversity, by_line, mean_of, word_diversity
from paragauge.references.task import read_lines, text_lines

from .kernels import tree_diversity
from .trees import read_lines as read_trees


def syntax_diversity(parses: Sequence[Sequence[str]], decay: float = 0.5, words: str = "removed") -> Diversity:
    """DS-tree of the bracketed parses: line n of every version is a set."""
    by_line(parses)
    trees = list(zip(*(read_trees(list(column)) for column in parses), strict=True))
    return mean_of(f"trees, words {words}", tree_diversity([list(group) for group in trees], decay, words))


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
