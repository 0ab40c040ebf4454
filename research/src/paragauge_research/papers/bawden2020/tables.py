"""The tables of Bawden et al. 2020 that their authors published as LaTeX files: gains and correlations."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from paragauge.stats.tests import ALPHA

from ..cells import Cell, Computed, cell
from .evidence import Evidence, Level, Method
from .published import Printed, Row, read_table

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
    Source("parmeteor-newstest2019-raw-syslevel.tex", "Table 9a, Meteor, system level", "meteor", 3),
)
RAW_SEGMENT = (
    Source("parbleu-newstest2019-raw-seglevel.tex", "Table 7b, BLEU, segment level", "bleu", 3),
    Source("parmeteor-newstest2019-raw-seglevel.tex", "Table 9b, Meteor, segment level", "meteor", 3),
)
SUBSET = Source("parbleu-newstest2019-raw-500-subsample.tex", "Table 6, BLEU, 500 segments", "bleu", 3)
SUMMARIES = (
    Source("parbleu-newstest2019-summary.tex", "Table 3, BLEU, relative gains in percent", "bleu", 2, relative=True),
    Source("parmeteor-newstest2019-summary.tex", "Table 8, Meteor, gains", "meteor", 3),
)


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


def _cell(
    table: str, row: str, column: str, printed: str | None, authors: float | None, corrected: float | None, why: str
) -> Cell:
    return cell(table, row, column, printed, Computed(authors, corrected, why))


def _absent(table: str, row: str, columns: Sequence[str], cells: Sequence[Printed], why: str) -> Iterator[Cell]:
    """What is printed and cannot be computed."""
    for column, printed in zip(columns, cells, strict=True):
        yield _cell(table, row, column, printed.text, None, None, why)


def _mark(table: str, row: str, column: str, printed: Printed, p: tuple[float, float], why: str) -> Cell:
    """The significance of a number: bold in the table, a p-value here; the authors' and the right one."""
    shown = f"{'≤' if printed.bold else '>'} {ALPHA}"
    return _cell(table, row, f"{column}, p", shown, *p, why if p[0] != p[1] else "")


def _raw_system(latex: Path, source: Source, evidence: Evidence) -> Iterator[Cell]:
    for row in read_table(latex / source.file):
        if row.group == "Approach":
            yield from _numbers_of_systems(source, row, evidence)
            continue
        method, label = method_of(row), _label(row)
        if method is None:
            yield from _absent(source.table, label, (*PAIRS, "Ave"), row.cells, NO_METHOD[row.method])
            continue
        values = []
        for pair, printed in zip(PAIRS, row.cells, strict=False):
            found = evidence.system(source.metric, method, "syslevel", pair)
            values.append(found.value)
            yield _cell(source.table, label, pair, printed.text, found.value, found.value, "")
            if method.name != "baseline":
                why = UNJUDGED.format(outputs=found.outputs, judged=found.judged)
                yield _mark(source.table, label, pair, printed, (found.authors_p, found.p), why)
        average = float(np.mean(values))
        yield _cell(source.table, label, "Ave", row.cells[len(PAIRS)].text, average, average, "")


def _numbers_of_systems(source: Source, row: Row, evidence: Evidence) -> Iterator[Cell]:
    for pair, printed in zip(PAIRS, row.cells, strict=True):
        outputs, judged = evidence.outputs(pair), evidence.judged(pair)
        why = "" if outputs == judged else f"{outputs - judged} of the systems has no human score and cannot enter"
        yield _cell(source.table, "systems", pair, printed.text, outputs, judged, why)


def _raw_segment(latex: Path, source: Source, evidence: Evidence) -> Iterator[Cell]:
    for row in read_table(latex / source.file):
        if row.group == "Approach":
            for pair, printed in zip(PAIRS, row.cells, strict=True):
                number = evidence.outputs(pair) * evidence.segments(pair)
                yield _cell(source.table, "outputs", pair, printed.text, number, number, "")
            continue
        why = NO_METHOD.get(row.method, NO_RANKINGS)
        yield from _absent(source.table, _label(row), (*PAIRS, "Ave"), row.cells, why)


def _subset(latex: Path, source: Source, evidence: Evidence) -> Iterator[Cell]:
    for row in read_table(latex / source.file):
        method, label = method_of(row), _label(row) if row.method != "Human" else "Human"
        system, segment = row.cells
        if method is None:
            yield from _absent(source.table, label, ("System", "Segment"), row.cells, NO_METHOD[row.method])
            continue
        found = evidence.system(source.metric, method, "syslevel.500", "de-en")
        yield _cell(source.table, label, "System", system.text, found.value, found.value, "")
        level = evidence.segment(source.metric, method)
        why = FIRST_LINE.format(rankings=level.rankings)
        yield _cell(source.table, label, "Segment", segment.text, level.authors, level.value, why)
        if method.name != "baseline":
            yield _mark(source.table, label, "System", system, (found.authors_p, found.p), "")
            yield _mark(source.table, label, "Segment", segment, (level.authors_p, level.p), _few(level))


