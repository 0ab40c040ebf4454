"""How well people agree with each other, and how well a metric could agree with them at best."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from ..errors import InputError
from .arrays import Floats, Integers, choice, codes, count, distinct_places, vector
from .interval import interval
from .resample import RESAMPLES, draw

MEASUREMENTS = ("nominal", "ordinal", "interval")
_BLOCK = 4_000_000  # numbers held at once
_EXACT = 200  # differences of which all signs are counted


class Alpha(NamedTuple):
    """Krippendorff's alpha, its 95% interval over sources, and what it rests on; `reason` where it is NaN."""

    value: float
    low: float
    high: float
    units: int  # with two judgments or more
    judgments: int  # of those units
    reason: str


class SignedRank(NamedTuple):
    """A one-sided paired test: the mean difference, and the p-value of "not above 0"; `reason` where it is NaN."""

    difference: float
    p: float
    pairs: int
    reason: str


def alpha(
    values: ArrayLike,
    units: ArrayLike,
    sources: ArrayLike | None = None,
    measurement: str = "interval",
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> Alpha:
    """α = 1 − Dₒ/Dₑ of judgments, one entry each, of units (Krippendorff 2011, Computing Krippendorff's
    alpha-reliability); a unit with one judgment says nothing. 1: all agree; 0: as judgments drawn at random would.

    In closed form: of interval values, Σ(vᵢ−vⱼ)² over the pairs of m judgments is 2m·Σv² − 2(Σv)²; of nominal values,
    m² − Σₖmₖ²; ordinal values are as interval values with their mean ranks for v. So it takes N steps and not N² as
    tables of coincidences do. The interval draws whole sources again, by default the units themselves.
    """
    numbers = vector(values, "the judgments")
    choice(measurement, MEASUREMENTS, "measurement")
    labels = codes(units, "units", len(numbers))
    groups = labels if sources is None else codes(sources, "sources", len(numbers))
    paired = np.bincount(labels)[labels] > 1 if len(labels) else np.zeros(0, dtype=bool)
    numbers, labels, groups = numbers[paired], labels[paired], groups[paired]
    if not len(numbers):
        return Alpha(math.nan, math.nan, math.nan, 0, 0, "no unit has two judgments")
    labels, groups = codes(labels, "units", len(labels)), codes(groups, "sources", len(groups))
    _check_nested(labels, groups)
    number = int(groups.max()) + 1
    size = int(labels.max()) + 1
    once = np.ones((1, number))
    value = float(_alphas(numbers, labels, groups, measurement, once)[0])
    if math.isnan(value):
        return Alpha(value, math.nan, math.nan, size, len(numbers), "all judgments are equal")
    low = high = math.nan
    if number > 1 and resamples:
        step = max(1, _BLOCK // max(number, len(numbers)))
        found = [
            _alphas(numbers, labels, groups, measurement, draw(number, min(step, resamples - start), seed, start))
            for start in range(0, count(resamples, "the number of resamples"), step)
        ]
        low, high = interval(np.concatenate(found), units=number)
    return Alpha(value, low, high, size, len(numbers), "")


def _alphas(numbers: Floats, units: Integers, sources: Integers, measurement: str, drawn: Floats) -> Floats:
    """Alpha of each resample, a row of how often each source is drawn; NaN where all judgments of one are equal."""
    places = distinct_places(numbers)
    if measurement == "nominal":
        return _nominal(places, units, sources, drawn)
    if measurement == "interval":
        return _interval(numbers - numbers.mean(), units, sources, drawn)  # centred: large numbers would cancel
    counts = _counted(sources, places, drawn.shape[1])
    found = []
    for row in drawn:
        each = row @ counts
        ranks = np.cumsum(each) - each / 2  # but for a constant, the mean ranks of the values in this resample
        found.append(_interval((ranks - ranks.mean())[places], units, sources, row[None]))
    return np.concatenate(found)


def _interval(numbers: Floats, units: Integers, sources: Integers, drawn: Floats) -> Floats:
    sizes = np.bincount(units)
    first, squares = np.bincount(units, numbers), np.bincount(units, numbers**2)
    apart = np.maximum(2 * (sizes * squares - first**2), 0) / (sizes - 1)
    home = np.zeros(len(sizes), dtype=np.int64)
    home[units] = sources
    total = drawn @ np.bincount(sources).astype(np.float64)
    observed = drawn @ np.bincount(home, apart, minlength=drawn.shape[1]) / total
    sums, powers = drawn @ np.bincount(sources, numbers), drawn @ np.bincount(sources, numbers**2)
    expected = 2 * (total * powers - sums**2) / (total * (total - 1))
    # where all are equal, rounding leaves a trace of what was subtracted
    known = expected > 1e-12 * np.maximum(powers / total, 0)
    values: Floats = 1 - np.divide(observed, expected, out=np.full(len(drawn), math.nan), where=known)
    return values


def _nominal(places: Integers, units: Integers, sources: Integers, drawn: Floats) -> Floats:
    sizes = np.bincount(units)
    home = np.zeros(len(sizes), dtype=np.int64)
    home[units] = sources
    cells, times = np.unique(np.stack([units, places]), axis=1, return_counts=True)
    alike = np.bincount(cells[0], times.astype(np.float64) ** 2)
    apart = (sizes**2 - alike) / (sizes - 1)
    total = drawn @ np.bincount(sources).astype(np.float64)
    observed = drawn @ np.bincount(home, apart, minlength=drawn.shape[1]) / total
    each = drawn @ _counted(sources, places, drawn.shape[1])
    expected = (total**2 - (each**2).sum(axis=1)) / (total * (total - 1))
    values: Floats = 1 - np.divide(observed, expected, out=np.full(len(drawn), math.nan), where=expected > 0)
    return values


def _counted(sources: Integers, places: Integers, number: int) -> Floats:
    """How often each source has each value."""
    table = np.zeros((number, int(places.max()) + 1))
    np.add.at(table, (sources, places), 1)
    return table


def _check_nested(units: Integers, sources: Integers) -> None:
    if len(np.unique(np.stack([units, sources]), axis=1)[0]) != int(units.max()) + 1:
        raise InputError("a unit has judgments of two sources; expected each unit to be of one source")


def signed_rank(higher: ArrayLike, lower: ArrayLike) -> SignedRank:
    """Wilcoxon's signed-rank test that the first of each pair is above the second, exact whatever the ties.

    Differences of 0 are ranked with the others and then left out, as they say nothing of the direction (Pratt 1959).
    The distribution over all signs is counted on twice the mean ranks, which are whole numbers; for more than 200
    differences it is normal.
    """
    first, second = vector(higher, "the first values"), vector(lower, "the second values")
    if first.shape != second.shape:
        raise InputError(f"{len(first)} first values and {len(second)} second ones; expected pairs")
    gaps = first - second
    if not len(gaps):
        return SignedRank(math.nan, math.nan, 0, "there are no pairs")
    from scipy.stats import rankdata

    ranks = np.round(2 * rankdata(np.abs(gaps))).astype(np.int64)
    above = int(ranks[gaps > 0].sum())
    ranks = ranks[gaps != 0]
    if len(ranks) > _EXACT:
        from scipy.special import ndtr

        deviation = (above - float(ranks.sum()) / 2) / (math.sqrt(float((ranks.astype(np.float64) ** 2).sum())) / 2)
        return SignedRank(float(gaps.mean()), float(ndtr(-deviation)), len(gaps), "")
    ways = np.zeros(int(ranks.sum()) + 1)
    ways[0] = 1
    for rank in ranks:
        ways[rank:] = (ways[rank:] + ways[:-rank]) / 2  # probabilities, as counts of 2ⁿ overflow
        ways[:rank] /= 2
    return SignedRank(float(gaps.mean()), min(1.0, float(ways[above:].sum())), len(gaps), "")


class Intraclass(NamedTuple):
    """ICC(1): the share of the variance of the ratings that lies between sources; NaN with a reason.

    `design_effect` = 1 + (size − 1)·value is by how much the variance of a mean of ratings exceeds that of
    independent rows.
    """

    value: float
    sources: int
    size: float
    design_effect: float
    reason: str


class Ceiling(NamedTuple):
    """The reliability of the ratings and its square root: the Pearson correlation of a perfect metric with them."""

    value: float
    reliability: float
    noise: float
    variance: float
    rows: int
    reason: str


def intraclass(human: ArrayLike, sources: ArrayLike) -> Intraclass:
    """ICC(1) = (MSB − MSW) / (MSB + (n₀−1)·MSW) of a one-way analysis of variance (Shrout and Fleiss 1979).

    MSB and MSW are the mean squares between and within sources; n₀ = (N − Σnᵢ²/N) / (g−1) is the size that stands for
    g groups of unequal sizes (Donner 1986). Below 0 where the rows of a source differ more than those of different
    sources. It says how little a row adds when its source is already there, so why sources are resampled.
    """
    ratings = vector(human, "the ratings")
    labels = codes(sources, "sources", len(ratings))
    sizes = np.bincount(labels)
    number, total = len(sizes), len(ratings)
    if number < 2 or total == number:
        reason = "there are fewer than 2 sources" if number < 2 else "each source has a single row"
        return Intraclass(math.nan, number, math.nan, math.nan, reason)
    means = np.bincount(labels, ratings) / sizes
    between = float((sizes * (means - ratings.mean()) ** 2).sum()) / (number - 1)
    within = float(((ratings - means[labels]) ** 2).sum()) / (total - number)
    size = (total - float((sizes**2).sum()) / total) / (number - 1)
    if ratings.min() == ratings.max():
        return Intraclass(math.nan, number, size, math.nan, "the ratings are constant")
    value = (between - within) / (between + (size - 1) * within)
    return Intraclass(value, number, size, 1 + (size - 1) * value, "")


def ceiling_of_votes(proportions: ArrayLike, votes: int) -> Ceiling:
    """The ceiling where a rating is the share of `votes` people who said yes.

    Each vote is taken as an independent draw with the row's own probability p, so that a share h has the noise
    p(1−p)/votes, of which h(1−h)/(votes−1) is an unbiased estimate. Reliability = 1 − mean noise / Var(h), and a
    metric that knew every p would correlate √reliability with h (Spearman 1904, correction for attenuation). The
    votes behind a share must be as many as said. If the same people vote on many rows and some say yes more readily,
    their leanings are in Var(h) as well, and the ceiling is too high.
    """
    shares = vector(proportions, "the proportions")
    count(votes, "the number of votes", 2)
    if len(shares) and (shares.min() < 0 or shares.max() > 1):
        raise InputError(f"the proportions reach from {shares.min()} to {shares.max()}; expected 0 to 1")
    counts = shares * votes
    off = np.abs(counts - np.round(counts)) > 1e-6  # shares are written with few decimals, never fewer than these
    if off.any():
        raise InputError(f"a proportion is {shares[off][0]}; expected a multiple of 1/{votes}, as of {votes} votes")
    return _ceiling(shares, shares * (1 - shares) / (votes - 1))


def ceiling_of_ratings(judgments: Sequence[ArrayLike]) -> Ceiling:
    """The ceiling where a rating is the mean of several judgments; their number may differ from row to row.

    Judgments of a row are taken as independent draws around its true rating. The mean of n of them has the noise s²/n,
    with s² the variance of the row's own judgments (divisor n−1), so the spread may differ from row to row. A row with
    one judgment is given the mean s² of the others. Reliability = 1 − mean noise / Var(means), and the ceiling is its
    square root. People who judge many rows and lean to one side make the ceiling too high, as their leaning passes
    for a property of the row.
    """
    rows = [vector(row, f"the judgments of row {place}") for place, row in enumerate(judgments)]
    empty = [place for place, row in enumerate(rows) if not len(row)]
    if empty:
        raise InputError(f"row {empty[0]} has no judgment; expected at least one per row")
    sizes = np.array([len(row) for row in rows])
    means = np.array([row.mean() for row in rows])
    spreads = np.array([row.var(ddof=1) if len(row) > 1 else math.nan for row in rows])
    known = ~np.isnan(spreads)
    if not known.any():
        return Ceiling(math.nan, math.nan, math.nan, math.nan, len(rows), "no row has two judgments")
    return _ceiling(means, np.where(known, spreads, spreads[known].mean()) / sizes)


def _ceiling(ratings: Floats, noises: Floats) -> Ceiling:
    if len(ratings) < 2:
        return Ceiling(math.nan, math.nan, math.nan, math.nan, len(ratings), "there are fewer than 2 rows")
    noise = float(noises.mean())
    variance = float(ratings.var(ddof=1)) if ratings.min() != ratings.max() else 0.0
    if not variance:
        return Ceiling(math.nan, math.nan, noise, variance, len(ratings), "the ratings are constant")
    reliability = 1 - noise / variance
    if reliability < 0:
        reason = "the ratings differ less than their noise alone would make them"
        return Ceiling(math.nan, reliability, noise, variance, len(ratings), reason)
    return Ceiling(math.sqrt(reliability), reliability, noise, variance, len(ratings), "")
