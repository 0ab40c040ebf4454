"""Tree kernels: how many fragments two trees share, and how diverse a set of trees is, or versions of lines."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from math import exp, fsum, inf, log, log1p
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from paragauge.errors import InputError
from paragauge.references.coverage import Diversity, by_line, mean_of, word_diversity
from paragauge.references.task import read_lines, text_lines

from .trees import Tree, bottom_up
from .trees import read_lines as read_trees

Floats = NDArray[np.float64]
WORDS = ("removed", "blank", "kept")
_LEAF = -1  # the number of a node without a production
_Production = tuple[str, tuple[str, ...]]


def log_kernels(trees: Sequence[Tree | None], decay: float = 0.5, words: str = "removed") -> Floats:
    """The logarithm of K for every two trees: (n, n), NaN where a tree is missing, −inf where nothing is shared.

    K(a, b) sums Δ over all pairs of nodes, and Δ(x, y) = λ · ∏ (1 + Δ(xᵢ, yᵢ)) over the children where x and y have
    the same production, else 0 (Collins and Duffy 2002): it counts subset trees, whose leaves may be cut off anywhere
    between productions. Logarithms, because a node of 2,000 matching children is beyond the largest double.

    >>> from .trees import read_tree
    >>> cat = read_tree("(VP (V brought) (NP (D a) (N cat)))")
    >>> round(exp(log_kernels([cat], decay=1, words="kept")[0, 0]))  # pairs of equal fragments
    17

    `words` says what becomes of the words: `removed` takes them away, so that part-of-speech tags are leaves and have
    no production; `blank` makes them all alike, so that equal tags share a production; `kept` compares them.

    Equal subtrees have one number, so that Δ is computed once for each two distinct subtrees (Moschitti 2006 matches
    productions, which this does too, but visits each occurrence).
    """
    numbers: dict[tuple[_Production, tuple[int, ...]], int] = {}
    counted = [None if tree is None else _count(tree, words, numbers) for tree in trees]
    subtrees = list(numbers)
    grouped = [_group(counts, subtrees) for counts in counted]
    known: dict[tuple[int, int], float] = {}
    result = np.full((len(trees), len(trees)), np.nan)
    for row, one in enumerate(counted):
        for column, other in enumerate(grouped[: row + 1]):
            if one is not None and other is not None:
                value = _log_kernel(one, other, subtrees, known, log(decay))
                result[row, column] = result[column, row] = value
    return result


def _count(tree: Tree, words: str, numbers: dict[tuple[_Production, tuple[int, ...]], int]) -> Counter[int]:
    """How often each distinct subtree stands in the tree; a subtree has a higher number than its parts."""
    own: dict[int, int] = {}  # of the nodes of this tree, which outlive this function
    found: Counter[int] = Counter()
    for node in bottom_up(tree):
        labels, parts = [], []
        for child in node.children:
            if isinstance(child, Tree):
                labels.append(child.label)
                parts.append(own[id(child)])
            elif words != "removed":
                labels.append(f"\0{child if words == 'kept' else ''}")  # never the same as a label
                parts.append(_LEAF)
        if not labels:
            own[id(node)] = _LEAF
            continue
        key = (node.label, tuple(labels)), tuple(parts)
        own[id(node)] = number = numbers.setdefault(key, len(numbers))
        found[number] += 1
    return found


def _group(
    counts: Counter[int] | None, subtrees: list[tuple[_Production, tuple[int, ...]]]
) -> dict[_Production, list[tuple[int, int]]] | None:
    """Numbers and counts of the subtrees by the production at their root."""
    if counts is None:
        return None
    groups: dict[_Production, list[tuple[int, int]]] = {}
    for number, count in counts.items():
        groups.setdefault(subtrees[number][0], []).append((number, count))
    return groups


def _log_kernel(
    one: Counter[int],
    other: dict[_Production, list[tuple[int, int]]],
    subtrees: list[tuple[_Production, tuple[int, ...]]],
    known: dict[tuple[int, int], float],
    decay: float,
) -> float:
    weights, logs = [], []
    for number in sorted(one):  # parts come before what they are part of
        production, parts = subtrees[number]
        for partner, count in other.get(production, ()):
            pair = (number, partner) if number < partner else (partner, number)
            value = known.get(pair)
            if value is None:
                value = decay
                for part, match in zip(parts, subtrees[partner][1], strict=True):
                    shared = known.get((part, match) if part < match else (match, part)) if part != _LEAF else None
                    if shared is not None:
                        value += _log_one_plus(shared)
                known[pair] = value
            weights.append(one[number] * count)
            logs.append(value)
    peak = max(logs, default=-inf)
    if peak == -inf:
        return -inf
    # fsum rounds once, so that the order of the trees cannot matter
    return peak + log(fsum(weight * exp(value - peak) for weight, value in zip(weights, logs, strict=True)))


def _log_one_plus(value: float) -> float:
    """log(1 + e^value)."""
    return value + log1p(exp(-value)) if value > 0 else log1p(exp(value))


def similarities(trees: Sequence[Tree | None], decay: float = 0.5, words: str = "removed") -> Floats:
    """K(a, b) / √(K(a, a) · K(b, b)) of every two trees: (n, n), in [0, 1].

    NaN where a tree is missing or has no production, as a lone tag has none once its word is removed.
    """
    logs = log_kernels(trees, decay, words)
    own = np.diagonal(logs).copy()
    own[np.isneginf(own)] = np.nan
    exponents = logs - (own[:, None] + own[None, :]) / 2
    # one by one: numpy's exp may round by the place in the array. Rounding may also exceed 1
    return np.array([[min(exp(value), 1.0) for value in row] for row in exponents.tolist()]).reshape(exponents.shape)


def tree_diversity(sets: Sequence[Sequence[Tree | None]], decay: float = 0.5, words: str = "removed") -> Floats:
    """The mean of 1 − similarity over all pairs of a set, one number per set (Bawden et al. 2020).

    Pairs in which a tree is missing are left out, as in that paper's own code; NaN where no pair is left.
    """
    result = np.full(len(sets), np.nan)
    for number, trees in enumerate(sets):
        table = similarities(trees, decay, words)
        differences = [1 - table[pair] for pair in combinations(range(len(trees)), 2) if not np.isnan(table[pair])]
        if differences:
            result[number] = fsum(differences) / len(differences)  # rounds once: the order of a set cannot matter
    return result


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
