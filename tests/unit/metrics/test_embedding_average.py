"""Embedding average, by hand on five words and by a plain loop on the real vectors."""

from __future__ import annotations

import math

import numpy as np
import pytest

from paragauge.compute.workspace import Workspace
from paragauge.metrics.meaning.word_vectors import EmbeddingAverage
from paragauge.tables.notices import NoticeKind
from paragauge.tables.samples import Samples

WITHIN = 1e-12  # a handful of operations in double precision


# a = (1, 0), b = (0, 1), c = (3, 4), d = (−1, 0)
@pytest.mark.parametrize(
    "candidate, other, expected",
    [
        ("a b", "c", 7 / (5 * math.sqrt(2))),  # (1, 1)·(3, 4) = 7; lengths √2 and 5
        ("a a b", "c", 2 / math.sqrt(5)),  # (2, 1)·(3, 4) = 10; lengths √5 and 5
        ("A b", "c", 7 / (5 * math.sqrt(2))),  # lower-cased
        ("a b unknown", "C strange", 7 / (5 * math.sqrt(2))),  # words without a vector are left out
        ("a", "d", -1),
        ("a", "b", 0),
        ("a d", "c", math.nan),  # the mean is (0, 0), which has no direction
        ("unknown", "c", math.nan),
    ],
)
def test_by_hand(candidate, other, expected, tiny_vectors):
    metric = EmbeddingAverage(vectors=tiny_vectors)
    found = metric.score(sources=["a"], candidates=[candidate], references=[[other]])[0]
    assert found == pytest.approx(expected, abs=WITHIN, nan_ok=True)


def test_why_there_is_no_score(tiny_vectors):
    metric = EmbeddingAverage(vectors=tiny_vectors)
    samples = Samples.of(["a"] * 4, ["strange", "a", "", "a"], [["a"], ["strange", "odd"], ["a"], []])
    assert np.isnan(metric.score(samples)).all()
    assert [metric.reason(samples, row) for row in range(4)] == [
        "no word of the candidate has a vector in tiny.txt",
        "no word of the references has a vector in tiny.txt",
        "the candidate is empty",
        "the row has no reference",
    ]
    free = EmbeddingAverage(vectors=tiny_vectors, free=True)
    assert free.reason(Samples.of(["odd"], ["a"]), 0) == "no word of the source has a vector in tiny.txt"


def test_unknown_words_are_counted_once(tiny_vectors):
    work = Workspace()
    metric = EmbeddingAverage(vectors=tiny_vectors)
    for _ in range(2):
        metric.score(work=work, sources=["a"] * 2, candidates=["a odd odd", "b"], references=[["c odd"], ["c odd"]])
    found = work.notices[NoticeKind.UNKNOWN_TOKENS, "tiny.txt"]
    assert (found.count, found.of) == (2 + 1, 3 + 1 + 2)


def test_a_contraction_is_cut_where_it_has_no_vector(glove):
    assert "don't" not in glove
    assert {"do", "n't", "'s"} <= set(glove.words)
    metric = EmbeddingAverage()
    pairs = [("I don't know", "i do n't know"), ("I don’t know", "i do n't know"), ("He's here", "he 's here")]
    found = metric.score(
        sources=[""] * 3, candidates=[pair[0] for pair in pairs], references=[[pair[1]] for pair in pairs]
    )
    np.testing.assert_allclose(found, 1, rtol=0, atol=WITHIN)
    literal = EmbeddingAverage(tokenizer="none").score(
        sources=[""], candidates=["I don't know"], references=[["i know"]]
    )
    np.testing.assert_allclose(literal, 1, rtol=0, atol=WITHIN)  # `don't` is left out


def test_a_plain_loop_finds_the_same(glove, some_tweets):
    candidates, references = some_tweets

    def mean(text: str) -> np.ndarray:
        return np.mean(
            [glove.matrix[glove.row(word)].astype(float) for word in text.lower().split() if word in glove], 0
        )

    found = EmbeddingAverage(tokenizer="none").score(
        sources=references, candidates=candidates, references=[[text] for text in references]
    )
    for text, other, score in zip(candidates, references, found, strict=True):
        one, two = mean(text), mean(other)
        assert score == pytest.approx(one @ two / np.linalg.norm(one) / np.linalg.norm(two), abs=WITHIN)
