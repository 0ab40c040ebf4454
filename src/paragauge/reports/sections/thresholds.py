"""How many candidates would be usable at other thresholds."""

from __future__ import annotations

from functools import partial

import numpy as np

from ..charts import altair, drawn_by_system, share_chart
from ..document import Cell, Group, Section, Share, Table, Text
from ..runs import Runs

_FINE = np.linspace(0, 1, 51)
_COARSE = np.linspace(0, 1, 11)


def section(runs: Runs) -> Section | None:
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