def _few(level: Level) -> str:
    return FEW_DRAWS.format(segments=level.segments, rankings=level.rankings - 1)


def _summary(latex: Path, source: Source, evidence: Evidence) -> Iterator[Cell]:
    for row in read_table(latex / source.file):
        if row.part == 0:
            yield from _summary_row(source, row, evidence)


def _summary_of_subset(latex: Path, source: Source, evidence: Evidence) -> Iterator[Cell]:
    """The table at the side, without labels: a line for each to its left, then people, then the best metric."""
    rows = read_table(latex / source.file)
    names = [row for row in rows if row.part == 0 and row.group not in ("Human", "WMT-19 best")]
    extra = [Row(1, "Human", "", []), Row(1, "WMT-19 best", "Multiple", [])]
    table = f"{source.table}, 500 segments"
    for name, row in zip((*names, *extra), (row for row in rows if row.part == 1), strict=True):
        method = method_of(name)
        for column, printed in zip(("System", "Segment"), row.cells, strict=True):
            if printed.text is None:
                continue
            if method is None:
                yield _cell(table, _label(name), column, printed.text, None, None, NO_METHOD[name.method])
                continue
            gains, p, why, reason = gains_of_subset(evidence, source.metric, method, column, source.relative)
            yield _cell(table, _label(name), column, printed.text, *gains, why)
            yield _mark(table, _label(name), column, printed, p, reason)


class Gains(NamedTuple):
    """A gain on the 500 segments: the authors' and the right one, p-values, and why each two differ."""

    values: tuple[float, float]
    p: tuple[float, float]
    why: str
    why_p: str


def gains_of_subset(evidence: Evidence, metric: str, method: Method, level: str, relative: bool) -> Gains:
    """Over the reference alone, of systems or of segments."""
    if level == "System":
        found = evidence.system(metric, method, "syslevel.500", "de-en")
        gain = _gain(found.baseline, found.value, relative)
        return Gains((gain, gain), (found.authors_p, found.p), "", "")
    first, last = evidence.segment(metric, Method("baseline", 0)), evidence.segment(metric, method)
    gains = (_gain(first.authors, last.authors, relative), _gain(first.value, last.value, relative))
    return Gains(gains, (last.authors_p, last.p), FIRST_LINE.format(rankings=last.rankings), _few(last))


def gains_of_pairs(evidence: Evidence, metric: str, method: Method, relative: bool) -> dict[str, float]:
    """Over the reference alone, of systems, for each language pair."""
    found = {pair: evidence.system(metric, method, "syslevel", pair) for pair in PAIRS}
    return {pair: _gain(one.baseline, one.value, relative) for pair, one in found.items()}


def _summary_row(source: Source, row: Row, evidence: Evidence) -> Iterator[Cell]:
    label = _label(row)
    if row.group == "Human":
        return  # dashes: there are human paraphrases for 500 segments only
    method = method_of(row)
    names = [f"{level} {what}" for level in ("System", "Segment") for what in ("Ave.", "Min", "Max")]
    yield from _absent(source.table, label, names[3:], row.cells[3:], NO_METHOD.get(row.method, NO_RANKINGS))
    if method is None:
        yield from _absent(source.table, label, names[:3], row.cells[:3], NO_METHOD[row.method])
        return
    found = {pair: evidence.system(source.metric, method, "syslevel", pair) for pair in PAIRS}
    gains = gains_of_pairs(evidence, source.metric, method, source.relative)
    lowest, highest = min(PAIRS, key=gains.__getitem__), max(PAIRS, key=gains.__getitem__)
    values = (float(np.mean(list(gains.values()))), gains[lowest], gains[highest])
    for name, printed, value, pair in zip(names, row.cells, values, (None, lowest, highest), strict=False):
        yield _cell(source.table, label, name, printed.text, value, value, "")
        if pair is not None:
            why = UNJUDGED.format(outputs=found[pair].outputs, judged=found[pair].judged)
            yield _mark(source.table, label, name, printed, (found[pair].authors_p, found[pair].p), why)


def _gain(before: float, after: float, relative: bool) -> float:
    return 100 * (after / before - 1) if relative else after - before


Maker = Callable[[Path, Evidence], Iterator[Cell]]


def _maker(make: Callable[[Path, Source, Evidence], Iterator[Cell]], source: Source) -> Maker:
    return lambda latex, evidence: make(latex, source, evidence)


TABLES: dict[str, Maker] = {
    SUBSET.table: _maker(_subset, SUBSET),
    **{source.table: _maker(_raw_system, source) for source in RAW_SYSTEM},
    **{source.table: _maker(_raw_segment, source) for source in RAW_SEGMENT},
    **{source.table: _maker(_summary, source) for source in SUMMARIES},
    **{f"{source.table}, 500 segments": _maker(_summary_of_subset, source) for source in SUMMARIES},
}
