"""WEEM4PG."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...metric import Floats, Metric, Samples, Workspace, parameter
from ..shared.word_vectors import WordVectors, directions
from ..shared.wording import Wording

PAPER = "paper"


@dataclass(frozen=True, kw_only=True)
class Weem4pg(Wording, WordVectors):
    """Nearness of the candidate's words to those of the source, less the more words the two share.

    √N/N · Σ w / |C|, where w is a candidate word's highest cosine to a word of the source, |C| the number of words of
    the candidate, and N the number of distinct words that both texts have. For N = 0, where the paper's formula has no
    value, the factor is 1; `compat=paper` gives NaN there. The paper does not say what a word without a vector is
    worth: here its w is 1 if the source has the same word, else 0. A text without words gives NaN.
    """

    name = "weem4pg"
    title = "WEEM4PG"
    needs = "source"
    range = (-1.0, 1.0)
    higher_is_better = True
    citation = (
        "Hailu, Yu and Fantaye 2020, Intrinsic and Extrinsic Automatic Evaluation Strategies for Paraphrase Generation "
        "Systems, Journal of Computer and Communications 8"
    )
    limits = (
        "The factor falls with the number of shared words, not with their share, so long faithful paraphrases score "
        "below short ones; a candidate that leaves half of the source away loses nothing."
    )
    related = ("greedy-matching", "parascore")

    overlap_factor: bool = parameter(True, "no: without √N/N, the nearness alone")
    compat: str = parameter("none", "what to do where no word is shared", choices=("none", PAPER))

    def rate(self, samples: Samples, work: Workspace) -> Floats:
        samples = self.worded(samples, work)
        looked = self.look_up(list(zip(samples.candidates, samples.sources, strict=True)), work)
        unit = directions(looked.table)
        scores: Floats = np.full(len(samples), np.nan)
        for row, (own, other) in enumerate(looked.pairs.tolist()):
            candidate, source = looked.bags[own], looked.bags[other]
            words = candidate.counts.sum() + sum(candidate.unknown.values())
            if not words or not (len(source.rows) or source.unknown):
                continue
            # a word of the source without a vector is as near as 0 to every other word
            nearest = np.full(len(candidate.rows), 0.0 if source.unknown else -np.inf)
            if len(candidate.rows) and len(source.rows):
                cosines = unit[looked.places[own]] @ unit[looked.places[other]].T
                nearest = np.maximum(nearest, cosines.max(axis=1))
            same = candidate.unknown.keys() & source.unknown.keys()
            total = float(nearest @ candidate.counts) if len(nearest) else 0.0
            score = (total + sum(candidate.unknown[word] for word in same)) / words
            shared = len(same) + len(np.intersect1d(candidate.rows, source.rows, assume_unique=True))
            if self.overlap_factor and shared:
                score /= shared**0.5
            scores[row] = np.nan if self.compat == PAPER and not shared else score
        return scores.clip(-1, 1)

    def reason(self, samples: Samples, row: int) -> str:
        said = Metric.reason(self, samples, row)
        if "undefined" not in said:
            return said
        return "the candidate and the source share no word" if self.compat == PAPER else "a text has no words"
