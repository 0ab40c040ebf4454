"""ROUGE-2 as rouge-score defines it."""

from typing import ClassVar

from .rouge1 import Rouge1


class Rouge2(Rouge1):
    """Overlap of pairs of adjacent words: precision, recall or F1.

    Equal to rouge-score 0.1.2 without stemming on ASCII text. A reference of a single word has no pair of words, so
    the score is NaN there; rouge-score gives 0.
    """

    name: ClassVar[str] = "rouge2"
    title: ClassVar[str] = "ROUGE-2"
    related: ClassVar[tuple[str, ...]] = ("rouge1", "rougeL", "bleu")
    n: ClassVar[int] = 2
