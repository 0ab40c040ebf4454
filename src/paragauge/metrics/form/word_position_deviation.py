"""Word position deviation."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import fsum
from typing import ClassVar

import numpy as np

from ...compute.features import Tokens
from ...compute.workspace import Workspace
from ...metric import Floats, parameter
from ...tables.samples import Samples
from ...text.tokens import SACREBLEU
from ._source import SourceMetric, Words


@dataclass(frozen=True, kw_only=True)
class WordPositionDeviation(SourceMetric):
    """How far the words that source and candidate share have moved: 0 for none, 1 for from one end to the other.

    The position of the i-th of n words is (i − 1)/(n − 1). A shared word that stands once in each text has moved by
    the difference of its positions; of one that stands more often, each occurrence in the text that has more of them
    (the source, if equally many) has moved by the distance to the nearest in the other, and the mean counts. WPD is the
    mean over the shared words, and 1 where none is shared. The paper's code does the same with spaCy lemmas, ours with
    lower-cased word forms; it also takes punctuation for words, so that a full stop that both end with lowers the mean,
    as `punctuation=yes` does (differences.md). A text of one word has no positions: NaN (the paper's code: 0).
    """

    name: ClassVar[str] = "word-position-deviation"
    title: ClassVar[str] = "Word position deviation"
    range: ClassVar[tuple[float, float]] = (0.0, 1.0)
    higher_is_better: ClassVar[bool] = True
    citation: ClassVar[str] = "Liu and Soh 2022, Towards Better Characterization of Paraphrases, ACL"
    limits: ClassVar[str] = (
        "A word added at the front moves all that follow; unrelated texts share 'the' and '.', which stay."
    )
    related: ClassVar[tuple[str, ...]] = ("lexical-deviation", "ter")

    tokenizer: str = parameter("auto", "tokenization", choices=("auto", *SACREBLEU))
    lowercase: bool = parameter(True, "ignore case")
    punctuation: bool = parameter(False, "count punctuation marks as words, as the paper's code does")

    def rate(self, samples: Samples, work: Workspace) -> Floats:
        feature = Tokens if self.punctuation else Words
        pairs = self.words(samples, work, feature(self.tokenizer, self.lowercase))
        return np.array([_deviation(source, candidate) for candidate, source in pairs], dtype=np.float64)

    def reason(self, samples: Samples, row: int) -> str:
        found = super().reason(samples, row)
        return found if "empty" in found else "a text of fewer than two words has no positions"


def _deviation(source: list[str], candidate: list[str]) -> float:
    if len(source) < 2 or len(candidate) < 2:
        return np.nan
    last_here, last_there = (dict(zip(words, _even(len(words)), strict=True)) for words in (source, candidate))
    shared = last_here.keys() & last_there.keys()
    if not shared:
        return 1.0
    if len(last_here) == len(source) and len(last_there) == len(candidate):  # no word twice
        return fsum([abs(last_here[word] - last_there[word]) for word in shared]) / len(shared)
    here, there = _positions(source, shared), _positions(candidate, shared)
    return fsum([_shift(here[word], there[word]) for word in shared]) / len(shared)


@lru_cache(256)
def _even(words: int) -> list[float]:
    """The positions of so many words, from 0 to 1."""
    return [place / (words - 1) for place in range(words)]


def _positions(tokens: list[str], words: set[str]) -> dict[str, list[float]]:
    found: dict[str, list[float]] = {word: [] for word in words}
    for token, place in zip(tokens, _even(len(tokens)), strict=True):
        if token in words:
            found[token].append(place)
    return found


def _shift(source: list[float], candidate: list[float]) -> float:
    if len(source) == len(candidate) == 1:
        return abs(source[0] - candidate[0])
    more, fewer = (source, candidate) if len(source) >= len(candidate) else (candidate, source)
    if len(more) * len(fewer) < 64:
        return fsum(min(abs(one - two) for two in fewer) for one in more) / len(more)
    ours, theirs = np.array(more), np.array(fewer)
    after = np.searchsorted(theirs, ours)  # positions are in order, so the nearest is one of two neighbours
    below, above = (theirs[np.clip(after - back, 0, len(theirs) - 1)] for back in (1, 0))
    return fsum(np.minimum(np.abs(ours - below), np.abs(ours - above))) / len(more)
