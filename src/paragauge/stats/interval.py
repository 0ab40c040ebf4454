"""Confidence intervals of a metric's agreement with people, by drawing sources again."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from ..errors import InputError
from .arrays import LEVELS, Floats, Integers, choice, codes, count, matrix, vector
from .correlation import correlate_many
from .correlations import names
from .correlations import statistic as named
from .numerics import mean_defined
from .resample import RESAMPLES, Interval
from .statistic import OfDraws
from .systems import weighted_systems

ACCURACY = "accuracy"
UNITS = ("source", "row")
_BLOCK = 4_000_000  # numbers held at once
Each = Callable[[OfDraws, Iterable[Floats]], list[Floats]]  # calls a function on each of some blocks of draws


class Difference(NamedTuple):
    """How much the first metric agrees better than the second: value, interval, p-values of "not better", "equal"."""

    value: float
    low: float
    high: float
    p: float
    p_two_sided: float


class Resamples(NamedTuple):
    """The agreement of each metric in each resample (metrics, resamples), NaN where undefined, and in the data."""

    values: Floats
    point: Floats
    units: int

    def interval(self, metric: int, share: float = 0.95) -> Interval:
        """The percentile interval of one metric, expanded for the number of units."""
        if self.units < 2 or math.isnan(self.point[metric]):
            return Interval(math.nan, math.nan)
        return interval(self.values[metric], share, self.units)

    def difference(self, first: int, second: int, share: float = 0.95) -> Difference:
        """The first metric less the second, on the same resamples.

        `p` is (c+1)/(n+1) for the c of n resamples in which the first is not ahead, made larger for few units as the
        interval is made wider; two-sided, twice the smaller tail.
        """
        value = float(self.point[first] - self.point[second])
        if self.units < 2 or math.isnan(value):
            return Difference(value, math.nan, math.nan, math.nan, math.nan)
        gaps = self.values[first] - self.values[second]
        gaps = gaps[~np.isnan(gaps)]
        tails = [(int((sign * gaps <= 0).sum()) + 1) / (len(gaps) + 1) for sign in (1, -1)]
        p, other = map(float, expanded(tails, self.units))
        return Difference(value, *interval(gaps, share, self.units), p, min(1.0, 2 * min(p, other)))


def interval(values: ArrayLike, share: float = 0.95, units: int | None = None) -> Interval:
    """The middle `share` of the resampled values, without the undefined ones (Efron 1979, percentile method).

    With few units that is too narrow: a resample varies as if with divisor n, and by the normal and not the t
    distribution. Given `units`, the share is expanded to 1 − 2Φ(−√(n/(n−1)) t) for the t quantile of n−1 degrees of
    freedom (Hesterberg 2015, What Teachers Should Know about the Bootstrap). Of 2,000 samples of simulated clustered
    data (8 rows a source, intra-class correlation 0.6), the 95% interval of Pearson's r from 1,000 resamples held the
    truth in 94.0% with 20 sources, 94.4% with 60, 95.3% with 200 and 94.4% with 760 (standard error 0.5%); not
    expanded, in 91.8%, 94.0%, 95.0% and 94.2%. 200 resamples cost another 1%.
    """
    if not 0 < share < 1:
        raise InputError(f"the share of an interval is {share!r}; expected a number between 0 and 1")
    found = np.asarray(values, dtype=np.float64)
    found = found[~np.isnan(found)]
    if not len(found):
        return Interval(math.nan, math.nan)
    tail = (1 - share) / 2 if units is None else contracted((1 - share) / 2, units)
    low, high = np.quantile(found, [tail, 1 - tail])
    return Interval(float(low), float(high))


def contracted(tail: float, units: int) -> float:
    """The tail of a bootstrap of n units that corresponds to this tail: the inverse of `expanded`."""
    from scipy.special import ndtr, stdtrit

    number = count(units, "the number of units", 2)
    return float(ndtr(math.sqrt(number / (number - 1)) * stdtrit(number - 1, tail)))


def expanded(tails: ArrayLike, units: int) -> Floats:
    """One-sided p-values of a bootstrap of n units, as `interval` would have them.

    The interval of share 1 − 2p is bounded by the quantile Φ(√(n/(n−1)) t_p); turned round, the p-value of a quantile q
    is that of t = √((n−1)/n) Φ⁻¹(q) with n−1 degrees of freedom. Of 2,000 samples of simulated clustered data (8 rows a
    source, intra-class correlation 0.6) with two equally good metrics, the two-sided test at 5% told them apart in 3.3%
    with 10 sources, 4.8% with 20 and 5.7% with 60 (standard error 0.5%); not expanded, in 8.9%, 7.6% and 6.8%.
    """
    from scipy.special import ndtri, stdtr

    number = count(units, "the number of units", 2)
    values: Floats = stdtr(number - 1, math.sqrt((number - 1) / number) * ndtri(np.asarray(tails, dtype=np.float64)))
    return values


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
    cluster (Davison and Hinkley 1997, section 3.8). As many sources are drawn as there are, with replacement. The
    counts are multinomial and not Poisson, as in `resample.py`, because all rows are at hand here: no resample
    is empty, and each is one that could be written out and measured. All metrics see the same resamples, so that
    differences are paired. `by="row"` draws single rows, as if they were independent, and gives too narrow an interval
    where sources have several candidates; it is there to show by how much.

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
    random = np.random.default_rng(seed)
    step = max(1, min(_BLOCK // units, -(-resamples // turns)))
    for start in range(0, resamples, step):
        yield draw(random, min(step, resamples - start), units)


def draw(random: np.random.Generator, resamples: int, units: int) -> Floats:
    """How often each unit is drawn in each resample, (resamples, units): rows add up to the number of units."""
    places = random.integers(units, size=(resamples, units)) + units * np.arange(resamples)[:, None]
    return np.bincount(places.ravel(), minlength=resamples * units).reshape(resamples, units).astype(np.float64)


def _weighted_means(within: Floats, drawn: Floats) -> Floats:
    """The mean over the drawn sources of what is defined, (metrics, resamples)."""
    defined = ~np.isnan(within)
    total, number = np.where(defined, within, 0.0) @ drawn.T, defined @ drawn.T
    means: Floats = np.divide(total, number, out=np.full(total.shape, math.nan), where=number > 0)
    return means
