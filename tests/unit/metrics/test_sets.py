"""Self-BLEU, distinct-n, compression ratio and DS-BOW: by hand, against slow oracles, and over many sets."""

import gzip
import itertools
import math
import time

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from paragauge.metrics import parse
from paragauge.metrics.form.bleu import Bleu
from paragauge.tables.samples import Samples

# a few operations in double precision; at a scale of 100 for BLEU
WITHIN = 1e-12
BLEU_WITHIN = 1e-9
TEXTS = st.lists(st.sampled_from(["a", "b", "c", "d"]), max_size=7).map(" ".join)
SETS = st.lists(st.lists(TEXTS, min_size=1, max_size=6), min_size=1, max_size=5)
NAMES = ("selfbleu", "distinct", "distinct-1", "distinct-3", "compression-ratio", "ds-bow")


def of_set(spec: str, *texts: str) -> float:
    found = parse(spec).score(sources=["s"] * len(texts), candidates=list(texts))
    filled = [place for place, text in enumerate(texts) if text.strip()]
    assert np.array_equal(found[filled], np.full(len(filled), found[filled[0]] if filled else 0), equal_nan=True)
    assert np.isnan(np.delete(found, filled)).all(), "an empty candidate has no part in the set"
    return float(found[filled[0]] if filled else found[0])


def table(sets: list[list[str]]) -> Samples:
    return Samples.of([str(number) for number, texts in enumerate(sets) for _ in texts], [t for s in sets for t in s])


def each_set(spec: str, sets: list[list[str]]) -> list[float]:
    samples = table(sets)
    found = parse(spec).score(samples)
    filled = [next((row for row in rows if samples.candidates[row].strip()), rows[0]) for rows in samples.sets()]
    return [float(found[row]) for row in filled]


class TestSelfBleu:
    def test_by_hand(self):
        # a b c d e | a b c d x, each against the other: 4/5, 3/4, 2/3, 1/2 of the n-grams, no brevity penalty:
        # (4/5 · 3/4 · 2/3 · 1/2)^(1/4) = (1/5)^(1/4)
        assert of_set("selfbleu", "a b c d e", "a b c d x") == pytest.approx(100 * 0.2**0.25, abs=BLEU_WITHIN)

    def test_ends(self):
        assert of_set("selfbleu", "a b c d", "a b c d", "a b c d") == pytest.approx(100, abs=BLEU_WITHIN)
        assert of_set("selfbleu", "a b", "c d", "e f") == 0

    def test_the_sibling_closest_in_length(self):
        # order 1: "a" against "a b" and "a b c": 1 of 1, brevity exp(1 − 2/1); the other two: 1
        expected = 100 * (math.exp(-1) + 1 + 2 / 3) / 3  # a b c: two of its three words are in a b
        assert of_set("selfbleu:order=1", "a", "a b", "a b c") == pytest.approx(expected, abs=BLEU_WITHIN)

    def test_empty_candidates_are_left_out(self):
        assert of_set("selfbleu", "a b c d", "", "a b c x", " ") == of_set("selfbleu", "a b c d", "a b c x")
        assert math.isnan(of_set("selfbleu", "a b c d"))
        assert math.isnan(of_set("selfbleu", "a b c d", " "))
        assert "fewer than two" in parse("selfbleu").reason(table([["a"]]), 0)

    @given(SETS, st.sampled_from(["exp", "floor", "add-k", "none"]), st.integers(1, 5))
    def test_is_the_mean_of_bleu_against_the_siblings(self, sets, smoothing, order):
        found = each_set(f"selfbleu:smoothing={smoothing},order={order}", sets)
        bleu = Bleu(smoothing=smoothing, order=order)
        for value, texts in zip(found, sets, strict=True):
            texts = [text for text in texts if text]
            if len(texts) < 2:
                assert math.isnan(value)
                continue
            siblings = [texts[:place] + texts[place + 1 :] for place in range(len(texts))]
            expected = bleu.score(sources=[""] * len(texts), candidates=texts, references=siblings).mean()
            assert value == pytest.approx(expected, abs=BLEU_WITHIN)


class TestDistinct:
    def test_by_hand(self):
        # a b a | a b: words a b a a b, 2 of 5 distinct; pairs ab ba ab, 2 of 3
        assert of_set("distinct-1", "a b a", "a b") == 2 / 5
        assert of_set("distinct", "a b a", "a b") == 2 / 3
        assert of_set("distinct-3", "a b a", "a b") == 1

    def test_names(self):
        assert [parse(f"distinct-{n}").n for n in (1, 2, 3)] == [1, 2, 3]
        assert [parse(f"distinct-{n}").spec for n in (1, 2, 3)] == ["distinct-1", "distinct", "distinct-3"]

    def test_undefined(self):
        assert math.isnan(of_set("distinct", "a", "b"))
        assert parse("distinct").reason(table([["a"]]), 0) == "no candidate of the set has 2 words"

    @given(SETS, st.integers(1, 4))
    def test_against_sets(self, sets, n):
        for value, texts in zip(each_set(f"distinct:n={n}", sets), sets, strict=True):
            found = [
                gram
                for tokens in map(str.split, texts)
                for gram in zip(*(tokens[start:] for start in range(n)), strict=False)
            ]
            assert value == len(set(found)) / len(found) if found else math.isnan(value)


