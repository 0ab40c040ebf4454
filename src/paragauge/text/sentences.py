"""A text cut into its sentences, and sentences put together again up to a limit."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

# The end of a sentence: a mark, closing quotes or brackets, and a space before what does not go on in lower case; or
# the mark of a script that has no spaces; or a line break.
_END = re.compile(r"(?<=[.!?…])[\"'”’»)\]]*(\s+)(?![a-z,;])|(?<=[。！？])(?=\S)|\n\s*")
_ABBREVIATION = re.compile(
    r"(?:^|[\s(\"'“‘])(?:[A-Z]|[A-Za-z](?:\.[A-Za-z])+|Mr|Mrs|Ms|Dr|Prof|St|Jr|Sr|vs|etc|cf|Fig|No|Inc|Ltd|Co|Corp|Gen|Sen|"
    r"Rep|Gov|Capt|Lt|Col|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sep|Sept|Oct|Nov|Dec)\.$"
)


def sentences(text: str) -> list[str]:
    """The sentences of a text, without the space around them; an abbreviation such as Mr. ends none.

    >>> sentences("Mr. Smith left. Did he? Yes!")
    ['Mr. Smith left.', 'Did he?', 'Yes!']
    """
    return [text[start:end] for start, end in sentence_places(text)]


def sentence_places(text: str) -> list[tuple[int, int]]:
    """Where each sentence begins and ends, without the space around it."""
    found = []
    for start, end in _cut(text):
        sentence = text[start:end]
        begin = start + len(sentence) - len(sentence.lstrip())
        if stripped := sentence.strip():
            found.append((begin, begin + len(stripped)))
    return found


def _cut(text: str) -> Iterator[tuple[int, int]]:
    start = after = 0
    for found in _END.finditer(text):
        end = found.start(1) if found.group(1) else found.start()
        before, after = after, found.end()  # an abbreviation has no space in it: there is none before it
        if found.group(1) and "\n" not in found.group(1) and _ABBREVIATION.search(text[before:end]):
            continue
        yield start, end
        start = found.end()
    yield start, len(text)


def packed(lengths: Sequence[int], limit: int) -> list[range]:
    """Which sentences that follow each other go together, so that no group is longer than the limit.

    A sentence that alone is longer makes a group of its own.
    """
    groups: list[range] = []
    start = total = 0
    for place, length in enumerate(lengths):
        if place > start and total + length > limit:
            groups.append(range(start, place))
            start, total = place, 0
        total += length
    return [*groups, range(start, len(lengths))] if lengths else []
