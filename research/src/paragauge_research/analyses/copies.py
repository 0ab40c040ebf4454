"""How metrics fare when some candidates are mere copies of their source, and what weight of diversity sees them."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from paragauge.compute.workspace import Progress, Workspace
from paragauge.errors import InputError
from paragauge.evaluate.plan import choose
from paragauge.meta.scored import RatedScores, score_ratings
from paragauge.metric import Floats, Metric
from paragauge.metrics import parse
from paragauge.metrics.overall.parascore import ParaScore
from paragauge.stats.correlation import correlate_many
from paragauge.tables.ratings import Codes, Ratings
from paragauge.tables.samples import Samples

from .agreements import check_rows

SHARES = tuple(step / 20 for step in range(11))  # 0% to 50%
OMEGAS = tuple(step / 100 for step in range(101))
REAL = 0.8  # rated so or better, a candidate is a real paraphrase: with 5 raters, 4 agreed


class CopyPoint(NamedTuple):
    """One metric where a share of the candidates are copies; over seeds."""

    metric: str
    share: float
    value: float  # mean correlation with people
    spread: float  # standard deviation of the correlation over the seeds
    rank: float  # mean rank among the metrics, 1 is the best; NaN where undefined
    copies: float  # mean number of copies


class Preference(NamedTuple):
    """When ParaScore stops preferring a copy to a real paraphrase."""

    omegas: Floats  # a grid of ω
    shares: Floats  # the share of comparisons in which the copy scores higher, at each of them
    half: float  # the least ω at which that share is at most 50%; infinite where no ω brings it there
    twentieth: float  # … at most 5%
    crossings: Floats  # of each comparison, the least ω at which the copy no longer scores higher
    comparisons: int


def scale(human: Floats) -> tuple[float, float]:
    """What a copy is rated, and from which rating on a candidate is a real paraphrase.

    0 and 0.8 where ratings are from 0 to 1, as Shen et al. 2022 have it. On any other scale, of which 0 may be no part
    or not the end, the least rating that was given, and four fifths of the way from there to the greatest.

    >>> scale(np.array([0.2, 1.0])), scale(np.array([1.0, 5.0, np.nan]))
    ((0.0, 0.8), (1.0, 4.2))
    """
    low, high = float(np.nanmin(human)), float(np.nanmax(human))
    return (0.0, REAL) if low >= 0 and high <= 1 else (low, low + REAL * (high - low))


def replaced(sources: Codes, share: float, seed: int = 0) -> Codes:
    """Rows to turn into copies: the same share of each source's rows, up to rounding.

    A source of n rows gives up ⌊share·n + u⌋ of them, with one u from [0, 1) for each source, so that the expected
    share is exact; and which rows go is random. With one seed, the rows of a smaller share are among those of a
    larger one.
    """
    if not 0 <= share <= 1:
        raise InputError(f"a share of {share:g} of the candidates; expected a number from 0 to 1")
    random = np.random.default_rng(seed)
    _, code, size = np.unique(sources, return_inverse=True, return_counts=True)
    luck = random.random(len(size))
    order = np.lexsort((random.random(len(sources)), code))
    rank = np.empty(len(sources), dtype=np.intp)
    rank[order] = np.arange(len(sources)) - np.repeat(np.cumsum(size) - size, size)
    return np.flatnonzero(rank < np.floor(share * size + luck)[code])


def copy_sensitivity(
    scores: Mapping[str, Floats],
    copies: Mapping[str, Floats],
    human: Floats,
    sources: Codes,
    shares: Sequence[float] = SHARES,
    seeds: int = 10,
    rating: float = 0.0,
    statistic: str = "pearson",
) -> list[CopyPoint]:
    """The correlation of each metric with people as more and more candidates are copies that people rate `rating`.

    `copies` holds what each metric says of each row if its candidate were a copy of its source. Copies replace
    candidates, so that the number of rows stays. Only rows that all metrics and people judge are used.
    """
    check_rows(scores, human, sources)
    check_rows(copies, human, sources)
    if scores.keys() != copies.keys():
        missing = sorted(scores.keys() ^ copies.keys())
        raise InputError(f"{missing[0]} has scores of candidates or of copies alone; expected both")
    if seeds < 1:
        raise InputError(f"{seeds} seeds; expected at least 1")
    if not scores:
        return []
    own, other = np.stack(list(scores.values())), np.stack([copies[name] for name in scores])
    known = ~(np.isnan(human) | np.isnan(own).any(axis=0) | np.isnan(other).any(axis=0))
    own, other, people, codes = own[:, known], other[:, known], human[known], sources[known]
    result = []
    for share in shares:
        runs, counts = [], []
        for seed in range(seeds):
            rows = replaced(codes, share, seed)
            table, rated = own.copy(), people.copy()
            table[:, rows], rated[rows] = other[:, rows], rating
            runs.append(correlate_many(table, rated, statistic))
            counts.append(len(rows))
        values = np.stack(runs)
        ranks = _ranks(values)
        for place, name in enumerate(scores):
            column = values[:, place]
            result.append(
                CopyPoint(
                    metric=name,
                    share=float(share),
                    value=float(column.mean()),
                    spread=float(column.std()),
                    rank=float(ranks[:, place].mean()),
                    copies=float(np.mean(counts)),
                )
            )
    return result


def copy_preference(
    similarity: Floats,
    diversity: Floats,
    copy_similarity: Floats,
    copy_diversity: Floats,
    human: Floats,
    sources: Codes,
    omegas: Sequence[float] = OMEGAS,
    real: float = REAL,
    by: str = "pair",
) -> Preference:
    """The share of comparisons (real paraphrase, copy of its source) that the copy wins, as a function of ω.

    ParaScore is Sim + ω·DS, so the copy wins while ω < (Sim_copy − Sim) / (DS − DS_copy): each comparison has one
    crossing, and the share at any ω is the share of crossings above it; nothing is scored again. Equal scores are no
    win. `by="source"` makes one comparison of each source: does its copy win against all of its real paraphrases?
    """
    check_rows(
        {}, human, sources, similarities=similarity, diversities=diversity, similarities_of_copies=copy_similarity,
        diversities_of_copies=copy_diversity,
    )  # fmt: skip
    if by not in ("pair", "source"):
        raise InputError(f"no comparison by '{by}'; known: pair, source")
    lead, gain = copy_similarity - similarity, diversity - copy_diversity
    if (gain < 0).any():
        raise InputError(
            "a candidate has less diversity than the copy of its source; expected a copy to have the least"
        )
    chosen = (human >= real) & ~np.isnan(lead) & ~np.isnan(gain)
    with np.errstate(divide="ignore", invalid="ignore"):
        crossing = np.where(lead <= 0, 0.0, lead / gain)[chosen]
    if by == "source" and len(crossing):
        code = np.unique(sources[chosen], return_inverse=True)[1]
        least = np.full(code.max() + 1, np.inf)
        np.minimum.at(least, code, crossing)
        crossing = least
    crossing = np.sort(crossing)
    grid = np.asarray(omegas, dtype=np.float64)
    above = len(crossing) - np.searchsorted(crossing, grid, side="right")
    shares = above / len(crossing) if len(crossing) else np.full(len(grid), np.nan)
    return Preference(
        omegas=grid,
        shares=shares,
        half=_falls_to(crossing, 0.5),
        twentieth=_falls_to(crossing, 0.05),
        crossings=crossing,
        comparisons=len(crossing),
    )


def copy_sensitivity_of(
    ratings: Ratings,
    metrics: Sequence[str | Metric],
    encoder: str | None = None,
    lang: str = "auto",
    shares: Sequence[float] = SHARES,
    seeds: int = 10,
    rating: float = 0.0,
    statistic: str = "pearson",
    work: Workspace | None = None,
    progress: Progress | None = None,
) -> list[CopyPoint]:
    """`copy_sensitivity` of some metrics on a human-rated data set."""
    scored, copies = score_copies(ratings, metrics, encoder, lang, work, progress)
    return copy_sensitivity(
        scored.scores, copies.scores, ratings.human, ratings.sources(), shares, seeds, rating, statistic
    )


def copy_preference_of(
    ratings: Ratings,
    metric: str | Metric = "parascore",
    omegas: Sequence[float] = OMEGAS,
    real: float = REAL,
    by: str = "pair",
    encoder: str | None = None,
    work: Workspace | None = None,
    progress: Progress | None = None,
) -> Preference:
    """`copy_preference` of ParaScore, or of a variant of it, on a human-rated data set; its own ω means nothing."""
    chosen = choose([metric], references=True, encoder=encoder)[0]
    if not isinstance(chosen, ParaScore):
        raise InputError(f"{chosen.spec} has no ω; expected parascore, parascore-free, or one with parameters")
    if chosen.compat != "none":
        raise InputError(f"{chosen.spec} has a fixed ω; expected a ParaScore with compat=none")
    ends = [dataclasses.replace(chosen, omega=omega) for omega in (0.0, 1.0)]
    pair = score_copies(ratings, ends, work=work, progress=progress)
    (sim, one), (copy_sim, copy_one) = (list(found.scores.values()) for found in pair)
    return copy_preference(
        sim, one - sim, copy_sim, copy_one - copy_sim, ratings.human, ratings.sources(), omegas, real, by
    )


def score_copies(
    ratings: Ratings,
    metrics: Sequence[str | Metric],
    encoder: str | None = None,
    lang: str = "auto",
    work: Workspace | None = None,
    progress: Progress | None = None,
) -> tuple[RatedScores, RatedScores]:
    """The scores of all candidates, and those of a copy of the source in place of each candidate.

    Refuses metrics that score a row by looking at other rows: copies among these would change every score.
    """
    for metric in metrics:
        parsed = parse(metric) if isinstance(metric, str) else metric
        if parsed.unit != "pair" or parsed.learns:
            raise InputError(f"{parsed.spec} scores a row by other rows too; expected metrics of single rows")
    samples = ratings.samples
    copied = Samples(samples.sources, samples.sources, samples.references, samples.systems, samples.ids)
    both = Ratings(samples + copied, np.concatenate([ratings.human, np.zeros(len(samples))]), ratings.name)
    found = score_ratings(both, metrics, encoder, lang, work, progress)  # at once, so that a text is encoded once
    return found.rows(range(len(samples))), found.rows(range(len(samples), 2 * len(samples)))


def _ranks(values: Floats) -> Floats:
    """Middle ranks within each row, 1 for the highest; NaN stays NaN and takes no rank."""
    from scipy.stats import rankdata

    ranks: Floats = rankdata(-values, axis=1, nan_policy="omit")
    return ranks


def _falls_to(crossings: Floats, share: float) -> float:
    """The least ω at which at most this share of the (sorted) crossings is above."""
    number = len(crossings)
    if not number:
        return float("nan")
    allowed = int(share * number + 1e-9)  # a product such as 0.05 · 20 must not fall below 1
    return float(crossings[number - 1 - allowed]) if allowed < number else 0.0
