"""Embedding average."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ...compute.workspace import Workspace
from ...metric import Floats, PairMetric
from ._vectors import WordVectors


@dataclass(frozen=True, kw_only=True)
class EmbeddingAverage(WordVectors, PairMetric):
    """Cosine of the two texts' mean word vectors.

    The mean of the vectors as they are, a word that comes twice counting twice; punctuation marks are words. A word
    without a vector is left out (nlg-eval gives it the mean of all vectors), and a text of only such words gives NaN.
    Of several references the best counts.
    """

    name: ClassVar[str] = "embedding-average"
    title: ClassVar[str] = "Embedding average"
    range: ClassVar[tuple[float, float]] = (-1.0, 1.0)
    higher_is_better: ClassVar[bool] = True
    symmetric: ClassVar[bool] = True
    citation: ClassVar[str] = "Liu et al. 2016, How NOT To Evaluate Your Dialogue System, EMNLP"
    limits: ClassVar[str] = (
        "Blind to the order of words and to words without a vector; frequent words pull every mean together: half of "
        "all unrelated pairs of tweets get 0.8 and more with the default vectors."
    )
    related: ClassVar[tuple[str, ...]] = ("vector-extrema", "greedy-matching", "cosine")

    def compare(self, pairs: Sequence[tuple[str, str]], work: Workspace) -> Floats:
        looked = self.look_up(pairs, work)
        sums = np.zeros((len(looked.bags), looked.table.shape[1]))
        for number, (bag, places) in enumerate(zip(looked.bags, looked.places, strict=True)):
            sums[number] = bag.counts @ looked.table[places]  # a sum has the direction of the mean
        return looked.cosines(sums)
