"""The contract of an analysis of scores and ratings, and the analyses by name, which other packages add."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from ..errors import Hint, InputError
from ..registry import Registry
from ..stats.arrays import LEVELS, choice
from ..stats.correlations import names as statistics
from ..tables.ratings import Ratings
from .scored import TESTS, RatedScores, score_ratings

CORRELATIONS = "correlations"  # the leaderboard itself, which is not an analysis
Rows = list[list[Any]]
Progress = Callable[[str, int, int], None]


class Request(NamedTuple):
    """What was asked for, besides the scores."""

    metrics: list[Any]  # as typed, or metrics
    statistic: str
    similarity: str  # the metric that stands for Sim
    resamples: int
    seed: int
    encoder: str | None
    lang: str
    progress: Progress


class Analysed(NamedTuple):
    """A table, and charts by the name of their file."""

    header: list[str]
    rows: Rows
    charts: dict[str, Callable[[], Any]]
    notes: list[str]
    wide: tuple[list[str], Rows] | None = None  # the same for the eye: values alone, side by side


@dataclass(frozen=True)
class Analysis:
    """An analysis by its name, and what has to be known before it is computed."""

    name: str
    compute: Callable[[RatedScores, Request], Analysed]
    needs: Callable[[str], Sequence[str]] = lambda _: ()  # by the metric of meaning: metrics that it is made of
    charts: Callable[[bool], Sequence[str]] = lambda _: ()  # by whether there are references: what it draws
    rescores: bool = False  # does it score rows of its own?
    metric: str = ""  # the one metric that it is of, if it does not take any


ANALYSES = Registry[Analysis](Analysis, "analysis", group="paragauge.analyses")


def analysis(name: str) -> Analysis:
    """The analysis of this name."""
    if name not in ANALYSES:
        raise ANALYSES.unknown(name, [CORRELATIONS, *ANALYSES.names()])
    return ANALYSES.load(name)


def check_analysis(name: str, statistic: str, level: str, test: str, scores: Sequence[str] = ()) -> None:
    """Refuse, before any work is done, what is unknown and what an analysis would pass over."""
    found = None if name == CORRELATIONS else analysis(name)
    choice(level, LEVELS, "level")
    choice(test, TESTS, "test")
    choice(statistic, statistics(), "statistic")
    if found is None:
        return
    if level != "pooled":
        hint = Hint("{level} is for {analysis}", level=None, analysis=CORRELATIONS)
        raise InputError(f"the analysis {name} has no levels", hint)
    if test != "bootstrap":
        hint = Hint("{test} is for {analysis}", test=None, analysis=CORRELATIONS)
        raise InputError(f"the analysis {name} tests nothing", hint)
    if scores and found.rescores:
        raise InputError(
            f"the analysis {name} scores copies too, and the column '{scores[0]}' has no scores of these",
            Hint("leave out {scores}", scores=None),
        )


def score_for(name: str, ratings: Ratings, request: Request) -> RatedScores:
    """The ratings scored by the metrics asked for, and by what the analysis is made of."""
    found = None if name == CORRELATIONS else analysis(name)
    if found is not None and found.rescores:
        return score_ratings(ratings, [], lang=request.lang, progress=request.progress)
    typed = [metric if isinstance(metric, str) else metric.spec for metric in request.metrics]
    needs = () if found is None else found.needs(request.similarity)
    extra = [metric for metric in needs if metric not in typed]
    return score_ratings(ratings, [*request.metrics, *extra], request.encoder, request.lang, progress=request.progress)


def analyse(name: str, scored: RatedScores, request: Request) -> Analysed:
    """The analysis of that name."""
    chosen = analysis(name)
    judged = scored.ratings.judged()
    if len(judged) < 3:
        raise InputError(f"rows with a human score: {len(judged)}; expected at least 3")
    if judged.human.min() == judged.human.max():
        raise InputError(
            f"all {len(judged):,} human scores are {judged.human[0]:g}; nothing can agree with what never varies"
        )
    found = chosen.compute(scored, request)
    unjudged = len(scored) - len(judged)
    return found._replace(notes=[*found.notes, *([f"left out, without a human score: {unjudged:,}"] * bool(unjudged))])
