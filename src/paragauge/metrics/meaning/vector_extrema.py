"""Vector extrema."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ...compute.workspace import Workspace
from ...metric import Floats, PairMetric
from ._vectors import WordVectors


@dataclass(frozen=True, kw_only=True)
class VectorExtrema(WordVectors, PairMetric):
    """Cosine of two vectors, each made of the most extreme value that its text's words have in every dimension.

    The highest value if it is at least as far from 0 as the lowest, else the lowest. A word without a vector is left
    out (nlg-eval gives it the mean of all vectors), and a text of only such words gives NaN. nlg-eval takes the lowest
    value where both are equally far from 0, and 0 where the lowest is 0. Of several references the best counts.
    """

    name: ClassVar[str] = "vector-extrema"
    title: ClassVar[str] = "Vector extrema"
    range: ClassVar[tuple[float, float]] = (-1.0, 1.0)
    higher_is_better: ClassVar[bool] = True
    symmetric: ClassVar[bool] = True
    citation: ClassVar[str] = "Forgues et al. 2014, Bootstrapping Dialog Systems with Word Embeddings, NIPS workshop"
    limits: ClassVar[str] = (
        "Blind to the order of words, to how often they come and to words without a vector; longer texts have more "
        "extremes, so they grow alike."
    )
    related: ClassVar[tuple[str, ...]] = ("embedding-average", "greedy-matching")

    def compare(self, pairs: Sequence[tuple[str, str]], work: Workspace) -> Floats:
        looked = self.look_up(pairs, work)
        extremes = np.zeros((len(looked.bags), looked.table.shape[1]))
        for number, places in enumerate(looked.places):
            if len(places):
                high, low = looked.table[places].max(axis=0), looked.table[places].min(axis=0)
                extremes[number] = np.where(high >= -low, high, low)
        return looked.cosines(extremes)
