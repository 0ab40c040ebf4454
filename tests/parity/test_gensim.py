"""gensim: its word mover's distance on the real vectors, and the files it writes.

The golden distances are those of gensim 4.4.0 with POT 0.9.7.post1, on the default word vectors:

    python tests/parity/test_gensim.py
"""

import importlib.util
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from paragauge.metrics.meaning.word_vectors import Wmd
from paragauge.models.lexical.vectors import Vectors, load_vectors

PAIRS = [
    ("obama speaks to the media in illinois", "the president greets the press in chicago"),
    ("how old are you ?", "what is your age ?"),
    ("the the cat sat", "a cat was sitting on the mat"),
    ("a man is playing a guitar", "a man is playing a guitar"),
    ("he bought 3 apples", "he sold 30 pears zyxwvq"),
    ("stock markets fell sharply", "children like chocolate"),
]
# with norm=True, gensim's default; and with norm=False
GOLDEN = {
    True: [0.5628600809933805, 0.4751216400142154, 0.4906453866468799, 0.0, 0.41012596103701543, 1.1364241018978047],
    False: [2.750646247009275, 2.625851029602032, 2.3257184770149957, 0.0, 2.175190308789471, 6.342545184180079],
}
# gensim takes unit vectors of float32, and distances of those
FLOAT32 = 2e-6


def keyed(vectors: Vectors, words: set[str] | None = None) -> Any:
    from gensim.models import KeyedVectors

    chosen = [word for word in vectors.words if words is None or word in words]
    made = KeyedVectors(vectors.dimension)
    made.add_vectors(chosen, np.array([vectors.matrix[vectors.vocabulary[word]] for word in chosen]))
    return made


def theirs(vectors: Vectors, norm: bool) -> list[float]:
    words = {word for pair in PAIRS for text in pair for word in text.split()}
    made = keyed(vectors, words)
    return [float(made.wmdistance(text.split(), other.split(), norm=norm)) for text, other in PAIRS]


def ours(norm: bool) -> np.ndarray:
    candidates, others = zip(*PAIRS, strict=True)
    return Wmd(normalize=norm, tokenizer="none").score(
        sources=list(others), candidates=list(candidates), references=[[text] for text in others]
    )


@pytest.fixture
def solver() -> None:
    pytest.importorskip("ot", reason="needs the extra `transport`")


@pytest.mark.usefixtures("glove", "solver")
@pytest.mark.parametrize("norm", [True, False])
def test_stored_distances(norm):
    np.testing.assert_allclose(ours(norm), GOLDEN[norm], rtol=FLOAT32, atol=FLOAT32)


@pytest.mark.usefixtures("solver")
@pytest.mark.skipif(importlib.util.find_spec("gensim") is None, reason="gensim is not installed")
@pytest.mark.parametrize("norm", [True, False])
def test_live_distances(glove, norm):
    np.testing.assert_allclose(ours(norm), theirs(glove, norm), rtol=FLOAT32, atol=FLOAT32)


@pytest.mark.skipif(importlib.util.find_spec("gensim") is None, reason="gensim is not installed")
@pytest.mark.parametrize(
    "name, binary, header",
    [("w.txt", False, True), ("w.bin", True, True), ("w.gz", False, True), ("g.txt", False, False)],
)
def test_files_that_gensim_writes(tmp_path: Path, name, binary, header):
    words = [*"abcdefgh", "猫", "naïve"]
    values = np.random.default_rng(0).normal(size=(10, 7)).astype(np.float32)
    made = keyed(Vectors("random", "0" * 64, words, values))
    made.save_word2vec_format(str(tmp_path / name), binary=binary, write_header=header)
    found = load_vectors(str(tmp_path / name))
    assert found.words == words
    assert np.array_equal(found.matrix, values)


if __name__ == "__main__":
    for norm in (True, False):
        print(norm, theirs(load_vectors(), norm))
