"""Whole rows of a table, with every column that it has: read, and written as they were."""

from __future__ import annotations

import gzip
import json
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from ..errors import InputError
from .aligned import open_aligned
from .input import Input
from .layout import Layout
from .remote import path_of
from .table import open_table
from .table_file import raw_rows
from .write import PathLike, atomic_write, check_output, write_frame

Row = dict[str, Any]


def read_rows(path: PathLike, layout: Layout = Layout()) -> list[Row]:
    """The rows of a table, with every column that it has."""
    rows = [dict(zip(names, cells, strict=True)) for names, cells in raw_rows(path, layout)]
    if not rows:
        raise InputError(f"{os.fspath(path)} has no rows")
    return rows


def open_sources(path: PathLike, layout: Layout = Layout()) -> Input:
    """Texts to be paraphrased, as `candidates`: the lines of a text file (.txt), or the column `source` of a table."""
    if layout.format is None and path_of(os.fspath(path)).lower().endswith((".txt", ".en", ".txt.gz")):
        return open_aligned(None, [path], encoding=layout.encoding)
    named = dict(layout.columns or {})
    column = named.pop("source", "source")
    return open_table(path, layout._replace(columns={"source": column, "candidate": column} | named))


def as_json(row: Mapping[str, Any]) -> bytes:
    """A row as a line of JSON; an undefined number is null."""
    clean = {name: None if isinstance(cell, float) and cell != cell else cell for name, cell in row.items()}
    return (json.dumps(clean, ensure_ascii=False, allow_nan=False) + "\n").encode()


def write_rows(
    rows: Iterable[Row],
    path: PathLike,
    *,
    inputs: Iterable[PathLike] = (),
    overwrite: bool = False,
    spreadsheet: bool = False,
    columns: Iterable[str] = (),
    ready: Callable[[str], None] | None = None,
) -> None:
    """Rows as jsonl, csv, tsv or parquet; what is not text or number becomes JSON in the last three.

    `columns` come first, and are there without any row too; `ready` is as in `atomic_write`.
    """
    format = check_output(path, inputs=inputs, overwrite=overwrite)
    if format == "jsonl":
        write_lines(map(as_json, rows), path, ready)
        return
    import polars

    listed = list(rows)
    names = dict.fromkeys([*columns, *(name for row in listed for name in row)])
    cells = {name: _column([row.get(name) for row in listed]) for name in names}
    write_frame(polars.DataFrame(cells, strict=False), path, overwrite=overwrite, spreadsheet=spreadsheet, ready=ready)


def write_lines(lines: Iterable[bytes], path: PathLike, ready: Callable[[str], None] | None = None) -> None:
    """Lines, in bounded memory; the file appears only when it is whole."""

    def fill(stream: Any) -> None:
        if path_of(os.fspath(path)).lower().endswith(".gz"):
            with gzip.GzipFile(filename="", fileobj=stream, mode="wb", mtime=0) as inner:  # same lines, same bytes
                inner.writelines(lines)
        else:
            stream.writelines(lines)

    atomic_write(path, fill, ready)


def _column(cells: Sequence[Any]) -> list[Any]:
    if any(isinstance(cell, (dict, list)) for cell in cells):
        return [None if cell is None else json.dumps(cell, ensure_ascii=False) for cell in cells]
    return list(cells)
