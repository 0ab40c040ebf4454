"""Rows without a score, and why."""

from __future__ import annotations

from collections import Counter

from ..document import Cell, Raw, Section, Table, Text, shown
from ..runs import Runs


def section(runs: Runs) -> Section | None:
    samples = runs.scores.samples
    counts: Counter[tuple[str, str, str]] = Counter()
    for metric, column in runs.scores.columns.items():
        for row, reason in column.reasons.items():
            counts[metric, samples.systems[row], reason] += 1
    if not counts:
        return None
    reasons = list(dict.fromkeys(reason for _, _, reason in counts))
    buttons = "".join(
        f'<button type="button" data-reason="{shown(reason)}">Show these pairs: {shown(reason)}</button>'
        for reason in reasons
    )
    rows: list[list[Cell]] = [
        [metric, system, reason, number] for (metric, system, reason), number in counts.most_common()
    ]
    return Section(
        "undefined",
        "Undefined scores",
        [
            Text(["A score that is undefined has a reason, and is never a made-up 0."]),
            Table("undefined", "Rows without a score", ["metric", "system", "reason", "rows"], rows),
            Raw(f'<div class="buttons">{buttons}</div>'),
        ],
    )
