"""Texts as rows of word numbers of equal length, as Keras's Tokenizer and pad_sequences make them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

# the filters of keras.preprocessing.text.Tokenizer
_REMOVED = str.maketrans(dict.fromkeys('!"#$%&()*+,-./:;<=>?@[\\]^_`{|}~\t\n', " "))
PADDINGS = ("after", "before", "unread")


def words_of(text: str) -> list[str]:
    """In lower case, cut at spaces; punctuation is a space.

    >>> words_of("It's good, really!")
    ["it's", 'good', 'really']
    """
    return text.lower().translate(_REMOVED).split()


@dataclass(frozen=True)
class Vocabulary:
    """The most frequent words, numbered from 1; 0 is padding, and other words are left out, as Keras does."""

    numbers: dict[str, int]
    size: int

    @classmethod
    def of(cls, texts: Sequence[str], size: int) -> Vocabulary:
        """At most `size` − 1 words; of equally frequent ones those that came first."""
        counts = Counter(word for text in texts for word in words_of(text))
        chosen = sorted(counts, key=lambda word: -counts[word])[: size - 1]
        return cls({word: number for number, word in enumerate(chosen, 1)}, size)

    def rows(self, texts: Sequence[str], length: int, padding: str) -> NDArray[np.int64]:
        """(texts, length): of a longer text the last words; zeros `before` or else after a shorter one."""
        table = np.zeros((len(texts), length), dtype=np.int64)
        for row, text in zip(table, texts, strict=True):
            found = [self.numbers[word] for word in words_of(text) if word in self.numbers][-length:]
            if found:
                row[slice(-len(found), None) if padding == "before" else slice(len(found))] = found
        return table
