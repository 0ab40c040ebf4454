"""The scores by themselves: how each metric's are spread, whether the metrics agree, and which rows have none."""

from __future__ import annotations

from collections import Counter
from functools import partial

import numpy as np

from ..charts import altair, distribution_chart, drawn_by_system, share_chart
from ..document import Cell, Group, Raw, Section, Share, Table, Text, shown
from ..runs import Runs

_POINTS = (0, 5, 25, 50, 75, 95, 100)


def distributions(runs: Runs) -> Section:
    """How the scores of each metric are spread, by system."""
    whose = np.array(runs.scores.samples.systems, dtype=object)
    by_metric = {
        metric: {system: runs.scores[metric][whose == system] for system in runs.systems}
        for metric in runs.scores.columns
    }
    usable = None if runs.criterion is None else runs.criterion.usable  # 1 or 0
    charts = [
        (
            partial(distribution_chart, metric=metric, scores=values),
            f"the share of each system's rows by {metric}; the table below has the numbers",
        )
        for metric, values in by_metric.items()
        if metric != usable and not np.isnan(runs.scores[metric]).all()
    ]
    rows: list[list[Cell]] = []
    for metric, values in by_metric.items():
        for system, own in values.items():
            known = own[~np.isnan(own)]
            points = np.percentile(known, _POINTS).tolist() if len(known) else [None] * len(_POINTS)
            rows.append([metric, system, len(known), *points])
    header = ["metric", "system", "rows", "least", "5%", "25%", "median", "75%", "95%", "most"]
    table = Table("distributions", "Percentiles of the scores", header, rows)
    numbers = Group("As numbers", [table], folded=altair() is not None)
    return Section("distributions", "Distributions", [*drawn_by_system(*charts), numbers])


def correlations(runs: Runs) -> Section | None:
    """How far the metrics say the same: their rank correlations."""
    metrics = list(runs.scores.columns)
    if len(metrics) < 2 or len(runs.scores) < 3:
        return None
    rows: list[list[Cell]] = [[one, *(Share(_rank_correlation(runs, one, two)) for two in metrics)] for one in metrics]
    table = Table("correlations", "Rank correlation of metrics", ["metric", *metrics], rows)
    about = Text(["Spearman's rank correlation over all rows that have both scores."])
    return Section("correlations", "Do the metrics agree?", [about, table])


def _rank_correlation(runs: Runs, one: str, two: str) -> float | None:
    from scipy.stats import rankdata

    first, second = runs.scores[one], runs.scores[two]
    known = ~np.isnan(first + second)
    if known.sum() < 3 or not np.ptp(first[known]) or not np.ptp(second[known]):
        return None
    return float(np.corrcoef(rankdata(first[known]), rankdata(second[known]))[0, 1])


def undefined(runs: Runs) -> Section | None:
    """Rows without a score, and why."""
    systems = runs.scores.samples.systems
    counts = Counter(
        (metric, systems[row], reason)
        for metric, column in runs.scores.columns.items()
        for row, reason in column.reasons.items()
    )
    if not counts:
        return None
    button = '<button type="button" data-reason="{0}">Show these pairs: {0}</button>'
    buttons = "".join(button.format(shown(reason)) for reason in dict.fromkeys(reason for _, _, reason in counts))
    rows: list[list[Cell]] = [[*kind, number] for kind, number in counts.most_common()]
    return Section(
        "undefined",
        "Undefined scores",
        [
            Text(["A score that is undefined has a reason, and is never a made-up 0."]),
            Table("undefined", "Rows without a score", ["metric", "system", "reason", "rows"], rows),
            Raw(f'<div class="buttons">{buttons}</div>'),
        ],
    )


_FINE = np.linspace(0, 1, 51)
_COARSE = np.linspace(0, 1, 11)


def thresholds(runs: Runs) -> Section | None:
    """Of runs with a verdict: the share as each threshold grows, and a table of both."""
    rows = runs.usable_rows
    if rows is None or not any(rows.counts.values()):
        return None
    limits = rows.criterion.thresholds
    accept, min_changed = limits.accept, limits.min_changed
    charts = []
    for title, own, fixed, pairs in (
        ("least meaning", accept, f"words changed at least {min_changed:g}", [(at, min_changed) for at in _FINE]),
        ("least words changed", min_changed, f"meaning at least {accept:g}", [(accept, at) for at in _FINE]),
    ):
        shares = [rows.shares(*pair) for pair in pairs]
        lines = {system: [one[system] for one in shares] for system in runs.systems}
        chart = partial(share_chart, title=f"{title} ({fixed})", at=_FINE, shares=lines, own=own)
        charts.append((chart, f"the usable share of each system by {title}, {fixed}"))
    grid = [[rows.shares(least, changed) for changed in _COARSE] for least in _COARSE]
    cells: list[list[Cell]] = [
        [system, float(least), *(Share(shares[system]) for shares in line)]
        for system in runs.systems
        for least, line in zip(_COARSE, grid, strict=True)
    ]
    header = ["system", "least meaning", *(f"changed ≥ {changed:.1f}" for changed in _COARSE)]
    caption = "Usable share by least meaning (down) and least words changed (across)"
    about = "Where lines cross, other thresholds would put the systems in another order. Dashed: those of this run."
    numbers = Group("As numbers", [Table("sensitivity", caption, header, cells, 1)], folded=altair() is not None)
    return Section("thresholds", "At other thresholds", [Text([about]), *drawn_by_system(*charts), numbers])
