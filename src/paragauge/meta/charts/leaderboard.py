"""The leaderboard as a chart."""

from __future__ import annotations

import math
from typing import Any

from ..leaderboard import Leaderboard
from .figures import forest_chart


def leaderboard_chart(found: Leaderboard) -> Any:
    """Every metric with its interval, from best to worst."""
    names = [f"{row.metric} (sentinel)" if row.sentinel else row.metric for row in found.standings]
    values, lows, highs = ([getattr(row, field) for row in found.standings] for field in ("value", "low", "high"))
    level = "" if found.level == "pooled" else f" by {found.level}"
    axis = f"{found.statistic} correlation with people{level}, 95% interval over sources"
    # the ceiling is of Pearson's r over all rows
    ceiling = found.ceiling if (found.statistic, found.level) == ("pearson", "pooled") else math.nan
    return forest_chart(names, values, lows, highs, axis=axis, ceiling=ceiling)
