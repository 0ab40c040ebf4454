"""A question turned into a statement, or a statement into a question."""

from __future__ import annotations

import re

from ._words import vocabulary, words
from .finding import Finding, Span

KIND = "question"
ENGLISH = True
_ASKS = vocabulary(
    """who whom whose what which when where why how is are was were am do does did can could will would shall should
    may might has have had isn't aren't wasn't don't doesn't didn't can't couldn't won't wouldn't"""
)
_MARK = re.compile(r"[?？؟]")
_REQUEST = re.compile(r"^\W*(?:please|tell me|let me know|explain|describe|give|suggest|name|list|i\b)", re.IGNORECASE)


def find(source: str, candidate: str) -> list[Finding]:
    """The end of each text, where one asks and the other does not."""
    asks, asked = _question(source), _question(candidate)
    if asks == asked or asks is None or asked is None:
        return []
    return [Finding(KIND, _end(source), _end(candidate))]


def _question(text: str) -> bool | None:
    """None where it is not to be told: a request, or a text that begins as a question without its mark."""
    if _MARK.search(text):
        return True
    first = words(text)[:1]
    if not first or first[0].lower in _ASKS or _REQUEST.match(text):
        return None
    return False


def _end(text: str) -> Span:
    last = words(text)[-1:]
    return Span(last[0].start if last else 0, len(text.rstrip()))
