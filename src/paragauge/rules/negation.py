"""A negation that was added or dropped."""

from __future__ import annotations

from itertools import takewhile

from ._words import Word, is_content, stem, vocabulary, words
from .finding import Finding, Span

KIND = "negation"
ENGLISH = True
_NOT = vocabulary("""not never cannot no without neither nor none nobody nothing nowhere hardly barely""")
_REACH = 4  # words after the negation in which what it denies is looked for


def find(source: str, candidate: str) -> list[Finding]:
    """A negation in one text, where the other has what it denies, and denies nothing."""
    ours, theirs = words(source), words(candidate)
    here, there = _negations(ours), _negations(theirs)
    if len(here) > len(there) and not there:
        return [Finding(KIND, *found) for place in here[:1] if (found := _denied(ours, place, theirs))]
    if len(there) > len(here) and not here:
        return [Finding(KIND, *found[::-1]) for place in there[:1] if (found := _denied(theirs, place, ours))]
    return []


def _negations(text: tuple[Word, ...]) -> list[int]:
    return [place for place, word in enumerate(text) if word.lower in _NOT or word.lower.endswith("n't")]


def _denied(text: tuple[Word, ...], place: int, other: tuple[Word, ...]) -> tuple[Span, Span] | None:
    """The negation with the word it denies, and that word in the other text."""
    after = text[place + 1 : place + 1 + (1 if text[place].lower == "no" else _REACH)]  # not: said no to a proposal
    head = next((word for word in after if is_content(word.lower)), None)
    if head is None and text[place].lower != "no":  # "it is not": then what stands before it
        head = next((word for word in reversed(text[:place]) if is_content(word.lower)), None)
    if head is None:
        return None
    same = [word for word in other if stem(word.lower) == stem(head.lower)]
    if not same:
        return None
    within = list(takewhile(lambda word: word is not head, after))
    last = head if head.start > text[place].start else text[place]
    return Span.of(text[place], *within, last), Span.of(same[0])
