"""Which metric to trust: all metrics in order of their agreement with people, with what chance alone could do."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations
from typing import NamedTuple

import numpy as np

from ..errors import InputError, nearest
from ..metric import Comparison, Floats, Metric
from ..metrics import question, variants
from ..ratings import Ratings
from .ceiling import ceiling_of_ratings, ceiling_of_votes, intraclass
from .correlation import correlate_many
from .intervals import Resamples, resample
from .pairwise import pairwise_accuracy
from .scored import Scored
from .significance import clusters, holm, permutation, williams

TESTS = ("bootstrap", "williams", "permutation")
ALPHA = 0.05


class Standing(NamedTuple):
    """One metric: its agreement with people by the chosen statistic, and by the others beside it."""

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
    accuracy: float  # share of pairs within a source ranked as people do, ties calibrated
    epsilon: float  # scores closer than this count as tied
    reason: str  # why `value` is undefined


class Gap(NamedTuple):
    """Two metrics: how much better the first agrees with people, and whether that could be chance."""

    better: str
    worse: str
    value: float
    low: float
    high: float
    p: float  # one-sided: the first is not better
    adjusted: float  # by Holm, over all pairs of the table


@dataclass(frozen=True)
class Leaderboard:
    """Metrics from best to worst, and what bounds them."""

    standings: list[Standing]
    gaps: list[Gap]
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


def light_metrics(references: bool) -> list[Metric]:
    """Every metric of single candidates that runs without further weights, and its `.free` variant; sentinels too."""
    found: dict[str, Metric] = {}
    for metric in variants():
        if not metric.light or metric.unit != "pair":
            continue
        both = [metric]
        if isinstance(metric, Comparison) and not metric.free:
            both.append(dataclasses.replace(metric, free=True))
        found |= {one.spec: one for one in both if references or "references" not in one.requires}
    return list(found.values())


def leaderboard(
    scored: Scored,
    statistic: str = "pearson",
    level: str = "pooled",
    test: str = "bootstrap",
    resamples: int = 1000,
    seed: int = 0,
    progress: Callable[[str, int, int], None] | None = None,
) -> Leaderboard:
    """Rank metrics by their agreement with people.

    Intervals and the bootstrap draw whole sources. All metrics are judged by the same rows: those where each of them
    is defined. Clusters are of metrics that no test tells apart at 5%, corrected by Holm for the number of pairs.
    """
    if test not in TESTS:
        raise InputError(f"no test named '{test}'{nearest(test, TESTS)}")
    whole = scored.complete()
    ratings = whole.ratings
    _check(scored, whole, level)
    names = list(whole.scores)
    table = np.array([whole.scores[name] for name in names])
    sources, systems = ratings.sources(), ratings.systems()
    drawn = resample(table, ratings.human, sources, statistic, level, systems, resamples, seed)
    others = {
        name: correlate_many(table, ratings.human, name, "pooled") for name in ("pearson", "spearman", "kendall-b")
    }
    several = len(ratings) > sources.max() + 1
    within = (
        correlate_many(table, ratings.human, "pearson", "source", sources) if several else np.full(len(table), np.nan)
    )
    order = sorted(range(len(names)), key=lambda place: (math.isnan(drawn.point[place]), -drawn.point[place]))
    defined = [place for place in order if not math.isnan(drawn.point[place])]
    gaps, group = _compare(defined, names, table, ratings, drawn, statistic, level, test, resamples, seed, progress)
    standings = []
    for place in order:
        accuracy = pairwise_accuracy(table[place], ratings.human, sources) if several else None
        low, high = drawn.interval(place)
        constant = np.ptp(table[place]) == 0
        standings.append(
            Standing(
                names[place],
                float(drawn.point[place]),
                low,
                high,
                group.get(place),
                _is_sentinel(names[place]),
                *(float(others[name][place]) for name in ("pearson", "spearman", "kendall-b")),
                float(within[place]),
                math.nan if accuracy is None else accuracy.value,
                math.nan if accuracy is None else accuracy.epsilon,
                ""
                if place in group
                else "its scores are constant"
                if constant
                else "undefined at this level: nothing varies within a group",
            )
        )
    return Leaderboard(
        standings, gaps, statistic, level, test, len(ratings), int(sources.max()) + 1, int(systems.max()) + 1,
        len(scored) - len(whole), ceiling_of(ratings), _intraclass(ratings), whole.notes,
    )  # fmt: skip


def ceiling_of(ratings: Ratings) -> float:
    """The Pearson correlation that a perfect metric could reach, given how much raters disagree; NaN if unknown."""
    if ratings.judgments is not None:
        return ceiling_of_ratings(ratings.judgments).value
    if ratings.votes is not None:
        return ceiling_of_votes(ratings.human, ratings.votes).value
    return math.nan


def _intraclass(ratings: Ratings) -> float:
    sources = ratings.sources()
    alone = len(ratings) == sources.max() + 1
    return math.nan if alone or sources.max() < 1 else intraclass(ratings.human, sources).value


def _check(scored: Scored, whole: Scored, level: str) -> None:
    """What would make a table of nothing but NaN."""
    ratings = whole.ratings
    if not scored.scores:
        raise InputError("no metric to judge")
    if len(whole) < 3:
        undefined = {name: int(np.isnan(column).sum()) for name, column in scored.scores.items()}
        most = max(undefined, key=lambda name: undefined[name])
        blame = f"; {most} is undefined for {undefined[most]:,} of {len(scored):,} rows" if undefined[most] else ""
        raise InputError(f"{len(whole)} rows have a human score and all metrics' scores; expected at least 3{blame}")
    if np.ptp(ratings.human) == 0:
        raise InputError(
            f"all {len(ratings):,} human scores are {ratings.human[0]:g}; nothing can agree with what never varies"
        )
    if level == "source" and len(ratings) == ratings.sources().max() + 1:
        raise InputError(
            "every source has one candidate, so there is nothing to compare within a source; use --by pooled"
        )
    if level == "system" and (found := int(ratings.systems().max()) + 1) < 3:
        raise InputError(f"{found} systems; a correlation of systems needs at least 3 (a column named 'system')")


def _compare(
    order: list[int],
    names: list[str],
    table: Floats,
    ratings: Ratings,
    drawn: Resamples,
    statistic: str,
    level: str,
    test: str,
    resamples: int,
    seed: int,
    progress: Callable[[str, int, int], None] | None,
) -> tuple[list[Gap], dict[int, int]]:
    """All pairs, the better one first; and the cluster of each metric."""
    if test == "williams" and (statistic, level) not in (("pearson", "pooled"), ("pearson", "system")):
        raise InputError("the Williams test is for Pearson correlations, pooled or of systems; use --test bootstrap")
    pairs = list(combinations(order, 2))
    values = []
    mutual = np.corrcoef(table) if test == "williams" and level == "pooled" else None
    for number, (better, worse) in enumerate(pairs, 1):
        gap = drawn.difference(better, worse)
        p = gap.p
        if test == "williams":
            p = _williams(better, worse, table, ratings, drawn, mutual)
        elif test == "permutation":
            p = permutation(
                table[better], table[worse], ratings.human, ratings.sources(), ratings.systems(), level, statistic,
                permutations=resamples, seed=seed,
            ).p  # fmt: skip
            if progress is not None:
                progress("comparing metrics", number, len(pairs))
        values.append((gap, p))
    adjusted = holm([p for _, p in values])
    gaps = [
        Gap(names[better], names[worse], gap.value, gap.low, gap.high, p, float(corrected))
        for (better, worse), (gap, p), corrected in zip(pairs, values, adjusted, strict=True)
    ]
    matrix = np.ones((len(order), len(order)))
    place = {metric: number for number, metric in enumerate(order)}
    for (better, worse), corrected in zip(pairs, adjusted, strict=True):
        matrix[place[better], place[worse]] = corrected
    return gaps, dict(zip(order, clusters(matrix, ALPHA), strict=True))


def _williams(
    better: int, worse: int, table: Floats, ratings: Ratings, drawn: Resamples, mutual: Floats | None
) -> float:
    """By rows, or by systems: the number of independent things is what the test rests on."""
    if mutual is not None:
        between, number = float(mutual[better, worse]), table.shape[1]
    else:
        systems = ratings.systems()
        count = np.bincount(systems)
        means = [np.bincount(systems, weights=table[place]) / count for place in (better, worse)]
        between, number = float(np.corrcoef(means)[0, 1]), len(count)
    return williams(float(drawn.point[better]), float(drawn.point[worse]), between, number).p


def _is_sentinel(name: str) -> bool:
    base = name.partition(":")[0].removesuffix(".free")
    try:
        return question(base) == "sentinel"
    except (InputError, KeyError):
        return False
