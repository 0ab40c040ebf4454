"""Ratings with scores of metrics, turned so that higher is better; and all pairs of metrics, tested and in clusters."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import NamedTuple

import numpy as np

from ..compute.workspace import Progress, Workspace
from ..errors import Hint, InputError, nearest
from ..evaluate.api import evaluate_whole
from ..evaluate.drive import drive
from ..evaluate.engines import Engine
from ..evaluate.plan import WITH_REFERENCES, WITHOUT_REFERENCES, choose
from ..metric import Floats, Metric
from ..metrics import Given, metric_of
from ..printable import listed as named
from ..stats.arrays import codes
from ..stats.correlation import system_means
from ..stats.interval import Resamples
from ..stats.tests import ALPHA, bootstrap_matrix, clusters, holm, permutation, williams_matrix
from ..tables.display import ROWS, counted, table_html
from ..tables.notices import sentences
from ..tables.ratings import Codes, Ratings

TESTS = ("bootstrap", "williams", "permutation", "perm-both")
ROW_TESTS = ("williams", "perm-both")  # which take rows for independent


@dataclass(frozen=True, repr=False)
class RatedScores:
    """Ratings, and next to them one score per row from each metric, higher is better; NaN where it is undefined."""

    ratings: Ratings
    scores: Mapping[str, Floats]  # by the name that was typed
    signatures: Mapping[str, str]
    flipped: frozenset[str] = frozenset()  # metrics of which less is better: their scores stand here negated
    notes: tuple[str, ...] = ()  # what the reader of any number made from these scores should know

    def __post_init__(self) -> None:
        for name, column in self.scores.items():
            if column.shape != (len(self.ratings),):
                raise InputError(f"{len(column):,} scores of {name} for {len(self.ratings):,} rows; expected one a row")

    def __len__(self) -> int:
        return len(self.ratings)

    def __getitem__(self, name: str) -> Floats:
        """The scores of one metric."""
        if name not in self.scores:
            raise InputError(f"'{name}' was not scored{nearest(name, self.scores)}")
        return self.scores[name]

    def __repr__(self) -> str:
        metrics = f"{counted(len(self.scores), 'metric')}: {named(list(self.scores))}"
        return f"RatedScores({counted(len(self), 'row')}, {metrics})"

    def _repr_html_(self) -> str:
        texts = self.ratings.samples.candidates[:ROWS]
        numbers = {"human": self.ratings.human, **self.scores}
        first = {name: column[:ROWS].tolist() for name, column in numbers.items()}
        return table_html(repr(self), {"candidate": texts, **first}, len(self))

    def measured(self, name: str) -> Floats:
        """The scores of one metric in its own direction, as the metric gave them."""
        return -self[name] if name in self.flipped else self[name]

    def rows(self, chosen: Sequence[int] | Codes) -> RatedScores:
        """The chosen rows, in that order."""
        places = np.asarray(chosen, dtype=np.intp)
        scores = {name: column[places] for name, column in self.scores.items()}
        return RatedScores(self.ratings.rows(places), scores, self.signatures, self.flipped, self.notes)

    def complete(self) -> RatedScores:
        """The rows that have a human score and a score of every metric, so that all metrics are judged by the same."""
        known = ~np.isnan(self.ratings.human)
        for column in self.scores.values():
            known &= ~np.isnan(column)
        return self if known.all() else self.rows(np.flatnonzero(known))

    def undefined(self) -> dict[str, int]:
        """Metrics that some rows have no score of, and how many."""
        counts = {name: int(np.isnan(column).sum()) for name, column in self.scores.items()}
        return {name: count for name, count in counts.items() if count}

    def widely_defined(self, most: float = 0.05, keep: Sequence[str] = ()) -> RatedScores:
        """Without metrics that are undefined for more than this share of the rows, and would cost the others these."""
        dropped = {
            name: count for name, count in self.undefined().items() if count > most * len(self) and name not in keep
        }
        if not dropped:
            return self
        found = self.only([name for name in self.scores if name not in dropped])
        left_out = Hint(
            "left out because undefined for many rows ({metrics} includes them): {0}",
            listed(dropped),
            metrics=None,
        )
        return replace(found, notes=(*self.notes, left_out))

    def flipped_metrics(self) -> list[str]:
        """A note on metrics that are judged by the negated score."""
        names = [name for name in self.scores if name in self.flipped]
        return [f"less is better for {', '.join(names)}: judged by the negated score"] if names else []

    def only(self, names: Sequence[str]) -> RatedScores:
        """With these metrics alone, in this order."""
        scores = {name: self[name] for name in names}
        signatures = {name: self.signatures[name] for name in names if name in self.signatures}
        return RatedScores(self.ratings, scores, signatures, self.flipped & set(names), self.notes)


def score_ratings(
    ratings: Ratings,
    metrics: Sequence[Given] | None = None,
    encoder: str | None = None,
    lang: str = "auto",
    work: Workspace | None = None,
    progress: Progress | None = None,
) -> RatedScores:
    """Score human-rated samples by some metrics, each under the name that was typed.

    `encoder` goes to every metric that has one and was not given its own; lang="zh" tokenizes Chinese into characters
    where a metric counts words. Scores that came with the ratings are used as they are: higher must be better.
    """
    samples = ratings.samples
    known = any(samples.references)
    typed = list(metrics) if metrics is not None else list(WITH_REFERENCES if known else WITHOUT_REFERENCES)
    chosen = _labelled(typed, known, encoder, lang)
    twice = [name for name in chosen if name in ratings.scores]
    if twice:
        raise InputError(
            f"{twice[0]} is requested and also a column of the ratings; rename the column or leave one out"
        )
    distinct = list({metric.spec: metric for metric in chosen.values()}.values())
    found = evaluate_whole(samples, distinct, work, progress=progress)
    flipped = frozenset(name for name, metric in chosen.items() if not metric.higher_is_better)
    scores = {name: -found[metric.spec] if name in flipped else found[metric.spec] for name, metric in chosen.items()}
    signatures = {name: found.signatures[metric.spec] for name, metric in chosen.items()}
    scores |= ratings.scores
    return RatedScores(ratings, scores, signatures, flipped, tuple(sentences(found.notices)))


def _labelled(typed: Sequence[Given], references: bool, encoder: str | None, lang: str) -> dict[str, Metric]:
    """Each metric under its name as typed, with the settings of the whole run."""
    if typed:
        choose(typed, references, lang=lang, encoder=encoder)  # refuses an encoder that no metric would use
    result = {}
    for name in typed:
        plain = metric_of(name)
        suited = encoder if plain.loads == "encoder" else None
        label = name if isinstance(name, str) else plain.spec
        result[label] = choose([plain], references, lang=lang, encoder=suited)[0]
    return result


def listed(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{name} ({count:,})" for name, count in counts.items())


class MetricGap(NamedTuple):
    """Two metrics: how much better the first agrees with people, and whether that could be chance."""

    better: str
    worse: str
    value: float
    low: float
    high: float
    p: float  # two-sided: both agree equally well; which of them is called better was seen in the same data
    adjusted: float  # by Holm, over all pairs of the table


def compare(
    order: list[int], names: list[str], drawn: Resamples, pvalues: Floats
) -> tuple[list[MetricGap], dict[int, int]]:
    """All pairs, the better one first; and the cluster of each metric."""
    pairs = list(combinations(order, 2))
    adjusted = holm([pvalues[pair] for pair in pairs])
    corrected = np.full(pvalues.shape, np.nan)
    gaps = []
    for pair, p in zip(pairs, adjusted, strict=True):
        corrected[pair] = p
        better, worse = (names[place] for place in pair)
        gaps.append(MetricGap(better, worse, *drawn.difference(*pair).numbers[:3], float(pvalues[pair]), float(p)))
    groups = clusters(order, corrected, ALPHA)
    return gaps, {metric: number for number, group in enumerate(groups, 1) for metric in group}


def pvalues_of(
    test: str,
    table: Floats,
    ratings: Ratings,
    drawn: Resamples,
    statistic: str,
    level: str,
    seed: int,
    progress: Callable[[str, int, int], None] | None,
    engine: Engine | None = None,
) -> Floats:
    """[a, b]: how likely chance alone would put a and b so far apart, either way; of the permutation tests, a ahead.

    `permutation` swaps the scores of whole sources (PERM-INPUTS), `perm-both` of single rows, as published.
    """
    if test == "bootstrap":
        return _two_sided(bootstrap_matrix(drawn))
    if test == "williams":
        if level == "source":
            raise InputError(
                "Williams' test compares single correlations, not means of many", Hint("use {test}", test="bootstrap")
            )
        if level == "pooled":
            return _two_sided(williams_matrix(table, ratings.human, statistic))
        means = system_means(np.vstack([table, ratings.human]), codes(ratings.systems(), "systems", len(ratings)))
        return _two_sided(williams_matrix(means[:-1], means[-1], statistic))
    found = np.full((len(table), len(table)), np.nan)
    order = [int(place) for place in np.argsort(-drawn.point) if not math.isnan(drawn.point[place])]
    pairs = list(combinations(order, 2))
    resamples = drawn.values.shape[1]
    work = _Permuted(table, ratings, statistic, level, "both" if test == "perm-both" else "inputs", resamples, seed)
    for done, (pair, p) in enumerate(zip(pairs, drive(engine, work, pairs), strict=True), 1):
        found[pair] = p
        if progress is not None:
            progress("comparing metrics", done, len(pairs))
    return found


@dataclass(frozen=True)
class _Permuted:
    """The two-sided p-value of two metrics, by their places in the table."""

    table: Floats
    ratings: Ratings
    statistic: str
    level: str
    method: str
    permutations: int
    seed: int

    def __call__(self, pair: tuple[int, int]) -> float:
        better, worse = (self.table[place] for place in pair)
        people, sources, systems = self.ratings.human, self.ratings.sources(), self.ratings.systems()
        return permutation(
            better, worse, people, sources, systems, self.level, self.statistic,
            method=self.method, permutations=self.permutations, seed=self.seed,
        ).p_two_sided  # fmt: skip


def _two_sided(pvalues: Floats) -> Floats:
    """From the one-sided p-values of both directions."""
    both: Floats = np.minimum(2 * np.minimum(pvalues, pvalues.T), 1.0)
    return both
