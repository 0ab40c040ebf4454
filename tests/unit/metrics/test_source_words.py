"""PINC, novelty, lexical deviation, word position deviation: by hand and against slow oracles."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from paragauge.metrics import parse
from paragauge.tables.samples import Samples

# a few operations in double precision on numbers up to 1
WITHIN = 1e-12
TEXTS = st.lists(st.sampled_from(["a", "b", "c", "dd", "e1", ".", "?"]), max_size=9).map(" ".join)
ROWS = st.lists(st.tuples(TEXTS, TEXTS), max_size=6)


def score(spec: str, source: str, candidate: str) -> float:
    return float(parse(spec).score(sources=[source], candidates=[candidate])[0])


def columns(rows: list[tuple[str, str]]) -> Samples:
    return Samples.of([source for source, _ in rows], [candidate for _, candidate in rows])


def grams(tokens: list[str], n: int) -> set[tuple[str, ...]]:
    return set(zip(*(tokens[start:] for start in range(n)), strict=False))


class TestPinc:
    def test_by_hand(self):
        # candidate a b x d a b, source a b c d
        # order 1: {a b x d}, new {x}: 1/4;  order 2: {ab bx xd da}, new all but ab: 3/4
        # order 3: {abx bxd xda dab}: 4/4;  order 4: {abxd bxda xdab}: 3/3
        assert score("pinc", "a b c d", "a b x d a b") == pytest.approx((1 / 4 + 3 / 4 + 1 + 1) / 4, abs=WITHIN)

    def test_orders_that_the_candidate_has_not(self):
        # two words: orders 1 and 2 only; {a x}: 1/2, {ax}: 1
        assert score("pinc", "a b c d e", "a x") == pytest.approx((1 / 2 + 1) / 2, abs=WITHIN)
        # a short source lacks the candidate's longer n-grams, which are new: {a b c d}: 3/4, then 1, 1, 1
        assert score("pinc", "a", "a b c d") == pytest.approx((3 / 4 + 3) / 4, abs=WITHIN)

    def test_order_and_case(self):
        assert score("pinc:order=1", "a b c d", "a b x d a b") == 0.25
        assert score("pinc", "How old", "how old") == pytest.approx((1 / 2 + 1) / 2, abs=WITHIN)
        assert score("pinc:lowercase=yes", "How old", "how old") == 0

    def test_ends(self):
        assert score("pinc", "a b c d e", "a b c d e") == 0
        assert score("pinc", "a b c d e", "v w x y z") == 1

    @pytest.mark.parametrize(("source", "candidate"), [("", "a"), ("a", ""), ("", ""), ("<skipped>", "a")])
    def test_undefined(self, source, candidate):
        assert math.isnan(score("pinc", source, candidate))
        assert parse("pinc").reason(Samples.of([source], [candidate]), 0) in (
            "the candidate is empty",
            "the source is empty",
            "the candidate or the source has no words",
        )

    @given(ROWS)
    def test_against_sets(self, rows):
        found = parse("pinc:tokenizer=none").score(columns(rows))
        for value, (source, candidate) in zip(found, rows, strict=True):
            theirs, ours = source.split(), candidate.split()
            terms = [
                1 - len(grams(theirs, n) & grams(ours, n)) / len(grams(ours, n))
                for n in range(1, 5)
                if grams(ours, n) and theirs
            ]
            assert value == pytest.approx(sum(terms) / len(terms), abs=WITHIN) if terms else math.isnan(value)


class TestNovelty:
    def test_by_hand(self):
        # {how, many, years, many} against {how, old, are, you}: types 2 of 3 new, tokens 3 of 4
        assert score("novelty", "How old are you?", "how many years, many!") == pytest.approx(2 / 3, abs=WITHIN)
        assert score("novelty:count=tokens", "How old are you?", "how many years, many!") == 0.75
        assert score("novelty", "我爱你", "我恨你") == pytest.approx(1 / 3, abs=WITHIN)

    @given(ROWS)
    def test_of_words_without_capitals_and_punctuation_it_is_the_order_1_of_pinc(self, rows):
        plain = [tuple(text.replace(".", "f").replace("?", "g") for text in row) for row in rows]
        np.testing.assert_allclose(
            parse("novelty").score(columns(plain)), parse("pinc:order=1").score(columns(plain)), rtol=0, atol=WITHIN
        )

    def test_undefined(self):
        samples = Samples.of(["?!", "a"], ["a", "…"])
        assert np.isnan(parse("novelty").score(samples)).all()
        assert parse("novelty").reason(samples, 0) == "the candidate or the source has no words"


class TestLexicalDeviation:
    def test_by_hand(self):
        # {a man plays guitar} and {the man plays a guitar well}: 4 shared of 6
        assert score("lexical-deviation", "A man plays guitar.", "The man plays a guitar well!") == pytest.approx(
            1 - 4 / 6, abs=WITHIN
        )
        assert score("lexical-deviation:lowercase=no", "A man", "a man") == pytest.approx(1 - 1 / 3, abs=WITHIN)

    def test_punctuation_is_no_word(self):
        assert score("lexical-deviation", "Yes.", "yes !") == 0
        assert math.isnan(score("lexical-deviation", "?!", "yes"))
        assert math.isnan(score("lexical-deviation", "?!", "?!"))

    @given(ROWS)
    def test_against_sets(self, rows):
        for value, row in zip(parse("lexical-deviation").score(columns(rows)), rows, strict=True):
            one, two = ({word for word in text.split() if word not in ".?"} for text in row)
            assert value == 1 - len(one & two) / len(one | two) if one and two else math.isnan(value)


class TestWordPositionDeviation:
    def test_by_hand(self):
        # a b c d at 0 1/3 2/3 1;  d a x at 0 1/2 1: a moved 1/2, d moved 1
        assert score("word-position-deviation", "a b c d", "d a x") == pytest.approx((1 / 2 + 1) / 2, abs=WITHIN)

    def test_a_word_that_stands_more_often(self):
        # a at 0, 1/2, 1 in the source and at 1/3 in the candidate: 1/3, 1/6, 2/3, mean 7/18; b at 1/4 and 0: 1/4
        assert score("word-position-deviation", "a b a c a", "b a x y") == pytest.approx(
            (7 / 18 + 1 / 4) / 2, abs=WITHIN
        )
        # the candidate has more: the same the other way round
        assert score("word-position-deviation", "b a x y", "a b a c a") == pytest.approx(
            (7 / 18 + 1 / 4) / 2, abs=WITHIN
        )

    def test_equally_often_the_source_counts(self):
        # source a a x x: a at 0, 1/3; candidate a x x a: a at 0, 1. From the source: 0 and 1/3, mean 1/6
        # x at 2/3, 1 and at 1/3, 2/3: from the source 0 and 1/3, mean 1/6
        assert score("word-position-deviation", "a a x x", "a x x a") == pytest.approx(1 / 6, abs=WITHIN)
        # the other way: a at 0 and 1 to the nearest of 0, 1/3: 0 and 2/3, mean 1/3; x at 1/3, 2/3 to 2/3, 1: 1/6
        assert score("word-position-deviation", "a x x a", "a a x x") == pytest.approx((1 / 3 + 1 / 6) / 2, abs=WITHIN)

    def test_punctuation(self):
        # with the full stop: a b . at 0 1/2 1, b a . the same places: a 1/2, b 1/2, . 0
        assert score("word-position-deviation:punctuation=yes", "a b .", "b a .") == pytest.approx(1 / 3, abs=WITHIN)
        assert score("word-position-deviation", "a b .", "b a .") == 1

    def test_ends(self):
        assert score("word-position-deviation", "a b c", "a b c") == 0
        assert score("word-position-deviation", "a b c", "x y z") == 1

    def test_undefined(self):
        samples = Samples.of(["a b", "a", "a b"], ["a", "a b", ""])
        metric = parse("word-position-deviation")
        assert np.isnan(metric.score(samples)).all()
        assert metric.reason(samples, 0) == "a text of fewer than two words has no positions"
        assert metric.reason(samples, 2) == "the candidate is empty"

    def test_many_occurrences(self):
        """The search for the nearest among sorted positions is the minimum over all of them."""
        random = np.random.default_rng(0)
        for _ in range(20):
            source, candidate = (random.choice(["a", "b", "c"], size).tolist() for size in random.integers(30, 90, 2))
            moved = []
            for word in set(source) & set(candidate):
                here, there = (
                    [place / (len(text) - 1) for place, token in enumerate(text) if token == word]
                    for text in (source, candidate)
                )
                more, fewer = (here, there) if len(here) >= len(there) else (there, here)
                moved.append(sum(min(abs(one - two) for two in fewer) for one in more) / len(more))
            expected = sum(moved) / len(moved)
            found = score("word-position-deviation", " ".join(source), " ".join(candidate))
            assert found == pytest.approx(expected, abs=WITHIN)
