"""ROUGE-1 as rouge-score defines it."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from ...metric import Floats
from ...text.ngrams import Sequences, matches, totals
from ._rouge import Rouge


class Rouge1(Rouge):
    """Overlap of words: precision, recall or F1 of the words shared, each no more often than in the other text.

    Equal to rouge-score 0.1.2 without stemming on ASCII text; letters of other scripts are kept (differences.md).
    """

    name: ClassVar[str] = "rouge1"
    title: ClassVar[str] = "ROUGE-1"
    related: ClassVar[tuple[str, ...]] = ("rouge2", "rougeL", "bleu")
    n: ClassVar[int] = 1

    def overlaps(self, pairs: Sequences) -> Floats:
        shared = matches(pairs, self.n)[:, -1]
        sizes = totals(pairs.lengths, self.n)[:, -1].reshape(-1, 2)
        return np.column_stack([shared, sizes]).astype(np.float64)
