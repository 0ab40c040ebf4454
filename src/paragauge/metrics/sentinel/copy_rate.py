"""Copy rate: the sentinel of metrics that a copy of the source wins."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ...compute.features import Tokens
from ...compute.workspace import Workspace
from ...metric import Floats, parameter
from ...tables.samples import Samples
from ..form._source import SourceMetric


@dataclass(frozen=True, kw_only=True)
class CopyRate(SourceMetric):
    """Share of the candidate's words that are taken from the source: 1 for a copy, a shortened or a reordered one.

    Every occurrence counts, but no more often than the word stands in the source, and words are lower-cased runs of
    letters and digits. `count=whole` is 1 where all words of both are the same in the same order (case, punctuation and
    spaces aside), else 0: its mean is the share of copies.
    """

    name: ClassVar[str] = "copy-rate"
    title: ClassVar[str] = "Copy rate"
    range: ClassVar[tuple[float, float]] = (0.0, 1.0)
    higher_is_better: ClassVar[bool] = False
    citation: ClassVar[str] = (
        "Perrella et al. 2024, Guardians of the MT Meta-Evaluation, ACL (what a sentinel metric is)"
    )
    limits: ClassVar[str] = (
        "Names and numbers must be copied; a good paraphrase of a short text shares most of its words."
    )
    related: ClassVar[tuple[str, ...]] = ("novelty", "bleu", "length-ratio")

    count: str = parameter("words", "words taken from the source, or copies of the whole", choices=("words", "whole"))

    def rate(self, samples: Samples, work: Workspace) -> Floats:
        pairs = self.words(samples, work, Tokens("words"))
        return np.array([self._share(*pair) for pair in pairs], dtype=np.float64)

    def _share(self, candidate: list[str], source: list[str]) -> float:
        if not candidate or not source:
            return np.nan
        if self.count == "whole":
            return float(candidate == source)
        return (Counter(candidate) & Counter(source)).total() / len(candidate)
