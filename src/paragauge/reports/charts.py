"""Charts as SVG inside the page; without the extra `charts` there are none, and the tables say the same."""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from ..errors import InputError
from ..metric import Floats
from ..printable import printable
from .document import Chart, Element, Grid, Raw, Text

# told apart by eyes of every kind, on white and on black; the page's style has the same for the map
COLOURS = ("#3b78c2", "#d9730d", "#2c9c6a", "#c6487f", "#8a6fd1", "#a0812a", "#3a9fb5", "#c2503f", "#7a8a3a", "#7f7f8f")
MISSING = "charts are drawn with altair and vl-convert; install them with: pip install 'paragauge[charts]'"
BINS = 40  # at most
Make = Callable[[Any], Any]  # from the library to a chart of it


def altair() -> Any | None:
    """The library, or None."""
    try:
        import altair as found
        import vl_convert  # noqa: F401
    except ImportError:
        return None
    return found


def drawn(*charts: tuple[Make, str]) -> list[Element]:
    """Each chart with its description; one line on what is missing, where none can be drawn."""
    alt = altair()
    if alt is None:
        return [Text([MISSING], "note")] if charts else []
    made: list[Element] = []
    for make, description in charts:
        try:
            made.append(Chart(_svg(make(alt)), description))
        except InputError as error:  # too few pairs for a point, say
            made.append(Text([str(error)], "note"))
    return made


def drawn_by_system(*charts: tuple[Make, str]) -> list[Element]:
    """The same side by side, below a legend of the systems."""
    made = drawn(*charts)
    return made if altair() is None else [Raw('<div class="legend" data-systems></div>'), Grid(made)]


def colours(alt: Any, names: Sequence[str]) -> Any:
    """A scale that gives each name the colour that it has everywhere."""
    return alt.Scale(domain=list(names), range=[COLOURS[place % len(COLOURS)] for place in range(len(names))])


def _svg(chart: Any) -> str:
    """Without a background; the page's style gives colours to its text and lines."""
    stream = io.StringIO()
    chart.properties(background="transparent").save(stream, format="svg", engine="vl-convert")
    return stream.getvalue()


def distribution_chart(alt: Any, metric: str, scores: Mapping[str, Floats]) -> Any:
    """The share of each system's rows by score, as steps; there is a score."""
    known = {system: values[~np.isnan(values)] for system, values in scores.items()}
    whole = np.concatenate([*known.values()])
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
    domain = alt.Scale(domain=[low, high], nice=False)
    base = alt.Chart(alt.Data(values=rows)).encode(
        x=alt.X("from:Q", title=printable(metric), scale=domain, axis=alt.Axis(tickCount=5)),
        y=alt.Y("share:Q", title=None, stack=None, axis=alt.Axis(format="%", tickCount=4)),
        color=alt.Color("system:N", scale=colours(alt, [*scores]), legend=None),
    )
    area = base.mark_area(interpolate="step-after", opacity=0.18)
    line = base.mark_line(interpolate="step-after", strokeWidth=1.5)
    return alt.layer(area, line).properties(width=250, height=110).configure_view(stroke=None)


def share_chart(alt: Any, title: str, at: Floats, shares: Mapping[str, Sequence[float | None]], own: float) -> Any:
    """A share of each system as a threshold grows, with a dashed line at this run's own."""
    rows = [
        {"system": system, "at": float(value), "share": share}
        for system, line in shares.items()
        for value, share in zip(at, line, strict=True)
    ]
    unit = alt.Scale(domain=[0, 1])
    lines = (
        alt.Chart(alt.Data(values=rows))
        .mark_line(interpolate="step-before", strokeWidth=2)
        .encode(
            x=alt.X("at:Q", title=printable(title), scale=unit, axis=alt.Axis(tickCount=5)),
            y=alt.Y("share:Q", title=None, scale=unit, axis=alt.Axis(format="%", tickCount=4)),
            color=alt.Color("system:N", scale=colours(alt, [*shares]), legend=None),
        )
    )
    rule = alt.Chart(alt.Data(values=[{"at": own}])).mark_rule(strokeDash=[4, 4], color="#7f7f8f").encode(x="at:Q")
    return alt.layer(rule, lines).properties(width=400, height=160).configure_view(stroke=None)
