"""Which metric to trust: agreement with people, its ceiling, and the analyses that take it apart."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ...errors import InputError
from ...meta.analysis import Analysed
from ...meta.charts.leaderboard import leaderboard_chart
from ...meta.leaderboard import Leaderboard
from ...stats.interval import Estimate
from ..charts import MISSING, altair, svg_of
from ..document import Chart, Measured, Part, PValue, Section, Table, Text, number
from .about import of_study

TITLES = {
    "groups": "By distance",
    "ability": "What metrics see: meaning and wording",
    "copies": "When candidates are copies",
}

# of the tables; not the titles again, by which a screen reader names the sections
CAPTIONS = {
    "groups": "Agreement with people in each group",
    "ability": "Agreement where meaning alone, or wording alone, differs",
    "copies": "Agreement with people by the share of copies",
}


def sections(
    found: Leaderboard,
    name: str,
    analyses: Mapping[str, Analysed],
    notes: Sequence[str],
    signatures: Mapping[str, str],
    command: str = "",
) -> list[Section]:
    """The answer, the standings and their differences, then one section for each analysis, and how it was measured."""
    return [
        Section("answer", "Answer", [Text([_sentence(found)], "answer"), *_noted([*found.remarks(name), *notes])]),
        _standings(found),
        _gaps(found),
        *(_analysis(analysis, TITLES.get(kind, kind), kind) for kind, analysis in analyses.items()),
        of_study(command, list(signatures.items())),
    ]


def _sentence(found: Leaderboard) -> str:
    known = [row for row in found.standings if row.value == row.value and not row.sentinel]
    if not known:
        return "No metric has a defined agreement with the ratings."
    best = known[0]
    beside = [row.metric for row in known[1:] if row.cluster == best.cluster]
    tied = (
        f"; {len(beside)} other{'s are' if len(beside) > 1 else ' is'} not significantly worse: {', '.join(beside[:5])}"
    )
    level = "" if found.level == "pooled" else f" by {found.level}"
    value = (
        f"{number(best.value, 3)} ({number(best.low, 3)} to {number(best.high, 3)})"
        if best.low == best.low
        else (number(best.value, 3))
    )
    return f"{best.metric} agrees best with people: {found.statistic}{level} {value}{tied if beside else ''}."


def _noted(notes: Sequence[str]) -> list[Part]:
    return [Text(list(notes), "note")] if notes else []


def _standings(found: Leaderboard) -> Section:
    main = found.statistic if found.level == "pooled" else f"{found.statistic} by {found.level}"
    others = {"pearson": "pearson", "spearman": "spearman", "kendall": "kendall-b"}
    others = {field: name for field, name in others.items() if name != main}
    others |= {"within": "within source", "accuracy": "pairwise"}
    rows: list[list[Any]] = [
        [
            f"{row.metric} (sentinel)" if row.sentinel else row.metric,
            Measured(Estimate.of(row.value, row.low, row.high), 3, row.cluster == 1),
            row.cluster,
            *(getattr(row, field) for field in others),
        ]
        for row in found.standings
    ]
    header = ["metric", main, "cluster", *others.values()]
    parts: list[Part] = []
    if altair() is None:
        parts.append(Text([MISSING], "note"))
    else:
        ceiling = "; the dashed line is the ceiling that raters set" if found.ceiling == found.ceiling else ""
        parts.append(Chart(svg_of(leaderboard_chart(found)), f"agreement of each metric with people{ceiling}"))
    parts.append(Table("standings", f"Agreement with people, {found.rows:,} rows", header, rows))
    return Section("standings", "Metrics by agreement", parts)


def _gaps(found: Leaderboard) -> Section:
    rows: list[list[Any]] = [
        [
            gap.better,
            gap.worse,
            Measured(Estimate.of(gap.value, gap.low, gap.high)),
            PValue(gap.p),
            PValue(gap.adjusted),
        ]
        for gap in found.gaps
    ]
    table = Table("differences", "All pairs of metrics", ["better", "worse", "difference", "p", "p (Holm)"], rows)
    return Section("differences", "Differences between metrics", [table])


def _analysis(found: Analysed, title: str, name: str) -> Section:
    parts: list[Part] = [*_noted(found.notes)]
    if altair() is None:
        parts.append(Text([MISSING], "note"))
    else:
        parts += [_drawn(chart, f"{title}; the table has the numbers") for chart in found.charts.values()]
    header, rows = (found.header, found.rows) if found.wide is None else found.wide
    parts.append(Table(name, CAPTIONS.get(name, f"{title}: the numbers"), header, rows))
    return Section(name, title, parts)


def _drawn(chart: Callable[[], Any], description: str) -> Part:
    try:
        return Chart(svg_of(chart()), description)
    except InputError as error:  # too few pairs for a point, say
        return Text([str(error)], "note")
