"""Copy rate: the sentinel of metrics that a copy of the source wins."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ...compute.features import Tokens
from ...compute.workspace import Workspace
from ...metric import Floats, parameter
from ...tables.samples import Samples
from ...text.ngrams import matches
from ..form._source import SourceMetric, share
from ._sentinel import CITATION


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
    citation: ClassVar[str] = CITATION
    limits: ClassVar[str] = (
        "Names and numbers must be copied; a good paraphrase of a short text shares most of its words."
    )
    related: ClassVar[tuple[str, ...]] = ("novelty", "bleu", "length-ratio")

    count: str = parameter("words", "words taken from the source, or copies of the whole", choices=("words", "whole"))

    @property
    def shares(self) -> bool:
        return self.count == "whole"

    def rate(self, samples: Samples, work: Workspace) -> Floats:
        pairs = self.words(samples, work, Tokens("words"))
        if self.count == "words":
            return share(matches(pairs, 1)[:, 0], pairs.lengths[::2], pairs)
        texts = pairs.texts()
        same = np.array([one == other for one, other in zip(texts[::2], texts[1::2], strict=True)], np.int64)
        return share(same, np.ones_like(same), pairs)
