"""The behaviour of the code published with Shen et al. 2022, against the packages that it calls."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from paragauge.errors import InputError
from paragauge.tables.samples import Samples
from paragauge_research.papers.shen2022 import authors

GOLDEN = json.loads((Path(__file__).parent / "authors_golden.json").read_text(encoding="utf-8"))
OTHERS, CANDIDATES = (list(column) for column in zip(*GOLDEN["pairs"], strict=True))
WITHIN = 1e-12  # a handful of operations in double precision
texts = st.lists(st.sampled_from(["a", "u", "s", "us", "aus", "ship", "cannot", "Ship"]), min_size=1, max_size=9).map(
    " ".join
)


@pytest.mark.parametrize("kind, key", [("rouge1", "rouge-1"), ("rouge2", "rouge-2"), ("rougeL", "rouge-l")])
def test_rouge_is_that_of_the_package(kind, key):
    found = authors.rouge(kind, OTHERS, CANDIDATES)
    np.testing.assert_allclose(found, GOLDEN[key], rtol=0, atol=WITHIN)
    assert len(set(GOLDEN[key])) > 3  # the pairs tell something apart


@given(other=texts, candidate=texts)
def test_rouge_is_that_of_the_package_on_random_texts(other, candidate):
    package = pytest.importorskip("rouge", reason="needs the package rouge")
    for kind, key in (("rouge1", "rouge-1"), ("rouge2", "rouge-2"), ("rougeL", "rouge-l")):
        expected = package.Rouge(metrics=[key]).get_scores(candidate, other)[0][key]["f"]
        assert authors.rouge(kind, [other], [candidate])[0] == pytest.approx(expected, abs=WITHIN)


def test_rouge_keeps_case_and_counts_a_word_once():
    # sets {The, Cat, sat} and {the, cat, sat} share one word of three: F = 1/3
    assert authors.rouge("rouge1", ["The Cat sat"], ["the cat sat"])[0] == pytest.approx(1 / 3, abs=1e-8)
    # {a, b} and {a, b}: a repeated word is as good as one; the 1e-8 is the package's own, against 0/0
    assert authors.rouge("rouge1", ["a b a b a"], ["b a"])[0] == pytest.approx(1, abs=1e-8)


def test_rouge_of_nothing_is_undefined():
    assert np.isnan(authors.rouge("rouge1", ["a"], [""])).all()
    with pytest.raises(InputError, match="no ROUGE named 'rouge3'; known"):
        authors.rouge("rouge3", ["a"], ["a"])


@given(other=texts, candidate=texts, flat=st.booleans())
def test_bleu_is_that_of_nltk_to_the_last_bit(other, candidate, flat):
    import warnings

    from nltk.translate.bleu_score import SmoothingFunction, sentence_bleu

    tokens, own = authors.words(other), authors.words(candidate)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # nltk warns of orders without matches
        expected = sentence_bleu(tokens if flat else [tokens], own, smoothing_function=SmoothingFunction().method1)
    assert authors.bleu([other], [candidate], flat=flat)[0] == expected


def test_flat_bleu_by_hand():
    # references "us" and "a", read as letters: u, s and a are known, and (u, s) too; not (s, a), nor any triple.
    # p = 3/3, 1/2, 0.1/1 and, as there is no 4-gram, 0.1/1; of the lengths 1 and 2 none is above 3: no penalty
    assert authors.bleu(["us a"], ["u s a"], flat=True)[0] == pytest.approx((0.5 * 0.1 * 0.1) ** 0.25, abs=WITHIN)
    # a perfect copy without words of one letter scores nothing
    assert authors.bleu(["ships sail far away"], ["ships sail far away"], flat=True)[0] == 0
    assert authors.bleu(["ships sail far away"], ["ships sail far away"], flat=False)[0] == pytest.approx(1, abs=WITHIN)
    assert authors.bleu(["a"], [""], flat=False)[0] == 0


def test_ibleu_has_its_texts_exchanged():
    samples = Samples.of(["a b c d"], ["a b"], [["a b c d e f"]])
    # the reference is judged by the candidate's words a and b, and so is the source
    expected = authors.bleu(["a b"], ["a b c d e f"], flat=True) - 0.2 * authors.bleu(["a b"], ["a b c d"], flat=True)
    np.testing.assert_array_equal(authors.ibleu(samples), expected)


def test_ibleu_does_not_see_a_candidate_that_is_the_reference():
    perfect = "boats drift with every tide"
    assert authors.ibleu(Samples.of(["ships sail far away"], [perfect], [[perfect]]))[0] == 0  # 1 if done correctly


def test_bert_ibleu_rewards_a_copy():
    copy, rewrite = authors.bert_ibleu(np.array([1.0, 0.9]), np.array([1.0, 0.1]), 4.0)
    assert copy == pytest.approx(10 / 9, abs=WITHIN)  # 5 / (4 + 1/2)
    assert rewrite < copy


def test_the_threshold_makes_no_difference():
    distance = np.array([0.0, 0.2, 0.35, 0.36, 1.0])
    paper = np.where(distance > 0.35, 0.35, distance * 1.35 / 0.35 - 1)
    np.testing.assert_allclose(authors.diversity(distance), paper, rtol=0, atol=WITHIN)


def test_omega_is_off_by_one():
    rng = np.random.default_rng(0)
    similarity, difference = rng.random(200), rng.random(200)
    found = authors.tune(similarity, difference, similarity + 0.37 * difference)
    assert (found.chosen, found.used) == (0.37, 0.38)
    assert found.pearson == pytest.approx(1, abs=WITHIN)
    assert authors.tune(similarity, difference, similarity)[:2] == (0.0, 0.01)  # diversity is never left out
    assert authors.tune(similarity, difference, difference)[:2] == (0.99, 1.0)


def test_omega_of_equal_ratings_cannot_be_chosen():
    with pytest.raises(InputError, match="every correlation is undefined"):
        authors.tune(np.arange(3.0), np.arange(3.0), np.ones(3))


def test_characters_are_set_apart():
    found = authors.spaced(Samples.of(["ATM 卡"], ["12"], [["卡 2"]]))
    assert (found.sources, found.candidates, found.references) == (["A T M   卡"], ["1 2"], [("卡   2",)])


@pytest.mark.parametrize("text", ["I wanna go", "gimme", "do n't", "gonna , gotta"])
def test_words_are_those_of_nltk(text):
    from nltk.tokenize.destructive import NLTKWordTokenizer

    tokens: list[Any] = NLTKWordTokenizer().tokenize(text.lower())
    assert authors.words(text) == tokens
    assert math.isfinite(authors.bleu([text], [text], flat=False)[0])
