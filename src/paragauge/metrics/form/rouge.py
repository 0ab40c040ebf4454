"""ROUGE-1, ROUGE-2 and ROUGE-L as rouge-score defines them."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass

import numpy as np
from rapidfuzz.distance import LCSseq
from rapidfuzz.process import cpdist

from ...compute.features import Tokens
from ...compute.token_ids import token_sequences
from ...metric import ComparisonMetric, Floats, Samples, Workspace, best, parameter
from ...process.limits import threads
from ...text.ngrams import Sequences, matches, totals
from ..shared.wording import Wording

PARTS = ("precision", "recall", "f1")


@dataclass(frozen=True, kw_only=True)
class Rouge(Wording, ComparisonMetric):
    """Overlap / candidate (precision), overlap / reference (recall), or their harmonic mean."""

    range = (0.0, 1.0)
    higher_is_better = True
    scores_empty = True
    symmetric = True  # f1; precision and recall change places
    citation = "Lin 2004, ROUGE: A Package for Automatic Evaluation of Summaries, ACL workshop"
    limits = "Words that mean the same but are written differently count as misses; no stemming."

    part: str = parameter("f1", "which number to report", choices=PARTS)
    tokenizer: str = parameter(
        "words",
        "'rouge-score' drops letters that are not a to z, as that package does",
        choices=("words", "rouge-score"),
    )

    @abstractmethod
    def overlaps(self, pairs: Sequences) -> Floats:
        """(shared, in the candidate, in the other text) for each pair of texts; shape (pairs, 3)."""

    def rate(self, samples: Samples, work: Workspace) -> Floats:
        samples = self.worded(samples, work)
        groups = self.against(samples)
        rows = ((text, other) for text, group in zip(samples.candidates, groups, strict=True) for other in group)
        counts = self.overlaps(token_sequences(Tokens(self.tokenizer), rows, work))
        with np.errstate(divide="ignore", invalid="ignore"):
            precision = np.where(counts[:, 1] > 0, counts[:, 0] / counts[:, 1], 0.0)
            recall = counts[:, 0] / counts[:, 2]  # NaN where the other text has no words: nothing to recall
            both = precision + recall
            f1 = np.where(both == 0, 0.0, 2 * precision * recall / both)
        f1[counts[:, 2] == 0] = np.nan
        highest = best(f1, groups, highest=True)
        if self.part == "f1":
            return highest
        # of several references the one with the highest F counts, for precision and recall too; the first of equals
        chosen = (precision if self.part == "precision" else recall).copy()
        owner = np.repeat(np.arange(len(groups)), [len(group) for group in groups])
        winners = np.flatnonzero(f1 == highest[owner])
        rows_won, first = np.unique(owner[winners], return_index=True)
        result = np.full(len(groups), np.nan)
        result[rows_won] = chosen[winners[first]]
        return result

    def reason(self, samples: Samples, row: int) -> str:
        if self.against(samples.rows([row]))[0]:
            return f"the {'source' if self.free else 'reference'} has too few words"
        return super().reason(samples, row)


class Rouge1(Rouge):
    """Overlap of words: precision, recall or F1 of the words shared, each no more often than in the other text.

    Equal to rouge-score 0.1.2 without stemming on ASCII text; letters of other scripts are kept (differences.md).
    """

    name = "rouge1"
    title = "ROUGE-1"
    related = ("rouge2", "rougeL", "bleu")
    n = 1

    def overlaps(self, pairs: Sequences) -> Floats:
        shared = matches(pairs, self.n)[:, -1]
        sizes = totals(pairs.lengths, self.n)[:, -1].reshape(-1, 2)
        return np.column_stack([shared, sizes]).astype(np.float64)


class Rouge2(Rouge1):
    """Overlap of pairs of adjacent words: precision, recall or F1.

    Equal to rouge-score 0.1.2 without stemming on ASCII text. A reference of a single word has no pair of words, so
    the score is NaN there; rouge-score gives 0.
    """

    name = "rouge2"
    title = "ROUGE-2"
    related = ("rouge1", "rougeL", "bleu")
    n = 2


class RougeL(Rouge):
    """Longest common subsequence of words: its length over the candidate's (precision), the other's (recall), or F1.

    Equal to rouge-score 0.1.2 without stemming on ASCII text; letters of other scripts are kept (differences.md).
    """

    name = "rougeL"
    title = "ROUGE-L"
    related = ("rouge1", "rouge2", "ned")

    def overlaps(self, pairs: Sequences) -> Floats:
        texts = pairs.texts()
        shared = cpdist(texts[::2], texts[1::2], scorer=LCSseq.similarity, workers=threads()) if texts else np.empty(0)
        return np.column_stack([shared, pairs.lengths.reshape(-1, 2)]).astype(np.float64)
