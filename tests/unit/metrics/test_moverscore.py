"""MoverScore, against all ways to pair the tokens of the real encoder."""

import math
from itertools import permutations

import numpy as np
import pytest

pytest.importorskip("ot", reason="needs the extra `transport`")

from paragauge.metrics.meaning import moverscore
from paragauge.metrics.meaning.moverscore import MoverScore
from paragauge.tables.samples import Samples

pytestmark = pytest.mark.usefixtures("encoder")
FLOAT32 = 1e-5  # kernels round differently in batches of another size


def test_the_best_of_all_pairings(encoder):
    """Each token repeated until both texts are equally long; 5 and 5 tokens, then 6 and 3."""
    candidates = ["an aged man goes home", "cats are asleep here right now"]
    references = ["the old man walks home", "two cats sleep"]
    found = MoverScore().score(sources=references, candidates=candidates, references=[[text] for text in references])
    encoded = list(encoder.encode([*candidates, *references]))
    for row in range(2):
        own, other = (encoded[place].vectors[1:-1].astype(float) for place in (row, row + 2))  # no [CLS], no [SEP]
        size = math.lcm(len(own), len(other))
        assert size == (5, 6)[row]
        one, two = (np.repeat(side, size // len(side), axis=0) for side in (own, other))
        costs = np.linalg.norm(one[:, None] - two[None], axis=-1)
        best = min(costs[np.arange(size), list(order)].sum() for order in permutations(range(size))) / size
        assert found[row] == pytest.approx(1 - best, abs=FLOAT32)


def test_a_copy_gets_1_and_other_words_less():
    scores = MoverScore(free=True).score(sources=["a cat"] * 2, candidates=["a cat", "stock markets fell"])
    assert scores[0] == 1
    assert scores[1] < 0.3


def test_why_there_is_no_score():
    samples = Samples.of(["a cat"] * 2, ["", "\u0301"])
    metric = MoverScore(free=True)
    assert np.isnan(metric.score(samples)).all()
    assert metric.reason(samples, 0) == "the candidate is empty"
    assert metric.reason(samples, 1) == "the encoder finds nothing to read in one of the texts"


def test_texts_too_long_for_the_solver_have_no_score_and_a_reason(monkeypatch):
    monkeypatch.setattr(moverscore, "_PAIRS", 20)
    samples = Samples.of(["one two three four five six"] * 2, ["two", "six five four three two one"])
    metric = MoverScore(free=True, long="window")
    assert np.isnan(metric.score(samples)).tolist() == [False, True]
    assert metric.reason(samples, 1) == "the texts are too long to move one to the other: more than 20 pairs of tokens"
