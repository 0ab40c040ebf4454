"""A name that became another one."""

from __future__ import annotations

import re

from rapidfuzz.distance import Levenshtein

from ..text.normalize import normalize
from ._words import Word, vocabulary, words
from .finding import Finding, Span

KIND = "name"
ENGLISH = True
_ALIKE = 0.5  # share of the letters
_CAPITALISED = re.compile(r"[A-Z][\w'’-]*")
_NOT_NAMES = vocabulary(
    """i i'm i've i'd i'll mr mrs ms dr sir january february march april may june july august september october
    november december monday tuesday wednesday thursday friday saturday sunday jan feb mar apr jun jul aug sep
    sept oct nov dec mon tue wed thu fri sat sun am pm"""
)


def find(source: str, candidate: str) -> list[Finding]:
    """The first name of each text that the other does not have, in any form."""
    ours, theirs = _names(source), _names(candidate)
    lost, new = _absent(ours, candidate), _absent(theirs, source)
    if not lost or not new or not _as_many(ours, theirs):
        return []
    return [Finding(KIND, Span.of(lost[0]), Span.of(new[0]))]


def _names(text: str) -> list[Word]:
    """Capitalised words inside a sentence; none of a text where most words are, as in a headline."""
    found = words(text)
    capitals = [word for word in found if _CAPITALISED.match(text[word.start : word.end])]
    if 2 * len(capitals) > len(found):
        return []
    return [word for word in capitals if not _begins(text, word) and word.lower not in _NOT_NAMES]


def _begins(text: str, word: Word) -> bool:
    before = text[: word.start].rstrip(" \"'“‘([«-–—")
    return not before or before[-1] in ".!?:;…\n"


def _absent(names: list[Word], other: str) -> list[Word]:
    known = {_spelled(word) for word in words(other)}
    return [word for word in names if not _known(_spelled(word), known)]


def _spelled(word: Word) -> str:
    return normalize(word.lower.removesuffix("'s"))


def _known(name: str, known: set[str]) -> bool:
    """In another form or spelling too: Russia and Russian, Naples and Napoli."""
    return name in known or any(Levenshtein.normalized_similarity(name, other) >= _ALIKE for other in known)


def _as_many(ours: list[Word], theirs: list[Word]) -> bool:
    return abs(len(ours) - len(theirs)) <= 2
