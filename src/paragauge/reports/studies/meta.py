"""Which metric to trust: agreement with people, its ceiling, and the analyses that take it apart."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from ...errors import InputError, MissingExtraError
from ...files.write import PathLike
from ...meta.analysis import Analysed, Request, analyse, analysis
from ...meta.charts import leaderboard_chart
from ...meta.leaderboard import Leaderboard
from ...meta.scored import RatedScores
from ..charts import drawn
from ..document import Element, Measured, PValue, Section, Table, Text, number
from ..page import save
from ..sections.about import of_study

# the analyses of a report: the titles of their sections, and the captions of their tables
ANALYSES = {
    "groups": ("By distance", "Agreement with people in each group"),
    "ability": ("What metrics see: meaning and wording", "Agreement where meaning alone, or wording alone, differs"),
    "copies": ("When candidates are copies", "Agreement with people by the share of copies"),
}


def write_meta_report(
    found: Leaderboard, scored: RatedScores, request: Request, *, output: PathLike, command: str = ""
) -> None:
    """A leaderboard with the analyses that its ratings allow; of the others it says why not."""
    analyses: list[Section] = []
    name = scored.ratings.name
    notes = found.remarks(name)
    for kind in ANALYSES:
        try:
            missing = [metric for metric in analysis(kind).needs(request.similarity) if metric not in scored.scores]
            if missing:
                notes.append(f"no analysis '{kind}': {missing[0]} is not among the metrics")
            else:
                analyses.append(_analysis(analyse(kind, scored, request), kind))
        except (InputError, MissingExtraError) as error:
            notes.append(f"no analysis '{kind}': {error}")
    sections = [
        Section("answer", "Answer", [Text([_sentence(found)], "answer"), *_noted(notes)]),
        _standings(found),
        _gaps(found),
        *analyses,
        of_study(command, scored.signatures.items()),
    ]
    save(output, f"Which metric to trust: {name}", sections)


def _sentence(found: Leaderboard) -> str:
    known = [row for row in found.standings if row.value == row.value and not row.sentinel]
    if not known:
        return "No metric has a defined agreement with the ratings."
    best = known[0]
    value = number(best.value, 3)
    if best.low == best.low:
        value += f" ({number(best.low, 3)} to {number(best.high, 3)})"
    tied = [row.metric for row in known[1:] if row.cluster == best.cluster]
    others = f"; {len(tied)} other{'s are' if len(tied) > 1 else ' is'} not significantly worse: {', '.join(tied[:5])}"
    level = "" if found.level == "pooled" else f" by {found.level}"
    return f"{best.metric} agrees best with people: {found.statistic}{level} {value}{others if tied else ''}."


def _noted(notes: Sequence[str]) -> list[Element]:
    return [Text(list(notes), "note")] if notes else []


def _standings(found: Leaderboard) -> Section:
    main = found.statistic if found.level == "pooled" else f"{found.statistic} by {found.level}"
    others = {"pearson": "pearson", "spearman": "spearman", "kendall": "kendall-b"}
    others = {field: name for field, name in others.items() if name != main}
    others |= {"within": "within source", "accuracy": "pairwise"}
    rows: list[list[Any]] = []
    for row in found.standings:
        name = f"{row.metric} (sentinel)" if row.sentinel else row.metric
        value = Measured.of(row.value, row.low, row.high, best=row.cluster == 1)
        rows.append([name, value, row.cluster, *(getattr(row, field) for field in others)])
    ceiling = "; the dashed line is the ceiling that raters set" if found.ceiling == found.ceiling else ""
    chart = (lambda _: leaderboard_chart(found)), f"agreement of each metric with people{ceiling}"
    header = ["metric", main, "cluster", *others.values()]
    table = Table("standings", f"Agreement with people, {found.rows:,} rows", header, rows)
    return Section("standings", "Metrics by agreement", [*drawn(chart), table])


def _gaps(found: Leaderboard) -> Section:
    rows: list[list[Any]] = [
        [gap.better, gap.worse, Measured.of(gap.value, gap.low, gap.high), PValue(gap.p), PValue(gap.adjusted)]
        for gap in found.gaps
    ]
    table = Table("differences", "All pairs of metrics", ["better", "worse", "difference", "p", "p (Holm)"], rows)
    return Section("differences", "Differences between metrics", [table])


def _analysis(found: Analysed, kind: str) -> Section:
    title, caption = ANALYSES[kind]
    charts = [(partial(_call, chart), f"{title}; the table has the numbers") for chart in found.charts.values()]
    header, rows = (found.header, found.rows) if found.wide is None else found.wide
    return Section(kind, title, [*_noted(found.notes), *drawn(*charts), Table(kind, caption, header, rows)])


def _call(chart: Any, _: Any) -> Any:
    return chart()
