"""The two deviations of Liu and Soh 2022: of the words, and of their positions."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from math import fsum

import numpy as np

from ...compute.features import Tokens
from ...metric import Floats, Samples, Workspace, parameter
from ...text.ngrams import Sequences, shared_types, types
from ...text.tokens import SACREBLEU
from ..shared.wording import SourceMetric, WordTokens, share


@dataclass(frozen=True, kw_only=True)
class LexicalDeviation(SourceMetric):
    """Share of the vocabulary of source and candidate that only one of them has: 0 for the same words, 1 for none.

    LD = 1 − |S ∩ C| / |S ∪ C|, over distinct words (tokens with a letter or a digit). The paper's code compares spaCy's
    lemmas of a chosen model; ours compares lower-cased word forms, in every language and without a model, so a changed
    ending is a deviation here. On equal tokens the two are equal (differences.md).
    """

    name = "lexical-deviation"
    title = "Lexical deviation"
    range = (0.0, 1.0)
    higher_is_better = True
    symmetric = True
    citation = "Liu and Soh 2022, Towards Better Characterization of Paraphrases, ACL"
    limits = "Says how many words were changed, not whether for good ones; inflected forms count as new."
    related = ("word-position-deviation", "novelty", "pinc")

    tokenizer: str = parameter("auto", "tokenization", choices=("auto", *SACREBLEU))
    lowercase: bool = parameter(True, "ignore case")

    def rate(self, samples: Samples, work: Workspace) -> Floats:
        pairs = self.words(samples, work, WordTokens(self.tokenizer, self.lowercase))
        shared, _ = shared_types(pairs, 1)
        return 1 - share(shared[:, 0], types(pairs, 1)[:, 0], pairs)


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

    name = "word-position-deviation"
    title = "Word position deviation"
    range = (0.0, 1.0)
    higher_is_better = True
    citation = "Liu and Soh 2022, Towards Better Characterization of Paraphrases, ACL"
    limits = "A word added at the front moves all that follow; unrelated texts share 'the' and '.', which stay."
    related = ("lexical-deviation", "ter")

    tokenizer: str = parameter("auto", "tokenization", choices=("auto", *SACREBLEU))
    lowercase: bool = parameter(True, "ignore case")
    punctuation: bool = parameter(False, "count punctuation marks as words, as the paper's code does")

    def rate(self, samples: Samples, work: Workspace) -> Floats:
        feature = Tokens if self.punctuation else WordTokens
        return _deviations(self.words(samples, work, feature(self.tokenizer, self.lowercase)))

    def reason(self, samples: Samples, row: int) -> str:
        found = super().reason(samples, row)
        return found if "empty" in found else "a text of fewer than two words has no positions"


def _deviations(pairs: Sequences) -> Floats:
    """Of each candidate and its source."""
    rows, places = (np.repeat(column, pairs.lengths) for column in (pairs.row, pairs.place))
    starts, lasts = (np.repeat(some, pairs.lengths) for some in (np.cumsum(pairs.lengths), pairs.lengths - 1))
    positions = (np.arange(len(rows)) - (starts - lasts - 1)) / np.maximum(lasts, 1)
    # side by side all occurrences of a word in a row, in the candidate and then in the source
    keys = (rows * (pairs.symbols.max(initial=0) + 1) + pairs.symbols) * 2 + places
    order = np.argsort(keys, kind="stable")
    keys, rows, positions = keys[order], rows[order], positions[order]
    first = np.flatnonzero(np.diff(keys >> 1, prepend=-1))
    end = np.append(first[1:], len(keys))[: len(first)]
    middle = np.searchsorted(keys, keys[first] | 1)
    shared = (first < middle) & (middle < end)
    first, middle, end = first[shared], middle[shared], end[shared]
    moved = np.abs(positions[middle] - positions[first])
    listed = positions.tolist()
    for word in np.flatnonzero(end - first > 2).tolist():
        moved[word] = _shift(listed[middle[word] : end[word]], listed[first[word] : middle[word]])
    result = np.ones(pairs.rows)
    owners, begin = np.unique(rows[first], return_index=True)
    listed = moved.tolist()
    for row, (one, other) in zip(owners.tolist(), pairwise([*begin.tolist(), len(listed)]), strict=True):
        result[row] = fsum(listed[one:other]) / (other - one)
    result[(pairs.lengths.reshape(-1, 2) < 2).any(axis=1)] = np.nan
    return result


def _shift(source: list[float], candidate: list[float]) -> float:
    more, fewer = (source, candidate) if len(source) >= len(candidate) else (candidate, source)
    if len(more) * len(fewer) < 64:
        return fsum(min(abs(one - two) for two in fewer) for one in more) / len(more)
    ours, theirs = np.array(more), np.array(fewer)
    after = np.searchsorted(theirs, ours)  # positions are in order, so the nearest is one of two neighbours
    below, above = (theirs[np.clip(after - back, 0, len(theirs) - 1)] for back in (1, 0))
    return fsum(np.minimum(np.abs(ours - below), np.abs(ours - above))) / len(more)
