"""Clipped n-gram matches, against Counters."""

import random
from collections import Counter
from collections.abc import Hashable, Sequence

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from paragauge.text import ngrams
from paragauge.text.ngrams import (
    Sequences,
    matches,
    sequences_of_characters,
    sequences_of_tokens,
    shared_types,
    sibling_matches,
    totals,
    types,
)

HUGE = st.integers(0, 2**60)
TOKENS = {
    "tiny": st.sampled_from("ab"),
    "letters": st.sampled_from("abcdefgh"),
    "huge": HUGE,
    "mixed": st.one_of(st.sampled_from("ab"), HUGE),
}
ORDER = 6


def groups_of(tokens: st.SearchStrategy[Hashable], longest: int = 12) -> st.SearchStrategy:
    """Tables of rows of a candidate and up to four other texts."""
    text = st.lists(tokens, max_size=longest)
    return st.lists(st.lists(text, min_size=1, max_size=5), max_size=6)


def grams(tokens: Sequence[Hashable], n: int) -> Counter:
    return Counter(tuple(tokens[start : start + n]) for start in range(len(tokens) - n + 1))


def slow_matches(groups: Sequence[Sequence[Sequence[Hashable]]], order: int) -> np.ndarray:
    """As Papineni et al. 2002 put it."""
    result = np.zeros((len(groups), order), dtype=np.int64)
    for row, (candidate, *others) in enumerate(groups):
        for n in range(1, order + 1):
            most: Counter = Counter()
            for other in others:
                most |= grams(other, n)
            result[row, n - 1] = (grams(candidate, n) & most).total()
    return result


@given(st.one_of(*map(groups_of, TOKENS.values())))
def test_matches_of_tokens(groups):
    found = matches(sequences_of_tokens(groups), ORDER)
    assert found.tolist() == slow_matches(groups, ORDER).tolist()


@given(st.lists(st.tuples(st.text(max_size=15), st.text(max_size=15)), max_size=8))
def test_matches_of_characters(pairs):
    found = matches(sequences_of_characters(pairs), ORDER)
    assert found.tolist() == slow_matches(pairs, ORDER).tolist()


@given(st.lists(st.tuples(st.text("ab\U0010ffff", max_size=30), st.text("ab\U0010ffff", max_size=30)), max_size=4))
def test_matches_of_few_and_far_characters(pairs):
    found = matches(sequences_of_characters(pairs), ORDER)
    assert found.tolist() == slow_matches(pairs, ORDER).tolist()


@settings(max_examples=3)
@given(st.integers(0, 2**32 - 1), st.integers(1, 16))
def test_keys_that_would_not_fit_into_63_bits(seed, order):
    """2,000 distinct tokens in a row are 11 bits each: 16 of them, with row and place, need 176."""
    random = np.random.default_rng(seed)
    groups = []
    for _ in range(3):
        base = random.integers(0, 2_000, 3_000).tolist()
        other = [token if random.random() < 0.9 else -1 for token in base]
        groups.append([base, other, base[::-1], base[500:2_500]])
    assert matches(sequences_of_tokens(groups), order).tolist() == slow_matches(groups, order).tolist()


@settings(max_examples=30)
@given(
    st.lists(st.tuples(*[st.lists(st.sampled_from(range(0, 2**58, 2**54)), max_size=40)] * 2), min_size=2, max_size=2)
)
def test_symbols_that_leave_hardly_any_room(pairs):
    """58 bits a symbol: even renumbered n-grams and one more symbol do not fit beside row and place."""
    texts = [text for pair in pairs for text in (*pair[:1], [*pair[1], *range(0, 2**58, 2**54)])]
    sequences = Sequences(
        np.array([symbol for text in texts for symbol in text], dtype=np.int64),
        np.array(list(map(len, texts))),
        np.array([0, 0, 1, 1]),
        np.array([0, 1, 0, 1]),
        rows=2,
    )
    groups = [texts[:2], texts[2:]]
    assert matches(sequences, ORDER).tolist() == slow_matches(groups, ORDER).tolist()


