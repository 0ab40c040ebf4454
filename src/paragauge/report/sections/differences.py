"""Differences between systems, whether they could be chance, and the kinds of sources that explain them."""

from __future__ import annotations

from ...comparison.results import Comparison
from ...stats.interval import Estimate
from ..document import Group, Measured, Pair, Part, PValue, Section, Table, Text, number
from ..runs import Runs


def section(runs: Runs) -> Section | None:
    found = runs.comparison
    if found is None:
        return None
    chosen = (runs.main(), *runs.axes())  # first; the others follow in the order of the run
    one, other = ("first", "second") if found.baseline is None else ("system", "baseline")
    parts: list[Part] = [
        Table(
            "differences",
            f"{one.capitalize()} less {other}, on {found.sources:,} sources",
            ["metric", one, other, "difference", "p", "p (Holm)", "wins", "ties", "losses"],
            [
                [
                    gap.metric,
                    gap.first,
                    gap.second,
                    Measured(Estimate.of(gap.value, gap.low, gap.high), runs.digits(gap.metric)),
                    PValue(gap.p),
                    PValue(gap.adjusted),
                    gap.wins,
                    gap.ties,
                    gap.losses,
                ]
                for gap in sorted(found.gaps, key=lambda gap: gap.metric not in chosen)
            ],
        )
    ]
    if found.slices:
        parts.append(Group("By kind of source", [slices_table(found)]))
    if found.examples:
        parts.append(Group(f"Where {found.examples[0].metric} differs most", _examples(runs), folded=True))
    return Section("differences", "Differences between systems", parts)


def slices_table(found: Comparison) -> Table:
    """Slices, for every pair of systems."""
    return Table(
        "slices",
        f"{found.slices[0].metric}: the difference on some sources and elsewhere",
        ["sources", "first", "second", "share", "difference", "elsewhere", "change", "p (Holm)"],
        [
            [
                one.slice,
                one.first,
                one.second,
                f"{one.share:.0%}",
                one.value,
                one.elsewhere,
                Measured(Estimate.of(one.value - one.elsewhere, one.low, one.high)),
                PValue(one.adjusted),
            ]
            for one in found.slices
        ],
    )


def _examples(runs: Runs) -> list[Part]:
    assert runs.comparison is not None
    samples = runs.scores.samples
    rows = {key: row for row, key in enumerate(zip(samples.systems, samples.ids, samples.sources, strict=True))}
    parts: list[Part] = [
        Text(["Marked: what the first system has and the second has not (underlined), and the other way"])
    ]
    for one in runs.comparison.examples:
        row = rows.get((one.first, one.sample, one.source))
        if row is None:
            continue
        told = [
            _score(runs, one.metric, score) + (f" ({note})" if note else "")
            for score, note in zip(one.scores, one.notes, strict=True)
        ]
        scores = f"{told[0]}; {one.second}: {told[1]}"
        parts.append(Pair(row, one.first, one.candidates[1], one.candidates[0], scores))
    return parts


def _score(runs: Runs, metric: str, score: float) -> str:
    if runs.criterion is not None and metric == runs.criterion.usable and score in (0, 1):
        return "usable" if score else "not usable"
    return number(score, runs.digits(metric))
