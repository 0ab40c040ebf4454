"""A leaderboard in three columns: does a metric see lost meaning, does it see changed wording, and does it do both?"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from paragauge.meta.scored import RatedScores
from paragauge.metric import Floats
from paragauge.stats.resample import RESAMPLES
from paragauge.tables.ratings import Codes

from .agreements import Agreement, agreements
from .attribution import Thresholds, attribute
from .distances import distance_of


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
