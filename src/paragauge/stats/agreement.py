"""The agreement of metrics with people in resamples of the sources."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from ..errors import InputError
from .arrays import LEVELS, Floats, Integers, choice, codes, count, matrix, mean_defined, vector
from .correlation import correlate_many, weighted_systems
from .correlations import OfDraws, names
from .correlations import statistic as named
from .interval import Resamples
from .resample import RESAMPLES, draw

ACCURACY = "accuracy"
UNITS = ("source", "row")
_BLOCK = 4_000_000  # numbers held at once
Each = Callable[[OfDraws, Iterable[Floats]], list[Floats]]  # calls a function on each of some blocks of draws


def resample(
    scores: ArrayLike,
    human: ArrayLike,
    sources: ArrayLike | None,
    statistic: str = "pearson",
    level: str = "pooled",
    systems: ArrayLike | None = None,
    resamples: int = RESAMPLES,
    seed: int = 0,
    by: str = "source",
    epsilons: ArrayLike | None = None,
    each: Each | None = None,
    turns: int = 1,
) -> Resamples:
    """The agreement of each metric, (metrics, rows), in resamples of the sources.

    Candidates of one source are rated alike, so the source is what is drawn, with all its rows: a bootstrap by
    cluster (Davison and Hinkley 1997, section 3.8). All metrics see the same resamples, so that differences are paired.
    `by="row"` draws single rows, as if they were independent, and gives too narrow an interval where sources have
    several candidates; it is there to show by how much.

    Statistic `accuracy` is the pairwise accuracy within sources with fixed `epsilons`, one per metric. `each`
    may call the function on blocks of resamples elsewhere, in at least so many `turns`; they are the same resamples.
    """
    ratings = vector(human, "the ratings")
    table = matrix(scores, "the scores", len(ratings))
    choice(statistic, (*names(), ACCURACY), "statistic")
    choice(level, LEVELS, "level")
    choice(by, UNITS, "unit of resampling")
    count(resamples, "the number of resamples")
    count(seed, "the seed", 0)
    if level == "source" and by == "row":
        raise InputError("level 'source' is resampled by row; expected by='source', whose correlations it averages")
    if statistic == ACCURACY and level != "source":
        raise InputError(f"statistic 'accuracy' is not defined at level {level!r}; expected level 'source'")
    if not len(ratings):
        return Resamples(np.full((len(table), resamples), math.nan), np.full(len(table), math.nan), 0)
    units = np.arange(len(ratings)) if by == "row" else codes(sources, "sources", len(ratings))
    number = int(units.max()) + 1
    within = None
    if statistic == ACCURACY:
        from .pairwise import accuracy_within_sources

        within = accuracy_within_sources(table, ratings, units, epsilons)
    elif level == "source":
        within = named(statistic).within(table, ratings, units)
    point = (
        mean_defined(within) if within is not None else correlate_many(table, ratings, statistic, level, units, systems)
    )
    labels = codes(systems, "systems", len(ratings)) if level == "system" else None
    work = _Agreement(table, ratings, units, number, statistic, within, labels)
    drawn = _draws(number, resamples, seed, turns)
    blocks = [work(block) for block in drawn] if each is None else each(work, drawn)
    return Resamples(np.concatenate(blocks, axis=1), point, number)


@dataclass(frozen=True)
class _Agreement:
    """The agreement of each metric in resamples, (metrics, resamples), of how often each unit is drawn in each."""

    table: Floats
    ratings: Floats
    units: Integers
    number: int
    statistic: str
    within: Floats | None  # of each source, where these are what is averaged
    systems: Integers | None  # where systems are what is correlated

    def __call__(self, drawn: Floats) -> Floats:
        if self.within is not None:
            return _weighted_means(self.within, drawn)
        if self.systems is not None:
            statistic = named(self.statistic)
            return weighted_systems(self.table, self.ratings, self.systems, self.units, drawn, statistic)
        return self._pooled(drawn)

    @cached_property
    def _pooled(self) -> OfDraws:
        return named(self.statistic).resampled(self.table, self.ratings, self.units, self.number)


def _draws(units: int, resamples: int, seed: int, turns: int) -> Iterator[Floats]:
    """The resamples, some at a time: no more than memory holds."""
    step = max(1, min(_BLOCK // units, -(-resamples // turns)))
    for start in range(0, resamples, step):
        yield draw(units, min(step, resamples - start), seed, start)


def _weighted_means(within: Floats, drawn: Floats) -> Floats:
    """The mean over the drawn sources of what is defined, (metrics, resamples)."""
    defined = ~np.isnan(within)
    total, number = np.where(defined, within, 0.0) @ drawn.T, defined @ drawn.T
    means: Floats = np.divide(total, number, out=np.full(total.shape, math.nan), where=number > 0)
    return means
