"""What must be became what may be, or the other way round."""

from __future__ import annotations

import re

from ..english import is_content, stem, vocabulary, words
from ..findings import Outcome, Places, Span
from . import rule

# each of the patterns has one of these
_MODALS = vocabulary(
    """must mustn't shall has have had need needs needn't required obliged forced ought may might could perhaps maybe
    possibly allowed will won't should can can't cannot"""
)
_NOT_FREE = r"(?<!n't )(?<!n’t )(?<!not )(?<!never )"  # who does not have to may leave it
_NECESSARY = re.compile(
    rf"\b(?:must|shall|{_NOT_FREE}(?:has|have|had|needs?|required|obliged|forced) to|ought to)\b", re.IGNORECASE
)
_POSSIBLE = re.compile(
    r"\b(?:may|might|could|perhaps|maybe|possibly|(?:is|are|was|were) allowed to)\b(?! \d)", re.IGNORECASE
)
_CERTAIN = re.compile(r"\b(?:will|won't|shall)\b", re.IGNORECASE)
_ADVISED = re.compile(r"\b(?:should|had better)\b", re.IGNORECASE)
_MUST = re.compile(r"\bmust\b", re.IGNORECASE)
_ABLE = re.compile(r"\bcan\b(?!['’]| not)", re.IGNORECASE)
_FREE = re.compile(r"\b(?:(?:do|does|did)(?:n['’]t| not) (?:have|need) to|need(?:n['’]t| not))\b", re.IGNORECASE)
_BARRED = re.compile(r"\b(?:must|may|can)(?:n['’]t| ?not)\b|\bcan['’]t\b", re.IGNORECASE)
# could you come, and will you come: both ask for it
_REQUEST = re.compile(r"\b(?:could|will) (?:you|someone|anyone|somebody|anybody)\b", re.IGNORECASE)
_ONLY = re.compile(r"\bonly\b", re.IGNORECASE)  # only members may vote: to vote, you have to be one
_NAME = re.compile(r"(?<![.!?:;…\n\"“'‘(] )(?<!^)\b(?:May|Will)\b|\b(?:May|Will)\b(?= [A-Z][a-z])")


@rule(Outcome.MEANING, overruled=True)
def modal(source: str, candidate: str) -> list[Places]:
    """The modal verb of each text, where one is of necessity or certainty alone and the other of possibility alone."""
    if (
        not _has_modal(source)
        or not _has_modal(candidate)
        or bool(_ONLY.search(source)) != bool(_ONLY.search(candidate))
    ):
        return []
    ours, theirs = _unnamed(source), _unnamed(candidate)
    asked = "?" in ours and "?" in theirs
    if asked:
        ours, theirs = _REQUEST.sub(_hidden, ours), _REQUEST.sub(_hidden, theirs)
    for one, other in ((_NECESSARY, _POSSIBLE), (_CERTAIN, _POSSIBLE)):
        found = _exchanged(one, other, ours, theirs)
        # what could be the effects, and how will it change
        if found and (not asked or _same_verb(ours, found[0], theirs, found[1])):
            return [found]
    if "?" in source or "?" in candidate:  # what should I do, and what do I have to do, are one question
        return []
    for one, other in ((_ADVISED, _MUST), (_NECESSARY, _ABLE), (_FREE, _BARRED)):
        found = _exchanged(one, other, ours, theirs)
        if found and _same_verb(ours, found[0], theirs, found[1]):
            return [found]
    return []


def _has_modal(text: str) -> bool:
    return not _MODALS.isdisjoint(word.lower for word in words(text))


def _unnamed(text: str) -> str:
    """Theresa May and Will Smith put out of sight."""
    return _NAME.sub(_hidden, text) if "May" in text or "Will" in text else text


def _hidden(found: re.Match[str]) -> str:
    return "_" * len(found.group())


def _exchanged(one: re.Pattern[str], other: re.Pattern[str], source: str, candidate: str) -> tuple[Span, Span] | None:
    for before, after in ((one, other), (other, one)):
        here, there = before.search(source), after.search(candidate)
        if here and there and not after.search(source) and not before.search(candidate):
            return Span(*here.span()), Span(*there.span())
    return None


def _same_verb(source: str, here: Span, candidate: str, there: Span) -> bool:
    """Are they said of the same? Else the sentence is turned, and they may come to the same."""
    return _head(source, here) == _head(candidate, there) != ""


def _head(text: str, modal: Span) -> str:
    after = (word.lower for word in words(text) if word.start >= modal.end)
    return next((stem(word) for word in after if is_content(word)), "")
