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
# at the end of a sentence: what follows is a space, a quotation mark, a new sentence, or nothing
_MARK = re.compile(r"[?？؟][?？؟!.…]*(?=[\s\"'”’»)\]*,;]|[^\W\d_a-z]|[^\x00-\x7f]|$)")
_ADDRESS = re.compile(r"(?:https?://|www\.)\S*[^\s?!.,;:)]", re.IGNORECASE)
_REQUEST = re.compile(r"^\W*(?:please|tell me|let me know|explain|describe|give|suggest|name|list|i\b)", re.IGNORECASE)


def find(source: str, candidate: str) -> list[Finding]:
    """The end of each text, or of the question in it, where one asks and the other does not."""
    here, there = _mark(source), _mark(candidate)
    asks, asked = _question(source, here), _question(candidate, there)
    if asks == asked or asks is None or asked is None:
        return []
    return [Finding(KIND, _end(source, here), _end(candidate, there))]


def _mark(text: str) -> int | None:
    """Where the question ends; an address on the web may have a mark in it that asks nothing."""
    if "?" not in text and "？" not in text and "؟" not in text:
        return None
    if "/" in text or "www." in text.lower():
        text = _ADDRESS.sub(_hidden, text)
    found = _MARK.search(text)
    return found.end() if found else None


def _hidden(address: re.Match[str]) -> str:
    return "x" * len(address.group())


def _question(text: str, mark: int | None) -> bool | None:
    """None where it is not to be told: a request, or a text that begins as a question without its mark."""
    if mark is not None:
        return True
    first = words(text)[:1]
    if not first or first[0].lower in _ASKS or _REQUEST.match(text):
        return None
    return False


def _end(text: str, mark: int | None) -> Span:
    end = len(text.rstrip()) if mark is None else mark
    last = [word.start for word in words(text) if word.start < end][-1:]
    return Span(last[0] if last else 0, end)
