"""Matched words and chunks: by hand, and against every possible alignment."""

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paragauge.text.meteor import BEAM, PLACES, Matched, match_greedily, match_in_fewest_chunks

WORDS = st.lists(st.sampled_from(["a", "b", "c", "ab", "bc"]), max_size=5)


def keys(word: str) -> tuple[str, ...]:
    """A word matches the words that share a letter with it, so that matching is not transitive."""
    return tuple(word)


def greedily(candidate: str, other: str) -> Matched:
    return match_greedily(candidate.split(), other.split(), lambda word: word[:3], lambda _: frozenset())


def alignments(candidate: list[str], other: list[str]) -> Iterator[list[tuple[int, int]]]:
    """Every way to match the words one to one."""
    if not candidate:
        yield []
        return
    place = len(candidate) - 1
    for before in alignments(candidate[:-1], other):
        yield before
        used = {target for _, target in before}
        for target, word in enumerate(other):
            if target not in used and set(keys(word)) & set(keys(candidate[-1])):
                yield [*before, (place, target)]


def chunks(alignment: list[tuple[int, int]]) -> int:
    return sum((place - 1, target - 1) not in alignment for place, target in alignment)


@given(WORDS, WORDS)
def test_fewest_chunks_against_every_alignment(candidate: list[str], other: list[str]) -> None:
    every = [(-len(alignment), chunks(alignment)) for alignment in alignments(candidate, other)]
    words, fewest = min(every)
    # a beam that holds every alignment of five words
    assert match_in_fewest_chunks(candidate, other, keys, beam=10_000) == (-words, fewest)


@given(WORDS, WORDS)
def test_the_beam_is_wide_enough_for_short_texts(candidate: list[str], other: list[str]) -> None:
    exact = match_in_fewest_chunks(candidate, other, keys, beam=10_000)
    assert match_in_fewest_chunks(candidate, other, keys) == exact


def test_greedy_matching_breaks_what_could_stay_whole() -> None:
    # From the end, "sat" takes place 2 and "cat" 1; then the last "the" takes the last free one, 4, though 0 would
    # make "the cat sat" one chunk: the(0) cat(1) sat(2) against the(4) cat(1) sat(2).
    candidate, other = "the cat sat", "the cat sat on the"
    assert greedily(candidate, other) == Matched(words=3, chunks=2)
    assert match_in_fewest_chunks(candidate.split(), other.split(), lambda word: (word,)) == Matched(3, 1)


@pytest.mark.parametrize(
    ("candidate", "other", "expected"),
    [
        ("", "", (0, 0)),
        ("a", "", (0, 0)),
        ("", "a", (0, 0)),
        ("a b c", "a b c", (3, 1)),
        ("a b c", "c b a", (3, 3)),
        ("walks home", "walked home", (2, 1)),  # equal to three letters, the stem of this test
        ("a x b", "a b", (2, 2)),
    ],
)
def test_greedy_by_hand(candidate: str, other: str, expected: tuple[int, int]) -> None:
    assert greedily(candidate, other) == expected


def test_long_repetitions_end() -> None:
    words = ["the", "quick", "fox"] * (PLACES * 2)
    found = match_in_fewest_chunks(words, words, lambda word: (word,))
    assert found == (len(words), 1)
    assert BEAM < PLACES * 6
