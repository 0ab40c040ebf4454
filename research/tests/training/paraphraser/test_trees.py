"""The tree autoencoder, its twin that needs no torch, and codes of trees."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from paragauge_research.paraphrasers._trees import encode_levels, levels_of, open_tree_vectors, parse_texts, pruned
from paragauge_research.training.paraphraser.configuration import CodeSettings
from paragauge_research.trees.trees import read_tree

PARSES = {
    "a cat sat": "(S (NP (D a) (N cat)) (VP (V sat)))",
    "the dog ran": "(S (NP (D the) (N dog)) (VP (V ran)))",
    "go home": "(VP (V go) (N home))",
    "why": "(X (W why))",
    "he saw a cat": "(S (NP (P he)) (VP (V saw) (NP (D a) (N cat))))",
}


def parses(folder: Path) -> str:
    (folder / "parses.tsv").write_text("".join(f"{text}\t{tree}\n" for text, tree in PARSES.items()))
    return f",{folder / 'parses.tsv'}"


def test_levels_are_the_labels_above_the_words():
    trees = [read_tree(PARSES["he saw a cat"]), None, read_tree(PARSES["why"])]
    labels = {name: number for number, name in enumerate(["", "S", "NP", "VP", "X", "W"])}
    one, two, three = levels_of(trees, labels, 3, 10)
    assert one.labels.tolist() == [1, 0, 4]
    assert two.labels.tolist() == [2, 3, 5]
    assert (two.parents.tolist(), two.places.tolist(), one.counts.tolist()) == ([0, 0, 2], [0, 1, 0], [2, 0, 1])
    assert three.labels.tolist() == [0, 0, 2]  # P and V are unknown
    assert len(levels_of(trees, labels, 2, 10)) == 2
    assert levels_of(trees, labels, 2, 1)[1].labels.tolist() == [2, 5]
    assert pruned(trees[0], 2, 10) == "(S (NP) (VP))"


def test_parses_come_from_files(tmp_path):
    found = parse_texts(parses(tmp_path), ["go  home", "unknown"])
    assert found[0] == read_tree(PARSES["go home"])
    assert found[1] is None


def test_trees_of_one_shape_have_one_vector_and_others_do_not(tmp_path):
    torch = pytest.importorskip("torch", reason="training needs torch")
    from paragauge_research.training.paraphraser.trees import TreeAutoencoder, train_tree_encoder

    settings = CodeSettings("syntactic", width=12, iterations=40)
    losses = train_tree_encoder(settings, 1, parses(tmp_path), PARSES, tmp_path, lambda _: None)
    assert losses[-1] < losses[0] / 3
    vectors = open_tree_vectors(tmp_path, parses(tmp_path))(list(PARSES))
    np.testing.assert_array_equal(vectors[0], vectors[1])
    torch.manual_seed(0)
    network = TreeAutoencoder(6, 8, 10)
    levels = levels_of([read_tree(tree) for tree in PARSES.values()], {"S": 1, "NP": 2, "VP": 3, "N": 4}, 4, 10)
    with torch.no_grad():
        wanted = network.encode(levels).numpy()
    np.testing.assert_allclose(encode_levels(levels, network.arrays()), wanted, atol=1e-6)  # float32


def test_swapped_children_are_told_apart():
    torch = pytest.importorskip("torch", reason="training needs torch")
    from paragauge_research.training.paraphraser.trees import TreeAutoencoder

    torch.manual_seed(0)
    network = TreeAutoencoder(4, 8, 10)
    labels = {"S": 1, "A": 2, "B": 3}
    one, two = encode_levels(
        levels_of([read_tree("(S (A a) (B b))"), read_tree("(S (B b) (A a))")], labels, 4, 10), network.arrays()
    )
    assert np.abs(one - two).max() > 1e-3


def test_a_text_has_the_code_of_its_tree(tmp_path):
    """From training data to the code of a new text of a known shape."""
    pytest.importorskip("torch", reason="training needs torch")
    from paragauge_research.training.paraphraser.codes import code_texts, nearest_centres

    (tmp_path / "train.jsonl").write_text(
        '["a cat sat", "go home", "s"]\n["why", "he saw a cat", "s"]\n["the dog ran", "why", "s"]\n'
    )
    parses(tmp_path)
    settings = CodeSettings("syntactic", 4, parser="", parses=(str(tmp_path / "parses.tsv"),), width=12, iterations=30)
    (codes,) = code_texts(settings, 1, [tmp_path / "train.jsonl"], tmp_path, lambda _: None)
    sat, home, why, saw, ran, again = codes.tolist()
    assert sat == ran
    assert why == again
    assert len({sat, home, why, saw}) == 4
    vectors = open_tree_vectors(tmp_path, parses(tmp_path))(["the dog ran"])
    assert nearest_centres(vectors, np.load(tmp_path / "codes.npy"))[0].tolist() == [sat]
