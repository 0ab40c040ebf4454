"""Plain signs that a text is broken: repetitions, stretched letters, a wrong encoding, marks of a model."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..english import Word, vocabulary, words
from ..findings import Outcome, Places, Span
from . import rule

_LOOP = 3  # times that some words stand one after the other
_LONGEST = 8  # words that a loop may be of
_SPOKEN = vocabulary("""very so no yes ha haha bye blah really many far long that had is do you he her la na""")
_SPACED = re.compile(r"(?<!\w)(?:[A-Za-z\u00c0-\u04ff][ \t\u00a0]{1,3}){5,}[A-Za-z\u00c0-\u04ff](?!\w)")
_STRETCHED = re.compile(r"([^\W\d_])\1{5,}")
_ENCODING = re.compile(
    r"</?(?:s|unk|pad|bos|eos|mask)>|\[(?:UNK|PAD|CLS|SEP|MASK)\]|<\|[a-z_]{2,20}\|>"  # what models mark texts with
    r"|\ufffd|[ÃÂ][\x80-\xbf]|â[\x80-\xbf€][\x80-\xbf™œ“”\u0153]?|&(?:amp|lt|gt|quot|#\d+);|\\u[0-9a-f]{4}"
)


@rule(Outcome.GARBLED, english=False)
def garbled(source: str, candidate: str) -> list[Places]:
    """Signs in the candidate that the source does not show too."""
    signs = _pasted(source, candidate) or next(_signs(candidate), None)
    return [(None, signs)] if signs is not None and next(_signs(source), None) is None else []


def _pasted(source: str, candidate: str) -> Span | None:
    """The source two or more times, and nothing else; a single word may be said twice."""
    here, there = words(source), words(candidate)
    if not here or len(there) < max(2 * len(here), _LOOP) or len(there) % len(here):
        return None
    lower = [word.lower for word in here]
    return Span.of(*there) if [word.lower for word in there] == lower * (len(there) // len(here)) else None


def _signs(text: str) -> Iterator[Span]:
    if text and not any(map(str.isalnum, text)):
        yield Span(0, len(text))
    for pattern in (_ENCODING, _STRETCHED, _SPACED):
        if found := pattern.search(text):
            yield Span(*found.span())
    found_words = words(text)
    lower = [word.lower for word in found_words]
    for length in range(1, min(_LONGEST, len(lower) // 2) + 1):
        for start in range(len(lower) - 2 * length + 1):
            times = 1
            while lower[start + times * length : start + (times + 1) * length] == lower[start : start + length]:
                times += 1
            doubled = times == 2 and length == 1 and len(lower[start]) > 3 and lower[start] not in _SPOKEN
            doubled = doubled and not lower[start].isdigit() and _is_spaced(text, *found_words[start : start + 2])
            if times >= _LOOP or doubled or (times == 2 and length > 2):
                yield Span.of(*found_words[start : start + times * length])
                return
    if len(lower) > 2 * _LONGEST and _is_repeated(lower):
        yield Span.of(*found_words)


def _is_spaced(text: str, word: Word, following: Word) -> bool:
    """Does nothing but space stand between them? A long, long way; data, data that counts."""
    return not text[word.end : following.start].strip()


def _is_repeated(lower: list[str]) -> bool:
    """Is it the same words from the start again, as often as they go into it?"""
    line = " ".join(lower) + " "
    return (line + line).find(line, 1) < len(line)
