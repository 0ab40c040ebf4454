"""Self-BLEU of a set of candidates."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import fsum

import numpy as np

from ...compute.features import Tokens
from ...metric import Floats, Samples, SetMetric, Workspace
from ...text.ngrams import Integers, sequences_of_tokens, sibling_matches, totals
from ..form.bleu import Bleu
from ..shared.wording import BleuParameters, tokens_of_sets


@dataclass(frozen=True, kw_only=True)
class SelfBleu(BleuParameters, SetMetric):
    """Mean BLEU of each candidate of a set against its siblings, from 0 (nothing shared) to 100 (all the same).

    Zhu et al. 2018 take nltk's sentence BLEU with smoothing method 1: that is `smoothing=floor`, for candidates of four
    words and more (nltk counts an order which the candidate is too short for as 0.1; we leave it out). Each row's BLEU
    is sacrebleu's. A set needs two candidates with text. Not to be taken for BLEU against
    the source, which papers on paraphrases call by the same name: that is `source-bleu`.
    """

    name = "selfbleu"
    title = "Self-BLEU"
    range = (0.0, 100.0)
    higher_is_better = False
    citation = "Zhu et al. 2018, Texygen: A Benchmarking Platform for Text Generation Models, SIGIR"
    limits = "Grows with the size of the set, so compare sets of one size only; noise looks diverse."
    related = ("bleu", "distinct", "ds-bow")

    def rate_sets(self, sets: Sequence[Samples], work: Workspace) -> Floats:
        groups = tokens_of_sets(self, Tokens(self.tokenizer, self.lowercase), sets, work)
        sequences = sequences_of_tokens(groups)
        own = sequences.lengths
        lengths = np.column_stack([own, _closest(own, sequences.row)])
        counts = np.hstack([lengths, sibling_matches(sequences, self.order), totals(own, self.order)])
        scores = iter(Bleu(**self.bleu_parameters()).from_counts(counts.astype(np.float64), corpus=False).tolist())
        found = [[next(scores) for _ in group] for group in groups]
        return np.array([fsum(group) / len(group) if len(group) > 1 else np.nan for group in found], dtype=np.float64)

    def reason(self, samples: Samples, row: int) -> str:  # noqa: ARG002
        return "the set has fewer than two candidates with text"


def _closest(own: Integers, row: Integers) -> Integers:
    """Length of the sibling closest in length to each text, the shorter of two equally close; 0 where there is none."""
    far = np.iinfo(np.int64).max // 4
    order = np.lexsort((own, row))
    lengths, rows = own[order], row[order]
    alone = np.concatenate((rows[1:] != rows[:-1], [True]))[: len(rows)]  # the last of its set
    above = np.where(alone, far, np.append(lengths[1:], far)[: len(rows)])
    below = np.where(np.roll(alone, 1), -far, np.roll(lengths, 1))
    nearest = np.where(lengths - below <= above - lengths, below, above)
    result = np.empty_like(own)
    result[order] = np.where(np.abs(nearest) == far, 0, nearest)
    return result
