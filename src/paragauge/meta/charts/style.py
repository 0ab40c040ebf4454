"""What charts have in common: fonts, colours, ends of intervals."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from ...errors import InputError

FONT = "Liberation Sans, Arial, Helvetica, sans-serif"
INK = "#333333"
COLOURS = (
    "#4c78a8", "#f58518", "#54a24b", "#e45756", "#72b7b2", "#b279a2", "#9d755d", "#d67195", "#79706e", "#b8860b",
    "#1b9e77", "#7570b3", "#a6761d", "#2166ac", "#c51b7d", "#666666", "#4d9221", "#b2182b", "#0b7285", "#5f3dc4",
)  # fmt: skip


def styled(chart: Any, title: str, width: Any, height: Any) -> Any:
    """A chart with its title and size, in the look that all share."""
    return (
        chart.properties(title=title, width=width, height=height, background="white")
        .configure(font=FONT)
        .configure_view(stroke=None)
        .configure_title(fontSize=14, anchor="start", offset=12, color=INK)
        .configure_axis(
            labelFontSize=11,
            titleFontSize=12,
            titleFontWeight="normal",
            gridColor="#eeeeee",
            labelLimit=300,
            labelFlush=False,
        )
        .configure_legend(labelFontSize=11, titleFontSize=12, titleFontWeight="normal", labelLimit=300)
    )


def interval_ends(value: float, low: float, high: float) -> dict[str, Any]:
    """An interval that is NaN is drawn as none."""
    return {"value": value, "low": value if math.isnan(low) else low, "high": value if math.isnan(high) else high}


def domain_of(values: Sequence[float]) -> tuple[float, float]:
    """From the least to the greatest value and 0, with a little room."""
    low, high = min([0.0, *values]), max([0.0, *values])
    room = (high - low or 1.0) * 0.05
    return (low - room if low < 0 else 0.0, high + room)


def check_some(found: Any, what: str) -> None:
    """Refuse to draw nothing."""
    if not len(found):
        raise InputError(f"there are no {what} to draw; expected at least one")
