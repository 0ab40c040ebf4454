"""ROUGE-L as rouge-score defines it."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from rapidfuzz.distance import LCSseq
from rapidfuzz.process import cpdist

from ...metric import Floats
from ...process.cores import threads
from ...text.ngrams import Sequences
from ._rouge import Rouge


class RougeL(Rouge):
    """Longest common subsequence of words: its length over the candidate's (precision), the other's (recall), or F1.

    Equal to rouge-score 0.1.2 without stemming on ASCII text; letters of other scripts are kept (differences.md).
    """

    name: ClassVar[str] = "rougeL"
    title: ClassVar[str] = "ROUGE-L"
    related: ClassVar[tuple[str, ...]] = ("rouge1", "rouge2", "ned")

    def overlaps(self, pairs: Sequences) -> Floats:
        texts = pairs.texts()
        shared = cpdist(texts[::2], texts[1::2], scorer=LCSseq.similarity, workers=threads()) if texts else np.empty(0)
        return np.column_stack([shared, pairs.lengths.reshape(-1, 2)]).astype(np.float64)
