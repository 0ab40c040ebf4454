"""Differences between systems, whether they could be chance, and the kinds of sources that explain them."""

from __future__ import annotations

from ...comparison.results import Comparison
from ..document import Cell, Element, Group, Measured, Pair, PValue, Section, Table, Text, number
from ..runs import Runs


def section(runs: Runs) -> Section | None:
    """Of runs that were compared: the differences, the slices and the examples."""
    found = runs.comparison
    if found is None:
        return None
    chosen = (runs.main(), *runs.axes())  # first; the others follow in the order of the run
    one, other = ("first", "second") if found.baseline is None else ("system", "baseline")
    header = ["metric", one, other, "difference", "p", "p (Holm)", "wins", "ties", "losses"]
    rows: list[list[Cell]] = []
    for gap in sorted(found.gaps, key=lambda gap: gap.metric not in chosen):
        value = Measured.of(gap.value, gap.low, gap.high, runs.digits(gap.metric))
        tests = PValue(gap.p), PValue(gap.adjusted)
        rows.append([gap.metric, gap.first, gap.second, value, *tests, gap.wins, gap.ties, gap.losses])
    caption = f"{one.capitalize()} less {other}, on {found.sources:,} sources"
    parts: list[Element] = [Table("differences", caption, header, rows)]
    if found.slices:
        parts.append(Group("By kind of source", [slices_table(found)]))
    if found.examples:
        parts.append(Group(f"Where {found.examples[0].metric} differs most", _examples(runs, found), folded=True))
    return Section("differences", "Differences between systems", parts)


def slices_table(found: Comparison) -> Table:
    """Slices, for every pair of systems."""
    header = ["sources", "first", "second", "share", "difference", "elsewhere", "change", "p (Holm)"]
    rows: list[list[Cell]] = []
    for one in found.slices:
        change = Measured.of(one.value - one.elsewhere, one.low, one.high)
        values = f"{one.share:.0%}", one.value, one.elsewhere
        rows.append([one.slice, one.first, one.second, *values, change, PValue(one.adjusted)])
    return Table("slices", f"{found.slices[0].metric}: the difference on some sources and elsewhere", header, rows)


def _examples(runs: Runs, found: Comparison) -> list[Element]:
    samples = runs.scores.samples
    rows = {key: row for row, key in enumerate(zip(samples.systems, samples.ids, samples.sources, strict=True))}
    parts: list[Element] = [
        Text(["Marked: what the first system has and the second has not (underlined), and the other way"])
    ]
    for one in found.examples:
        row = rows.get((one.first, one.sample, one.source))
        if row is None:
            continue
        scores = [
            _score(runs, one.metric, score) + (f" ({note})" if note else "")
            for score, note in zip(one.scores, one.notes, strict=True)
        ]
        remark = f"{scores[0]}; {one.second}: {scores[1]}"
        parts.append(Pair(row, one.first, one.candidates[1], one.candidates[0], remark))
    return parts


def _score(runs: Runs, metric: str, score: float) -> str:
    if runs.criterion is not None and metric == runs.criterion.usable and score in (0, 1):
        return "usable" if score else "not usable"
    return number(score, runs.digits(metric))
