"""The tables of Bawden et al. 2020, "A Study in Improving BLEU Reference Coverage with Diverse Automatic Paraphrasing".

Every number of the authors' published LaTeX tables beside what is computed here: as their code does it, and done right.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...compute.workspace import Progress, silent
from ...errors import InputError
from ...references import wmt
from ...references.diversity import syntax_diversity, word_diversity
from ...references.gains import ALPHA
from ...references.task import read_lines
from ..cells import Cell
from .evidence import Evidence, Level, Method
from .latex import Printed, Row, read_table

Floats = NDArray[np.float64]
PAIRS = ("de-en", "fi-en", "gu-en", "kk-en", "lt-en", "ru-en", "zh-en")
NO_METHOD = {
    "4-gram": "the constrained paraphrases and their scores are not published (an average of ten runs)",
    "4-grams": "the constrained paraphrases and their scores are not published (an average of ten runs)",
    "WMT-19 best": "the scores of other metrics at WMT 2019 are not in the data",
    "Multiple": "the scores of other metrics at WMT 2019 are not in the data",
}
NO_RANKINGS = (
    "needs the human rankings of all segments and the metric's scores of them; published are the first 500 of de-en"
)
UNJUDGED = (
    "the authors' script correlates the two metrics over all {outputs} outputs, but each metric with people over the "
    "{judged} that were judged; here all three over the judged"
)
FIRST_LINE = (
    "the rankings have no header, but the authors' script takes the first line for one: one ranking of {rankings:,} is "
    "lost"
)
FEW_DRAWS = (
    "the authors' bootstrap draws as many rankings as there are segments ({segments} of {rankings:,}), one by one; "
    "here segments are drawn, with all their rankings"
)


class Source(NamedTuple):
    """A table: its file, what it is of, and how its numbers are printed."""

    file: str
    table: str
    metric: str
    digits: int
    relative: bool = False


RAW_SYSTEM = (
    Source("parbleu-newstest2019-raw-syslevel.tex", "Table 7a, BLEU, system level", "bleu", 3),
    Source("parmeteor-newstest2019-raw-syslevel.tex", "Tables 8–9, Meteor, system level", "meteor", 3),
)
RAW_SEGMENT = (
    Source("parbleu-newstest2019-raw-seglevel.tex", "Table 7b, BLEU, segment level", "bleu", 3),
    Source("parmeteor-newstest2019-raw-seglevel.tex", "Tables 8–9, Meteor, segment level", "meteor", 3),
)
SUBSET = Source("parbleu-newstest2019-raw-500-subsample.tex", "Table 6, BLEU, 500 segments", "bleu", 3)
SUMMARIES = (
    Source("parbleu-newstest2019-summary.tex", "gains of BLEU", "bleu", 2, relative=True),
    Source("parmeteor-newstest2019-summary.tex", "gains of Meteor", "meteor", 3),
)


def reproduce(data: Path, progress: Progress = silent) -> list[Cell]:
    """Every cell of the published tables, and the figures of the text that can be computed; `data` holds wmt19."""
    folder = data / "wmt19" if (data / "wmt19").is_dir() else data
    latex = folder / "published" / "latex-correlation-results"
    if not latex.is_dir():
        raise InputError(f"{folder} has no published/latex-correlation-results; expected the WMT19 data with it")
    evidence = Evidence(folder)
    parts: list[Callable[[], Iterator[Cell]]] = [
        *(lambda source=source: _raw_system(latex, source, evidence) for source in RAW_SYSTEM),
        *(lambda source=source: _raw_segment(latex, source, evidence) for source in RAW_SEGMENT),
        lambda: _subset(latex, SUBSET, evidence),
        *(lambda source=source: _summary(latex, source, evidence) for source in SUMMARIES),
        lambda: _decisions(evidence),
        lambda: _diversity(folder),
    ]
    cells: list[Cell] = []
    for done, part in enumerate(parts):
        progress("computing tables", done, len(parts))
        cells += part()
    progress("computing tables", len(parts), len(parts))
    return cells


def method_of(row: Row) -> Method | None:
    """Which paraphrases a row is of; None where their scores are not published."""
    if row.method in NO_METHOD:
        return None
    if row.group == "Baseline":
        return Method("baseline", 0)
    if "Human" in (row.group, row.method):
        return Method("human", 5)
    extras = int(row.group.partition("(+")[2].rstrip(")"))
    if row.group.startswith("Output-specific"):
        return Method(f"output-specific {row.method}", 1)
    return Method(row.method, extras)


def _label(row: Row) -> str:
    return " ".join(filter(None, (row.group, row.method)))


def _mark(source: str, row: str, column: str, printed: Printed, p: tuple[float, float], why: str) -> Cell:
    """The significance of a number: bold in the table, a p-value here."""
    authors, corrected = p
    differ = authors != corrected
    return Cell(
        source,
        row,
        f"{column}, p",
        f"{'≤' if printed.bold else '>'} {ALPHA}",
        authors,
        corrected,
        why if differ else "",
    )


def _raw_system(latex: Path, source: Source, evidence: Evidence) -> Iterator[Cell]:
    for row in read_table(latex / source.file):
        if row.group == "Approach":
            yield from _numbers_of_systems(source, row, evidence)
            continue
        method, label = method_of(row), _label(row)
        values = []
        for pair, printed in zip(PAIRS, row.cells, strict=False):
            if method is None:
                yield Cell(source.table, label, pair, printed.text, None, None, NO_METHOD[row.method])
                continue
            found = evidence.system(source.metric, method, "syslevel", pair)
            values.append(found.value)
            yield Cell(source.table, label, pair, printed.text, found.value, found.value, "")
            if method.name != "baseline":
                why = UNJUDGED.format(outputs=found.outputs, judged=found.judged)
                yield _mark(source.table, label, pair, printed, (found.authors_p, found.p), why)
        average = float(np.mean(values)) if values else None
        why = "" if values else NO_METHOD[row.method]
        yield Cell(source.table, label, "Ave", row.cells[len(PAIRS)].text, average, average, why)


def _numbers_of_systems(source: Source, row: Row, evidence: Evidence) -> Iterator[Cell]:
    for pair, printed in zip(PAIRS, row.cells, strict=True):
        outputs, judged = evidence.outputs(pair), evidence.judged(pair)
        why = "" if outputs == judged else f"{outputs - judged} of the systems has no human score and cannot enter"
        yield Cell(source.table, "systems", pair, printed.text, outputs, judged, why)


def _raw_segment(latex: Path, source: Source, evidence: Evidence) -> Iterator[Cell]:
    for row in read_table(latex / source.file):
        if row.group == "Approach":
            for pair, printed in zip(PAIRS, row.cells, strict=True):
                number = evidence.outputs(pair) * evidence.segments(pair)
                yield Cell(source.table, "outputs", pair, printed.text, number, number, "")
            continue
        why = NO_METHOD.get(row.method, NO_RANKINGS)
        for pair, printed in zip((*PAIRS, "Ave"), row.cells, strict=True):
            yield Cell(source.table, _label(row), pair, printed.text, None, None, why)


def _subset(latex: Path, source: Source, evidence: Evidence) -> Iterator[Cell]:
    for row in read_table(latex / source.file):
        method, label = method_of(row), _label(row) if row.method != "Human" else "Human"
        system, segment = row.cells
        if method is None:
            for column, printed in (("System", system), ("Segment", segment)):
                yield Cell(source.table, label, column, printed.text, None, None, NO_METHOD[row.method])
            continue
        found = evidence.system(source.metric, method, "syslevel.500", "de-en")
        yield Cell(source.table, label, "System", system.text, found.value, found.value, "")
        level = evidence.segment(source.metric, method)
        why = FIRST_LINE.format(rankings=level.rankings)
        yield Cell(source.table, label, "Segment", segment.text, level.authors, level.value, why)
        if method.name != "baseline":
            yield _mark(source.table, label, "System", system, (found.authors_p, found.p), "")
            yield _mark(source.table, label, "Segment", segment, (level.authors_p, level.p), _few(level))


def _few(level: Level) -> str:
    return FEW_DRAWS.format(segments=level.segments, rankings=level.rankings - 1)


def _summary(latex: Path, source: Source, evidence: Evidence) -> Iterator[Cell]:
    rows = read_table(latex / source.file)
    labels = [row for row in rows if row.part == 0]
    for row in labels:
        yield from _summary_row(source, row, evidence)
    # the table at the side has no labels of its own: one line for each to its left, then people, then the best metric
    names = [row for row in labels if row.group not in ("Human", "WMT-19 best")]
    extra = [Row(1, "Human", "", []), Row(1, "WMT-19 best", "Multiple", [])]
    table = f"{source.table}, 500 segments"
    for name, row in zip((*names, *extra), (row for row in rows if row.part == 1), strict=True):
        method = method_of(name)
        for column, printed in zip(("System", "Segment"), row.cells, strict=True):
            if printed.text is None:
                continue
            if method is None:
                yield Cell(table, _label(name), column, printed.text, None, None, NO_METHOD[name.method])
            elif column == "System":
                found = evidence.system(source.metric, method, "syslevel.500", "de-en")
                gain = _gain(found.baseline, found.value, source.relative)
                yield Cell(table, _label(name), column, printed.text, gain, gain, "")
                yield _mark(table, _label(name), column, printed, (found.authors_p, found.p), "")
            else:
                level = evidence.segment(source.metric, method)
                first = evidence.segment(source.metric, Method("baseline", 0))
                gains = [
                    _gain(before, after, source.relative)
                    for before, after in ((first.authors, level.authors), (first.value, level.value))
                ]
                why = FIRST_LINE.format(rankings=level.rankings)
                yield Cell(table, _label(name), column, printed.text, gains[0], gains[1], why)
                yield _mark(table, _label(name), column, printed, (level.authors_p, level.p), _few(level))


def _summary_row(source: Source, row: Row, evidence: Evidence) -> Iterator[Cell]:
    label = _label(row)
    if row.group == "Human":
        return  # dashes: there are human paraphrases for 500 segments only
    method = method_of(row)
    names = [f"{level} {what}" for level in ("System", "Segment") for what in ("Ave.", "Min", "Max")]
    for name, printed in zip(names[3:], row.cells[3:], strict=True):
        why = NO_METHOD.get(row.method, NO_RANKINGS)
        yield Cell(source.table, label, name, printed.text, None, None, why)
    if method is None:
        for name, printed in zip(names, row.cells[:3], strict=False):
            yield Cell(source.table, label, name, printed.text, None, None, NO_METHOD[row.method])
        return
    found = {pair: evidence.system(source.metric, method, "syslevel", pair) for pair in PAIRS}
    gains = {pair: _gain(one.baseline, one.value, source.relative) for pair, one in found.items()}
    lowest, highest = min(PAIRS, key=gains.__getitem__), max(PAIRS, key=gains.__getitem__)
    values = (float(np.mean(list(gains.values()))), gains[lowest], gains[highest])
    for name, printed, value, pair in zip(names, row.cells, values, (None, lowest, highest), strict=False):
        yield Cell(source.table, label, name, printed.text, value, value, "")
        if pair is not None:
            why = UNJUDGED.format(outputs=found[pair].outputs, judged=found[pair].judged)
            yield _mark(source.table, label, name, printed, (found[pair].authors_p, found[pair].p), why)


def _gain(before: float, after: float, relative: bool) -> float:
    return 100 * (after / before - 1) if relative else after - before


def _decisions(evidence: Evidence) -> Iterator[Cell]:
    """Of the text: what the human paraphrases change of the 21,789 decisions."""
    changed = evidence.human_changes()
    for column, printed, share in (
        ("improved", "8.30", changed.improved_share),
        ("degraded", "6.46", changed.degraded_share),
    ):
        yield Cell("decisions, BLEU, 500 segments", "Human", column, printed, 100 * share, 100 * share, "")


def _diversity(folder: Path) -> Iterator[Cell]:
    """Diversity of the human paraphrases; of the automatic ones there are no texts."""
    place = folder / "human-paraphrases"
    texts = [read_lines(path) for path in wmt.extra_files(place, "de-en")]
    parses = [read_lines(path) for path in sorted(place.glob("deen-*.en.parse"))]
    yield Cell(
        "diversity, 500 segments", "Human", "DS-BOW", "0.795", word_diversity(parses).value,
        word_diversity(texts).value, "the published figure is of the parses, cut into words as if they were texts",
    )  # fmt: skip
    yield Cell(
        "diversity, 500 segments", "Human", "DS-tree", "0.681", None, syntax_diversity(parses).value,
        "the authors' tree kernel is a tool of their own that is not public",
    )  # fmt: skip
