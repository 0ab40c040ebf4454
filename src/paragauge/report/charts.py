"""Charts as SVG inside the page; without the extra `charts` there are none, and the tables beside them say the same."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ..metric import Floats
from ..visible import visible
from .document import Chart, Part, Text

# told apart by eyes of every kind, on white and on black; the page's style has the same for the map
COLOURS = ("#3b78c2", "#d9730d", "#2c9c6a", "#c6487f", "#8a6fd1", "#a0812a", "#3a9fb5", "#c2503f", "#7a8a3a", "#7f7f8f")
MISSING = "charts are drawn with altair and vl-convert; install them with: pip install 'paragauge[charts]'"
BINS = 40  # at most


def drawn(chart: Any, description: str) -> Part:
    """The chart, or, where it cannot be drawn, a word on what is missing."""
    return Text([MISSING], "note") if chart is None else Chart(svg_of(chart), description)


def svg_of(chart: Any) -> str:
    """An altair chart without a background; the page's style gives colours to its text and lines."""
    stream = io.StringIO()
    chart.properties(background="transparent").save(stream, format="svg", engine="vl-convert")
    return stream.getvalue()


def altair() -> Any | None:
    """The library, or None."""
    try:
        import altair as found
        import vl_convert  # noqa: F401
    except ImportError:
        return None
    return found


def distribution_chart(metric: str, scores: Mapping[str, Floats], systems: Sequence[str]) -> Any | None:
    """The share of each system's rows by score, as steps; None without altair or without a score."""
    alt = altair()
    known = {system: values[~np.isnan(values)] for system, values in scores.items()}
    whole = np.concatenate([*known.values(), np.empty(0)])
    if alt is None or not len(whole):
        return None
    low, high = float(whole.min()), float(whole.max())
    if low == high:
        low, high = low - 0.5, high + 0.5
    most = max(map(len, known.values()))
    edges = np.linspace(low, high, min(BINS, max(8, round(2 * most**0.5))) + 1)
    rows = []
    for system, values in known.items():
        if len(values):
            shares = (np.histogram(values, edges)[0] / len(values)).tolist()
            rows += [
                {"system": system, "from": float(edge), "share": share}
                for edge, share in zip(edges, [*shares, shares[-1]], strict=True)
            ]
    colours = [COLOURS[place % len(COLOURS)] for place in range(len(systems))]
    colour = alt.Color("system:N", scale=alt.Scale(domain=list(systems), range=colours), legend=None)
    base = alt.Chart(alt.Data(values=rows)).encode(
        x=alt.X(
            "from:Q", title=visible(metric), scale=alt.Scale(domain=[low, high], nice=False), axis=alt.Axis(tickCount=5)
        ),
        y=alt.Y("share:Q", title=None, stack=None, axis=alt.Axis(format="%", tickCount=4)),
        color=colour,
    )
    return (
        alt.layer(
            base.mark_area(interpolate="step-after", opacity=0.18),
            base.mark_line(interpolate="step-after", strokeWidth=1.5),
        )
        .properties(width=250, height=110)
        .configure_view(stroke=None)
    )


def share_chart(title: str, at: Floats, shares: Mapping[str, Sequence[float | None]], own: float) -> Any | None:
    """A share of each system as a threshold grows, with a dashed line at this run's own; None without altair."""
    alt = altair()
    if alt is None:
        return None
    rows = [
        {"system": system, "at": float(value), "share": share}
        for system, line in shares.items()
        for value, share in zip(at, line, strict=True)
    ]
    colours = [COLOURS[place % len(COLOURS)] for place in range(len(shares))]
    lines = (
        alt.Chart(alt.Data(values=rows))
        .mark_line(interpolate="step-before", strokeWidth=2)
        .encode(
            x=alt.X("at:Q", title=visible(title), scale=alt.Scale(domain=[0, 1]), axis=alt.Axis(tickCount=5)),
            y=alt.Y("share:Q", title=None, scale=alt.Scale(domain=[0, 1]), axis=alt.Axis(format="%", tickCount=4)),
            color=alt.Color("system:N", scale=alt.Scale(domain=list(shares), range=colours), legend=None),
        )
    )
    rule = alt.Chart(alt.Data(values=[{"at": own}])).mark_rule(strokeDash=[4, 4], color="#7f7f8f").encode(x="at:Q")
    return alt.layer(rule, lines).properties(width=400, height=160).configure_view(stroke=None)
