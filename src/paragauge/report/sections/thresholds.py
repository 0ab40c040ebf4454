"""How many candidates would be usable at other thresholds."""

from __future__ import annotations

import numpy as np

from ..charts import MISSING, altair, drawn, share_chart
from ..document import Cell, Grid, Group, Part, Raw, Section, Share, Table, Text
from ..runs import Runs

_FINE = np.linspace(0, 1, 51)
_COARSE = np.linspace(0, 1, 11)


def section(runs: Runs) -> Section | None:
    standing = runs.standing
    if standing is None:
        return None
    limits = standing.criterion.thresholds
    if not any(standing.rows.values()):
        return None
    parts: list[Part] = [
        Text(["Where lines cross, other thresholds would put the systems in another order. Dashed: those of this run."])
    ]
    if altair() is None:
        parts.append(Text([MISSING], "note"))
    else:
        charts: list[Part] = []
        for title, own, fixed, pairs in (
            ("least meaning", limits.accept, f"words changed at least {limits.min_changed:g}",
             [(value, limits.min_changed) for value in _FINE]),
            ("least words changed", limits.min_changed, f"meaning at least {limits.accept:g}",
             [(limits.accept, value) for value in _FINE]),
        ):  # fmt: skip
            shares = [standing.shares(*pair) for pair in pairs]
            lines = {system: [one[system] for one in shares] for system in runs.systems}
            chart = share_chart(f"{title} ({fixed})", _FINE, lines, own)
            charts.append(drawn(chart, f"the usable share of each system by {title}, {fixed}"))
        parts += [Raw('<div class="legend" data-systems></div>'), Grid(charts)]
    grid = [[standing.shares(accept, changed) for changed in _COARSE] for accept in _COARSE]
    rows: list[list[Cell]] = [
        [system, float(accept), *(Share(shares[system]) for shares in line)]
        for system in runs.systems
        for accept, line in zip(_COARSE, grid, strict=True)
    ]
    header = ["system", "least meaning", *(f"changed ≥ {changed:.1f}" for changed in _COARSE)]
    table = Table(
        "sensitivity", "Usable share by least meaning (down) and least words changed (across)", header, rows, 1
    )
    parts.append(Group("As numbers", [table], folded=altair() is not None))
    return Section("thresholds", "At other thresholds", parts)
