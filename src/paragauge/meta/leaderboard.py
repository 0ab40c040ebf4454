"""Which metric to trust: all metrics in order of their agreement with people, with what chance alone could do."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ..errors import Hint, InputError, nearest
from ..evaluate.drive import drive
from ..evaluate.engines import Engine
from ..metric import ComparisonMetric, Floats, Metric
from ..metrics import Given, metric_of, question, variants
from ..printable import listed as named
from ..stats.agreement import resample
from ..stats.arrays import mean_defined
from ..stats.correlation import correlate_many
from ..stats.correlations import statistic as statistic_named
from ..stats.pairwise import pairwise_accuracy
from ..stats.raters import ceiling_of_ratings, ceiling_of_votes, intraclass
from ..stats.resample import RESAMPLES
from ..stats.tests import resamples_needed
from ..tables.display import counted, table_html
from ..tables.ratings import Codes, Ratings
from .scored import ROW_TESTS, TESTS, MetricGap, RatedScores, compare, listed, pvalues_of

PAIRS = 10_000_000  # of candidates of one source, beyond which their accuracy takes too much memory and time
_TURNS = 4  # of each worker of an engine, so that none waits long for another
MOST = 100_000  # resamples, unless asked for more: with few sources even these may not tell many metrics apart


class Standing(NamedTuple):
    """One metric: its agreement with people by the chosen statistic, and by the others as well."""

    metric: str
    value: float
    low: float
    high: float
    cluster: int | None  # 1: no other metric is significantly better than all of these
    sentinel: bool  # knows nothing of what makes a paraphrase good; a metric must beat it to mean anything
    pearson: float
    spearman: float
    kendall: float  # τ-b
    within: float  # mean of the Pearson correlations within each source
    sources: int  # behind `within`: those where both the scores and the ratings differ
    accuracy: float  # share of pairs within a source ranked as people do, ties calibrated
    epsilon: float  # scores closer than this count as tied
    reason: str  # why `value` is undefined


@dataclass(frozen=True, repr=False)
class Leaderboard:
    """Metrics from best to worst, and what bounds them."""

    standings: list[Standing]
    gaps: list[MetricGap]
    statistic: str
    level: str
    test: str
    rows: int
    sources: int
    systems: int
    left_out: int  # rows without a human score, or where some metric is undefined
    ceiling: float  # the Pearson correlation that a perfect metric could reach, given the raters' noise; NaN: unknown
    intraclass: float  # how much more alike ratings within a source are; NaN: unknown
    notes: tuple[str, ...]

    def __repr__(self) -> str:
        best = self.standings[0] if self.standings else None
        first = "" if best is None else f", first {named([best.metric])} with {self.statistic} {best.value:.3f}"
        return f"Leaderboard({counted(len(self.standings), 'metric')}, {counted(self.rows, 'row')}{first})"

    def remarks(self, name: str) -> list[str]:
        """What the reader of the standings should know; `name` is that of the ratings."""
        several = "sources" if self.sources > 1 else "source"
        named = f"{self.rows:,} rows of {self.sources:,} {several} ({name})"
        result = [f"{named}; clusters by {self.test}, with Holm's correction; intervals by resampling sources"]
        if self.left_out:
            result.append(f"{self.left_out:,} rows left out, without a human score or without that of some metric")
        result += self.notes
        if counts := [row.sources for row in self.standings if row.sources]:
            fewest, most = min(counts), max(counts)
            spread = f"{most:,}" if fewest == most else f"{fewest:,} to {most:,}"
            result.append(
                f"within source: the mean over {spread} of {self.sources:,} {several}, those where both the ratings "
                "and the scores of a metric differ"
            )
        if self.ceiling == self.ceiling:
            result.append(f"raters disagree: a perfect metric could reach a pooled Pearson of about {self.ceiling:.2f}")
        if self.intraclass == self.intraclass:
            result.append(
                f"intra-class correlation {self.intraclass:.3f}: how alike the ratings of one source are, from 0, not "
                "at all, to 1, equal"
            )
        return result + [f"{row.metric}: {row.reason}" for row in self.standings if row.reason]

    def _repr_html_(self) -> str:
        shown = ("metric", "value", "low", "high", "cluster", "pearson", "spearman", "kendall", "within", "accuracy")
        return table_html(repr(self), {name: [getattr(row, name) for row in self.standings] for name in shown})


def light_metrics(references: bool) -> list[Metric]:
    """Every metric of single candidates that needs no additional weights, and its `.free` variant; sentinels too."""
    found: dict[str, Metric] = {}
    for metric in variants():
        if not metric.light or metric.unit != "pair":
            continue
        both = [metric]
        if isinstance(metric, ComparisonMetric) and not metric.free:
            both.append(dataclasses.replace(metric, free=True))
        found |= {one.spec: one for one in both if references or "references" not in one.needs}
    return list(found.values())


def metrics_to_judge(ratings: Ratings, metrics: Sequence[Given] = (), sentinels: bool = True) -> list[Given]:
    """These metrics, or all that need no additional weights; and the sentinels. Each stands there once.

    Scores that came with the ratings are judged next to them; one that has the name of a metric stands for it.
    """
    references = any(ratings.samples.references)
    found: list[Given] = list(metrics) or [one for one in light_metrics(references) if one.spec not in ratings.scores]
    if sentinels:
        found += [metric.spec for metric in light_metrics(references) if _is_sentinel(metric.spec)]
    return list({name if isinstance(name, str) else metric_of(name).spec: name for name in found}.values())


def leaderboard(
    scored: RatedScores,
    statistic: str = "pearson",
    level: str = "pooled",
    test: str = "bootstrap",
    resamples: int | None = None,
    seed: int = 0,
    progress: Callable[[str, int, int], None] | None = None,
    engine: Engine | None = None,
) -> Leaderboard:
    """Rank metrics by their agreement with people.

    Intervals and the bootstrap draw whole sources. All metrics are judged by the same rows: those where each of them
    is defined. Clusters are of metrics that no two-sided test tells apart at 5%, corrected by Holm for the number of
    pairs; n resamples cannot show a p-value below 2/(n+1), so that many metrics need many resamples. By default, there
    are enough of them where they are cheap, and else 1,000. The permutation test swaps whole sources. Williams' test
    takes rows for independent; a note says so where sources have several. An engine
    (`paragauge.evaluate.engines.engine`) hands resamples and permutations to its workers; the numbers are the same.
    """
    if test not in TESTS:
        raise InputError(f"no test named '{test}'{nearest(test, TESTS)}")
    whole = scored.complete()
    ratings = whole.ratings
    _check(scored, whole, level)
    names = list(whole.scores)
    table = np.array([whole.scores[name] for name in names])
    sources, systems = ratings.sources(), ratings.systems()
    if resamples is None:
        cheap = level != "pooled" or statistic == "pearson"
        needed = resamples_needed(len(names), int(sources.max()) + 1) if cheap and test == "bootstrap" else 0
        resamples = min(max(RESAMPLES, needed), MOST)
    each, turns = (
        (None, 1)
        if engine is None
        else (lambda work, blocks: list(drive(engine, work, blocks)), _TURNS * engine.workers)
    )
    drawn = resample(table, ratings.human, sources, statistic, level, systems, resamples, seed, each=each, turns=turns)
    others = {
        name: correlate_many(table, ratings.human, name, "pooled") for name in ("pearson", "spearman", "kendall-b")
    }
    several = len(ratings) > sources.max() + 1
    each_source = statistic_named("pearson").within(np.vstack([table, ratings.human]), ratings.human, sources)
    within, defined_within = mean_defined(each_source), (~np.isnan(each_source)).sum(axis=1)
    order = sorted(range(len(names)), key=lambda place: (math.isnan(drawn.point[place]), -drawn.point[place]))
    defined = [place for place in order if not math.isnan(drawn.point[place])]
    gaps, group = compare(
        defined, names, drawn, pvalues_of(test, table, ratings, drawn, statistic, level, seed, progress, engine)
    )
    pairs = _pairs(sources)
    standings = []
    for place in order:
        accuracy = pairwise_accuracy(table[place], ratings.human, sources) if 0 < pairs <= PAIRS else None
        value, low, high, _ = drawn.estimate(place).numbers
        standings.append(
            Standing(
                metric=names[place],
                value=value,
                low=low,
                high=high,
                cluster=group.get(place),
                sentinel=_is_sentinel(names[place]),
                pearson=float(others["pearson"][place]),
                spearman=float(others["spearman"][place]),
                kendall=float(others["kendall-b"][place]),
                within=float(within[place]),
                sources=int(defined_within[place]),
                accuracy=math.nan if accuracy is None else accuracy.value,
                epsilon=math.nan if accuracy is None else accuracy.epsilon,
                reason=_reason(whole.measured(names[place]), level) if math.isnan(drawn.point[place]) else "",
            )
        )
    notes = whole.notes
    if sources.max() == 0:
        notes += ("all rows have one source, which cannot be resampled: there are no intervals and no bootstrap",)
    if undefined := scored.undefined():
        notes += (f"undefined for some rows, which are left out for all metrics: {listed(undefined)}",)
    if test in ROW_TESTS and level == "pooled" and several:
        notes += (
            Hint(
                "the test {0} assumes independent rows, and sources have several: it finds too many clusters; {test} "
                "resamples sources",
                test,
                test="bootstrap",
            ),
        )
    if pairs > PAIRS:
        notes += (f"no pairwise accuracy: candidates of one source make {pairs:,} pairs, more than {PAIRS:,}",)
    if level == "source" and (constant := _constant_sources(each_source, names, defined)):
        notes += (f"the same score for all candidates of some sources, which its mean leaves out: {listed(constant)}",)
    needed = resamples_needed(len(defined), int(sources.max()) + 1 if test == "bootstrap" else None)
    if test != "williams" and resamples < needed // 2:
        more = "{resamples}" if needed <= 100 * MOST else "more sources"
        notes += (
            Hint(
                f"{resamples:,} resamples are too few to tell {len(defined)} metrics apart: for clusters, {more} or "
                "fewer metrics",
                resamples=needed,
            ),
        )
    return Leaderboard(
        standings=standings,
        gaps=gaps,
        statistic=statistic,
        level=level,
        test=test,
        rows=len(ratings),
        sources=int(sources.max()) + 1,
        systems=int(systems.max()) + 1,
        left_out=len(scored) - len(whole),
        ceiling=ceiling_of(ratings),
        intraclass=_intraclass_of(ratings),
        notes=notes,
    )


def _pairs(sources: Codes) -> int:
    sizes = np.bincount(sources)
    return int((sizes * (sizes - 1) // 2).sum())


def _constant_sources(within: Floats, names: list[str], defined: list[int]) -> dict[str, int]:
    """In how many sources a metric says nothing, though people, the last row, do: its mean is over the others alone."""
    undefined = np.isnan(within)
    counts = (undefined[:-1] & ~undefined[-1]).sum(axis=1)
    return {names[place]: int(counts[place]) for place in sorted(defined) if counts[place]}


def _reason(scores: Floats, level: str) -> str:
    if np.ptp(scores) == 0:
        return f"its score is {scores[0]:g} for every row"
    return {
        "source": "in no source do both its scores and the ratings differ",
        "system": "its mean is the same for all systems",
        "pooled": "undefined",
    }[level]


def ceiling_of(ratings: Ratings) -> float:
    """The Pearson correlation that a perfect metric could reach, given how much raters disagree; NaN if unknown."""
    if ratings.judgments is not None:
        return ceiling_of_ratings(ratings.judgments).value
    if ratings.votes is not None:
        return ceiling_of_votes(ratings.human, ratings.votes).value
    return math.nan


def _intraclass_of(ratings: Ratings) -> float:
    sources = ratings.sources()
    alone = len(ratings) == sources.max() + 1
    if alone or sources.max() < 1:
        return math.nan
    spread = np.ptp(ratings.human)  # of any scale, so that the squares of huge and tiny ratings stay finite
    return intraclass((ratings.human - ratings.human.min()) / spread, sources).value


def _check(scored: RatedScores, whole: RatedScores, level: str) -> None:
    """What would make a table of nothing but NaN."""
    ratings = whole.ratings
    if not scored.scores:
        raise InputError("no metric to judge")
    if len(whole) < 3:
        undefined = {name: int(np.isnan(column).sum()) for name, column in scored.scores.items()}
        most = max(undefined, key=lambda name: undefined[name])
        blame = f"; {most} is undefined for {undefined[most]:,} of {len(scored):,} rows" if undefined[most] else ""
        raise InputError(
            f"rows with a human score and the scores of all metrics: {len(whole)}; expected at least 3{blame}"
        )
    if np.ptp(ratings.human) == 0:
        raise InputError(
            f"all {len(ratings):,} human scores are {ratings.human[0]:g}; nothing can agree with what never varies"
        )
    if level == "source" and len(ratings) == ratings.sources().max() + 1:
        raise InputError(
            "every source has one candidate, so there is nothing to compare within a source",
            Hint("use {level}", level="pooled"),
        )
    if level == "system" and (found := int(ratings.systems().max()) + 1) < 3:
        raise InputError(
            f"a correlation of systems needs at least 3 of them, found {found}",
            Hint("name their column with {columns}", columns={"system": "…"}),
        )


def _is_sentinel(name: str) -> bool:
    base = name.partition(":")[0].removesuffix(".free")
    try:
        return question(base) == "sentinel"
    except (InputError, KeyError):
        return False
