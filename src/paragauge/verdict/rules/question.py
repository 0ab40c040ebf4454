"""A question turned into a statement, or a statement into a question."""

from __future__ import annotations

import re
from bisect import bisect_right

from ..english import is_content, stem, vocabulary, words
from ..findings import Outcome, Places, Span
from . import rule

_ASKS = vocabulary(
    """who whom whose what which when where why how is are was were am do does did can could will would shall should
    may might has have had isn't aren't wasn't don't doesn't didn't can't couldn't won't wouldn't"""
)
_MARKS = re.compile(r"[?？؟][?？؟!.…]*")
# behind the end of a sentence: a space, a quotation mark, a new sentence, or nothing
_BEHIND = re.compile(r"[\s\"'”’»)\]*,;]|[^\W\d_a-z]|[^\x00-\x7f]|$")
_ADDRESS = re.compile(r"(?:https?://|www\.)\S*[^\s?!.,;:)]", re.IGNORECASE)
# it is late, isn't it? You are late, right?
_TAG = re.compile(
    r",\s*(?:(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would|should)(?:n['’]?t)?\s+"
    r"(?:i|you|he|she|it|we|they|there)|(?:right|huh|eh|ok|okay|yeah|no|correct)(?:,? \w+)?)\s*\?\W*$",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"[^.!?？؟…\n]+[.!?？؟…]*")
_LEAST = 3  # words of a sentence next to the question
# of the question's content words that the statement must have, where another sentence stands next to it: of one that
# begins with do or why, and of another
_SHARE, _SHARE_BARE = 0.5, 0.8
_REQUEST = re.compile(
    r"^\W*(?:please|let me know|let['’]?s|let us|explain|describe|give|suggest|name|list|i|\w+ me"
    r"|(?:the )?(?:best|easiest|good|quickest|fastest|right)? ?(?:ways?|tips|methods?) (?:to|of|for|on))\b",
    re.IGNORECASE,
)
_POLITE = re.compile(
    r"(?<!\w)(?:can|could|will|would) you (?:please |kindly |just )?(?!be\b|have\b|like\b)(\w+)", re.IGNORECASE
)
_LETTERS = re.compile(r"\w+")
_CLAUSE = re.compile(r"[.!,;:]")
_PLEASE = re.compile(r"\b(?:please|kindly)\b", re.IGNORECASE)
# who knows? Isn't she lovely!
_EXCLAIMS = re.compile(
    r"^\W*(?:who (?:knows|cares)\b"
    r"|(?:is|are|was|were)n['’]t (?:i|you|he|she|it|we|they|this|that) (?:so |just |a )?\w+\W*$)",
    re.IGNORECASE,
)
# a reported question: he asked me whether it was late, she wants to know who it was
_REPORTED = re.compile(
    r"\b(?:ask(?:s|ed|ing)?(?: \w+){0,2}|wonder(?:s|ed|ing)?|(?:wants?|wanted|wanting|like) to know|inquired|enquired"
    r"|curious|unsure|unclear) (?:if|whether|who|whom|whose|what|which|when|where|why|how)\b",
    re.IGNORECASE,
)


@rule(Outcome.MEANING)
def question(source: str, candidate: str) -> list[Places]:
    """The end of each text, or of the question in it, where one asks and the other does not."""
    here, there = _mark(source), _mark(candidate)
    asks, asked = _question(source, here), _question(candidate, there)
    if asks == asked or asks is None or asked is None:
        return []
    question, statement = (source, candidate) if asks else (candidate, source)
    if _comes_to(question, statement) or _is_aside(question, statement):
        return []
    return [(_end(source, here), _end(candidate, there))]


def _mark(text: str) -> int | None:
    """Where the question ends; an address on the web may have a mark in it that asks nothing."""
    if "?" not in text and "？" not in text and "؟" not in text:
        return None
    if "/" in text or "www." in text.lower():
        text = _ADDRESS.sub(_hidden, text)
    for found in _MARKS.finditer(text):  # each run of marks is read once, however many there are
        if _BEHIND.match(text, found.end()):
            return found.end()
        wide = next((place for place in range(found.end() - 1, found.start(), -1) if not text[place].isascii()), None)
        if wide is not None:
            return wide
    return None


def _hidden(address: re.Match[str]) -> str:
    return "x" * len(address.group())


def _question(text: str, mark: int | None) -> bool | None:
    """None where it cannot be seen: a request, a statement with isn't it, or a question without its mark."""
    if mark is not None:
        return None if _TAG.search(text) else True
    first = words(text)[:1]
    if not first or first[0].lower in _ASKS or _REQUEST.match(text):
        return None
    return False


def _comes_to(question: str, statement: str) -> bool:
    """Does the statement ask for the same: can you open it, and open it; is it late, and he asked whether it was?"""
    if _REPORTED.search(statement) or _EXCLAIMS.match(question):
        return True
    request = _request(question)
    first = words(statement)[:1]
    return request is not None and bool(
        _PLEASE.search(statement) or (first and stem(first[0].lower) == stem(request.lower()))
    )


def _request(question: str) -> str | None:
    """What is politely asked for at the beginning of a text or a clause: can you open it."""
    ends = [letters.end() for letters in _LETTERS.finditer(question)]
    for found in _POLITE.finditer(question):
        before = bisect_right(ends, found.start())
        if not before or _CLAUSE.search(question, ends[before - 1], found.start()):
            return found[1]
    return None


def _is_aside(question: str, statement: str) -> bool:
    """Does it only lead to what the text then says: tired of trains? This one flies."""
    sentences = [found.group() for found in _SENTENCE.finditer(_ADDRESS.sub(_hidden, question))]
    asking = [sentence for sentence in sentences if _mark(sentence.rstrip()) is not None]
    if not any(len(words(sentence)) >= _LEAST for sentence in sentences if sentence not in asking):
        return False
    known = {stem(word.lower) for word in words(statement)}
    for sentence in asking:
        own = words(sentence)
        content = {stem(word.lower) for word in own if is_content(word.lower)}
        share = _SHARE if own and own[0].lower in _ASKS else _SHARE_BARE
        if len(content & known) >= share * len(content):
            return False
    return True


def _end(text: str, mark: int | None) -> Span:
    end = len(text.rstrip()) if mark is None else mark
    last = [word.start for word in words(text) if word.start < end][-1:]
    return Span(last[0] if last else 0, end)