def test_renumbering_for_many_rows_and_characters():
    """Row, place and six characters of an alphabet of 100,000 take 17 × 6 + 11 bits."""
    alphabet = [chr(point) for point in range(0x10000, 0x10000 + 100_000)]
    pairs = [
        ("".join(alphabet[row * 90 : row * 90 + 60]), "".join(alphabet[row * 90 + 3 : row * 90 + 90]))
        for row in range(1_100)
    ]
    assert matches(sequences_of_characters(pairs), 6).tolist() == slow_matches(pairs, 6).tolist()


def test_clipping_takes_the_reference_that_has_it_most_often():
    # "the" 7 times in the candidate, 2 and 1 times in the references: 2 matches (Papineni et al. 2002, section 2.1)
    texts = "the the the the the the the", "the cat is on the mat", "there is a cat on the mat"
    groups = [[text.split() for text in texts]]
    assert matches(sequences_of_tokens(groups), 2).tolist() == [[2, 0]]


def test_nothing_at_all():
    assert matches(sequences_of_tokens([]), 4).shape == (0, 4)
    assert matches(sequences_of_characters([]), 4).shape == (0, 4)
    assert matches(sequences_of_tokens([[[], []], [["a"]]]), 2).tolist() == [[0, 0], [0, 0]]
    assert matches(sequences_of_tokens([[["a"], []], [[], ["a"]], [["a"], ["a"]]]), 2).tolist() == [
        [0, 0],
        [0, 0],
        [1, 0],
    ]


@given(st.lists(st.integers(0, 20), max_size=10), st.integers(1, 8))
def test_totals(lengths, order):
    expected = [[len(grams_of) for grams_of in ([0] * max(length - n, 0) for n in range(order))] for length in lengths]
    assert totals(np.array(lengths, dtype=np.int64), order).tolist() == expected


@given(groups_of(TOKENS["letters"]))
def test_rows_do_not_touch_each_other(groups):
    together = matches(sequences_of_tokens(groups), ORDER)
    alone = [matches(sequences_of_tokens([group]), ORDER)[0].tolist() for group in groups]
    assert together.tolist() == alone


@given(st.one_of(*map(groups_of, TOKENS.values())))
def test_matches_with_siblings(groups):
    """Every text of a row in the place of the candidate, in turn."""
    turned = [[text, *row[:place], *row[place + 1 :]] for row in groups for place, text in enumerate(row)]
    assert sibling_matches(sequences_of_tokens(groups), ORDER).tolist() == slow_matches(turned, ORDER).tolist()


@given(st.one_of(*map(groups_of, TOKENS.values())))
def test_types(groups):
    shared, own = shared_types(sequences_of_tokens(groups), ORDER)
    found = types(sequences_of_tokens(groups), ORDER)
    for row, (candidate, *others) in enumerate(groups):
        for n in range(1, ORDER + 1):
            mine = set(grams(candidate, n))
            theirs = {gram for other in others for gram in grams(other, n)}
            assert (shared[row, n - 1], own[row, n - 1]) == (len(mine & theirs), len(mine))
            assert found[row, n - 1] == len(mine | theirs)


def test_blocks_of_rows_have_the_matches_of_all(monkeypatch):
    draw = random.Random(2)
    pairs = [tuple("".join(draw.choices("ab c", k=draw.randint(0, 9))) for _ in range(2)) for _ in range(200)]
    together = matches(sequences_of_characters(pairs, whitespace=False), ORDER).tolist()
    assert together == slow_matches([[text.replace(" ", "") for text in pair] for pair in pairs], ORDER).tolist()
    monkeypatch.setattr(ngrams, "_BLOCK", 50)
    assert matches(sequences_of_characters(pairs, whitespace=False), ORDER).tolist() == together
