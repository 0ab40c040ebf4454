"""Word mover's distance."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ...compute.transport import check_solver, distances, transport_cost
from ...compute.workspace import Workspace
from ...metric import Floats, PairMetric, parameter
from ._vectors import WordVectors, directions

NOTHING = 1e-15  # a share of a text that is only rounding, as in 1/3 − 2/6


@dataclass(frozen=True, kw_only=True)
class Wmd(WordVectors, PairMetric):
    """How far the words of one text must travel to become those of the other, by the shortest routes.

    Each text is a distribution over its words (count over length); moving a share of it from word to word costs the
    Euclidean distance of their vectors, and the least total cost is found exactly. A word without a vector is left out,
    as in gensim, and a text of only such words gives NaN (gensim: infinity). Stop words stay (the paper drops them).
    Vectors are taken as they are, as in the paper; `normalize=yes` brings them to length 1 first, as gensim's
    wmdistance does by default. Of several references the nearest counts. Needs the extra `transport`.
    """

    name: ClassVar[str] = "wmd"
    title: ClassVar[str] = "WMD"
    higher_is_better: ClassVar[bool] = False
    symmetric: ClassVar[bool] = True
    citation: ClassVar[str] = "Kusner et al. 2015, From Word Embeddings To Document Distances, ICML"
    limits: ClassVar[str] = (
        "Blind to the order of words and to words without a vector; its scale is that of the vectors, so numbers of "
        "different vectors cannot be compared."
    )
    related: ClassVar[tuple[str, ...]] = ("greedy-matching", "moverscore")

    normalize: bool = parameter(False, "normalize every vector to length 1 first")

    @property
    def range(self) -> tuple[float, float]:
        return (0.0, 2.0) if self.normalize else (0.0, np.inf)

    def compare(self, pairs: Sequence[tuple[str, str]], work: Workspace) -> Floats:
        check_solver()
        looked = self.look_up(pairs, work)
        table = directions(looked.table) if self.normalize else looked.table
        shares = [bag.counts / max(bag.counts.sum(), 1) for bag in looked.bags]
        surplus = np.zeros(len(table))
        scores = np.full(len(pairs), np.nan)
        for number, one, two in looked.of_defined():
            # Distances are a metric, so what both texts share stays where it is in some cheapest plan.
            own, other = looked.places[one], looked.places[two]
            surplus[own] = shares[one]
            surplus[other] -= shares[two]
            more, less = own[surplus[own] > NOTHING], other[surplus[other] < -NOTHING]
            scores[number] = (
                transport_cost(surplus[more], -surplus[less], distances(table[more], table[less]))
                if len(more) and len(less)
                else 0.0
            )
            surplus[own] = surplus[other] = 0
        return scores
