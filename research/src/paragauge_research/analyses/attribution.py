"""What a metric's agreement with people comes from: meaning alone, wording alone, or both."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from paragauge.errors import InputError, nearest
from paragauge.meta.scored import RatedScores
from paragauge.metric import Floats
from paragauge.stats.resample import RESAMPLES
from paragauge.tables.ratings import Codes

from .agreements import Agreement, agreements, check_rows
from .distances import distance_of

ORDERS = ("both", "given")
PARTS = ("sim", "base", "div", "div, little changed", "div, much changed")


class Thresholds(NamedTuple):
    """When two candidates of one source count as alike or as different (Shen et al. 2022, sections 4.2 and 4.3)."""

    same_distance: float = 0.05  # sim: |ΔDist| at most this
    other_similarity: float = 0.15  # and |ΔSim| at least this
    same_similarity: float = 0.05  # div: |ΔSim| at most this
    other_distance: float = 0.10  # and |ΔDist| at least this
    much: float = 0.35  # div is split: is the lesser Dist of both at most this, or more?
    rounding: float = 1e-9  # 0.35 − 0.30 is a little more than 0.05 in binary; distances and limits have few digits


class Pairs(NamedTuple):
    """Rows that stand in pairs: `first` is above `second` in the table."""

    first: Codes
    second: Codes


class Attribution(NamedTuple):
    """How the differences of one metric follow those of people on one part of the pairs."""

    metric: str
    part: str
    correlation: Agreement  # its `rows` are pairs


def find_pairs(
    similarity: Floats, distance: Floats, sources: Codes, thresholds: Thresholds | None = None
) -> dict[str, Pairs]:
    """The pairs of rows of one source that make up each part; a row with a NaN is in none.

    `sim`: alike in Dist and different in Sim; `base`: alike in Dist, whatever the Sim; `div`: alike in Sim and
    different in Dist, once whole and once split.
    """
    limits = Thresholds() if thresholds is None else thresholds
    if not all(limit >= 0 for limit in limits):
        raise InputError(f"a threshold below 0 in {limits}; expected numbers from 0")
    check_rows({}, similarity, sources, distances=distance)
    known = np.flatnonzero(~(np.isnan(similarity) | np.isnan(distance)))
    order = known[np.argsort(sources[known], kind="stable")]
    parts: dict[str, list[Pairs]] = {part: [] for part in PARTS}
    for step in range(1, len(order)):
        first, second = order[:-step], order[step:]
        together = sources[first] == sources[second]
        if not together.any():  # no source has so many rows
            break
        near = Pairs(first[together], second[together])
        for part, chosen in _parts(similarity, distance, near, limits).items():
            parts[part].append(Pairs(near.first[chosen], near.second[chosen]))
    return {part: _joined(found) for part, found in parts.items()}


def attribute(
    scores: Mapping[str, Floats],
    human: Floats,
    sources: Codes,
    similarity: Floats,
    distance: Floats,
    thresholds: Thresholds | None = None,
    statistic: str = "pearson",
    order: str = "both",
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> list[Attribution]:
    """Tables 4 to 8 of Shen et al. 2022: the correlation of ΔM with Δh over the pairs of each part.

    A pair has no natural order, and which of the two is subtracted from which changes the mean of the differences and
    so an ordinary correlation. `order="both"` takes each pair both ways: then both means are 0, the correlation is
    Σ ΔM·Δh / √(Σ ΔM² · Σ Δh²), and nothing depends on the order of the rows. `order="given"` subtracts the lower row
    of the table from the upper one, which is what a plain loop over a file does; it is there for reproduction.
    """
    check_rows(scores, human, sources, similarities=similarity, distances=distance)
    if order not in ORDERS:
        raise InputError(f"no order of pairs named '{order}'{nearest(order, ORDERS)}")
    found = find_pairs(np.where(np.isnan(human), np.nan, similarity), distance, sources, thresholds)
    times = 2 if order == "both" else 1
    result = []
    for part, pairs in found.items():
        changes = {name: _differences(column, pairs, order) for name, column in scores.items()}
        of_source = np.tile(sources[pairs.first], times)
        turned = _differences(human, pairs, order)
        values = agreements(changes, turned, of_source, statistic, resamples, seed, least=2)  # a pair both ways
        result += [Attribution(name, part, value._replace(rows=value.rows // times)) for name, value in values.items()]
    return result


def attribute_of(
    scored: RatedScores,
    similarity: str = "cosine.free",
    thresholds: Thresholds | None = None,
    statistic: str = "pearson",
    order: str = "both",
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> list[Attribution]:
    """`attribute` with one of the scored metrics as Sim, and the edit distance to the source as Dist.

    The paper's Sim is the cosine of SimCSE sentence vectors, and not BERTScore, which would favour itself: so by
    default Sim is `cosine.free`.
    """
    ratings = scored.ratings
    far = distance_of(ratings, "source")
    near = scored.measured(similarity)
    return attribute(
        scored.scores, ratings.human, ratings.sources(), near, far, thresholds, statistic, order, resamples, seed
    )


def _parts(similarity: Floats, distance: Floats, pairs: Pairs, limits: Thresholds) -> dict[str, Codes]:
    meaning = np.abs(similarity[pairs.first] - similarity[pairs.second])
    wording = np.abs(distance[pairs.first] - distance[pairs.second])
    lesser = np.minimum(distance[pairs.first], distance[pairs.second])
    base = wording <= limits.same_distance + limits.rounding
    sim = base & (meaning >= limits.other_similarity - limits.rounding)
    div = (meaning <= limits.same_similarity + limits.rounding) & (wording >= limits.other_distance - limits.rounding)
    much = lesser > limits.much + limits.rounding
    chosen = (sim, base, div, div & ~much, div & much)
    return {part: np.flatnonzero(pairs) for part, pairs in zip(PARTS, chosen, strict=True)}


def _joined(found: list[Pairs]) -> Pairs:
    """All pairs, in the order of a double loop over the rows."""
    if not found:
        return Pairs(np.empty(0, dtype=np.intp), np.empty(0, dtype=np.intp))
    first, second = (np.concatenate(ends) for ends in zip(*found, strict=True))
    order = np.lexsort((second, first))
    return Pairs(first[order], second[order])


def _differences(column: Floats, pairs: Pairs, order: str) -> Floats:
    change = column[pairs.first] - column[pairs.second]
    return np.concatenate([change, -change]) if order == "both" else change


class Ability(NamedTuple):
    """One metric: its agreement with people where meaning alone differs, where wording alone differs, and overall."""

    metric: str
    similarity: Agreement  # on the pairs `sim` of attribution
    diversity: Agreement  # on the pairs `div`
    overall: Agreement  # on all rows


def abilities(
    scores: Mapping[str, Floats],
    human: Floats,
    sources: Codes,
    similarity: Floats,
    distance: Floats,
    thresholds: Thresholds | None = None,
    statistic: str = "pearson",
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> list[Ability]:
    """One row per metric, the best overall first; each pair counts in both orders.

    A metric that is itself close to Sim has little to say on the pairs where Sim is alike: a low `diversity` there is
    what the choice of pairs makes, and not a fault of its own. The rows of Sim and Dist themselves show how much.
    """
    parts = attribute(
        scores, human, sources, similarity, distance, thresholds, statistic, resamples=resamples, seed=seed
    )
    found = {(row.metric, row.part): row.correlation for row in parts}
    overall = agreements(scores, human, sources, statistic, resamples, seed)
    rows = [Ability(name, found[name, "sim"], found[name, "div"], overall[name]) for name in scores]
    return sorted(rows, key=lambda row: (row.overall.value != row.overall.value, -row.overall.value, row.metric))


def abilities_of(
    scored: RatedScores,
    similarity: str = "cosine.free",
    thresholds: Thresholds | None = None,
    statistic: str = "pearson",
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> list[Ability]:
    """`abilities` with one of the scored metrics as Sim, and the edit distance to the source as Dist."""
    ratings = scored.ratings
    near, far = scored.measured(similarity), distance_of(ratings, "source")
    return abilities(scored.scores, ratings.human, ratings.sources(), near, far, thresholds, statistic, resamples, seed)
