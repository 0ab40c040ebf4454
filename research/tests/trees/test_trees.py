"""Bracketed parses: what parsers print, what treebanks hold, and what is refused."""

from __future__ import annotations

import re
import zipfile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paragauge.errors import InputError
from paragauge_research.trees.trees import Tree, bottom_up, read_lines, read_tree, read_trees, words, written

LETTERS = st.text(st.characters(exclude_characters="()", exclude_categories=("Z", "C")), min_size=1, max_size=5)
TREES = st.recursive(
    st.builds(lambda tag, word: Tree(tag, (word,)), LETTERS, LETTERS),
    lambda below: st.builds(lambda label, parts: Tree(label, tuple(parts)), LETTERS, st.lists(below, min_size=1)),
    max_leaves=20,
)


@given(TREES)
def test_what_is_written_is_read_back(tree):
    assert read_tree(written(tree)) == tree
    assert read_tree(f"( {written(tree)} )\n") == tree


@pytest.mark.parametrize("failed", ["(())", "( () )", "()", "((()))", "", " \n"])
def test_a_failed_parse_is_no_tree(failed):
    assert read_tree(failed) is None


def test_an_outer_bracket_of_several_trees_stays():
    assert read_tree("( (S (N a)) (S (N b)))") == Tree(
        "", (Tree("S", (Tree("N", ("a",)),)), Tree("S", (Tree("N", ("b",)),)))
    )


def test_words_may_stand_beside_trees():
    tree = read_tree("(NP the quick (PP of (NP it)) .)")
    assert list(words(tree)) == ["the", "quick", "of", "it", "."]
    assert tree.children[0] == "the"


def test_a_number_in_parentheses_is_a_word_where_there_are_words():
    assert list(words(read_tree("(NP (NNP Keller) (CD (76)))"))) == ["Keller", "(76)"]
    assert read_tree("(NP (D) (N))") == Tree("NP", (Tree("D"), Tree("N")))


@pytest.mark.parametrize(
    "text, fault",
    [
        ("(S (NP a)", "a '(' that is never closed at character 1"),
        ("(S (NP a)) )", "a ')' without its '(' at character 12"),
        ("(S (NP a)) b", "'b' outside of brackets at character 12"),
        ("S (NP a)", "'S' outside of brackets at character 1"),
        ("(S (NP a) ())", "an empty bracket at character 11"),
        ("(S\n (NP a)\n ())", "an empty bracket at line 3, character 2"),
    ],
)
def test_a_fault_says_where(text, fault):
    with pytest.raises(InputError, match=re.escape(fault)):
        read_tree(text)


def test_one_parse_is_one_parse():
    with pytest.raises(InputError, match="expected one bracketed parse, found 2"):
        read_tree("(S a) (S b)")


def test_lines_stay_aligned_and_are_counted():
    assert read_lines(["(N a)\n", "(())\n", "\n"]) == [Tree("N", ("a",)), None, None]
    with pytest.raises(InputError, match=r"para\.parse, line 2: not a bracketed parse"):
        read_lines(["(N a)", "(N"], "para.parse")


def test_depth_does_not_matter():
    depth = 50_000
    tree = read_tree("(X " * depth + "word" + ")" * depth)
    assert sum(1 for _ in bottom_up(tree)) == depth
    assert list(words(tree)) == ["word"]
    assert written(tree).count("(") == depth
    parts = [tree]
    while isinstance(tree.children[0], Tree):  # taken apart, for Python frees nested objects one within the other
        tree = tree.children[0]
        parts.append(tree)
    assert len(parts) == depth


def test_brackets_in_words_are_escaped():
    assert written(Tree("NN", ("a(b c)",))) == "(NN a-LRB-b_c-RRB-)"


def test_the_penn_treebank_sample(data):
    """3,914 trees of 199 files (its README); nltk 3.9 counts 100,676 words in it, empty elements included."""
    with zipfile.ZipFile(data / "trees" / "treebank.zip") as archive:
        files = [name for name in archive.namelist() if name.endswith(".mrg")]
        trees = [tree for name in files for tree in read_trees(archive.read(name).decode("ascii"))]
    assert len(files) == 199
    assert len(trees) == 3914
    assert None not in trees
    assert sum(len(list(words(tree))) for tree in trees) == 100_676


def test_the_sample_as_nltk_reads_it(data):
    nltk = pytest.importorskip("nltk", reason="needs nltk")
    with zipfile.ZipFile(data / "trees" / "treebank.zip") as archive:
        texts = [archive.read(f"treebank/combined/wsj_{number:04}.mrg").decode("ascii") for number in range(1, 40)]
    for text in texts:
        for tree, block in zip(read_trees(text), re.split(r"\n(?=\()", text.strip()), strict=True):
            theirs = nltk.Tree.fromstring(block, remove_empty_top_bracketing=True)
            assert written(tree) == " ".join(str(theirs).split())


def test_the_berkeley_parses(data):
    folder = data / "wmt19" / "human-paraphrases"
    failed = []
    for number in range(1, 6):
        texts = (folder / f"deen-{number}.en.500").read_text(encoding="utf-8").splitlines()
        trees = read_lines((folder / f"deen-{number}.en.parse").read_text(encoding="utf-8").splitlines())
        assert len(texts) == len(trees) == 500
        failed.append([row for row, tree in enumerate(trees, 1) if tree is None])
        assert all(node.children and node.label for tree in trees if tree is not None for node in bottom_up(tree))
    assert failed == [[], [473, 477], [473], [473], [263, 473]]  # grep -n '(())'
