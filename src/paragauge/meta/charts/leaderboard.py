"""The leaderboard as a chart."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from ...errors import InputError
from ..leaderboard import Leaderboard
from .drawing import load_altair
from .style import COLOURS, INK, check_some, domain_of, interval_ends, styled


def leaderboard_chart(found: Leaderboard) -> Any:
    """Every metric with its interval, from best to worst."""
    names = [f"{row.metric} (sentinel)" if row.sentinel else row.metric for row in found.standings]
    values, lows, highs = ([getattr(row, field) for row in found.standings] for field in ("value", "low", "high"))
    level = "" if found.level == "pooled" else f" by {found.level}"
    axis = f"{found.statistic} correlation with people{level}, 95% interval over sources"
    # the ceiling is of Pearson's r over all rows
    ceiling = found.ceiling if (found.statistic, found.level) == ("pearson", "pooled") else math.nan
    return forest_chart(names, values, lows, highs, axis=axis, ceiling=ceiling)


def forest_chart(
    names: Sequence[str],
    values: Sequence[float],
    lows: Sequence[float],
    highs: Sequence[float],
    title: str = "Agreement with people",
    axis: str = "correlation with people, 95% interval over sources",
    ceiling: float = math.nan,
) -> Any:
    """One point with its interval for each name, in the order given; a NaN leaves the line empty.

    `ceiling` is drawn as a dashed line: what a perfect metric could reach.
    """
    alt = load_altair()
    check_some(names, "names")
    if not len(names) == len(values) == len(lows) == len(highs):
        lengths = f"{len(names)} names, {len(values)} values, {len(lows)} lows and {len(highs)} highs"
        raise InputError(f"{lengths}; expected one of each for every line")
    rows = [
        {"metric": name, **interval_ends(value, low, high), "text": f"{value:.3f}".replace("-", "−")}
        for name, value, low, high in zip(names, values, lows, highs, strict=True)
        if not math.isnan(value)
    ]
    limit = [] if math.isnan(ceiling) else [ceiling]
    scale = alt.Scale(
        domain=domain_of([end for row in rows for end in (row["low"], row["value"], row["high"])] + limit)
    )
    base = alt.Chart(alt.Data(values=rows)).encode(
        y=alt.Y("metric:N", sort=list(names), title=None, scale=alt.Scale(domain=list(names)))
    )
    ends = base.mark_rule(strokeWidth=2, color=COLOURS[0]).encode(
        x=alt.X("low:Q", scale=scale, title=axis), x2="high:Q"
    )
    dots = base.mark_point(filled=True, size=60, opacity=1, color=COLOURS[0]).encode(x=alt.X("value:Q", scale=scale))
    text = base.mark_text(align="left", fontSize=11, color=INK).encode(x=alt.value(428), text="text:N")
    zero = alt.Chart(alt.Data(values=[{"zero": 0}])).mark_rule(color="#999999").encode(x=alt.X("zero:Q", scale=scale))
    layers = [zero, ends, dots, text]
    if limit:
        line = alt.Chart(alt.Data(values=[{"ceiling": ceiling}])).encode(x=alt.X("ceiling:Q", scale=scale))
        layers.insert(1, line.mark_rule(color="#999999", strokeDash=[5, 4]))
        named = f"ceiling {ceiling:.2f}".replace("-", "−")
        layers.append(
            line.mark_text(align="center", baseline="bottom", dy=-3, fontSize=11, color=INK).encode(
                y=alt.value(0), text=alt.value(named)
            )
        )
    return styled(alt.layer(*layers), title, 420, alt.Step(20))
