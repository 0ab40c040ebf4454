"""Charts of metrics and their agreement with people: what they have in common, the leaderboard, and files of them."""

from __future__ import annotations

import io
import math
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from ..errors import InputError
from ..files.write import PathLike, atomic_write, check_path
from ..printable import printable_lines
from ..process.extras import require
from .leaderboard import Leaderboard

FONT = "Liberation Sans, Arial, Helvetica, sans-serif"
INK = "#333333"
COLOURS = (
    "#4c78a8", "#f58518", "#54a24b", "#e45756", "#72b7b2", "#b279a2", "#9d755d", "#d67195", "#79706e", "#b8860b",
    "#1b9e77", "#7570b3", "#a6761d", "#2166ac", "#c51b7d", "#666666", "#4d9221", "#b2182b", "#0b7285", "#5f3dc4",
)  # fmt: skip


class Files(NamedTuple):
    """What was drawn."""

    svg: Path
    png: Path


def make_folder(
    folder: Path, names: Sequence[str] = (), *, inputs: Iterable[PathLike] = (), overwrite: bool = False
) -> None:
    """Where charts of these names will go; refuses, before any work is done, what cannot or may not be written."""
    load_altair()
    inputs = list(inputs)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except FileExistsError:
        raise InputError(f"cannot draw into {folder}: it is a file; expected a folder") from None
    except OSError as error:
        raise InputError(f"cannot draw into {folder}: {error.strerror or error}") from error
    if not os.access(folder, os.W_OK):
        raise InputError(f"cannot draw into {folder}: no permission to write there")
    for name in names:
        for suffix in Files._fields:
            check_path(folder / f"{name}.{suffix}", inputs=inputs, overwrite=overwrite)


def draw(
    chart: Any, path: PathLike, scale: float = 2, *, inputs: Iterable[PathLike] = (), overwrite: bool = False
) -> Files:
    """Write a chart as `path`.svg and `path`.png, the second at `scale` pixels for each of its own."""
    folder, name = Path(path).parent, Path(path).name
    make_folder(folder, [name], inputs=inputs, overwrite=overwrite)
    chart = type(chart).from_dict(_spelled(chart.to_dict()))
    vector, pixels = io.StringIO(), io.BytesIO()
    chart.save(vector, format="svg", engine="vl-convert")
    chart.save(pixels, format="png", engine="vl-convert", scale_factor=scale)
    files = Files(folder / f"{name}.svg", folder / f"{name}.png")
    atomic_write(files.svg, vector.getvalue().encode())
    atomic_write(files.png, pixels.getvalue())
    return files


def draw_all(
    charts: Mapping[str, Callable[[], Any]], folder: Path, *, inputs: Iterable[PathLike] = (), overwrite: bool = False
) -> list[Path]:
    """Write every chart under its name, as SVG and PNG."""
    inputs = list(inputs)
    return [
        file
        for name, chart in charts.items()
        for file in draw(chart(), folder / name, inputs=inputs, overwrite=overwrite)
    ]


def _spelled(part: Any) -> Any:
    """A part of a chart with every name fit to be shown: XML has no place for most control characters."""
    if isinstance(part, dict):
        return {key: _spelled(value) for key, value in part.items()}
    if isinstance(part, list):
        return [_spelled(value) for value in part]
    return printable_lines(part) if isinstance(part, str) else part


def load_altair() -> Any:
    """The package altair, once it and what writes its charts are there."""
    require("vl_convert", "charts", "charts need altair and vl-convert")
    return require("altair", "charts", "charts need altair and vl-convert")


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
