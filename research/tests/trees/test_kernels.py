"""Tree kernels against an enumeration of all fragments."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from paragauge_research.trees.kernels import WORDS, log_kernels, similarities, tree_diversity
from paragauge_research.trees.trees import Tree, bottom_up, read_tree

CAT = read_tree("(VP (V brought) (NP (D a) (N cat)))")
DOG = read_tree("(VP (V brought) (NP (D a) (N dog)))")
LABELS = st.sampled_from("AB")
TREES = st.recursive(
    st.builds(lambda tag, word: Tree(tag, (word,)), LABELS, st.sampled_from("xy")),
    lambda below: st.builds(
        lambda label, parts: Tree(label, tuple(parts)), LABELS, st.lists(below, min_size=1, max_size=3)
    ),
    max_leaves=5,
)
DECAYS = st.floats(0.01, 1)
# a sum of at most some hundred terms, each through a logarithm and back
ROUNDING = 1e-11


def without_words(tree: Tree, how: str) -> Tree:
    """The tree that a reading compares: `removed` drops words, `blank` makes them equal."""
    children = [without_words(child, how) if isinstance(child, Tree) else child for child in tree.children]
    if how == "removed":
        children = [child for child in children if isinstance(child, Tree)]
    return Tree(tree.label, tuple("*" if isinstance(child, str) and how == "blank" else child for child in children))


def rooted(node: Tree | str) -> list[tuple[str, int]]:
    """Every subset tree with this root, written out, and of how many productions it is made."""
    if isinstance(node, str) or not node.children:
        return []
    choices = []
    for child in node.children:
        cut = f"'{child}'" if isinstance(child, str) else f"({child.label})"
        choices.append([(cut, 0), *rooted(child)])
    return [
        (f"({node.label} {' '.join(text for text, _ in chosen)})", 1 + sum(size for _, size in chosen))
        for chosen in itertools.product(*choices)
    ]


def fragments_of(tree: Tree) -> Iterator[tuple[str, int]]:
    return (fragment for node in bottom_up(tree) for fragment in rooted(node))


def brute_force(one: Tree, other: Tree, decay: float, how: str) -> float:
    first, second = (Counter(fragments_of(without_words(tree, how))) for tree in (one, other))
    return sum(count * second[fragment] * decay ** fragment[1] for fragment, count in first.items())


def kernel(one: Tree, other: Tree, decay: float, words: str = "kept") -> float:
    return math.exp(log_kernels([one, other], decay, words)[0, 1])


def test_a_cat_has_17_subset_trees():
    # N, D, V: 1 each; NP: (1 + 1)(1 + 1) = 4; VP: (1 + 1)(1 + 4) = 10. Each occurs once, so K(cat, cat) counts them
    # (Moschitti 2006 has the tree as his figure).
    assert len(list(fragments_of(CAT))) == 17
    assert kernel(CAT, CAT, decay=1) == pytest.approx(17, rel=1e-12)


def test_a_cat_and_a_dog():
    # Without N → cat: D, V: 1 each; NP: (1 + 1)·1 = 2; VP: (1 + 1)(1 + 2) = 6; together 10.
    assert kernel(CAT, DOG, decay=1) == pytest.approx(10, rel=1e-12)
    # λ = 1/2: D, V: 1/2; NP: 1/2 · 3/2 = 3/4; VP: 1/2 · 3/2 · 7/4 = 21/16; together 49/16
    assert kernel(CAT, DOG, decay=0.5) == pytest.approx(49 / 16, rel=1e-12)


def test_words_removed_blank_and_kept():
    # removed: VP → V NP and NP → D N. NP: λ; VP: λ(1 + λ). λ = 1/2: 1/2 + 3/4
    assert kernel(CAT, DOG, 0.5, "removed") == pytest.approx(5 / 4, rel=1e-12)
    # blank: V, D, N: 1/2 each; NP: 1/2 · (3/2)² = 9/8; VP: 1/2 · 3/2 · 17/8 = 51/32
    assert kernel(CAT, DOG, 0.5, "blank") == pytest.approx(3 / 2 + 9 / 8 + 51 / 32, rel=1e-12)
    table = {how: similarities([CAT, DOG], 0.5, how)[0, 1] for how in WORDS}
    assert table["removed"] == table["blank"] == 1
    # kept: N → cat adds λ, NP becomes 9/8, VP 51/32: K(cat, cat) = K(dog, dog) = 135/32
    assert table["kept"] == pytest.approx((49 / 16) / (135 / 32), rel=1e-12)


def test_fragments_that_occur_twice_count_as_pairs():
    # NP → N twice in one tree, once in the other: 2 pairs; S → NP NP is not shared
    one, other = read_tree("(S (NP (N a)) (NP (N b)))"), read_tree("(S (NP (N c)))")
    assert kernel(one, other, 1, "removed") == pytest.approx(2, rel=1e-12)
    # with itself: NP → N: 2 · 2; S → NP NP with each NP open or cut: 2 · 2
    assert kernel(one, one, 1, "removed") == pytest.approx(8, rel=1e-12)


@given(TREES, TREES, DECAYS, st.sampled_from(WORDS))
def test_the_kernel_is_what_counting_gives(one, other, decay, how):
    expected = brute_force(one, other, decay, how)
    assert kernel(one, other, decay, how) == pytest.approx(expected, rel=ROUNDING, abs=0)


@given(st.lists(TREES, min_size=2, max_size=4), DECAYS, st.sampled_from(WORDS))
def test_similarities_are_symmetric_bounded_and_1_for_the_same_tree(trees, decay, how):
    table = similarities([*trees, trees[0]], decay, how)
    defined = table[~np.isnan(table)]
    assert np.array_equal(table, table.T, equal_nan=True)
    assert ((defined >= 0) & (defined <= 1)).all()
    for own in (*np.diagonal(table), table[0, -1]):
        assert np.isnan(own) or own == 1
    assert np.array_equal(log_kernels(trees, decay, how), log_kernels(trees[::-1], decay, how)[::-1, ::-1])


@given(TREES, TREES, st.floats(0.02, 0.99))
def test_a_small_change_of_decay_is_a_small_change(one, other, decay):
    # a polynomial of degree 10 or less in λ with few hundred terms: its relative slope is below degree / λ
    near = decay * (1 + 1e-9)
    before, after = (kernel(one, other, value, "kept") for value in (decay, near))
    assert after == pytest.approx(before, rel=2e-8, abs=0)


def test_without_a_production_there_is_no_similarity():
    lone = read_tree("(UH hello)")
    assert np.isnan(similarities([lone, CAT])).tolist() == [[True, True], [True, False]]
    assert similarities([lone, lone], words="blank")[0, 1] == 1
    assert np.isnan(similarities([CAT, None])).tolist() == [[False, True], [True, True]]
    assert similarities([]).shape == (0, 0)


def test_a_word_is_not_a_label():
    assert kernel(read_tree("(A B)"), Tree("A", (Tree("B"),)), 1, "kept") == 0


def test_numbers_beyond_a_double():
    # (1 + λ)^5000 is about 10^880: K has a logarithm only
    flat = Tree("S", tuple(Tree("N", (str(number),)) for number in range(5000)))
    longer = Tree("S", (*flat.children[:-1], Tree("V", ("x",))))
    logs = log_kernels([flat, longer], 0.5, "blank")
    # Δ of the roots: λ · 1.5^5000, next to which the 5000² pairs of tags vanish
    assert logs[0, 0] == pytest.approx(math.log(0.5) + 5000 * math.log(1.5), rel=1e-12)
    # the roots differ, so that only tags are shared, each λ
    assert logs[0, 1] == pytest.approx(math.log(0.5 * 5000 * 4999), rel=1e-12)
    assert similarities([flat, longer, flat], 0.5, "blank")[0].tolist() == [1, 0, 1]


def test_deep_trees():
    deep = read_tree("".join(f"(X{level % 50} " for level in range(2000)) + "word" + ")" * 2000)
    assert similarities([deep, deep], words="kept")[0, 1] == 1


def test_diversity_of_sets():
    mouse = read_tree("(VP (V ran))")
    # removed: K(cat, cat) = 5/4, K(mouse, mouse) = 1/2, nothing shared; cat and dog are one structure
    sets = [[CAT, DOG], [CAT, mouse], [CAT, DOG, mouse], [CAT, None, mouse], [CAT, None], [CAT], []]
    found = tree_diversity(sets)
    assert found[:4] == pytest.approx([0, 1, 2 / 3, 1], abs=1e-15)
    assert np.isnan(found[4:]).all()
    # kept: 1 − 49/16 / (135/32) = 37/135
    assert tree_diversity([[CAT, DOG]], words="kept")[0] == pytest.approx(37 / 135, rel=1e-12)


@given(st.lists(TREES, min_size=2, max_size=5))
def test_diversity_is_the_mean_over_ordered_pairs(trees):
    total = 0.0
    pairs = 0
    for one, other in itertools.permutations(trees, 2):
        norm = math.sqrt(brute_force(one, one, 0.5, "kept") * brute_force(other, other, 0.5, "kept"))
        total += 1 - brute_force(one, other, 0.5, "kept") / norm
        pairs += 1
    assert tree_diversity([trees], words="kept")[0] == pytest.approx(total / pairs, abs=ROUNDING)


@given(st.lists(TREES, min_size=2, max_size=6), st.randoms(use_true_random=False))
def test_the_order_of_a_set_changes_no_bit_of_its_diversity(trees, shuffler):
    shuffled = shuffler.sample(trees, len(trees))
    np.testing.assert_array_equal(tree_diversity([shuffled]), tree_diversity([trees]))
