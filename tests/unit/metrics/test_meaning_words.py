"""Words matched one by one, rare ones above all: the evidence `words` of `meaning`."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

import paragauge as pg
from paragauge.metrics.meaning._evidence.words import Words, matched, word_recall, words_of
from paragauge.models.encoders.encoder import Encoded, Encoder
from paragauge.models.pairs.learned import Pieces, load_meaning

# pieces: 0 and 1 are special, 2 "play", 3 "##ing", 4 "the"
PIECES = Pieces(np.array([0.0, 0.0, 5.0, 2.0, 0.5]), np.array([False, False, False, True, False]))
SPECIAL = frozenset({0, 1})


def encoded(ids: list[int], vectors: list[list[float]]) -> Encoded:
    return Encoded(np.array(ids, np.int32), np.array(vectors, np.float32), np.zeros(2, np.float32), 0, 0)


def test_pieces_are_put_together_to_words() -> None:
    # [special] the play ##ing [special]: two words, the second of two pieces
    found = words_of(encoded([0, 4, 2, 3, 1], [[9, 9], [1, 0], [1, 0], [0, 1], [9, 9]]), PIECES, SPECIAL)
    assert np.allclose(found.vectors, [[1, 0], [0.5**0.5, 0.5**0.5]])
    assert np.allclose(found.weights, [0.5, 5 + np.log(2)])


def test_a_text_without_words_has_no_number() -> None:
    nothing = words_of(encoded([0, 1], [[1, 0], [0, 1]]), PIECES, SPECIAL)
    something = words_of(encoded([0, 4, 1], [[1, 0], [1, 0], [0, 1]]), PIECES, SPECIAL)
    assert np.isnan(matched(nothing, something))
    assert np.isnan(matched(something, nothing))


@given(
    arrays(np.float32, (3, 2), elements=st.floats(0.125, 1, width=32)),
    arrays(np.float32, (4, 2), elements=st.floats(0.125, 1, width=32)),
    arrays(np.float64, 4, elements=st.floats(0.1, 9)),
)
def test_each_word_takes_its_best_match(one: np.ndarray, other: np.ndarray, weights: np.ndarray) -> None:
    total = 0.0
    for vector, weight in zip(other, weights, strict=True):
        total += weight * max(float(np.dot(each, vector)) for each in one)
    slow = total / weights.sum()
    assert matched(Words(one, np.ones(3)), Words(other, weights)) == pytest.approx(slow, rel=1e-5)  # float32


def test_a_rare_word_that_is_missing_costs_more(encoder: Encoder) -> None:  # noqa: ARG001
    source = "The volcano is near the city."
    pairs = [("Near the city is the volcano.", source), ("Near the city.", source), ("The volcano is near.", source)]
    whole, rare_missing, common_missing = word_recall(pairs, load_meaning(), "float32", "truncate", pg.Workspace())
    assert rare_missing < common_missing < whole <= 1 + 1e-6
