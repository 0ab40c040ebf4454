"""Plain signs that a text is broken: repetitions, stretched letters, characters of a wrong encoding."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ._words import vocabulary, words
from .finding import Finding, Span

KIND = "garbled"
ENGLISH = False
_LOOP = 3  # times that some words stand one after the other
_LONGEST = 8  # words that a loop may be of
_SPOKEN = vocabulary("""very so no yes ha haha bye blah really many far long that had is do you he her la na""")
_STRETCHED = re.compile(r"([^\W\d_])\1{5,}")
_ENCODING = re.compile(
    r"\ufffd|[ÃÂ][\x80-\xbf]|â[\x80-\xbf€][\x80-\xbf™œ“”\u0153]?|&(?:amp|lt|gt|quot|#\d+);|\\u[0-9a-f]{4}"
)


def find(source: str, candidate: str) -> list[Finding]:
    """Signs in the candidate that the source does not show too."""
    signs = next(_signs(candidate), None)
    return [Finding(KIND, None, signs)] if signs is not None and next(_signs(source), None) is None else []


def _signs(text: str) -> Iterator[Span]:
    if text and not any(map(str.isalnum, text)):
        yield Span(0, len(text))
    for pattern in (_ENCODING, _STRETCHED):
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
            doubled = doubled and not lower[start].isdigit()
            if times >= _LOOP or doubled or (times == 2 and length > 2):
                yield Span.of(*found_words[start : start + times * length])
                return
