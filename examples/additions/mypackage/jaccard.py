"""Jaccard index."""

from dataclasses import dataclass

from paragauge.compute.features import Tokens
from paragauge.metric import PairMetric, Pairs, Workspace


@dataclass(frozen=True, kw_only=True)
class Jaccard(PairMetric):
    """Share of the words of two texts that both have: J = |A ∩ B| / |A ∪ B|."""

    name = "jaccard"
    title = "Jaccard index"
    question = "form"
    range = (0.0, 1.0)
    higher_is_better = True
    symmetric = True
    citation = "Jaccard 1901, Étude comparative de la distribution florale, BSVSN 37"
    limits = "Says nothing of the order of the words, nor of what they mean."

    def compare(self, pairs: Pairs, work: Workspace) -> list[float]:
        words = work.get(Tokens("auto", lowercase=True), [text for pair in pairs for text in pair])
        sets = zip(map(set, words[::2]), map(set, words[1::2]), strict=True)
        return [len(one & two) / max(len(one | two), 1) for one, two in sets]
