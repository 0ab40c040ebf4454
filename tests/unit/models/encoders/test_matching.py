"""Greedy matching: against a slow oracle, against bert_score's numbers, and independent of company."""

from collections import defaultdict
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from paragauge.models import Encoded, Encoder, greedy_match, load_encoder, match_pairs
from paragauge.models.hub.fetch import ensure
from paragauge.models.hub.registry import entry_named

SPECIAL = frozenset({0, 1})

# bert_score 0.3.13, score(CANDIDATES, OTHERS, model_type=<folder of all-MiniLM-L6-v2>, num_layers=…)
CANDIDATES = ["What is your age?", "the cat sat on the mat", "Obama spoke to the press in Illinois"]
OTHERS = ["How old are you?", "a dog lay on a rug", "The President greets the press in Chicago"]
GOLDEN = {
    6: [
        [0.77599144, 0.77250135, 0.77424252],
        [0.50344920, 0.50344920, 0.50344920],
        [0.64978027, 0.65029079, 0.65003544],
    ],
    2: [
        [0.73226410, 0.73226410, 0.73226410],
        [0.63973820, 0.63973820, 0.63973820],
        [0.71578008, 0.72006738, 0.71791732],
    ],
}
GOLDEN_IDF = [  # the same with idf=True, layer 6
    [0.79052383, 0.77250135, 0.78140861], [0.47607517, 0.50344920, 0.48937967], [0.61057049, 0.65029079, 0.62980497],
]  # fmt: skip


def make(ids: list[int], seed: int) -> Encoded:
    vectors = np.random.default_rng(seed).normal(size=(len(ids), 4)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    return Encoded(np.array(ids, np.int32), vectors, np.ones(4, np.float32), 0, 0)


def slow(candidate: Encoded, other: Encoded, weights: dict[int, float]) -> list[float]:
    def side(one: Encoded, two: Encoded) -> float:
        total = weight_sum = 0.0
        for number, vector in zip(one.ids.tolist(), one.vectors, strict=True):
            weight = 0.0 if number in SPECIAL else weights[number]
            total += weight * max((float(vector @ target) for target in two.vectors), default=0.0)
            weight_sum += weight
        return total / weight_sum if weight_sum and len(two.ids) else float("nan")

    precision, recall = side(candidate, other), side(other, candidate)
    return [precision, recall, 2 * precision * recall / (precision + recall)]


texts = st.builds(make, st.lists(st.integers(0, 6), max_size=6), st.integers(0, 1000))


@given(st.lists(st.tuples(texts, texts), max_size=6), st.booleans())
def test_the_same_as_the_slow_way_and_as_alone(pairs: list[tuple[Encoded, Encoded]], weighted: bool) -> None:
    weights = {number: number / 3 if weighted else 1.0 for number in range(7)}
    found = match_pairs([one for one, _ in pairs], [two for _, two in pairs], SPECIAL, weights if weighted else None)
    assert found.shape == (len(pairs), 3)
    for row, (one, two) in zip(found, pairs, strict=True):
        # a sum of P and R near zero enlarges the error of F
        expected = slow(one, two, weights)
        near = np.abs(row[:2] - expected[:2]) < 1e-6
        assert np.all(near | np.isnan(row[:2]) & np.isnan(expected[:2]))
        assert np.array_equal(row, greedy_match(one, two, SPECIAL, weights if weighted else None), equal_nan=True)
        assert np.isnan(row).any() == np.isnan(expected).any() or abs(expected[0] + expected[1]) < 1e-6


def test_special_tokens_can_be_chosen_but_weigh_nothing() -> None:
    one = Encoded(np.array([0, 5], np.int32), np.array([[1, 0], [0, 1]], np.float32), np.ones(2, np.float32), 0, 0)
    two = Encoded(np.array([0, 6], np.int32), np.array([[0, 1], [0.6, 0.8]], np.float32), np.ones(2, np.float32), 0, 0)
    # token 5 is the other side's special token (1.0), token 6 is best with token 5 (0.8); F = 2·1·0.8 / 1.8
    assert greedy_match(one, two, SPECIAL) == pytest.approx((1.0, 0.8, 1.6 / 1.8))


def test_a_text_of_special_tokens_alone_is_undefined() -> None:
    found = match_pairs([make([0, 1], 0), make([0, 3, 1], 1)], [make([0, 4, 1], 2)] * 2, SPECIAL)
    assert np.isnan(found[0, [0, 2]]).all()
    assert not np.isnan(found[1]).any()


@pytest.mark.parametrize("layer", GOLDEN)
def test_bert_score(encoder: Encoder, layer: int) -> None:
    chosen = load_encoder(encoder.name, layer)
    found = match_pairs(list(chosen.encode(CANDIDATES)), list(chosen.encode(OTHERS)), chosen.special_ids)
    assert found == pytest.approx(np.array(GOLDEN[layer]), abs=1e-6)


def test_bert_score_with_idf(encoder: Encoder) -> None:
    # idf as in bert_score: log((M + 1) / (df + 1)) over the references, log(M + 1) for a token none of them has
    documents = [set(ids) for ids in encoder.ids(OTHERS)]
    size = len(documents)
    weights: defaultdict[int, float] = defaultdict(lambda: float(np.log(size + 1)))
    for number in set().union(*documents):
        weights[number] = float(np.log((size + 1) / (sum(number in ids for ids in documents) + 1)))
    found = match_pairs(list(encoder.encode(CANDIDATES)), list(encoder.encode(OTHERS)), encoder.special_ids, weights)
    assert found == pytest.approx(np.array(GOLDEN_IDF), abs=1e-6)


@pytest.mark.filterwarnings("ignore")  # of transformers, as bert_score calls it
def test_bert_score_live_on_published_pairs(encoder: Encoder, twitter: Any) -> None:
    bert_score = pytest.importorskip("bert_score")
    candidates, sources = twitter.candidates[:300], twitter.sources[:300]
    folder = ensure(entry_named(encoder.name))
    expected = np.column_stack(bert_score.score(candidates, sources, model_type=str(folder), num_layers=6))
    known = dict(zip(texts := sorted({*candidates, *sources}, key=len), encoder.encode(texts), strict=True))
    found = match_pairs([known[text] for text in candidates], [known[text] for text in sources], encoder.special_ids)
    assert np.abs(found - expected).max() < 1e-5


def test_long_texts_are_matched_in_parts_with_the_same_result():
    random = np.random.default_rng(5)
    texts = []
    for length in (70, 41):
        vectors = random.normal(size=(length, 8)).astype(np.float32)
        vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
        texts.append(Encoded(np.arange(length, dtype=np.int32), vectors, vectors[0], 0, 0))
    whole = match_pairs([texts[0]], [texts[1]], [0])
    parts = match_pairs([texts[0]], [texts[1]], [0], held=41 * 9)  # nine rows at once: eight parts
    # products of other sizes may round differently in the last bit of a float32
    np.testing.assert_allclose(parts, whole, rtol=1e-6)
