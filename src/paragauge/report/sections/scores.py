"""How the scores of each metric are spread, by system."""

from __future__ import annotations

import numpy as np

from ..charts import MISSING, altair, distribution_chart, drawn
from ..document import Grid, Group, Part, Raw, Section, Table, Text
from ..runs import Runs

_POINTS = (0, 5, 25, 50, 75, 95, 100)


def section(runs: Runs) -> Section:
    whose = np.array(runs.scores.samples.systems, dtype=object)
    own = {system: whose == system for system in runs.systems}
    parts: list[Part] = []
    if altair() is None:
        parts.append(Text([MISSING], "note"))
    else:
        charts: list[Part] = []
        for metric in runs.scores.columns:
            if runs.criterion is not None and metric == runs.criterion.usable:
                continue  # 1 or 0
            values = {system: runs.scores[metric][mask] for system, mask in own.items()}
            chart = distribution_chart(metric, values, runs.systems)
            if chart is not None:
                charts.append(
                    drawn(chart, f"the share of each system's rows by {metric}; the table below has the numbers")
                )
        parts += [Raw('<div class="legend" data-systems></div>'), Grid(charts)]
    rows: list[list[str | float | int | None]] = []
    for metric in runs.scores.columns:
        for system, mask in own.items():
            known = runs.scores[metric][mask]
            known = known[~np.isnan(known)]
            points = np.percentile(known, _POINTS).tolist() if len(known) else [None] * len(_POINTS)
            rows.append([metric, system, len(known), *points])
    header = ["metric", "system", "rows", "least", "5%", "25%", "median", "75%", "95%", "most"]
    table = Table("distributions", "Percentiles of the scores", header, rows)
    return Section(
        "distributions", "Distributions", [*parts, Group("As numbers", [table], folded=altair() is not None)]
    )
