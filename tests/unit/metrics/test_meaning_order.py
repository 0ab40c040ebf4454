"""Words in another order: against a search through all parts of the text that may have been moved."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paragauge.metrics.meaning.evidence.order import crossed

WORDS = ["ann", "paid", "bob", "today", "because", "rain", "fell", "early"]


def slow(order: list[int]) -> float:
    """Turned pairs that are left when the best run of words is taken out, of all pairs."""
    pairs = list(combinations(range(len(order)), 2))
    turned = [(one, other) for one, other in pairs if order[one] > order[other]]
    left = min(
        sum((start <= one < end) == (start <= other < end) for one, other in turned)
        for start in range(len(order))
        for end in range(start, len(order) + 1)
    )
    return left / len(pairs)


@given(st.permutations(range(len(WORDS))))
def test_every_run_of_words_may_have_been_moved(places: list[int]) -> None:
    candidate = " ".join(WORDS[place] for place in places)
    order = [places.index(place) for place in range(len(WORDS))]
    assert crossed(" ".join(WORDS), candidate) == pytest.approx(slow(order), abs=1e-12)


@pytest.mark.parametrize(
    ("source", "candidate"),
    [
        ("The shop opened in May 1990.", "In May 1990 the shop opened."),
        ("He met Ann, Bob and Carol there.", "He met Carol, Bob and Ann there."),
        ("Is it safe or risky?", "Is it risky or safe?"),
        ("Rain fell.", "Fell rain."),
        ("", "word"),
    ],
)
def test_what_only_moved_is_not_exchanged(source: str, candidate: str) -> None:
    assert crossed(source, candidate) == 0


def test_what_was_exchanged() -> None:
    assert crossed("The cat chased a dog.", "The dog chased a cat.") > 0
    # of the 15 pairs of six words three are turned (Oslo, to, Rome), and the move of Oslo explains two
    assert crossed("Flights from Oslo to Rome stopped", "Flights from Rome to Oslo stopped") == pytest.approx(1 / 15)
