"""Copy rate: the sentinel of metrics that a copy of the source wins."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import ClassVar

from ...metric import parameter
from ..form._source import ShareMetric
from ._sentinel import CITATION


@dataclass(frozen=True, kw_only=True)
class CopyRate(ShareMetric):
    """Share of the candidate's words that are taken from the source: 1 for a copy, a shortened or a reordered one.

    Every occurrence counts, but no more often than the word stands in the source, and words are lower-cased runs of
    letters and digits. `count=whole` is 1 where all words of both are the same in the same order (case, punctuation and
    spaces aside), else 0: its mean is the share of copies.
    """

    name: ClassVar[str] = "copy-rate"
    title: ClassVar[str] = "Copy rate"
    range: ClassVar[tuple[float, float]] = (0.0, 1.0)
    higher_is_better: ClassVar[bool] = False
    citation: ClassVar[str] = CITATION
    limits: ClassVar[str] = (
        "Names and numbers must be copied; a good paraphrase of a short text shares most of its words."
    )
    related: ClassVar[tuple[str, ...]] = ("novelty", "bleu", "length-ratio")

    count: str = parameter("words", "words taken from the source, or copies of the whole", choices=("words", "whole"))

    def share(self, candidate: list[str], source: list[str]) -> float:
        if self.count == "whole":
            return float(candidate == source)
        return (Counter(candidate) & Counter(source)).total() / len(candidate)
