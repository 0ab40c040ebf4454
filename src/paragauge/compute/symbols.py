"""The tokens of a part's texts as numbers, so that metrics compare whole columns of texts at once."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, count

import numpy as np

from ..text.ngrams import Integers, Sequences, sequences_of_symbols
from .features import Tokens
from .workspace import Workspace

Groups = tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class _Vocabulary:
    """A number for every token, in the order in which they are met."""

    signature: str = "vocabulary"

    def compute(self, keys: Sequence[str]) -> Iterable[Mapping[str, int]]:
        return (defaultdict(count().__next__) for _ in keys)


@dataclass(frozen=True)
class _Symbols:
    """The tokens of a text as numbers, by a vocabulary that lives as long as they do."""

    tokens: Tokens
    vocabulary: Mapping[str, int]

    @property
    def signature(self) -> str:
        return f"symbols:{self.tokens.signature}"

    def compute(self, keys: Sequence[str]) -> Iterable[Integers]:
        tokens, lengths = self.tokens.end_to_end(keys)
        symbols = np.fromiter(map(self.vocabulary.__getitem__, tokens), np.int64, len(tokens))
        ends = np.cumsum(lengths)
        return [symbols[start:end] for start, end in zip((ends - lengths).tolist(), ends.tolist(), strict=True)]


@dataclass(frozen=True)
class _TokenSequences:
    """The texts of all rows, which metrics that compare the same texts share."""

    tokens: Tokens
    work: Workspace

    @property
    def signature(self) -> str:
        return f"sequences:{self.tokens.signature}"

    def compute(self, keys: Sequence[Groups]) -> Iterator[Sequences]:
        vocabulary = self.work.get(_Vocabulary(), [""])[0]
        for groups in keys:
            texts = self.work.get(_Symbols(self.tokens, vocabulary), list(chain.from_iterable(groups)))
            symbols = np.concatenate(texts) if texts else np.empty(0, np.int64)
            yield sequences_of_symbols(symbols, list(map(len, texts)), list(map(len, groups)))


def token_sequences(tokens: Tokens, groups: Iterable[tuple[str, ...]], work: Workspace) -> Sequences:
    """The tokens of texts that are grouped by row, with the candidate first."""
    return work.get(_TokenSequences(tokens, work), [tuple(groups)])[0]
