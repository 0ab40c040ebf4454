"""Vector extrema, by hand on five words and by a plain loop on the real vectors."""

from __future__ import annotations

import math

import numpy as np
import pytest

from paragauge.metrics.meaning.word_vectors import VectorExtrema

WITHIN = 1e-12  # a handful of operations in double precision


# a = (1, 0), b = (0, 1), c = (3, 4), d = (−1, 0), e = (−4, 3)
@pytest.mark.parametrize(
    "candidate, other, expected",
    [
        ("a e", "c", 0),  # first dimension: −4 is further from 0 than 1; (−4, 3)·(3, 4) = 0
        ("a e", "a", -0.8),  # (−4, 3)/5 · (1, 0)
        ("c e", "a", -4 / math.sqrt(32)),  # −4 beats 3, 4 beats 3: (−4, 4)
        ("a d", "a", 1),  # 1 and −1 are equally far: the highest, (1, 0)
        ("a d d d", "a", 1),  # how often a word comes does not matter
        ("a b", "c", 7 / (5 * math.sqrt(2))),  # (1, 1)·(3, 4): the lowest value is 0, and 1 is further from 0
        ("a strange", "odd c", 0.6),  # words without a vector are left out
        ("strange", "c", math.nan),
    ],
)
def test_by_hand(candidate, other, expected, tiny_vectors):
    metric = VectorExtrema(vectors=tiny_vectors)
    found = metric.score(sources=["a"], candidates=[candidate], references=[[other]])[0]
    assert found == pytest.approx(expected, abs=WITHIN, nan_ok=True)


def test_a_plain_loop_finds_the_same(glove, some_tweets):
    candidates, references = some_tweets

    def extremes(text: str) -> np.ndarray:
        rows = [glove.matrix[glove.row(word)].astype(float) for word in text.lower().split() if word in glove]
        return np.array([max(sorted(column, reverse=True), key=abs) for column in zip(*rows, strict=True)])

    found = VectorExtrema(tokenizer="none").score(
        sources=references, candidates=candidates, references=[[text] for text in references]
    )
    for text, other, score in zip(candidates, references, found, strict=True):
        one, two = extremes(text), extremes(other)
        assert score == pytest.approx(one @ two / np.linalg.norm(one) / np.linalg.norm(two), abs=WITHIN)
