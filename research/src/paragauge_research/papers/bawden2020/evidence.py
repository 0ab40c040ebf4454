"""What the tables of Bawden et al. 2020 are computed from: texts where they are there, else the authors' scores."""

from __future__ import annotations

from functools import cached_property, lru_cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from paragauge.references import wmt
from paragauge.references.gains import resampled_agreement
from paragauge.references.human import (
    Changes,
    Rankings,
    agreement,
    changes,
    read_assessments,
    read_rankings,
    segment_sums,
)
from paragauge.references.scoring import SystemScores, score_task
from paragauge.references.task import EvaluationSet
from paragauge.stats.correlation import pearson
from paragauge.stats.resample import RESAMPLES
from paragauge.stats.tests import bootstrap_matrix, williams

from .published import read_scores, score_file

Floats = NDArray[np.float64]
SUBSET = 500
_AS_PUBLISHED = 5  # digits of the authors' BLEU scores


class Method(NamedTuple):
    """A kind of paraphrase, and how many of them stand next to the reference."""

    name: str
    extras: int


class Correlated(NamedTuple):
    """A metric's correlation with people over systems, and Williams's test against the baseline."""

    value: float
    baseline: float  # of the reference alone, over the same systems
    p: float
    authors_p: float  # the two metrics correlated over all outputs, judged or not
    judged: int
    outputs: int


class Level(NamedTuple):
    """A metric's agreement with people over rankings, with the test against the baseline."""

    value: float
    p: float
    authors: float  # without the first ranking
    authors_p: float
    rankings: int
    segments: int


class Evidence:
    """Scores, people's judgments, and statistics of them, each computed once."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.pairs = wmt.pairs(folder)
        self._own: dict[tuple[str, str], dict[str, float]] = {}
        self.system = lru_cache(maxsize=None)(self._system)
        self.segment = lru_cache(maxsize=None)(self._segment)
        self._published = lru_cache(maxsize=None)(
            lambda metric, method, level: read_scores(
                score_file(folder / "published", metric, method.name, method.extras, level)
            )
        )
        self._task = lru_cache(maxsize=None)(lambda pair: wmt.read_pair(folder, pair))

    @cached_property
    def assessments(self) -> dict[str, dict[str, float]]:
        return read_assessments(self.folder / "DA-syslevel.csv")

    @cached_property
    def subset(self) -> EvaluationSet:
        """The first 500 segments of de-en with five human paraphrases."""
        files = wmt.extra_files(self.folder / "human-paraphrases", "de-en")
        return wmt.read_pair(self.folder, "de-en", files, SUBSET)

    @cached_property
    def subset_scores(self) -> tuple[SystemScores, SystemScores]:
        single, augmented = score_task(self.subset)
        return single, augmented

    @cached_property
    def rankings(self) -> Rankings:
        return read_rankings(self.folder / "darr" / "de-en.first500.tsv", self.subset)

    def outputs(self, pair: str) -> int:
        return len(self._task(pair).systems)

    def segments(self, pair: str) -> int:
        return int(self._task(pair).segments)

    def judged(self, pair: str) -> int:
        return sum(system in self.assessments[pair] for system in self._task(pair).systems)

    def human_changes(self) -> Changes:
        """What the human paraphrases change of BLEU's decisions."""
        single, augmented = self.subset_scores
        return changes(single.segments, augmented.segments, self.rankings)

    def scores(self, metric: str, method: Method, level: str, pair: str) -> dict[str, float]:
        """The score of every system: BLEU with texts that are there is computed here, the rest read."""
        if metric == "bleu" and method.name == "baseline" and level == "syslevel":
            if ("baseline", pair) not in self._own:
                (found,) = score_task(self._task(pair), sizes=[0])
                self._own["baseline", pair] = dict(zip(found.systems, map(float, found.corpus), strict=True))
            return self._own["baseline", pair]
        if metric == "bleu" and level == "syslevel.500" and method.name in ("baseline", "human"):
            scored = self.subset_scores[method.name == "human"]
            return dict(zip(scored.systems, map(float, scored.corpus), strict=True))
        return {system: float(values[0]) for system, values in self._published(metric, method, level)[pair].items()}

    def _system(self, metric: str, method: Method, level: str, pair: str) -> Correlated:
        human = self.assessments[pair]
        after = self.scores(metric, method, level, pair)
        before = self.scores(metric, Method("baseline", 0), level, pair)
        judged = [system for system in after if system in human]
        old, new, people = (np.array([table[name] for name in judged]) for table in (before, after, human))
        value = pearson(new, people).value
        baseline = pearson(old, people).value
        p = authors_p = np.nan
        if method.name != "baseline":
            everywhere = pearson([before[name] for name in after], list(after.values())).value
            p, among = (
                float(williams(value, baseline, between, len(judged)).p)
                for between in (pearson(old, new).value, everywhere)
            )
            authors_p = among if value > baseline else 1.0  # as their script has it
        return Correlated(value, baseline, p, authors_p, len(judged), len(after))

    def _matrix(self, metric: str, method: Method) -> Floats:
        if metric == "bleu" and method.name in ("baseline", "human"):
            return self.subset_scores[method.name == "human"].segments.round(_AS_PUBLISHED)
        found = self._published(metric, method, "seglevel.500")["de-en"]
        return np.stack([found[system] for system in self.subset.systems])

    def _segment(self, metric: str, method: Method) -> Level:
        before, after = self._matrix(metric, Method("baseline", 0)), self._matrix(metric, method)
        kept = self.rankings.without(0)
        value = agreement(after, self.rankings).value
        authors = agreement(after, kept).value
        sums = segment_sums(before, after, self.rankings)
        judged = sums[sums[:, 0] > 0]
        p = authors_p = np.nan
        if method.name != "baseline":
            p = float(bootstrap_matrix(resampled_agreement(sums))[0, 1])
            authors_p = _few_draws(before, after, kept)
        return Level(value, p, authors, authors_p, len(self.rankings), len(judged))


def _few_draws(before: Floats, after: Floats, rankings: Rankings, seed: int = 0) -> float:
    """The authors' bootstrap: as many rankings as there are segments, one drawn twice counting once; c / n."""
    right = [
        scores[rankings.better, rankings.segment] > scores[rankings.worse, rankings.segment]
        for scores in (before, after)
    ]
    random = np.random.default_rng(seed)
    drawn = len(np.unique(rankings.segment))
    worse = 0
    for _ in range(RESAMPLES):
        chosen = np.unique(random.integers(len(rankings), size=drawn))
        worse += int(right[0][chosen].sum() >= right[1][chosen].sum())
    return worse / RESAMPLES
