"""The tables of Shen et al. 2022, On the Evaluation Metrics for Paraphrase Generation, EMNLP.

Which rows and data sets a table holds is our reading where the paper's table could not be read; docs/reproduction.md.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

from ...benchmarks import benchmark
from ...compute.store import Store
from ...compute.workspace import Progress, Workspace
from ...errors import InputError, ModelError
from ...meta.statistics.correlation import Correlation, pearson, spearman
from ...metric import Floats
from ...metrics.overall.bert_ibleu import harmonic
from ...metrics.overall.parascore import ParaScore
from ..cells import Cell
from . import authors
from .columns import BETAS, SPACED, Column, DataSet, Part, attempt, both, label
from .printed import UNREAD, encoders, printed, readings

TABLES = (
    "Split",
    "Table 1",
    "Figures 1–2",
    "Tables 2–3",
    "Tables 4–8",
    "Table 9",
    "Table 10",
    "Table 13",
    "Appendix E",
)
STATISTICS = {"Pearson": pearson, "Spearman": spearman}
CHINESE = "m3e-small"  # the encoder for BQ-Para where it is here: it is not fetched unasked
WEIGHTS = "needs its weights: --encoder"
TURNED = "their code has 1 + SelfBLEU for 1 − SelfBLEU, which rewards a copy, and a BLEU that counts letters"
OTHER_CODE = "the number in the log does not come out of the published code and data"
OTHER_WEIGHTS = "the log has another number: other weights, versions or code"
NO_SWITCH = "the published code has no switch for it"
ABLATIONS: dict[str, dict[str, Any]] = {
    "without the threshold": {"threshold": False},
    "without diversity (ω = 0)": {"omega": 0.0},
    "Sim to the reference alone": {"similarity": "references"},
    "Sim to source and reference, their mean": {"similarity": "mean"},
}
Wanted = Callable[[str], bool]


class Study:
    """The data sets that are here, why others are not, and which weights the user has."""

    def __init__(self, folder: Path | None, models: Mapping[str, Sequence[str]], work: Workspace) -> None:
        self.barts = list(models.get("bart", ()))
        self.sets: list[DataSet] = []
        self.missing: dict[str, str] = {}
        known = {
            "twitter-para": ["default", *models.get("en", ())],
            "bq-para": [*([CHINESE] if _here(CHINESE) else []), *models.get("zh", ())],
        }
        for name, own in known.items():
            try:
                self.sets.append(DataSet(name, own, folder, work))
            except InputError as error:
                self.missing[benchmark(name).title] = str(error)
        if not self.sets:
            raise InputError(next(iter(self.missing.values())))


def reproduce(
    folder: Path | None = None,
    models: Mapping[str, Sequence[str]] | None = None,
    wanted: Wanted = lambda _: True,
    progress: Progress | None = None,
    figures: Path | None = None,
    *,
    overwrite: bool = False,
) -> list[Cell]:
    """Every wanted table, in the order of the paper; with `figures`, charts are drawn into that folder.

    `models` names weights that the user has beside the default encoder: encoders under `en` (for Twitter-Para) and `zh`
    (for BQ-Para), sequence-to-sequence models under `bart`.
    """
    from . import analyses

    work = Workspace(Store.default(), progress=progress)
    try:
        study = Study(folder, models or {}, work)
        if figures is not None:
            analyses.draw_figures(study, figures, overwrite=overwrite)
        makers: dict[str, Callable[[Study], Iterator[Cell]]] = {
            "Split": split,
            "Table 1": table_1,
            "Figures 1–2": analyses.figures_1_and_2,
            "Tables 2–3": analyses.tables_2_and_3,
            "Tables 4–8": analyses.tables_4_to_8,
            "Table 9": table_9,
            "Table 10": table_10,
            "Table 13": table_13,
            "Appendix E": analyses.appendix_e,
        }
        assert tuple(makers) == TABLES
        return [cell for table, make in makers.items() if wanted(table) for cell in make(study)]
    finally:
        work.close()


def split(study: Study) -> Iterator[Cell]:
    """The dev rows are the first tenth of the rows, not of the sources."""
    for data in study.sets:
        part, codes = data.part(extended=False), data.ratings.sources()
        shared = np.intersect1d(codes[part.dev], codes[part.test])
        rows = np.isin(codes[part.dev], shared).sum(), np.isin(codes[part.test], shared).sum()
        why = f"rows of one source in both parts: {rows[0]} in dev, {rows[1]} in test" if len(shared) else ""
        yield Cell("Split", "sources in dev and in test", data.title, None, float(len(shared)), 0.0, why)
    yield from _absent(study, "Split")


def table_1(study: Study) -> Iterator[Cell]:
    """The usual metrics and their reference-free forms on both data sets."""
    for data in study.sets:
        yield from _rows("Table 1", data, _usual(study, data), extended=False)
    yield from _absent(study, "Table 1")


def table_9(study: Study) -> Iterator[Cell]:
    """ParaScore, with ω chosen on the first tenth, beside the others, with and without copies of the source."""
    for data in study.sets:
        for extended in (False, True):
            part = data.part(extended=extended)
            columns = _usual(study, data) if extended else {}
            columns |= data.ibleu
            for encoder in data.encoders:
                columns |= attempt(both("ParaScore", encoder), _parascore, data, encoder, part)
            columns |= _unweighted(data, "ParaScore", columns)
            yield from _rows("Table 9", data, columns, extended=extended)
    yield from _absent(study, "Table 9")


def table_10(study: Study) -> Iterator[Cell]:
    """ParaScore with one of its parts left out; ω is chosen anew on the first tenth, except where it is 0."""
    for data in study.sets:
        for extended, encoder in product((False, True), data.encoders):
            rows = [f"{name}, {label(encoder)}" for name in ABLATIONS]
            columns = attempt(rows, _ablations, data, encoder, data.part(extended=extended))
            yield from _rows("Table 10", data, columns, extended=extended)
    yield from _absent(study, "Table 10")


def table_13(study: Study) -> Iterator[Cell]:
    """BERT-iBLEU with three weights of Sim."""
    for data in study.sets:
        for encoder in data.encoders:
            rows = [f"BERT-iBLEU, β = {beta:g}, {label(encoder)}" for beta in BETAS]
            yield from _rows("Table 13", data, attempt(rows, _bert_ibleu, data, encoder), extended=False)
    yield from _absent(study, "Table 13")


def _usual(study: Study, data: DataSet) -> dict[str, Column]:
    columns = dict(data.lexical)
    columns |= attempt(["METEOR", "METEOR.Free"], lambda: data.meteor)
    for encoder in data.encoders:
        columns |= attempt(both("BERTScore", encoder), data.bertscore, encoder)
    columns |= _unweighted(data, "BERTScore", columns)
    if data.chinese:
        return columns
    for model in study.barts:
        columns |= attempt(both("BARTScore", model), data.bartscore, model)
    if not study.barts:
        columns |= {row: Column(None, None, f"{WEIGHTS} bart=FOLDER") for row in ("BARTScore", "BARTScore.Free")}
    return columns


def _unweighted(data: DataSet, metric: str, known: Mapping[str, Column]) -> dict[str, Column]:
    """Rows of the encoders in the authors' log, and of ours for Chinese, that were not named and are not here."""
    prefix = "zh=" if data.chinese else ""
    return {
        row: Column(None, None, f"{WEIGHTS} {prefix}{encoder}")
        for encoder in [*encoders(data.title), *([CHINESE] if data.chinese else [])]
        for row in both(metric, encoder)
        if row not in known
    }


