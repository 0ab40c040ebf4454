"""Trees to vectors with a trained TreeLSTM, by numpy: the trees that syntactic codes are clusters of."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from paragauge.errors import ModelError

from ..trees.parsers import load_parser, open_parses
from ..trees.trees import Tree

TREES = "trees.npz"  # in the model folder: the weights, the labels, and how trees are pruned
GATES = 3  # input, output, update; the forget gate is that of a child


class Level(NamedTuple):
    """The nodes of one depth of several trees."""

    labels: NDArray[np.intp]
    parents: NDArray[np.intp]  # places in the level above
    places: NDArray[np.intp]  # among the children of their parent
    counts: NDArray[np.intp]  # of their own children


def levels_of(trees: Sequence[Tree | None], labels: Mapping[str, int], depth: int, children: int) -> list[Level]:
    """Labels of nodes above the words, down to this depth; label 0 is one that is unknown, and of a missing tree."""
    found = []
    nodes: list[Tree | None] = list(trees)
    parents, places = list(range(len(trees))), [0] * len(trees)
    for below in range(depth - 1, -1, -1):
        inner = [[] if node is None or not below else _inner(node)[:children] for node in nodes]
        found.append(
            Level(
                np.array([labels.get(node.label, 0) if node is not None else 0 for node in nodes], np.intp),
                np.array(parents, np.intp),
                np.array(places, np.intp),
                np.array([len(own) for own in inner], np.intp),
            )
        )
        parents = [row for row, own in enumerate(inner) for _ in own]
        places = [place for own in inner for place in range(len(own))]
        nodes = [child for own in inner for child in own]
        if not nodes:
            break
    return found


def _inner(node: Tree) -> list[Tree]:
    return [child for child in node.children if isinstance(child, Tree)]


def pruned(tree: Tree | None, depth: int, children: int) -> str:
    """What of a tree the encoder sees; equal for trees that it cannot tell apart.

    >>> from paragauge_research.trees.trees import read_tree
    >>> pruned(read_tree("(S (NP (D a) (N cat)) (VP (V sat)))"), 2, 10)
    '(S (NP) (VP))'
    """
    if tree is None:
        return "()"
    below = [pruned(child, depth - 1, children) for child in _inner(tree)[:children]] if depth > 1 else []
    return f"({' '.join([tree.label, *below])})"


def encode_levels(levels: Sequence[Level], weights: Mapping[str, NDArray[np.float32]]) -> NDArray[np.float32]:
    """The vector of each root: a child-sum TreeLSTM (Tai et al. 2015) whose children are told apart by their place."""
    width = weights["places"].shape[1]
    hidden = cell = np.zeros((0, width), np.float32)
    below: Level | None = None
    for level in reversed(levels):
        count = len(level.labels)
        words = weights["labels"][level.labels]
        total, kept = np.zeros((2, count, width), np.float32)
        if below is not None:
            placed = hidden + weights["places"][below.places]
            np.add.at(total, below.parents, placed)
            forget = _sigmoid(
                words[below.parents] @ weights["forget_word"].T
                + placed @ weights["forget_child"].T
                + weights["forget_bias"]
            )
            np.add.at(kept, below.parents, forget * cell)
        gates = words @ weights["word"].T + total @ weights["child"].T + weights["bias"]
        let, out, update = np.split(gates, GATES, axis=1)
        cell = _sigmoid(let) * np.tanh(update) + kept
        hidden = _sigmoid(out) * np.tanh(cell)
        below = level
    return hidden.astype(np.float32)


def _sigmoid(values: NDArray[np.floating[Any]]) -> NDArray[np.float32]:
    return np.asarray(1 / (1 + np.exp(-values)), np.float32)


def open_tree_vectors(folder: Path, parser: str) -> Callable[[Sequence[str]], NDArray[np.float32]]:
    """Texts to the vectors of their trees; `parser` is a parser's name and, after commas, files of parses."""
    try:
        with np.load(folder / TREES, allow_pickle=False) as archive:
            weights = {name: archive[name] for name in archive.files}
        names, (depth, children) = weights.pop("names"), weights.pop("pruning").tolist()
    except (OSError, ValueError, KeyError) as error:
        raise ModelError(f"{folder / TREES} cannot be read: {error}") from None
    labels = {str(name): number for number, name in enumerate(names)}

    def vectors(texts: Sequence[str]) -> NDArray[np.float32]:
        trees = parse_texts(parser, texts)
        seen: dict[str, int] = {}
        rows = [seen.setdefault(pruned(tree, depth, children), len(seen)) for tree in trees]
        first = {row: place for place, row in reversed(list(enumerate(rows)))}
        distinct = [trees[first[row]] for row in range(len(seen))]
        return encode_levels(levels_of(distinct, labels, depth, children), weights)[rows]

    return vectors


def parse_texts(parser: str, texts: Sequence[str]) -> list[Tree | None]:
    """The tree of each text: from a file of parses that has it, else by the parser."""
    name, *files = parser.split(",")
    found: list[Tree | None] = [None] * len(texts)
    for file in files:
        found = [known or tree for known, tree in zip(found, open_parses(file).parse(texts), strict=True)]
    lacking = [place for place, tree in enumerate(found) if tree is None]
    if name and lacking:
        for place, tree in zip(lacking, load_parser(name).parse([texts[place] for place in lacking]), strict=True):
            found[place] = tree
    return found
