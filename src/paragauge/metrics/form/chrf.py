"""chrF and chrF++ as sacrebleu defines them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from ...compute.features import Tokens
from ...compute.token_ids import token_sequences
from ...metric import CountMetric, Floats, Samples, Workspace, parameter
from ...text.ngrams import Sequences, matches, sequences_of_characters, totals
from ..shared.wording import Wording


@dataclass(frozen=True, kw_only=True)
class Chrf(Wording, CountMetric):
    """F-score of character n-grams (orders 1 to 6), from 0 to 100; chrF++ adds words and pairs of words.

    Precision and recall are averaged over the orders that both texts have, then F_β = (1+β²)·P·R / (β²·P + R), β = 2.
    Of several references the one with the highest F counts. Equal to sacrebleu 2.
    """

    name = "chrf"
    title = "chrF"
    range = (0.0, 100.0)
    higher_is_better = True
    scores_empty = True
    citation = "Popović 2015, chrF, WMT; Popović 2017, chrF++, WMT"
    limits = "Sees shared letters only; spelling variants are forgiven, synonyms are not."
    related = ("bleu", "ned")
    presets = {"chrf++": {"word_order": 2}}

    char_order: int = parameter(6, "longest character n-gram", low=1, high=16)
    word_order: int = parameter(0, "longest word n-gram; 2 is chrF++", low=0, high=16)
    beta: int = parameter(2, "weight of recall relative to precision", low=0, high=100)
    lowercase: bool = parameter(False, "ignore case")
    whitespace: bool = parameter(False, "count whitespace as characters")

    def counts(self, samples: Samples, work: Workspace) -> Floats:
        samples = self.worded(samples, work)
        against = self.against(samples)
        pairs = [(text, other) for text, others in zip(samples.candidates, against, strict=True) for other in others]
        if self.lowercase:
            pairs = [(text.lower(), other.lower()) for text, other in pairs]
        parts = work.get(_CharacterCounts(self.char_order, self.whitespace), [tuple(pairs)])
        if self.word_order:
            parts.append(_statistics(token_sequences(Tokens("chrf"), pairs, work), self.word_order))
        return _best_rows(np.hstack(parts), against, self.from_counts)

    def from_counts(self, counts: Floats, *, corpus: bool = False) -> Floats:  # noqa: ARG002
        table = counts.reshape(len(counts), self.char_order + self.word_order, 3)
        own, other, shared = table[..., 0], table[..., 1], table[..., 2]
        both = (own > 0) & (other > 0)
        with np.errstate(divide="ignore", invalid="ignore"):
            precision = np.where(both, shared / own, 0.0).sum(axis=1) / both.sum(axis=1)
            recall = np.where(both, shared / other, 0.0).sum(axis=1) / both.sum(axis=1)
            factor = self.beta**2
            # in sacrebleu's order of operations: rounding decides between references that are equally good
            score = 100 * ((1 + factor) * precision * recall / (factor * precision + recall))
        score[~(precision + recall > 0)] = 0.0
        return np.where(np.isnan(counts[:, 0]), np.nan, score)


@dataclass(frozen=True)
class _CharacterCounts:
    """The character statistics of all pairs together, which chrF and chrF++ share."""

    order: int
    whitespace: bool

    @property
    def signature(self) -> str:
        return f"characters:{self.order}:{self.whitespace}"

    def compute(self, keys: Sequence[tuple[tuple[str, str], ...]]) -> Iterator[Floats]:
        for pairs in keys:
            yield _statistics(sequences_of_characters(pairs, whitespace=self.whitespace), self.order)


def _statistics(sequences: Sequences, order: int) -> Floats:
    """(in the candidate, in the other text, shared) for each order, side by side; shape (pairs, 3·order)."""
    sizes = totals(sequences.lengths, order).reshape(-1, 2, order)
    own = np.where(sizes[:, 1] > 0, sizes[:, 0], 0)  # not held against the candidate where the other text has none
    return np.stack([own, sizes[:, 1], matches(sequences, order)], axis=2).reshape(-1, 3 * order).astype(np.float64)


def _best_rows(statistics: Floats, groups: Sequence[Sequence[str]], f_score: object) -> Floats:
    """For each group of pairs the statistics of the one with the highest F, the first of equals."""
    sizes = [len(group) for group in groups]
    if set(sizes) == {1}:
        return statistics
    result = np.full((len(groups), statistics.shape[1]), np.nan)
    owner = np.repeat(np.arange(len(groups)), sizes)
    scores = f_score(statistics, corpus=False)  # type: ignore[operator]
    order = np.lexsort((np.arange(len(owner)), -scores, owner))
    rows, first = np.unique(owner[order], return_index=True)
    result[rows] = statistics[order[first]]
    return result
