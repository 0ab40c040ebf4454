"""Charts into files, as SVG and PNG."""

from __future__ import annotations

import io
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from ...errors import InputError
from ...files.write import PathLike, atomic_write, check_path
from ...process.extras import require
from ...visible import visible_lines


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
    return visible_lines(part) if isinstance(part, str) else part


def load_altair() -> Any:
    """The package altair, once it and what writes its charts are there."""
    require("vl_convert", "charts", "charts need altair and vl-convert")
    return require("altair", "charts", "charts need altair and vl-convert")
