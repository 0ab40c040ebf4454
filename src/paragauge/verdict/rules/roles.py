"""Who does what to whom, exchanged."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ..english import Word, is_content, stem, vocabulary, words
from ..findings import Outcome, Places, Span
from . import rule

_BE = vocabulary("is are was were be been being am get gets got")
_JOINS = vocabulary("and or nor vs versus with between both either")  # A and B are B and A
# verbs and adjectives by which A is to B what B is to A
_SYMMETRIC = frozenset(
    map(
        stem,
        vocabulary(
            """resemble resembles resembled marry marries married wed wedded divorced meet meets met equal equals
            differ differs differed different similar same identical equivalent adjacent near nearby beside border
            borders bordered related compare compares compared intersects parallel"""
        ),
    )
)
# prepositions that tell the one from the other
_DIRECTED = vocabulary("than to from of over under into onto by for through")
_PLACES = vocabulary("beside near behind below beneath above between inside outside opposite among amid along around")
_PERSONS = dict.fromkeys(("he", "him", "his", "she", "her", "hers"), "he")  # Anna lent Tom her car, Tom lent Anna his
_SPEECH = vocabulary("said says asked asks replied added wrote explained cried shouted whispered answered")
_QUOTED = re.compile(r"[,:;!?\"“”‘’]")
_LONGEST = 60  # words: longer texts are left alone


@rule(Outcome.MEANING)
def roles(source: str, candidate: str) -> list[Places]:
    """Two parts of a text that changed places, or an object that became the subject without the verb's turning."""
    ours, theirs = words(source), words(candidate)
    if not 3 <= len(ours) <= _LONGEST or len(theirs) > _LONGEST:
        return []
    return _exchanged(source, ours, theirs) or _turned(ours, theirs) or [
        places[::-1] for places in _turned(theirs, ours)
    ]  # fmt: skip


def _exchanged(source: str, ours: Sequence[Word], theirs: Sequence[Word]) -> list[Places]:
    """A x B and B x A, where all the rest is the same, or a part of it stands at the other end."""
    ours, theirs = (
        [word._replace(lower=_PERSONS.get(word.lower, word.lower)) for word in side] for side in (ours, theirs)
    )
    here, there = [word.lower for word in ours], [word.lower for word in theirs]
    if len(here) != len(there) or here == there or sorted(here) != sorted(there):
        return []
    found = _swapped(source, ours, theirs)
    if found is not None:
        return found
    kept: list[Places] = []
    for moved in reversed(range(1, len(here) - 2)):
        # an adverb is moved rather than a name, so a moved name is told only where nothing else explains it
        is_name = source[ours[-moved].start].isupper() and source[ours[-1].start].isupper()
        if here[-moved:] == there[:moved] and (found := _swapped(source, ours[:-moved], theirs[moved:])):
            if not is_name:
                return found
            kept = kept or found
        if here[:moved] == there[-moved:] and (found := _swapped(source, ours[moved:], theirs[:-moved])):
            return found
    return kept


def _swapped(source: str, ours: Sequence[Word], theirs: Sequence[Word]) -> list[Places] | None:
    """Two parts in each other's place; None where that is not what differs."""
    here, there = [word.lower for word in ours], [word.lower for word in theirs]
    different = [place for place, (one, other) in enumerate(zip(here, there, strict=True)) if one != other]
    if not different:
        return None
    start, end = different[0], different[-1] + 1
    a, b = here[start:end], there[start:end]
    for left in range(1, len(a)):
        for right in range(1, len(a) - left):  # something stands between them
            between = a[left : len(a) - right]
            if b != a[len(a) - right :] + between + a[:left]:
                continue
            parts = a[:left] + a[len(a) - right :]
            joints = [source[ours[place - 1].end : ours[place].start] for place in (start + left, end - right)]
            if _is_neutral(here[:start], between, here[end:], joints) or not any(map(is_content, parts)):
                return []
            if _PLACES.intersection((a[0], a[len(a) - right], *a[left : left + 1])) and not _DIRECTED.intersection(
                between
            ):
                return []  # beside the church stands a school
            if all("," in joint for joint in joints):
                return []
            if _SPEECH.issuperset(between) and any(map(_QUOTED.search, joints)):  # "…," said Tom
                return []
            return [(Span.of(*ours[start:end]), Span.of(*theirs[start:end]))]
    return None


def _is_neutral(before: Sequence[str], between: Sequence[str], after: Sequence[str], joints: Sequence[str]) -> bool:
    """A or B, in A in B, A resembles B: does it make no difference which is named first?"""
    content = [word for word in between if is_content(word)]
    if len(content) <= 2 and any(stem(word) in _SYMMETRIC for word in between):
        return True
    if len(between) > 4:
        return False
    join = next((place for place, word in enumerate(between) if word in _JOINS), None)
    if join is None:
        directed = [word for word in between if word in _DIRECTED]
        return not content and (not directed or directed[-1] in before[-2:])
    # A and B, A, x and B, A men and B men; not: A men and B women
    first, second = between[:join], between[join + 1 :]
    return ("," in joints[0] or not any(map(is_content, first)) or first == after[: len(first)]) and (
        "," in joints[1] or not any(map(is_content, second)) or second == before[len(before) - len(second) :]
    )


def _turned(active: Sequence[Word], passive: Sequence[Word]) -> list[Places]:
    """A did it to B, and A was done it by B."""
    if any(word.lower == "by" for word in active):
        return []
    for place in range(2, len(passive) - 1):
        verb, by = passive[place - 1], passive[place]
        if by.lower != "by" or (passive[place - 2].lower not in _BE and passive[place - 3].lower not in _BE):
            continue
        same = [spot for spot, word in enumerate(active) if stem(word.lower) == stem(verb.lower)]
        if len(same) != 1 or stem(verb.lower) in _SYMMETRIC or active[max(same[0] - 1, 0)].lower in _BE:
            continue
        if passive[place - 2].lower.endswith("ed"):  # was rushed home by
            continue
        before, after = _content(active[: same[0]]), _content(active[same[0] + 1 :])
        subject, agent = _content(passive[: place - 1]), _content(passive[place + 1 :])
        if before & subject and after & agent and not before & agent and not after & subject:
            return [(Span.of(*active), Span.of(*passive))]
    return []


def _content(part: Sequence[Word]) -> set[str]:
    return {stem(word.lower) for word in part if is_content(word.lower)}
