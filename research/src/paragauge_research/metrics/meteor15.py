"""METEOR 1.5."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from paragauge.compute.workspace import Workspace
from paragauge.metric import CountMetric, Floats, Loads, best, parameter
from paragauge.models.hub.registry import entry_named
from paragauge.tables.samples import Samples

# METEOR 1.5's own for English: recall's weight, the penalty's exponent and height, and content words' weight, then
# that of an exact, stem, synonym and paraphrase match.
ALPHA, BETA, GAMMA, DELTA = 0.85, 0.2, 0.6, 0.75
WEIGHTS = np.array([1.0, 0.6, 0.8, 0.6])
# Pairs of equal words in two texts. The program's aligner needs some ten seconds for so many, and soon much more.
LIMIT = 200_000


@dataclass(frozen=True)
class _Statistics:
    """A pair of texts through the program."""

    normalize: bool

    @property
    def signature(self) -> str:
        return f"meteor-1.5:{'norm' if self.normalize else 'plain'}"

    def compute(self, keys: Sequence[tuple[str, str]]) -> Iterable[list[float]]:
        from .meteor_jar import load_meteor  # imported late, so that listing metrics stays quick

        return load_meteor(self.normalize).statistics(keys)


@dataclass(frozen=True, kw_only=True)
class Meteor15(CountMetric):
    """METEOR 1.5 for English, by the published program: exact, stem, synonym and paraphrase matches, each weighted.

    P and R are the weighted matches over the weighted words (content words 0.75, function words 0.25; matches 1, 0.6,
    0.8, 0.6); F = P·R / (α·P + (1 − α)·R) with α = 0.85, and the score is F · (1 − 0.6·(chunks / matches)^0.2). A copy
    has no chunks. The matches are the program's (`-l en -norm`, run by Java); of several references the one with the
    highest score counts; the corpus score sums the statistics of all rows first, as the program's final score does.
    Unlike there, a reference without words makes the score NaN (the program: 0), and so do two texts with more than
    200,000 pairs of equal words, which the program does not finish in reasonable time. `normalize=no` leaves case and
    punctuation as they are, as the METEOR scores that Bawden et al. 2020 published do.
    """

    name: ClassVar[str] = "meteor15"
    title: ClassVar[str] = "METEOR 1.5"
    question: ClassVar[str] = "form"
    range: ClassVar[tuple[float, float]] = (0.0, 1.0)
    higher_is_better: ClassVar[bool] = True
    scores_empty: ClassVar[bool] = True
    loads: ClassVar[Loads] = "METEOR jar"
    light: ClassVar[bool] = False
    citation: ClassVar[str] = "Denkowski and Lavie 2014, Meteor Universal, WMT"
    limits: ClassVar[str] = "English; needs Java. Its paraphrase table was learned from parallel text and is noisy."
    related: ClassVar[tuple[str, ...]] = ("meteor", "bleu", "ter")

    normalize: bool = parameter(True, "tokenize, lower-case and normalise punctuation first (-norm)")

    def counts(self, samples: Samples, work: Workspace) -> Floats:
        """The program's statistics for the best reference of each row; a copy has 0 chunks."""
        from .meteor_jar import STATISTICS

        groups = self.against(samples)
        pairs = [(text, other) for text, group in zip(samples.candidates, groups, strict=True) for other in group]
        owners = np.repeat(np.arange(len(groups)), [len(group) for group in groups])
        possible = np.flatnonzero([not _too_long(*pair) for pair in pairs])
        found = np.full((len(pairs), len(STATISTICS)), np.nan)
        if len(possible):
            found[possible] = work.get(_Statistics(self.normalize), [pairs[place] for place in possible])
        found[found[:, 1] == 0] = np.nan
        copies = (found[:, 20] == 1) & (found[:, :2] == found[:, 21:]).all(axis=1)
        found[copies, 20] = 0
        scores = self.from_counts(found, corpus=False)
        winners = np.flatnonzero(scores == best(scores, groups, highest=True)[owners])
        rows, first = np.unique(owners[winners], return_index=True)
        result = np.full((len(groups), len(STATISTICS)), np.nan)
        result[rows] = found[winners[first]]
        return result

    def from_counts(self, counts: Floats, *, corpus: bool) -> Floats:  # noqa: ARG002
        words, function = counts[:, 0:2], counts[:, 2:4]  # columns: candidate, reference
        matched = counts[:, 4:20].reshape(-1, 4, 2, 2)  # module, content or function, candidate or reference
        weighted = np.tensordot(DELTA * matched[:, :, 0] + (1 - DELTA) * matched[:, :, 1], WEIGHTS, axes=(1, 0))
        total = DELTA * (words - function) + (1 - DELTA) * function
        none = (weighted == 0).any(axis=1)
        with np.errstate(divide="ignore", invalid="ignore"):
            precision, recall = (weighted / total).T
            mean = 1 / ((1 - ALPHA) / precision + ALPHA / recall)
            scores = mean * (1 - GAMMA * (counts[:, 20] / counts[:, 21:].mean(axis=1)) ** BETA)
        return np.where(none, 0.0, scores)

    def details(self) -> dict[str, str]:
        entry = entry_named("meteor-1.5")
        return {"jar": entry.files["meteor-1.5.jar"][:12], "paraphrases": entry.files["data/paraphrase-en.gz"][:12]}

    def reason(self, samples: Samples, row: int) -> str:
        others = self.against(samples.rows([row]))[0]
        if not others:
            return super().reason(samples, row)
        if any(_too_long(samples.candidates[row], other) for other in others):
            return f"the texts have more than {LIMIT:,} pairs of equal words, too many for METEOR 1.5"
        return f"the {'source' if self.free else 'reference'} has no words"


def _too_long(text: str, other: str) -> bool:
    if len(text) * len(other) <= LIMIT:  # there are no more words than characters
        return False
    words, others = Counter(text.lower().split()), Counter(other.lower().split())
    return sum(count * others[word] for word, count in words.items()) > LIMIT
