"""How well a metric could agree with people at best, given how well people agree with each other."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from ..errors import InputError
from .arrays import Floats, codes, count, vector


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
