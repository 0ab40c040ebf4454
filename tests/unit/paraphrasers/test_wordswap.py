"""Word swaps: the k-th neighbours of gensim's ranking, policies, and neighbours kept on disk."""

import numpy as np
import pytest

from paragauge.compute.store import FeatureStore
from paragauge.models.lexical.neighbours import Sizes, nearest_rows
from paragauge.models.lexical.vectors import load_vectors
from paragauge.paraphrasers import parse
from paragauge.paraphrasers._words import cut_words, put_together
from paragauge.paraphrasers.wordswap import Wordswap

# nearest of hot: warm, hotter, cold; of tea: coffee, teas, milk; of the: a, an, this; of ",": ";"
TABLE = {
    "hot": (10, 0, 0), "warm": (10, 1, 0), "hotter": (10, 2, 0), "cold": (10, 3, 0),
    "tea": (0, 10, 0), "coffee": (0, 10, 1), "teas": (0, 10, 2), "milk": (0, 10, 3),
    "the": (0, 0, 10), "a": (1, 0, 10), "an": (2, 0, 10), "this": (3, 0, 10),
    ",": (-10, 0, 0), ";": (-10, 1, 0), "new_york": (-3, -10, -1), "boston": (-3, -10, 0),
}  # fmt: skip


@pytest.fixture
def vectors(tmp_path, empty_cache):
    assert empty_cache
    file = tmp_path / "vectors.txt"
    file.write_text("".join(f"{word} {' '.join(map(str, row))}\n" for word, row in TABLE.items()))
    return str(file)


def texts(source, n=1, **parameters):
    (found,) = Wordswap(**parameters).generate([source], n)
    return [candidate.text for candidate in found]


def test_each_word_is_replaced_by_its_kth_neighbour(vectors):
    assert texts("the hot tea", 3, vectors=vectors) == ["a warm coffee", "an hotter teas", "this cold milk"]
    assert texts("the hot tea", vectors=vectors, rank=2) == ["an hotter teas"]
    (found,) = Wordswap(vectors=vectors).generate(["hot zzz"], 1)
    assert found[0].score == pytest.approx(10 / np.sqrt(101))
    assert found[0].provenance == {"rank": 1, "replaced": 1, "words": 2}


def test_policies(vectors):
    assert texts("The HOT, zzz Tea!", vectors=vectors) == ["A WARM, zzz Coffee!"]
    assert texts("The HOT tea", vectors=vectors, case="vectors") == ["a warm coffee"]
    assert texts("the hot tea", vectors=vectors, stop_words="keep") == ["the warm coffee"]
    assert texts("hot, tea", vectors=vectors, punctuation="replace") == ["warm; coffee"]
    assert texts("hot zzz tea", vectors=vectors, unknown="drop") == ["warm coffee"]
    assert texts("tea", 2, vectors=vectors, inflection="other") == ["coffee", "milk"]
    assert texts("Boston", vectors=vectors) == ["New york"]
    assert texts("zzz", vectors=vectors) == []


def test_presets_are_the_three_systems_of_the_paper():
    assert [parse(f"wordswap-{rank}").rank for rank in (1, 2, 3)] == [1, 2, 3]
    assert parse("wordswap-3").spec == "wordswap-3"


def test_neighbours_are_kept_on_disk(vectors, monkeypatch):
    assert texts("the hot tea", vectors=vectors) == ["a warm coffee"]
    assert FeatureStore.place().is_file()

    def never(*_):
        raise AssertionError("looked up again")

    monkeypatch.setattr(type(load_vectors(vectors)), "nearest", never)
    assert texts("hot tea, the", vectors=vectors) == ["warm coffee, a"]


def test_blocks_find_what_a_whole_product_finds():
    random = np.random.default_rng(0)
    matrix = random.normal(size=(300, 5)).astype(np.float32)
    matrix[[7, 90]] = 0
    matrix[200] = matrix[11]  # of equal cosines the first row
    lengths = np.linalg.norm(matrix, axis=1).astype(np.float32)
    own = np.arange(0, 300, 3)
    unit = matrix.astype(np.float64) / np.where(lengths > 0, lengths, 1)[:, None]
    cosines = unit[own] @ unit.T
    cosines[:, lengths == 0] = -np.inf
    cosines[np.arange(len(own)), own] = -np.inf
    expected = np.argsort(-cosines.round(12), axis=1, kind="stable")[:, :9]
    for words, queries in ((16, 7), (64, 100), (1000, 1000)):
        found, rows = nearest_rows(matrix, lengths, matrix[own], 9, own, Sizes(words, words // 3, queries))
        filled = lengths[own] > 0
        assert (rows[filled] == expected[filled]).all()
        np.testing.assert_allclose(found[filled], np.take_along_axis(cosines, expected, 1)[filled], atol=1e-6)


@pytest.mark.parametrize("text", ["Don't go, Bob!", "  x  y ", "3.5 e-mails (it's)", "", "日本 語"])
def test_a_text_is_put_together_as_it_was(text):
    assert put_together(*cut_words(text)) == text.strip()
