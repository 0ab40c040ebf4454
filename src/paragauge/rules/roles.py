"""Who does what to whom, exchanged."""

from __future__ import annotations

from collections.abc import Sequence

from ._words import Word, is_content, stem, vocabulary, words
from .finding import Finding, Span

KIND = "roles"
ENGLISH = True
_BE = vocabulary("is are was were be been being am get gets got")
_JOINS = vocabulary("and or nor vs versus with between both either")  # A and B are B and A
_LONGEST = 60  # words: longer texts are left alone


def find(source: str, candidate: str) -> list[Finding]:
    """Two parts of a text that changed places, or an object that became the subject without the verb's turning."""
    ours, theirs = words(source), words(candidate)
    if not 3 <= len(ours) <= _LONGEST or len(theirs) > _LONGEST:
        return []
    return _exchanged(ours, theirs) or _turned(ours, theirs) or [
        Finding(KIND, *reversed(found[1:])) for found in _turned(theirs, ours)
    ]  # fmt: skip


def _exchanged(ours: Sequence[Word], theirs: Sequence[Word]) -> list[Finding]:
    """A x B and B x A, where all the rest is the same."""
    if sorted(word.lower for word in ours) != sorted(word.lower for word in theirs):
        return []
    here, there = [word.lower for word in ours], [word.lower for word in theirs]
    if here == there:
        return []
    start = next(place for place, (one, other) in enumerate(zip(here, there, strict=True)) if one != other)
    end = len(here) - next(
        place for place, (one, other) in enumerate(zip(here[::-1], there[::-1], strict=True)) if one != other
    )
    a, b = here[start:end], there[start:end]
    for left in range(1, len(a)):
        for right in range(1, len(a) - left):  # something stands between them
            between = a[left : len(a) - right]
            if b != a[len(a) - right :] + between + a[:left]:
                continue
            if _is_list(between) or not any(map(is_content, a[:left] + a[len(a) - right :])):
                return []
            return [Finding(KIND, Span.of(*ours[start:end]), Span.of(*theirs[start:end]))]
    return []


def _is_list(between: Sequence[str]) -> bool:
    """A or B, mechanical engineering or civil engineering: does it make no difference which is named first?"""
    return len(between) <= 4 and (not _JOINS.isdisjoint(between) or not any(map(is_content, between)))


def _turned(active: Sequence[Word], passive: Sequence[Word]) -> list[Finding]:
    """A did it to B, and A was done it by B."""
    if any(word.lower == "by" for word in active):
        return []
    for place in range(2, len(passive) - 1):
        verb, by = passive[place - 1], passive[place]
        if by.lower != "by" or (passive[place - 2].lower not in _BE and passive[place - 3].lower not in _BE):
            continue
        same = [spot for spot, word in enumerate(active) if stem(word.lower) == stem(verb.lower)]
        if len(same) != 1:
            continue
        before, after = _content(active[: same[0]]), _content(active[same[0] + 1 :])
        subject, agent = _content(passive[: place - 1]), _content(passive[place + 1 :])
        if before & subject and after & agent and not before & agent and not after & subject:
            return [Finding(KIND, Span.of(*active), Span.of(*passive))]
    return []


def _content(part: Sequence[Word]) -> set[str]:
    return {stem(word.lower) for word in part if is_content(word.lower)}
