"""Greedy matching, by hand on five words and by a plain loop on the real vectors."""

from __future__ import annotations

import math

import numpy as np
import pytest

from paragauge.metrics.meaning.word_vectors import GreedyMatching

WITHIN = 1e-12  # a handful of operations in double precision


# cosines: a–c 0.6, b–c 0.8, a–b 0, a–d −1
@pytest.mark.parametrize(
    "candidate, other, expected",
    [
        ("a b", "c", 0.75),  # there (0.6 + 0.8)/2 = 0.7, back max(0.6, 0.8) = 0.8
        ("a a b", "c", (2 / 3 + 0.8) / 2),  # there (0.6 + 0.6 + 0.8)/3
        ("a b", "a c", (1 + 0.8 + 1 + 0.8) / 4),  # b takes c and c takes b, a is there itself
        ("a", "d", -1),
        ("a b strange", "c odd", 0.75),  # words without a vector are left out
        ("a", "strange", math.nan),
    ],
)
def test_by_hand(candidate, other, expected, tiny_vectors):
    metric = GreedyMatching(vectors=tiny_vectors)
    found = metric.score(sources=["a"], candidates=[candidate], references=[[other]])[0]
    assert found == pytest.approx(expected, abs=WITHIN, nan_ok=True)


def test_a_plain_loop_finds_the_same(glove, some_tweets):
    candidates, references = some_tweets

    def units(text: str) -> list[np.ndarray]:
        rows = [glove.matrix[glove.row(word)].astype(float) for word in text.lower().split() if word in glove]
        return [row / np.linalg.norm(row) for row in rows]

    def one_way(text: list[np.ndarray], other: list[np.ndarray]) -> float:
        return float(np.mean([max(float(word @ choice) for choice in other) for word in text]))

    found = GreedyMatching(tokenizer="none").score(
        sources=references, candidates=candidates, references=[[text] for text in references]
    )
    for text, other, score in zip(candidates, references, found, strict=True):
        one, two = units(text), units(other)
        assert score == pytest.approx((one_way(one, two) + one_way(two, one)) / 2, abs=WITHIN)
