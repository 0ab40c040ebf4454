"""How words are written, learned from texts, for a model that writes in lower case."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from paragauge.paraphrasers._restoring import WORD, sentence_starts

_LEAST = 3  # times that a word must have been seen


def case_table(texts: Iterable[str]) -> dict[str, str]:
    """Words that most often are not in lower case, inside sentences; a text without a capital says nothing.

    >>> case_table(["He met Tom.", "So Tom left.", "and Tom it was", "I saw Tom and a cat."])
    {'tom': 'Tom'}
    """
    counts: dict[str, Counter[str]] = {}
    for text in texts:
        if text.islower() or text.isupper():
            continue
        first = sentence_starts(text)
        for found in WORD.finditer(text):
            if found.start() not in first:
                counts.setdefault(found[0].lower(), Counter())[found[0]] += 1
    table = {}
    for word in sorted(counts):
        form, count = counts[word].most_common(1)[0]
        if form != word and count >= _LEAST and 2 * count > counts[word].total():
            table[word] = form
    return table
