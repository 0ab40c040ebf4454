"""Do additional references help a metric: gains, diversity against gain, coverage."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

from ...files.write import PathLike
from ...printable import printable
from ...references import wmt
from ...references.coverage import coverage_table
from ...references.evaluation import ReferenceEvaluation, Row, as_table
from ..charts import altair, colours, drawn
from ..document import Element, Measured, PValue, Section, Table, Text, number
from ..page import save
from ..sections.about import of_study


def write_references_report(
    found: ReferenceEvaluation,
    folder: Path,
    extra_folders: Sequence[Path],
    first: int | None,
    metric: str,
    *,
    output: PathLike,
    command: str = "",
) -> None:
    """Gains of additional references, and which n-grams of the outputs they match."""
    sections = [_answer(found, metric), *_gains(found)]
    coverage: list[Element] = []
    for place in extra_folders:
        for pair in dict.fromkeys(str(row["pair"]) for row in found.rows if row["references"] == place.name):
            task = wmt.read_pair(folder, pair, wmt.extra_files(place, pair), first)
            name = f"{place.name} {pair}"
            header, rows = coverage_table(task)
            caption = f"n-grams of the outputs that are matched: {name}"
            coverage.append(Table(f"coverage {name}", caption, list(header), [*map(list, rows)]))
    if coverage:
        sections.append(Section("coverage", "Coverage", coverage))
    sections.append(of_study(command, [(metric, signature) for signature in found.signatures]))
    save(output, f"Paraphrased references: {metric}", sections)


def _answer(found: ReferenceEvaluation, metric: str) -> Section:
    gains = [(float(row["gain"] or 0), row) for row in found.rows if isinstance(row.get("gain"), float)]
    up = sum(gain > 0 for gain, _ in gains)
    significant = sum(
        gain > 0 and isinstance(row.get("p"), float) and float(row["p"] or 0) <= 0.05 for gain, row in gains
    )
    mean = sum(gain for gain, _ in gains) / len(gains) if gains else 0.0
    sentence = (
        f"With additional references {metric} agrees better with people in {up} of {len(gains)} cases, "
        f"by {number(mean, 3)} on average; {significant} of these gains have p ≤ 0.05 before correction."
    )
    parts: list[Element] = [Text([sentence], "answer")]
    if found.notes:
        parts.append(Text(found.notes, "note"))
    if found.summary:
        parts.append(Table("summary", "Over language pairs", *_shown(found.summary)))
    return Section("answer", "Answer", parts)


def _gains(found: ReferenceEvaluation) -> list[Section]:
    """The gains and, where two or more are known with the diversity of their references, one against the other."""
    points = [_point(row) for row in found.rows if isinstance(row.get("gain"), float) and row["gain"] == row["gain"]]
    names = list(dict.fromkeys(_set(row) for row in found.rows))  # of all rows: one colour in every chart
    chart = partial(_gains_chart, points=points, names=names)
    about = "the gain of each language pair and number of references; the table has the numbers"
    charts = drawn((chart, about)) if points or altair() is None else []
    table = Table("gains", "Gains by language pair and number of references", *_shown(found.rows))
    sections = [Section("gains", "Gains", [*charts, table])]
    points = [point for point in points if isinstance(point["diversity"], float)]
    if len(points) > 1 and altair() is not None:
        chart = partial(_diversity_chart, points=points, names=names)
        parts = drawn((chart, "diversity of the references against the gain"))
        sections.append(Section("diversity", "Diversity and gain", parts))
    return sections


def _gains_chart(alt: Any, points: list[dict[str, Any]], names: list[str]) -> Any:
    base = alt.Chart(alt.Data(values=points)).encode(
        y=alt.Y("pair:N", title=None),
        yOffset=alt.YOffset("set:N", sort=names),
        color=alt.Color("set:N", title="references", scale=colours(alt, names)),
    )
    interval = base.mark_rule(strokeWidth=2).encode(x=alt.X("low:Q", title="gain, with its 95% interval"), x2="high:Q")
    gain = base.mark_point(filled=True, size=55, opacity=1).encode(x="gain:Q")
    return alt.layer(interval, gain).properties(width=420, height=alt.Step(14)).configure_view(stroke=None)


def _diversity_chart(alt: Any, points: list[dict[str, Any]], names: list[str]) -> Any:
    title = "diversity of the references (DS-BOW)"
    chart = alt.Chart(alt.Data(values=points)).mark_point(filled=True, size=60, opacity=0.9)
    chart = chart.encode(
        x=alt.X("diversity:Q", title=title, scale=alt.Scale(zero=False)),
        y=alt.Y("gain:Q", title="gain"),
        color=alt.Color("set:N", title="references", scale=colours(alt, names)),
    )
    return chart.properties(width=420, height=260).configure_view(stroke=None)


def _shown(rows: Sequence[Row]) -> tuple[list[str], list[list[Any]]]:
    """As printed, but the interval of a gain below it, where it is one of rows."""
    header, lines = as_table(rows)
    if not {"gain", "low", "high"} <= set(header):
        return header, lines
    kept = [name for name in header if name not in ("low", "high")]
    shown: list[list[Any]] = []
    for line in lines:
        own = dict(zip(header, line, strict=True))
        own["gain"] = Measured.of(own["gain"], own["low"], own["high"])  # type: ignore[assignment,arg-type]
        if isinstance(own.get("p"), float):
            own["p"] = PValue(own["p"])  # type: ignore[assignment,arg-type]
        shown.append([own[name] for name in kept])
    return kept, shown


def _point(row: Row) -> dict[str, Any]:
    ends = {end: row[end] if isinstance(row.get(end), float) and row[end] == row[end] else row["gain"]
            for end in ("low", "high")}  # fmt: skip
    point = {"pair": printable(str(row["pair"])), "set": _set(row), "gain": row["gain"], **ends}
    return point | {"diversity": row.get("diversity")}


def _set(row: Row) -> str:
    return printable(f"{row['references']} +{row['extras']}")
