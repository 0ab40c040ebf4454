"""The analyses of Shen et al. 2022, by distance, by pairs and by parts, of the authors' scores and of the right ones.

Their scripts for these are not published: what stands under `authors` is the same analysis of their scores. All rows
are taken, without the copies.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ...errors import MissingExtraError, ModelError
from ...meta.analyses.ability import abilities
from ...meta.analyses.attribution import attribute
from ...meta.analyses.distances import by_case, by_distance, distance
from ...meta.statistics.correlation import pearson
from ...metric import Floats
from ...metrics.overall.bert_ibleu import harmonic
from ...tables.ratings import Codes
from ..cells import Cell
from . import authors
from .columns import BETAS, Column, DataSet, label
from .printed import UNREAD

if TYPE_CHECKING:
    from .tables import Study

DISTANCES = {"references": "Dist(C,R)", "source": "Dist(C,X)"}
SCRIPTS = "their script is not published; theirs is the same analysis of their scores"
ORDER = "a pair has no order: theirs is with the upper row first, ours with each pair both ways"
NO_ENCODER = "needs an encoder of Chinese: --encoder zh=m3e-small"
Scores = dict[str, Floats]
Values = dict[tuple[str, str], float]  # by row and column
Analysis = Callable[[DataSet, Scores, Codes, bool], Values]


def figures_1_and_2(study: Study) -> Iterator[Cell]:
    """Pearson correlation in four equal groups of rising distance to the reference, and to the source."""
    yield from _cells("Figures 1–2", study, _grouped, SCRIPTS)


def tables_2_and_3(study: Study) -> Iterator[Cell]:
    """Pearson correlation on rows nearer to the source and on those nearer to the reference, and their shares."""
    yield from _cells("Tables 2–3", study, _cases, SCRIPTS)


def tables_4_to_8(study: Study) -> Iterator[Cell]:
    """Pearson correlation of differences on pairs of candidates that differ in Sim alone, or in Dist alone."""
    yield from _cells("Tables 4–8", study, _pairs, f"{SCRIPTS}; {ORDER}", encoder=True)


def appendix_e(study: Study) -> Iterator[Cell]:
    """BERT-iBLEU as Sim + Mix: the Pearson correlation of each part with people."""
    yield from _cells("Appendix E", study, _parts, f"{SCRIPTS}; Mix is BERT-iBLEU − Sim in our reading", encoder=True)


def _grouped(data: DataSet, scores: Scores, rows: Codes, theirs: bool) -> Values:  # noqa: ARG001
    people, sources = data.ratings.human[rows], data.ratings.sources()[rows]
    found: Values = {}
    for to, name in DISTANCES.items():
        far = distance(data.ratings, to)[rows]
        for one in by_distance(scores, people, sources, far, resamples=0):
            found[one.metric, f"{data.title} {name}, group {one.group}"] = one.correlation.value
    return found


def _cases(data: DataSet, scores: Scores, rows: Codes, theirs: bool) -> Values:  # noqa: ARG001
    people, sources = data.ratings.human[rows], data.ratings.sources()[rows]
    far = [distance(data.ratings, to)[rows] for to in ("source", "references")]
    cases = by_case(scores, people, sources, far[0], far[1], resamples=0)
    shares: Values = {("share of the rows", f"{data.title}, {one.case}"): one.share for one in cases}
    return shares | {(one.metric, f"{data.title}, {one.case}"): one.correlation.value for one in cases}


def _pairs(data: DataSet, scores: Scores, rows: Codes, theirs: bool) -> Values:
    people, sources = data.ratings.human[rows], data.ratings.sources()[rows]
    similarity = data.similarity(data.encoders[0], free=True, theirs=theirs)[rows]
    order = "given" if theirs else "both"
    found = attribute(scores, people, sources, similarity, data.distance[rows], order=order, resamples=0)
    counts: Values = {("number of pairs", f"{data.title}, {one.part}"): float(one.correlation.rows) for one in found}
    return counts | {(one.metric, f"{data.title}, {one.part}"): one.correlation.value for one in found}


def _parts(data: DataSet, scores: Scores, rows: Codes, theirs: bool) -> Values:
    people, encoder = data.ratings.human[rows], data.encoders[0]
    similarity = data.similarity(encoder, free=True, theirs=theirs)[rows]
    copied = scores["BLEU-4.Free"]
    found: Values = {(f"Sim, {label(encoder)}", data.title): pearson(similarity, people).value}
    for beta in BETAS:
        whole = authors.bert_ibleu(similarity, copied, beta) if theirs else harmonic(similarity, 1 - copied, beta)
        found[f"Mix, β = {beta:g}, {label(encoder)}", data.title] = pearson(whole - similarity, people).value
    return found


def draw_figures(study: Study, folder: Path, *, overwrite: bool = False) -> list[Path]:
    """Figures 1 and 2 of the right scores for each data set, and what each metric sees; as SVG and PNG."""
    from ...meta.charts import figures

    kinds = {data.title.lower(): ["figure-1", "figure-2", *["ability"] * bool(data.encoders)] for data in study.sets}
    names = [f"{title}-{kind}" for title, own in kinds.items() for kind in own]
    figures.make_folder(folder, names, overwrite=overwrite)  # refuses before any work is done
    written: list[Path] = []
    for data in study.sets:
        rows, columns = _plain_rows(data), _columns(data)
        scores = {row: own.corrected[rows] for row, own in columns.items() if own.corrected is not None}
        people, sources = data.ratings.human[rows], data.ratings.sources()[rows]
        for number, (to, name) in enumerate(DISTANCES.items(), 1):
            groups = by_distance(scores, people, sources, distance(data.ratings, to)[rows])
            title = f"{data.title}: agreement with people by {name}"
            chart = figures.groups_chart(groups, title, "reference" if to == "references" else "source")
            written += figures.draw(chart, folder / f"{data.title.lower()}-figure-{number}", overwrite=overwrite)
        if data.encoders:
            near = data.similarity(data.encoders[0], free=True)[rows]
            found = abilities(scores, people, sources, near, data.distance[rows])
            chart = figures.ability_chart(found, f"{data.title}: what metrics see")
            written += figures.draw(chart, folder / f"{data.title.lower()}-ability", overwrite=overwrite)
    return written


def _plain_rows(data: DataSet) -> Codes:
    return np.concatenate(data.part(extended=False))


def _columns(data: DataSet) -> dict[str, Column]:
    columns = data.lexical | data.meteor
    return columns | (data.bertscore(data.encoders[0]) if data.encoders else {})


def _cells(table: str, study: Study, analyse: Analysis, why: str, *, encoder: bool = False) -> Iterator[Cell]:
    for data in study.sets:
        if encoder and not data.encoders:
            yield Cell(table, "every row", data.title, None, None, None, NO_ENCODER)
            continue
        rows = _plain_rows(data)
        try:
            columns = _columns(data)
        except (ModelError, MissingExtraError) as error:
            yield Cell(table, "every row", data.title, None, None, None, str(error))
            continue
        theirs = {row: own.authors[rows] for row, own in columns.items() if own.authors is not None}
        right = {row: own.corrected[rows] for row, own in columns.items() if own.corrected is not None}
        left, ours = analyse(data, theirs, rows, True), analyse(data, right, rows, False)
        for row, column in ours:
            key = (row, column)
            yield Cell(table, row, column, None, left.get(key), ours[key], f"{why}; {UNREAD}")
    yield from _absent(study, table)


def _absent(study: Study, table: str) -> Iterator[Cell]:
    for title, reason in study.missing.items():
        yield Cell(table, "every row", title, None, None, None, reason)
