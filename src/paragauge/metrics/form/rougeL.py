"""ROUGE-L as rouge-score defines it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import numpy as np
from rapidfuzz.distance import LCSseq
from rapidfuzz.process import cpdist

from ...cores import threads
from ...metric import Floats
from ._rouge import Rouge


class RougeL(Rouge):
    """Longest common subsequence of words: its length over the candidate's (precision), the other's (recall), or F1.

    Equal to rouge-score 0.1.2 without stemming on ASCII text; letters of other scripts are kept (differences.md).
    """

    name: ClassVar[str] = "rougeL"
    title: ClassVar[str] = "ROUGE-L"
    related: ClassVar[tuple[str, ...]] = ("rouge1", "rouge2", "ned")

    def overlaps(self, pairs: Sequence[tuple[list[str], list[str]]]) -> Floats:
        candidates, others = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
        shared = cpdist(candidates, others, scorer=LCSseq.similarity, workers=threads()) if pairs else np.empty(0)
        return np.column_stack([shared, [len(text) for text in candidates], [len(text) for text in others]]).astype(
            np.float64
        )