def _parascore(data: DataSet, encoder: str, part: Part) -> dict[str, Column]:
    found = {}
    for free, row in enumerate(both("ParaScore", encoder)):
        sims = [_nearer(data, encoder, free=bool(free), theirs=theirs) for theirs in (True, False)]
        diversity = [authors.diversity(data.distance), _diversity(data.distance)]
        tuned = [
            authors.tune(sim[part.dev], ds[part.dev], data.ratings.human[part.dev])
            for sim, ds in zip(sims, diversity, strict=True)
        ]
        why = f"ω: the dev rows choose {tuned[0].chosen:.2f}, their code goes on with {tuned[0].used:.2f}"
        found[row] = Column(
            sims[0] + tuned[0].used * diversity[0],
            sims[1] + tuned[1].chosen * diversity[1],
            f"{why}; {SPACED}" if data.chinese else why,
        )
    return found


def _nearer(data: DataSet, encoder: str, *, free: bool, theirs: bool) -> Floats:
    source = data.similarity(encoder, free=True, theirs=theirs)
    return source if free else np.maximum(source, data.similarity(encoder, free=False, theirs=theirs))


def _diversity(distance: Floats, gamma: float = authors.GAMMA) -> Floats:
    return np.where(distance > gamma, gamma, distance * (gamma + 1) / gamma - 1)


