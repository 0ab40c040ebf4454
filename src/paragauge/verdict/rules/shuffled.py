"""Words of the source out of their order: a text that nobody would say."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from rapidfuzz.distance import LCSseq

from ..english import Word, vocabulary, words
from ..findings import Outcome, Places, Span
from ..language import language
from . import rule

_FEWEST = 5  # words: of fewer every order may be right
_SHORT = 8  # words: of fewer two that are exchanged are most of the neighbours
_IN_ORDER = 0.6  # share of the words that may still be in order
# the least share of the candidate's words that are the source's, and the largest of neighbours that are so in both
_LIMITS = ((0.95, 0.35), (0.75, 0.2))
_LIMITS_SHORT = ((0.95, 0.2),)
_LIMITS_ODD = ((0.6, 0.3),)  # where two words stand together that never do
_SPARE = 0.1  # by which the share of the source's words that the candidate has may be less
_PREPOSITIONS = "of from with by for at into in on about to"
# after these, none of those; nor at the end of an English text
_NEVER = {
    **dict.fromkeys(
        ("the", "a", "an", "my", "our"),
        vocabulary(
            f"""{_PREPOSITIONS} the a an my our your their its is are was were am be been does did has have had would
            could should and or but if than because he she they we you this these those his her"""
        ),
    ),
    **dict.fromkeys(("he", "she", "they", "we"), vocabulary(f"{_PREPOSITIONS} the a an my our he she they we his")),
    **dict.fromkeys(_PREPOSITIONS.split(), vocabulary("he she they we")),
    **dict.fromkeys(("is", "are", "was", "were"), vocabulary("is are was were am")),
}
_NEVER_LAST = vocabulary("the a an my our and or but")


@rule(Outcome.GARBLED, kind="garbled", english=False)
def shuffled(source: str, candidate: str) -> list[Places]:
    """The whole candidate, where it has the source's words and hardly any of their neighbours."""
    ours, theirs = words(source), words(candidate)
    if min(len(ours), len(theirs)) < _FEWEST:
        return []
    here, there = [word.lower for word in ours], [word.lower for word in theirs]
    if here == there:
        return []
    odd = 0
    if language(source) in (None, "English"):
        odd = max(0, _odd(candidate, theirs) - _odd(source, ours))
    return [(None, Span.of(*theirs))] if odd > 1 or _is_shuffled(here, there, odd > 0) else []


def _is_shuffled(here: Sequence[str], there: Sequence[str], is_odd: bool) -> bool:
    shorter = min(len(here), len(there))
    limits = _LIMITS_SHORT if shorter < _SHORT else _LIMITS
    if is_odd:
        limits = (*limits, *_LIMITS_ODD)
    shared = (Counter(here) & Counter(there)).total()
    kept = (Counter(pairwise(here)) & Counter(pairwise(there))).total() / (shorter - 1)
    if not any(
        shared >= least * len(there) and shared >= (least - _SPARE) * len(here) and kept <= most
        for least, most in limits
    ):
        return False
    return LCSseq.similarity(here, there) <= _IN_ORDER * shorter


def _odd(text: str, found: Sequence[Word]) -> int:
    """How often two words stand together that never do in English; not in "the in-crowd", "the A team"."""
    beside = (
        (one, other)
        for one, other in pairwise(found)
        if other.lower in _NEVER.get(one.lower, ()) and text[other.start].islower()
    )
    count = sum(text[one.end : other.start] == " " and text[other.end : other.end + 1] != "-" for one, other in beside)
    return count + (found[-1].lower in _NEVER_LAST and text[found[-1].start].islower())
