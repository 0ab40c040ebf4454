"""The tokens of a part's texts as numbers, so that metrics compare whole columns of texts at once.

Most tokenizers look at one word at a time, where words are what stands between white space. So the texts are cut into
words once for all tokenizers, and each distinct word into tokens once for each of them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain, compress, count, pairwise

import numpy as np

from ..text.ngrams import Integers, Sequences, sequences_of_symbols
from ..text.tokens import WORDWISE, is_plain, split_lines
from .features import Tokens
from .workspace import Workspace

Groups = tuple[tuple[str, ...], ...]
_NOTHING = np.empty(0, np.int64)


def _numbers() -> defaultdict[str, int]:
    return defaultdict(count().__next__)


@dataclass(frozen=True, eq=False)
class _Known:
    """What is known of all texts of a workspace: numbers of words and of tokens, and the tokens of words."""

    words: defaultdict[str, int] = field(default_factory=_numbers)
    tokens: defaultdict[str, int] = field(default_factory=_numbers)
    tables: dict[str, tuple[Integers, Integers]] = field(default_factory=dict)

    def number(self, feature: Tokens, texts: Sequence[str]) -> tuple[Integers, Integers]:
        """The tokens of texts, end to end, and how many each has."""
        tokens, lengths = feature.end_to_end(texts)
        return np.fromiter(map(self.tokens.__getitem__, tokens), np.int64, len(tokens)), lengths

    def of_words(self, feature: Tokens, words: Integers) -> tuple[Integers, Integers]:
        """The tokens of words, end to end, and how many each has."""
        symbols, lengths = self.tables.get(feature.signature, (_NOTHING, _NOTHING))
        if len(lengths) < len(self.words):
            more = self.number(feature, list(self.words)[len(lengths) :])
            symbols, lengths = np.concatenate([symbols, more[0]]), np.concatenate([lengths, more[1]])
            self.tables[feature.signature] = symbols, lengths
        starts, sizes = (np.cumsum(lengths) - lengths)[words], lengths[words]
        before = np.cumsum(sizes) - sizes
        return symbols[np.arange(int(sizes.sum())) + np.repeat(starts - before, sizes)], sizes


@dataclass(frozen=True)
class _KnownTexts:
    """The same for all who ask, until the workspace forgets it and all that is made with it."""

    signature: str = "known texts"

    def compute(self, keys: Sequence[str]) -> Iterable[_Known]:
        return (_Known() for _ in keys)


@dataclass(frozen=True)
class _Words:
    """The words of a plain text as numbers."""

    known: _Known
    signature: str = "words as numbers"

    def compute(self, keys: Sequence[str]) -> Iterable[Integers]:
        words, lengths = split_lines(" \n ".join(keys))
        return _cut(np.fromiter(map(self.known.words.__getitem__, words), np.int64, len(words)), lengths)


@dataclass(frozen=True)
class _Symbols:
    """The tokens of a text as numbers."""

    tokens: Tokens
    known: _Known
    work: Workspace

    @property
    def signature(self) -> str:
        return f"symbols:{self.tokens.signature}"

    def compute(self, keys: Sequence[str]) -> Iterable[Integers]:
        if self.tokens.tokenizer not in WORDWISE:
            return _cut(*self.known.number(self.tokens, keys))
        if is_plain("".join(keys)):
            return self._of_plain(keys)
        plain = list(map(is_plain, keys))
        whole = iter(_cut(*self.known.number(self.tokens, [key for key in keys if not is_plain(key)])))
        parts = iter(self._of_plain(list(compress(keys, plain))))
        return [next(parts) if simple else next(whole) for simple in plain]

    def _of_plain(self, keys: Sequence[str]) -> list[Integers]:
        words = self.work.get(_Words(self.known), keys)
        symbols, sizes = self.known.of_words(self.tokens, np.concatenate([_NOTHING, *words]))
        ends = np.append(0, np.cumsum(sizes))[np.cumsum(list(map(len, words)), dtype=np.int64)]
        return _cut(symbols, np.diff(ends, prepend=0))


@dataclass(frozen=True)
class _TokenSequences:
    """The texts of all rows, which metrics that compare the same texts share."""

    tokens: Tokens
    work: Workspace

    @property
    def signature(self) -> str:
        return f"sequences:{self.tokens.signature}"

    def compute(self, keys: Sequence[Groups]) -> Iterator[Sequences]:
        known = self.work.get(_KnownTexts(), [""])[0]
        for groups in keys:
            texts = self.work.get(_Symbols(self.tokens, known, self.work), list(chain.from_iterable(groups)))
            symbols = np.concatenate([_NOTHING, *texts])
            yield sequences_of_symbols(symbols, list(map(len, texts)), list(map(len, groups)))


def token_sequences(tokens: Tokens, groups: Iterable[tuple[str, ...]], work: Workspace) -> Sequences:
    """The tokens of texts that are grouped by row, with the candidate first."""
    return work.get(_TokenSequences(tokens, work), [tuple(groups)])[0]


def _cut(symbols: Integers, lengths: Integers) -> list[Integers]:
    return [symbols[start:end] for start, end in pairwise([0, *np.cumsum(lengths).tolist()])]