def _ablations(data: DataSet, encoder: str, part: Part) -> dict[str, Column]:
    return {f"{name}, {label(encoder)}": _ablated(data, encoder, part, own) for name, own in ABLATIONS.items()}


def _ablated(data: DataSet, encoder: str, part: Part, changes: Mapping[str, Any]) -> Column:
    chosen = ParaScore(**changes)
    source, reference = (data.similarity(encoder, free=free) for free in (True, False))
    sims = {"max": np.maximum(source, reference), "mean": (source + reference) / 2, "references": reference}
    sim = sims[chosen.similarity]
    diversity = _diversity(data.distance) if chosen.threshold else data.distance
    if "omega" in changes:
        return Column(None, sim, NO_SWITCH)
    omega = authors.tune(sim[part.dev], diversity[part.dev], data.ratings.human[part.dev]).chosen
    return Column(None, sim + omega * diversity, f"{NO_SWITCH}; ω = {omega:.2f}")


def _bert_ibleu(data: DataSet, encoder: str) -> dict[str, Column]:
    theirs, right = (data.similarity(encoder, free=True, theirs=way) for way in (True, False))
    copied = data.lexical["BLEU-4.Free"]
    assert copied.authors is not None
    assert copied.corrected is not None
    return {
        f"BERT-iBLEU, β = {beta:g}, {label(encoder)}": Column(
            authors.bert_ibleu(theirs, copied.authors, beta), harmonic(right, 1 - copied.corrected, beta), TURNED
        )
        for beta in BETAS
    }


def _rows(table: str, data: DataSet, columns: Mapping[str, Column], *, extended: bool) -> Iterator[Cell]:
    rows = data.part(extended=extended).test
    human = data.ratings.human[rows]
    title = f"{data.title}, extended" if extended else data.title
    for row, column in columns.items():
        for statistic, correlate in STATISTICS.items():
            theirs, right = (None if own is None else _value(correlate, own[rows], human) for own in column[:2])
            number = printed(row, data.title, statistic, extended=extended)
            reasons = [column.why] if column.why else []
            if number is None:
                reasons.append(UNREAD)
            elif theirs is not None and f"{theirs:.3f}" not in readings(row, data.title, statistic, extended=extended):
                reasons.append(OTHER_WEIGHTS if ", " in row else OTHER_CODE)
            yield Cell(table, row, f"{title} {statistic}", number, theirs, right, "; ".join(reasons))


def _value(correlate: Callable[[Floats, Floats], Correlation], scores: Floats, human: Floats) -> float:
    known = ~np.isnan(scores)
    return correlate(scores[known], human[known]).value


def _absent(study: Study, table: str) -> Iterator[Cell]:
    for title, reason in study.missing.items():
        yield Cell(table, "every row", title, None, None, None, reason)


def _here(name: str) -> bool:
    from ...models.hub.fetch import present_folder
    from ...models.hub.registry import entry_named

    try:
        return present_folder(entry_named(name)) is not None
    except ModelError:
        return False