class TestCompressionRatio:
    def test_by_hand(self):
        # "a" is 1 byte; gzip: 10 of header, 3 of deflate, 8 of trailer
        assert of_set("compression-ratio", "a") == 1 / 21
        texts = ["the same words again", "the same words again", "and others"]
        data = "\n".join(sorted(texts)).encode()
        assert of_set("compression-ratio", *texts) == len(data) / len(gzip.compress(data, 9))

    def test_more_of_the_same_compresses_better(self):
        copies = [of_set("compression-ratio", *["How old are you, my friend?"] * size) for size in (1, 2, 5, 50)]
        assert copies == sorted(copies)
        assert copies[0] < 1 < copies[2]

    def test_undefined_and_empty(self):
        assert math.isnan(of_set("compression-ratio", "", " "))
        assert of_set("compression-ratio", "a b", "") == of_set("compression-ratio", "a b")

    def test_the_signature_names_the_compressor(self):
        assert "|zlib:" in parse("compression-ratio").signature()


class TestDsBow:
    def test_by_hand(self):
        # {a b c} and {a b}: a b c a | a b: 2 in common / mean of 4 and 2 = 2/3; 1 − 2/3
        assert of_set("ds-bow", "a b c a", "a b") == pytest.approx(1 / 3, abs=WITHIN)
        # three texts: a b | a c | d e: 1 − 1/2, 1, 1
        assert of_set("ds-bow", "a b", "a c", "d e") == pytest.approx(2.5 / 3, abs=WITHIN)

    def test_ends(self):
        assert of_set("ds-bow", "a b", "b a") == 0
        assert of_set("ds-bow", "a a", "a a") == 0.5  # one distinct word of two: repetition counts in the length
        assert of_set("ds-bow", "a b", "c d") == 1

    def test_empty_candidates_are_left_out(self):
        assert of_set("ds-bow", "", "a b", "a c") == of_set("ds-bow", "a b", "a c")
        assert math.isnan(of_set("ds-bow", "", "a b", ""))
        assert math.isnan(of_set("ds-bow", "", ""))
        assert math.isnan(of_set("ds-bow", "a b"))

    @given(SETS)
    def test_against_pairs(self, sets):
        for value, texts in zip(each_set("ds-bow", sets), sets, strict=True):
            pairs = list(itertools.permutations([text.split(" ") for text in texts if text], 2))
            if not pairs:
                assert math.isnan(value)
                continue
            terms = [1 - len(set(one) & set(two)) / ((len(one) + len(two)) / 2) for one, two in pairs]
            assert value == pytest.approx(sum(terms) / len(terms), abs=WITHIN)


@pytest.mark.parametrize("name", NAMES)
def test_each_set_counts_once_in_the_corpus_score(name):
    small, large = ["a b c d", "a b c e"], ["x y z v", "x y w v", "q x y z", "x y z v u"]
    values = [of_set(name, *texts) for texts in (small, large)]
    assert values[0] != values[1] or name == "distinct-3"
    assert parse(name).corpus(table([small, large])) == pytest.approx(sum(values) / 2, abs=BLEU_WITHIN)


@pytest.mark.parametrize("name", NAMES)
def test_systems_are_kept_apart(name):
    one, two = ["a b c d", "a b c e"], ["x y z v", "q y z v"]
    samples = Samples.of(["s"] * 4, one + two, systems=["one", "one", "two", "two"])
    assert parse(name).score(samples).tolist() == [of_set(name, *one)] * 2 + [of_set(name, *two)] * 2


@pytest.mark.parametrize("name", NAMES)
def test_thousands_of_sets_take_milliseconds_each_at_most(name):
    """2,000 sets of five sentences of 12 words. Measured 0.1 to 0.2 s; the bound leaves room for a busy machine."""
    random = np.random.default_rng(0)
    words = np.array([f"word{number}" for number in range(300)])
    texts = [" ".join(row) for row in words[random.integers(0, 300, (10_000, 12))]]
    samples = Samples.of([str(row // 5) for row in range(10_000)], texts)
    start = time.process_time()
    assert not np.isnan(parse(name).score(samples)).any()
    assert time.process_time() - start < 4
