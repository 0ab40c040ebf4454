"""The analyses of Shen et al. 2022 and of copies, each as a table and as charts."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import Any

from paragauge.errors import InputError
from paragauge.meta.analysis import Analysed, Analysis, Request, Rows
from paragauge.meta.scored import RatedScores

from .agreements import Agreement


def _side_by_side(cells: list[tuple[Any, str, float]], corner: str) -> tuple[list[str], Rows]:
    """(row, column, value) to a table."""
    columns = list(dict.fromkeys(column for _, column, _ in cells))
    table: dict[Any, dict[str, float]] = {}
    for row, column, value in cells:
        table.setdefault(row, {})[column] = value
    return [corner, *columns], [[row, *(found.get(column) for column in columns)] for row, found in table.items()]


def _distances(references: bool) -> list[str]:
    return ["references", "source"] if references else ["source"]


def _group_chart(to: str) -> str:
    return f"figure-{1 if to == 'references' else 2}-distance-to-{to}"


def _groups(scored: RatedScores, request: Request) -> Analysed:
    from .distances import by_distance_of
    from .figures import groups_chart

    rows: Rows = []
    charts: dict[str, Callable[[], Any]] = {}
    for to in _distances(any(scored.ratings.samples.references)):
        found = by_distance_of(scored, to, 4, request.statistic, request.resamples, request.seed)
        found = [row for row in found if row.nearest == row.nearest]  # few distances leave some of the groups empty
        rows += [
            [to, row.group, row.nearest, row.farthest, row.metric, *_cells(row.correlation)]
            for row in sorted(found, key=lambda row: row.group)
        ]
        title = f"Agreement with people by distance to the {to}"
        charts[_group_chart(to)] = partial(groups_chart, found, title, to)
    header = ["distance to", "group", "from", "to", "metric", request.statistic, "low", "high", "rows"]
    wide = _side_by_side([(row[4], f"{row[0]} {row[2]:.2f}–{row[3]:.2f}", row[5]) for row in rows], "metric")
    note = f"{request.statistic} in four equal groups of rows, by edit distance from candidate to reference or source"
    return Analysed(header, rows, charts, [note], wide)


def _cases(scored: RatedScores, request: Request) -> Analysed:
    from .distances import by_case_of

    if not any(scored.ratings.samples.references):
        raise InputError("cases are by which is nearer, source or reference, and no row of the input has references")
    found = by_case_of(scored, request.statistic, request.resamples, request.seed)
    rows = [[row.case, row.share, row.metric, *_cells(row.correlation)] for row in found]
    wide = _side_by_side([(row[2], f"{row[0]} ({row[1]:.1%})", row[3]) for row in rows], "metric")
    note = f"{request.statistic} by which is nearer to the candidate in edits; in brackets the share of rows"
    return Analysed(
        ["case", "share of rows", "metric", request.statistic, "low", "high", "rows"], rows, {}, [note], wide
    )


def _attribution(scored: RatedScores, request: Request) -> Analysed:
    from .attribution import attribute_of

    found = attribute_of(
        scored, request.similarity, statistic=request.statistic, resamples=request.resamples, seed=request.seed
    )
    rows = [[row.part, row.metric, *_cells(row.correlation)] for row in found]
    note = f"Sim is {request.similarity}, Dist is ned.free; pairs of candidates of one source, each in both orders"
    wide = _side_by_side([(row[1], f"{row[0]} ({row[5]:,} pairs)", row[2]) for row in rows], "metric")
    return Analysed(["part", "metric", request.statistic, "low", "high", "pairs"], rows, {}, [note], wide)


def _ability(scored: RatedScores, request: Request) -> Analysed:
    from .attribution import abilities_of
    from .figures import ability_chart

    found = abilities_of(
        scored, request.similarity, statistic=request.statistic, resamples=request.resamples, seed=request.seed
    )
    rows: Rows = [
        [row.metric, row.overall.value]
        + [end for part in (row.similarity, row.diversity) for end in (part.value, part.low, part.high)]
        for row in found
    ]
    header = ["metric", "overall", "sim", "sim low", "sim high", "div", "div low", "div high"]
    pairs = f"{found[0].similarity.rows:,} and {found[0].diversity.rows:,} pairs" if found else "no pairs"
    note = (
        f"sim and div: agreement where meaning alone, or wording alone, differs ({pairs}; Sim is {request.similarity})"
    )
    return Analysed(header, rows, {"ability": lambda: ability_chart(found)}, [note])


def _decomposition(scored: RatedScores, request: Request) -> Analysed:
    from .decomposition import decompose_of

    found = decompose_of(scored, statistic=request.statistic, resamples=request.resamples, seed=request.seed)
    rows: Rows = [[row.beta, row.score.value, row.similarity.value, row.mix.value, row.share] for row in found]
    note = "BERT-iBLEU = sim + mix, sim the BERTScore with the source; share of mix: of the covariance with people"
    header = ["beta", "bert-ibleu", "sim", "mix", "share of mix"]
    return Analysed(header, rows, {}, [note], (header, [[f"{row[0]:g}", *row[1:]] for row in rows]))


def _copies(scored: RatedScores, request: Request) -> Analysed:
    from .copies import copy_sensitivity_of, scale
    from .figures import copies_chart

    rating, _ = scale(scored.ratings.human)
    found = copy_sensitivity_of(
        scored.ratings, request.metrics, request.encoder, request.lang, rating=rating, statistic=request.statistic,
        progress=request.progress,
    )  # fmt: skip
    rows: Rows = [[row.share, row.metric, row.value, row.spread, row.rank] for row in found]
    header = ["share of copies", "metric", request.statistic, "spread", "rank"]
    wide = _side_by_side([(row[1], f"{row[0]:.0%}", row[2]) for row in rows], "metric")
    note = (
        f"{request.statistic} when that share of the candidates are copies of their source, rated {rating:g}; "
        "mean of 10 seeds"
    )
    return Analysed(header, rows, {"copies": lambda: copies_chart(found)}, [note], wide)


def _omega(scored: RatedScores, request: Request) -> Analysed:
    from .copies import copy_preference_of, scale
    from .figures import omega_chart

    names = ["parascore", "parascore-free"] if any(scored.ratings.samples.references) else ["parascore-free"]
    _, real = scale(scored.ratings.human)
    found = {
        name: copy_preference_of(scored.ratings, name, real=real, encoder=request.encoder, progress=request.progress)
        for name in names
    }
    if not all(curve.comparisons for curve in found.values()):
        raise InputError(f"no candidate is rated {real:g} or better, so there is nothing to compare a copy with")
    rows: Rows = [
        [name, omega, share]
        for name, curve in found.items()
        for omega, share in zip(curve.omegas.tolist(), curve.shares.tolist(), strict=True)
        if round(omega * 100) % 5 == 0
    ]
    notes = [
        f"{name}: of {curve.comparisons:,} comparisons with a paraphrase rated {real:g} or better, the copy wins "
        f"half {_until(curve.half)}, and 5% {_until(curve.twentieth)}"
        for name, curve in found.items()
    ]
    header = ["metric", "omega", "share of comparisons that the copy wins"]
    wide = _side_by_side([(f"{row[1]:.2f}", row[0], row[2]) for row in rows], "omega")
    notes.insert(0, "share of comparisons with a real paraphrase that a copy of the source wins")
    return Analysed(header, rows, {"omega": lambda: omega_chart(found)}, notes, wide)


def _until(omega: float) -> str:
    return "at every ω" if math.isinf(omega) else f"until ω = {omega:.2f}"


def _cells(found: Agreement) -> list[Any]:
    return [found.value, found.low, found.high, found.rows]


GROUPS = Analysis("groups", _groups, charts=lambda references: [_group_chart(to) for to in _distances(references)])
CASES = Analysis("cases", _cases)
ATTRIBUTION = Analysis("attribution", _attribution, needs=lambda similarity: [similarity])
ABILITY = Analysis("ability", _ability, needs=lambda similarity: [similarity], charts=lambda _: ["ability"])
DECOMPOSITION = Analysis("decomposition", _decomposition, needs=lambda _: ["bertscore.free", "bleu.free"])
COPIES = Analysis("copies", _copies, charts=lambda _: ["copies"], rescores=True)
OMEGA = Analysis("omega", _omega, charts=lambda _: ["omega"], rescores=True, metric="ParaScore")
