"""Greedy matching."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ...compute.workspace import Workspace
from ...metric import Floats, PairMetric
from ._vectors import WordVectors, directions


@dataclass(frozen=True, kw_only=True)
class GreedyMatching(WordVectors, PairMetric):
    """Each word takes its most similar word of the other text (cosine of word vectors).

    The mean over the words of one text, and of the other, halved together: (G(C,R) + G(R,C)) / 2. A word that comes
    twice counts twice. A word without a vector is left out (nlg-eval gives it the mean of all vectors), and a text of
    only such words gives NaN. Of several references the best counts.
    """

    name: ClassVar[str] = "greedy-matching"
    title: ClassVar[str] = "Greedy matching"
    range: ClassVar[tuple[float, float]] = (-1.0, 1.0)
    higher_is_better: ClassVar[bool] = True
    symmetric: ClassVar[bool] = True
    citation: ClassVar[str] = "Rus and Lintean 2012, A Comparison of Greedy and Optimal Assessment, BEA workshop"
    limits: ClassVar[str] = (
        "Blind to the order of words and to words without a vector; antonyms have similar vectors, so 'hot' matches "
        "'cold'."
    )
    related: ClassVar[tuple[str, ...]] = ("embedding-average", "vector-extrema", "bertscore", "wmd")

    def compare(self, pairs: Sequence[tuple[str, str]], work: Workspace) -> Floats:
        looked = self.look_up(pairs, work)
        unit = directions(looked.table)
        scores: Floats = np.full(len(pairs), np.nan)
        for number, one, two in looked.of_defined():
            cosines = unit[looked.places[one]] @ unit[looked.places[two]].T
            there, back = looked.bags[one].counts, looked.bags[two].counts
            scores[number] = (cosines.max(axis=1) @ there / there.sum() + cosines.max(axis=0) @ back / back.sum()) / 2
        return scores.clip(-1, 1)
