"""Where metrics agree with people: by how far a candidate is from its source and from its reference."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from paragauge.errors import InputError, nearest
from paragauge.meta.scored import RatedScores
from paragauge.metric import Floats
from paragauge.metrics import parse
from paragauge.stats.resample import RESAMPLES
from paragauge.tables.ratings import Codes, Ratings

from .agreements import Agreement, agreements, check_rows

DISTANCES = {"source": "ned.free", "references": "ned"}
CASES = ("nearer to the source", "nearer to the reference", "equally near")


class InGroup(NamedTuple):
    """One metric on the rows of one group; groups count from 1, the nearest first."""

    metric: str
    group: int
    nearest: float  # least and greatest distance in the group; NaN where it is empty
    farthest: float
    correlation: Agreement


class InCase(NamedTuple):
    """One metric on the rows of one case, and the share of all rows that the case has."""

    metric: str
    case: str
    share: float
    correlation: Agreement


def equal_groups(distance: Floats, groups: int = 4) -> Codes:
    """The group of each row, from 0, by rising distance; −1 where the distance is NaN.

    Groups are equal but for ties: rows at the same distance stay together, in the group of their middle rank, so that
    the order of the rows means nothing.
    """
    from scipy.stats import rankdata

    if groups < 1:
        raise InputError(f"{groups} groups; expected at least 1")
    known = ~np.isnan(distance)
    result = np.full(len(distance), -1, dtype=np.intp)
    ranks = rankdata(distance[known])  # middle ranks from 1
    result[known] = np.floor((2 * ranks - 1) * groups / (2 * max(len(ranks), 1))).astype(np.intp)
    return result


def by_distance(
    scores: Mapping[str, Floats],
    human: Floats,
    sources: Codes,
    distance: Floats,
    groups: int = 4,
    statistic: str = "pearson",
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> list[InGroup]:
    """Figures 1 and 2 of Shen et al. 2022: the correlation of each metric in each of some groups of rising distance."""
    check_rows(scores, human, sources, distance=distance)
    place = equal_groups(np.where(np.isnan(human), np.nan, distance), groups)
    result = []
    for group in range(groups):
        rows = np.flatnonzero(place == group)
        ends = (float(distance[rows].min()), float(distance[rows].max())) if len(rows) else (np.nan, np.nan)
        found = agreements(_rows(scores, rows), human[rows], sources[rows], statistic, resamples, seed)
        result += [InGroup(name, group + 1, *ends, value) for name, value in found.items()]
    return result


def by_case(
    scores: Mapping[str, Floats],
    human: Floats,
    sources: Codes,
    to_source: Floats,
    to_reference: Floats,
    statistic: str = "pearson",
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> list[InCase]:
    """Tables 2 and 3 of Shen et al. 2022: rows by which of Dist(C,X) and Dist(C,R) is larger.

    The paper's case I is nearer to the reference, case II nearer to the source. Rows where both distances are equal
    belong to neither, and the paper's shares leave them out; here they are a case of their own, so that the shares add
    up to 1.
    """
    check_rows(scores, human, sources, distances_to_the_source=to_source, distances_to_the_reference=to_reference)
    known = ~(np.isnan(human) | np.isnan(to_source) | np.isnan(to_reference))
    members = (to_source < to_reference, to_source > to_reference, to_source == to_reference)
    result = []
    for case, member in zip(CASES, members, strict=True):
        rows = np.flatnonzero(known & member)
        found = agreements(_rows(scores, rows), human[rows], sources[rows], statistic, resamples, seed)
        share = len(rows) / known.sum() if known.any() else np.nan
        result += [InCase(name, case, float(share), value) for name, value in found.items()]
    return result


def distance_of(ratings: Ratings, to: str) -> Floats:
    """Dist of Shen et al. 2022: the character edit distance of each candidate to its source or nearest reference."""
    if to not in DISTANCES:
        raise InputError(f"no distance to '{to}'{nearest(to, DISTANCES)}")
    return parse(DISTANCES[to]).score(ratings.samples)


def by_distance_of(
    scored: RatedScores,
    to: str = "source",
    groups: int = 4,
    statistic: str = "pearson",
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> list[InGroup]:
    """Each metric in groups of rising Dist(C,X) (`to="source"`) or Dist(C,R) (`to="references"`)."""
    ratings = scored.ratings
    far = distance_of(ratings, to)
    return by_distance(scored.scores, ratings.human, ratings.sources(), far, groups, statistic, resamples, seed)


def by_case_of(
    scored: RatedScores, statistic: str = "pearson", resamples: int = RESAMPLES, seed: int = 0
) -> list[InCase]:
    """Each metric on the rows nearer to their source, and on those nearer to their reference."""
    ratings = scored.ratings
    far = (distance_of(ratings, "source"), distance_of(ratings, "references"))
    return by_case(scored.scores, ratings.human, ratings.sources(), *far, statistic, resamples, seed)


def _rows(scores: Mapping[str, Floats], rows: Codes) -> dict[str, Floats]:
    return {name: column[rows] for name, column in scores.items()}
