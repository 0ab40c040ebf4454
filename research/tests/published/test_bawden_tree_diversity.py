"""Bawden et al. 2020: syntactic diversity of the 500 sets of five human paraphrases, 0.6812 (λ = 0.5, no words).

The paper's tool is a privately changed one, so how it excludes words is unknown. Ours, by every reading, is pinned
here; none is theirs, and theirs lies between the two readings of the textbook kernel that ds-tree offers. The table is
in the docs, under differences.
"""

from __future__ import annotations

import re

import numpy as np
import pytest

from paragauge_research.trees.kernels import tree_diversity
from paragauge_research.trees.trees import Tree, bottom_up, read_lines

PUBLISHED = 0.681162418246667
# 500 sums of ten differences, each of them exact to about 1e-14
ROUNDING = 1e-9


@pytest.fixture(scope="module")
def sets(data):
    folder = data / "wmt19" / "human-paraphrases"
    if not folder.is_dir():
        pytest.skip(f"needs the human paraphrases: there is no {folder}")
    files = [(folder / f"deen-{number}.en.parse").read_text(encoding="utf-8").splitlines() for number in range(1, 6)]
    return list(zip(*map(read_lines, files), strict=True))


def rooted(tree: Tree) -> Tree:
    """The outer bracket as a node."""
    return Tree("", (tree,))


def lowercased(tree: Tree) -> Tree:
    return rebuilt(
        tree, lambda node, children: Tree(node.label, tuple(c.lower() if isinstance(c, str) else c for c in children))
    )


def without_tags(tree: Tree) -> Tree:
    """Tags go with their words: what is left are phrases over phrases."""
    tags = {id(node) for node in bottom_up(tree) if all(isinstance(child, str) for child in node.children)}
    kept: dict[int, Tree] = {}
    for node in bottom_up(tree):
        below = tuple(kept[id(child)] for child in node.children if isinstance(child, Tree) and id(child) not in tags)
        kept[id(node)] = Tree(node.label, below)
    return kept[id(tree)]


def rebuilt(tree, change):
    made = {}
    for node in bottom_up(tree):
        made[id(node)] = change(node, [made[id(c)] if isinstance(c, Tree) else c for c in node.children])
    return made[id(tree)]


READINGS = {
    "removed": (None, 0.5, "removed"),
    "removed, outer bracket a node": (rooted, 0.5, "removed"),
    "blank": (None, 0.5, "blank"),
    "blank, outer bracket a node": (rooted, 0.5, "blank"),
    "removed with their tags": (without_tags, 0.5, "removed"),
    "kept": (None, 0.5, "kept"),
    "kept, λ = 0.4": (None, 0.4, "kept"),
    "kept, λ = 0.4, lower case, outer bracket a node": (lambda tree: rooted(lowercased(tree)), 0.4, "kept"),
}
# mean over the sets that are defined; and, as the paper's script has it, with 0 for the one that is not (it has but one
# parse: four of the five failed)
OURS = {
    "removed": (0.651301921, 0.649999317),
    "removed, outer bracket a node": (0.647330881, 0.646036219),
    "blank": (0.726877563, 0.725423808),
    "blank, outer bracket a node": (0.753633176, 0.752125909),
    "removed with their tags": (0.525333501, 0.522181500),
    "kept": (0.828227515, 0.826571060),
    "kept, λ = 0.4": (0.684260817, 0.682892295),
    "kept, λ = 0.4, lower case, outer bracket a node": (0.682334581, 0.680969911),
}


OFFERED = ("removed", "blank", "kept")  # by ds-tree


@pytest.mark.parametrize(
    "reading", [pytest.param(name, marks=() if name in OFFERED else pytest.mark.thorough) for name in READINGS]
)
def test_every_reading_of_without_words(sets, reading):
    change, decay, words = READINGS[reading]
    trees = [[tree if tree is None or change is None else change(tree) for tree in one] for one in sets]
    found = tree_diversity(trees, decay, words)
    mean, theirs = OURS[reading]
    assert np.nanmean(found) == pytest.approx(mean, abs=ROUNDING)
    assert np.nansum(found) / 500 == pytest.approx(theirs, abs=ROUNDING)
    assert abs(theirs - PUBLISHED) > 1e-4, "this reading is the paper's: say so"


def test_the_published_value_lies_between_ours(data):
    text = (data / "wmt19/published/diversity-results/human.syntax.5.wmt19.500subsample").read_text(encoding="utf-8")
    assert float(re.search(r"averaged over all languages = (\S+)", text)[1]) == PUBLISHED
    assert 0.65 <= OURS["removed"][0] < PUBLISHED < OURS["blank"][0] <= 0.73
