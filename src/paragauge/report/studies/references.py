"""Do further references help a metric: gains, diversity against gain, coverage."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ...references.evaluation import Evaluation, Row, as_table
from ...stats.interval import Estimate
from ...visible import visible
from ..charts import COLOURS, MISSING, altair, svg_of
from ..document import Chart, Measured, Part, PValue, Section, Table, Text, number
from .about import of_study


def sections(
    found: Evaluation,
    metric: str,
    coverage: Mapping[str, tuple[Sequence[str], Sequence[Sequence[Any]]]],
    command: str = "",
) -> list[Section]:
    """The answer, the gains, diversity and gain, coverage by task, how it was measured."""
    made = [_answer(found, metric), _gains(found)]
    if (relation := _relation(found)) is not None:
        made.append(relation)
    if coverage:
        tables: list[Part] = [
            Table(
                f"coverage {name}", f"n-grams of the outputs that are matched: {name}", list(header), [*map(list, rows)]
            )
            for name, (header, rows) in coverage.items()
        ]
        made.append(Section("coverage", "Coverage", tables))
    made.append(of_study(command, [(metric, signature) for signature in found.signatures]))
    return made


def _answer(found: Evaluation, metric: str) -> Section:
    gains = [(float(row["gain"] or 0), row) for row in found.rows if isinstance(row.get("gain"), float)]
    up = sum(gain > 0 for gain, _ in gains)
    significant = sum(
        gain > 0 and isinstance(row.get("p"), float) and float(row["p"] or 0) <= 0.05 for gain, row in gains
    )
    mean = sum(gain for gain, _ in gains) / len(gains) if gains else 0.0
    sentence = (
        f"With further references {metric} agrees better with people in {up} of {len(gains)} cases, "
        f"by {number(mean, 3)} on average; {significant} of these gains have p ≤ 0.05 before correction."
    )
    parts: list[Part] = [Text([sentence], "answer")]
    if found.notes:
        parts.append(Text(found.notes, "note"))
    if found.summary:
        parts.append(Table("summary", "Over language pairs", *_shown(found.summary)))
    return Section("answer", "Answer", parts)


def _gains(found: Evaluation) -> Section:
    parts: list[Part] = []
    alt = altair()
    values = [_point(row) for row in found.rows if isinstance(row.get("gain"), float) and row["gain"] == row["gain"]]
    if alt is None:
        parts.append(Text([MISSING], "note"))
    elif values:
        sets = _sets(found)
        base = alt.Chart(alt.Data(values=values)).encode(
            y=alt.Y("pair:N", title=None),
            yOffset=alt.YOffset("set:N", sort=sets),
            color=alt.Color("set:N", title="references", scale=alt.Scale(domain=sets, range=_colours(len(sets)))),
        )
        chart = alt.layer(
            base.mark_rule(strokeWidth=2).encode(x=alt.X("low:Q", title="gain, with its 95% interval"), x2="high:Q"),
            base.mark_point(filled=True, size=55, opacity=1).encode(x="gain:Q"),
        ).properties(width=420, height=alt.Step(14)).configure_view(stroke=None)  # fmt: skip
        parts.append(
            Chart(svg_of(chart), "the gain of each language pair and number of references; the table has the numbers")
        )
    parts.append(Table("gains", "Gains by language pair and number of references", *_shown(found.rows)))
    return Section("gains", "Gains", parts)


def _shown(rows: Sequence[Row]) -> tuple[list[str], list[list[Any]]]:
    """As printed, but the interval of a gain below it, where it is one of rows."""
    header, lines = as_table(rows)
    if not {"gain", "low", "high"} <= set(header):
        return header, lines
    kept = [name for name in header if name not in ("low", "high")]
    shown: list[list[Any]] = []
    for line in lines:
        own = dict(zip(header, line, strict=True))
        own["gain"] = Measured(Estimate.of(own["gain"], own["low"], own["high"]))  # type: ignore[assignment,arg-type]
        if isinstance(own.get("p"), float):
            own["p"] = PValue(own["p"])  # type: ignore[assignment,arg-type]
        shown.append([own[name] for name in kept])
    return kept, shown


def _relation(found: Evaluation) -> Section | None:
    values = [
        _point(row) | {"diversity": row["diversity"]}
        for row in found.rows
        if isinstance(row.get("diversity"), float) and isinstance(row.get("gain"), float) and row["gain"] == row["gain"]
    ]
    alt = altair()
    if len(values) < 2 or alt is None:
        return None
    sets = _sets(found)
    chart = (
        alt.Chart(alt.Data(values=values))
        .mark_point(filled=True, size=60, opacity=0.9)
        .encode(
            x=alt.X("diversity:Q", title="diversity of the references (DS-BOW)", scale=alt.Scale(zero=False)),
            y=alt.Y("gain:Q", title="gain"),
            color=alt.Color("set:N", title="references", scale=alt.Scale(domain=sets, range=_colours(len(sets)))),
        )
        .properties(width=420, height=260)
        .configure_view(stroke=None)
    )
    return Section(
        "diversity", "Diversity and gain", [Chart(svg_of(chart), "diversity of the references against the gain")]
    )


def _point(row: Row) -> dict[str, Any]:
    low, high = (
        row[end] if isinstance(row.get(end), float) and row[end] == row[end] else row["gain"] for end in ("low", "high")
    )
    named = visible(f"{row['references']} +{row['extras']}")
    return {"pair": visible(str(row["pair"])), "set": named, "gain": row["gain"], "low": low, "high": high}


def _sets(found: Evaluation) -> list[str]:
    """Of all rows, so that a set has one colour in every chart."""
    return list(dict.fromkeys(_point(row)["set"] for row in found.rows))


def _colours(number_of: int) -> list[str]:
    return [COLOURS[place % len(COLOURS)] for place in range(number_of)]
