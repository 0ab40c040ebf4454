"""Metrics of word vectors: their mean, their extremes, the nearest of each, the way from one text to the other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ...metric import Floats, PairMetric, Workspace, parameter
from ..shared.word_vectors import WordVectors, check_solver, directions, distances, transport_cost

NOTHING = 1e-15  # a share of a text that is only rounding, as in 1/3 − 2/6


class VectorCosine(WordVectors, PairMetric):
    """A mean or a choice of cosines of word vectors, the same from either text."""

    range = (-1.0, 1.0)
    higher_is_better = True
    symmetric = True


@dataclass(frozen=True, kw_only=True)
class EmbeddingAverage(VectorCosine):
    """Cosine of the two texts' mean word vectors.

    The mean of the vectors as they are, a word that comes twice counting twice; punctuation marks are words. A word
    without a vector is left out (nlg-eval gives it the mean of all vectors), and a text of only such words gives NaN.
    Of several references the best counts.
    """

    name = "embedding-average"
    title = "Embedding average"
    citation = "Liu et al. 2016, How NOT To Evaluate Your Dialogue System, EMNLP"
    limits = (
        "Blind to the order of words and to words without a vector; frequent words pull every mean together: half of "
        "all unrelated pairs of tweets get 0.8 and more with the default vectors."
    )
    related = ("vector-extrema", "greedy-matching", "cosine")

    def compare(self, pairs: Sequence[tuple[str, str]], work: Workspace) -> Floats:
        looked = self.look_up(pairs, work)
        sums = np.zeros((len(looked.bags), looked.table.shape[1]))
        for number, (bag, places) in enumerate(zip(looked.bags, looked.places, strict=True)):
            sums[number] = bag.counts @ looked.table[places]  # a sum has the direction of the mean
        return looked.cosines(sums)


@dataclass(frozen=True, kw_only=True)
class VectorExtrema(VectorCosine):
    """Cosine of two vectors, each made of the most extreme value that its text's words have in every dimension.

    The highest value if it is at least as far from 0 as the lowest, else the lowest. A word without a vector is left
    out (nlg-eval gives it the mean of all vectors), and a text of only such words gives NaN. nlg-eval takes the lowest
    value where both are equally far from 0, and 0 where the lowest is 0. Of several references the best counts.
    """

    name = "vector-extrema"
    title = "Vector extrema"
    citation = "Forgues et al. 2014, Bootstrapping Dialog Systems with Word Embeddings, NIPS workshop"
    limits = (
        "Blind to the order of words, to how often they come and to words without a vector; longer texts have more "
        "extremes, so they grow alike."
    )
    related = ("embedding-average", "greedy-matching")

    def compare(self, pairs: Sequence[tuple[str, str]], work: Workspace) -> Floats:
        looked = self.look_up(pairs, work)
        extremes = np.zeros((len(looked.bags), looked.table.shape[1]))
        for number, places in enumerate(looked.places):
            if len(places):
                high, low = looked.table[places].max(axis=0), looked.table[places].min(axis=0)
                extremes[number] = np.where(high >= -low, high, low)
        return looked.cosines(extremes)


@dataclass(frozen=True, kw_only=True)
class GreedyMatching(VectorCosine):
    """Each word takes its most similar word of the other text (cosine of word vectors).

    The mean over the words of one text, and of the other, halved together: (G(C,R) + G(R,C)) / 2. A word that comes
    twice counts twice. A word without a vector is left out (nlg-eval gives it the mean of all vectors), and a text of
    only such words gives NaN. Of several references the best counts.
    """

    name = "greedy-matching"
    title = "Greedy matching"
    citation = "Rus and Lintean 2012, A Comparison of Greedy and Optimal Assessment, BEA workshop"
    limits = (
        "Blind to the order of words and to words without a vector; antonyms have similar vectors, so 'hot' matches "
        "'cold'."
    )
    related = ("embedding-average", "vector-extrema", "bertscore", "wmd")

    def compare(self, pairs: Sequence[tuple[str, str]], work: Workspace) -> Floats:
        looked = self.look_up(pairs, work)
        unit = directions(looked.table)
        scores: Floats = np.full(len(pairs), np.nan)
        for number, one, two in looked.of_defined():
            cosines = unit[looked.places[one]] @ unit[looked.places[two]].T
            there, back = looked.bags[one].counts, looked.bags[two].counts
            scores[number] = (cosines.max(axis=1) @ there / there.sum() + cosines.max(axis=0) @ back / back.sum()) / 2
        return scores.clip(-1, 1)


@dataclass(frozen=True, kw_only=True)
class Wmd(WordVectors, PairMetric):
    """How far the words of one text must travel to become those of the other, by the shortest routes.

    Each text is a distribution over its words (count over length); moving a share of it from word to word costs the
    Euclidean distance of their vectors, and the least total cost is found exactly. A word without a vector is left out,
    as in gensim, and a text of only such words gives NaN (gensim: infinity). Stop words stay (the paper drops them).
    Vectors are taken as they are, as in the paper; `normalize=yes` brings them to length 1 first, as gensim's
    wmdistance does by default. Of several references the nearest counts. Needs the extra `transport`.
    """

    name = "wmd"
    title = "WMD"
    higher_is_better = False
    symmetric = True
    citation = "Kusner et al. 2015, From Word Embeddings To Document Distances, ICML"
    limits = (
        "Blind to the order of words and to words without a vector; its scale is that of the vectors, so numbers of "
        "different vectors cannot be compared."
    )
    related = ("greedy-matching", "moverscore")

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
