"""The analyses as charts."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from paragauge.meta.charts import COLOURS, INK, check_some, domain_of, interval_ends, load_altair, styled
from paragauge.metric import Floats

from .attribution import Ability
from .copies import CopyPoint, Preference
from .distances import InGroup


class Box(NamedTuple):
    """A rectangle in pixels; y grows downwards."""

    left: float
    top: float
    right: float
    bottom: float

    def covers(self, other: Box) -> float:
        """The area that both share."""
        width = min(self.right, other.right) - max(self.left, other.left)
        height = min(self.bottom, other.bottom) - max(self.top, other.top)
        return max(width, 0.0) * max(height, 0.0)


def spread(values: Sequence[float], gap: float) -> Floats:
    """Places on a line at least `gap` apart, in the order of the values, and as near to them as can be.

    Least squares under an order: with i·gap taken off the i-th value, what is left must not fall, and runs that do are
    pooled to their mean (isotonic regression).
    """
    wanted = np.asarray(values, dtype=np.float64)
    order = np.argsort(wanted, kind="stable")
    pools: list[tuple[float, int]] = []  # mean and size
    for place, index in enumerate(order):
        mean, size = float(wanted[index]) - place * gap, 1
        while pools and pools[-1][0] >= mean:
            before, count = pools.pop()
            mean, size = (before * count + mean * size) / (size + count), size + count
        pools.append((mean, size))
    result = np.empty(len(wanted))
    result[order] = np.concatenate([np.full(size, mean) for mean, size in pools] or [np.empty(0)])
    result[order] += np.arange(len(wanted)) * gap
    return result


def place(
    points: Sequence[tuple[float, float]],
    widths: Sequence[float],
    height: float,
    size: tuple[float, float],
    radius: float = 8,
) -> list[tuple[float, float]]:
    """The middle of a label for each point (pixels), where it covers the least of other labels, points and the edge.

    Points are served in order of how crowded they are; each takes the nearest free place of a ring of places around it.
    """
    dots = [Box(x - radius / 2, y - radius / 2, x + radius / 2, y + radius / 2) for x, y in points]
    array = np.asarray(points, dtype=np.float64).reshape(-1, 2)
    crowd = [
        -int((np.abs(array - point) < [widths[row], 3 * height]).all(axis=1).sum()) for row, point in enumerate(array)
    ]
    taken: list[Box] = []
    found: dict[int, tuple[float, float]] = {}
    for row in np.argsort(crowd, kind="stable").tolist():
        best = min(
            _ring(points[row], widths[row], height, radius),
            key=lambda middle: _cost(middle, points[row], widths[row], height, size, [*dots, *taken]),
        )
        found[row] = best
        taken.append(_box(best, widths[row], height))
    return [found[row] for row in range(len(points))]


def _ring(point: tuple[float, float], width: float, height: float, radius: float) -> list[tuple[float, float]]:
    """Middles to try: right, left, above, below, then farther out."""
    x, y = point
    result = []
    for step in range(7):
        across, along = width / 2 + radius, height / 2 + radius / 2 + step * height * 0.75
        result += [(x + across, y + sign * step * height * 0.75) for sign in (1, -1)]
        result += [(x - across, y + sign * step * height * 0.75) for sign in (1, -1)]
        result += [(x + shift * width / 2, y + sign * along) for shift in (0, 1, -1) for sign in (-1, 1)]
    return result


def _cost(
    middle: tuple[float, float],
    point: tuple[float, float],
    width: float,
    height: float,
    size: tuple[float, float],
    obstacles: Sequence[Box],
) -> tuple[float, float]:
    box = _box(middle, width, height)
    outside = width * height - box.covers(Box(0, 0, *size))
    covered = sum(box.covers(other) for other in obstacles)
    away = abs(middle[0] - point[0]) - width / 2, abs(middle[1] - point[1]) - height / 2
    return round(covered + outside, 6), float(np.hypot(max(away[0], 0), max(away[1], 0)))


def _box(middle: tuple[float, float], width: float, height: float) -> Box:
    return Box(middle[0] - width / 2, middle[1] - height / 2, middle[0] + width / 2, middle[1] + height / 2)


LETTER = 6.2  # pixels of a letter of 11 points, on average and a little more
LINE = 13
SHADES = ("#c6dbef", "#9ecae1", "#6baed6", "#3182bd", "#08519c")  # light enough for an interval to show


def groups_chart(rows: Sequence[InGroup], title: str = "Agreement with people by distance", far_from: str = "") -> Any:
    """Figures 1 and 2 of Shen et al. 2022: for each metric one bar per group, with its interval."""
    alt = load_altair()
    check_some(rows, "groups")
    names = list(dict.fromkeys(row.metric for row in rows))
    groups = {row.group: f"{row.group}: {row.nearest:.2f} to {row.farthest:.2f}" for row in rows}
    values = [
        {"metric": row.metric, "group": groups[row.group], **interval_ends(*row.correlation[:3])}
        for row in rows
        if not math.isnan(row.correlation.value)
    ]
    shades = [SHADES[min(place, len(SHADES) - 1)] for place in range(len(groups))]
    colour = alt.Color(
        "group:N",
        title=["distance", f"to the {far_from}"] if far_from else "distance",
        scale=alt.Scale(domain=list(groups.values()), range=shades),
    )
    base = alt.Chart(alt.Data(values=values)).encode(
        y=alt.Y("metric:N", sort=names, title=None), yOffset=alt.YOffset("group:N", sort=list(groups.values()))
    )
    bars = base.mark_bar().encode(x=alt.X("value:Q", title="correlation with people"), color=colour)
    ends = base.mark_rule(color=INK, strokeWidth=1).encode(x="low:Q", x2="high:Q")
    return styled(alt.layer(bars, ends), title, 420, alt.Step(9))


def copies_chart(points: Sequence[CopyPoint], title: str = "Agreement with people when candidates are copies") -> Any:
    """One line per metric: its correlation with people over the share of copies, its name at the right end."""
    alt = load_altair()
    check_some(points, "points")
    names = list(dict.fromkeys(point.metric for point in points))
    width, height = 460, max(360, 20 * len(names))
    known = [point for point in points if not math.isnan(point.value)]
    values = [
        {
            "metric": point.metric,
            "share": point.share,
            **interval_ends(point.value, point.value - point.spread, point.value + point.spread),
        }
        for point in known
    ]
    low, high = domain_of([value["low"] for value in values] + [value["high"] for value in values])
    last = {point.metric: point for point in sorted(known, key=lambda point: point.share)}
    right = max(point.share for point in points)
    apart = spread([last[name].value for name in last], LINE * (high - low) / height)
    labels = [
        {"metric": name, "value": point.value, "place": float(where), "share": point.share, "right": right * 1.04}
        for (name, point), where in zip(last.items(), apart, strict=True)
    ]
    room = max(len(name) for name in names) * LETTER / width * right + right * 0.06
    across = alt.Scale(domain=[0, right + room], nice=False)
    along = alt.Scale(
        domain=[min(low, float(apart.min(initial=low))), max(high, float(apart.max(initial=high)))], nice=False
    )
    ticks = [point.share for point in points if point.metric == names[0]][:: 2 if len(points) > 6 * len(names) else 1]
    colour = _coloured(alt, names)
    x = alt.X("share:Q", title="share of copies", scale=across, axis=alt.Axis(format="%", values=ticks, grid=False))
    y = alt.Y("value:Q", title="correlation with people", scale=along)
    curves = alt.Chart(alt.Data(values=values)).encode(x=x, color=colour)
    band = curves.mark_area(opacity=0.15).encode(y=alt.Y("low:Q", scale=along), y2="high:Q")
    line = curves.mark_line(strokeWidth=2).encode(y=y)
    zero = _zero(alt, along).encode(x=alt.X("left:Q", scale=across), x2="right:Q")  # not through the labels
    zero.data = alt.Data(values=[{"zero": 0, "left": 0, "right": right}])
    ends = alt.Chart(alt.Data(values=labels)).encode(color=colour)
    leader = ends.mark_rule(strokeWidth=0.7, opacity=0.7).encode(
        x=alt.X("share:Q", scale=across), x2="right:Q", y=alt.Y("value:Q", scale=along), y2="place:Q"
    )
    text = ends.mark_text(align="left", dx=3, fontSize=11).encode(
        x=alt.X("right:Q", scale=across), y=alt.Y("place:Q", scale=along), text="metric:N"
    )
    return styled(alt.layer(zero, band, line, leader, text), title, width + 120, height)


def omega_chart(curves: Mapping[str, Preference], title: str = "When ParaScore stops preferring a copy") -> Any:
    """The share of comparisons that the copy wins, over ω; marked where it falls to 50% and to 5%."""
    alt = load_altair()
    check_some(curves, "curves")
    names = list(curves)
    colour = alt.Color("curve:N", title=None, sort=names, scale=alt.Scale(domain=names, range=_colours(len(names))))
    drawn: list[dict[str, Any]] = [
        {"curve": name, "omega": float(omega), "share": float(share)}
        for name, curve in curves.items()
        for omega, share in zip(curve.omegas, curve.shares, strict=True)
        if not math.isnan(share)
    ]
    check_some(drawn, "comparisons")
    seen = [value["omega"] for value in drawn if value["share"] > 0.001]  # beyond these the curves lie on the axis
    most = 1.1 * max(seen, default=0.0) or max(value["omega"] for value in drawn)
    marks: list[dict[str, Any]] = [
        {"curve": name, "omega": omega, "share": share, "text": f"ω = {omega:.3f}"}
        for name, curve in curves.items()
        for omega, share in ((curve.half, 0.5), (curve.twentieth, 0.05))
        if omega <= most
    ]
    gap = LINE / 320
    for share in (0.5, 0.05):  # one column of labels at each of the two heights, next to the farthest curve
        own = [mark for mark in marks if mark["share"] == share]
        own.sort(key=lambda mark: -mark["omega"])
        for number, mark in enumerate(own):
            mark["right"] = max(other["omega"] for other in own) + 0.02 * most
            mark["place"] = share + gap * (1.2 + number)
    base = alt.Chart(alt.Data(values=drawn))
    x = alt.X("omega:Q", title="ω, the weight of diversity", scale=alt.Scale(domain=[0, most], nice=False))
    y = alt.Y("share:Q", title="the copy scores higher", scale=alt.Scale(domain=[0, 1]), axis=alt.Axis(format="%"))
    line = base.mark_line(strokeWidth=2, clip=True).encode(x=x, y=y, color=colour)
    marked = alt.Chart(alt.Data(values=marks))
    dots = marked.mark_point(filled=True, size=50, opacity=1).encode(x="omega:Q", y="share:Q", color=colour)
    text = marked.mark_text(align="left", fontSize=11).encode(x="right:Q", y="place:Q", text="text:N", color=colour)
    limits = alt.Chart(alt.Data(values=[{"share": 0.5}, {"share": 0.05}]))
    dashes = limits.mark_rule(strokeDash=[4, 3], color="#999999").encode(y="share:Q")
    return styled(alt.layer(dashes, line, dots, text), title, 460, 320)


def ability_chart(rows: Sequence[Ability], title: str = "What metrics see: lost meaning and changed wording") -> Any:
    """One point per metric: agreement where meaning alone differs against where wording alone differs."""
    alt = load_altair()
    known = [row for row in rows if not math.isnan(row.similarity.value + row.diversity.value + row.overall.value)]
    check_some(known, "metrics that are defined on all pairs")
    width, height = 560, 420
    (left, right), (low, high) = (
        domain_of([getattr(row, side).value for row in known]) for side in ("similarity", "diversity")
    )
    right += 0.15 * (right - left)  # room for the labels of the best
    points = [
        ((row.similarity.value - left) / (right - left) * width, (high - row.diversity.value) / (high - low) * height)
        for row in known
    ]
    middles = place(points, [len(row.metric) * LETTER for row in known], LINE, (width, height))
    values = [
        {
            "metric": row.metric,
            "sim": row.similarity.value,
            "div": row.diversity.value,
            "overall": row.overall.value,
            "x": left + x / width * (right - left),
            "y": high - y / height * (high - low),
        }
        for row, (x, y) in zip(known, middles, strict=True)
    ]
    across, along = (alt.Scale(domain=ends, nice=False) for ends in ([left, right], [low, high]))
    base = alt.Chart(alt.Data(values=values))
    x = alt.X("sim:Q", title="agreement where meaning alone differs (Sim)", scale=across, axis=alt.Axis(tickCount=8))
    y = alt.Y("div:Q", title="agreement where wording alone differs (Div)", scale=along, axis=alt.Axis(tickCount=8))
    leader = base.mark_rule(color="#bbbbbb", strokeWidth=0.7).encode(x=x, y=y, x2="x:Q", y2="y:Q")
    dots = base.mark_point(filled=True, size=70, opacity=1, stroke=INK, strokeWidth=0.5).encode(
        x=x, y=y, color=alt.Color("overall:Q", title="overall", scale=alt.Scale(scheme="viridis"))
    )
    halo = base.mark_text(fontSize=11, stroke="white", strokeWidth=3, color="white").encode(
        x=alt.X("x:Q", scale=across), y=alt.Y("y:Q", scale=along), text="metric:N"
    )
    text = base.mark_text(fontSize=11, color=INK).encode(
        x=alt.X("x:Q", scale=across), y=alt.Y("y:Q", scale=along), text="metric:N"
    )
    return styled(alt.layer(_zero(alt, along), leader, halo, dots, text), title, width, height)


def _coloured(alt: Any, names: Sequence[str]) -> Any:
    return alt.Color("metric:N", legend=None, scale=alt.Scale(domain=list(names), range=_colours(len(names))))


def _zero(alt: Any, scale: Any) -> Any:
    return alt.Chart(alt.Data(values=[{"zero": 0}])).mark_rule(color="#999999").encode(y=alt.Y("zero:Q", scale=scale))


def _colours(number: int) -> list[str]:
    return [COLOURS[place % len(COLOURS)] for place in range(number)]
