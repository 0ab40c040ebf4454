"""Rows as a program has them, made Samples; and whole rows of a table: read, and written as they were."""

from __future__ import annotations

import gzip
import json
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import reduce
from operator import add
from typing import Any

from ..errors import InputError
from ..tables.samples import Samples, entries
from .aligned import open_aligned
from .columns import check_roles, find_columns
from .input import Input
from .layout import Layout
from .remote import path_of
from .table import open_table
from .table_file import raw_rows
from .write import PathLike, atomic_write, check_output, write_frame

Row = dict[str, Any]

_EXPECTED = "expected Samples, a DataFrame, a list of rows (dicts), or the path of a table"


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


def read(
    given: Any,
    columns: Mapping[str, str] | None = None,
    delimiter: str | None = None,
    header: Sequence[str] | None = None,
) -> Samples:
    """Samples of the path of a table, a DataFrame, or rows as dicts; `columns` renames: {"source": "question"}.

    `delimiter` and `header` are for a path, as in `Layout`.
    """
    if isinstance(given, (str, os.PathLike)):
        from .table import open_table

        layout = Layout(columns=columns, delimiter=delimiter, header=header)
        return reduce(add, open_table(given, layout, sources=False))
    if delimiter is not None or header is not None:
        raise InputError(f"delimiter and header are for the path of a table, and {type(given).__name__} was given")
    if isinstance(given, Samples):
        return given
    if _is_frame(given):
        return _of_table(_columns_of(given), columns or {}, "the DataFrame")
    rows = rows_of(given)
    names = list(dict.fromkeys(str(name) for row in rows for name in row))
    return _of_table({name: [row.get(name) for row in rows] for name in names}, columns or {}, "the rows")


def rows_of(given: Any) -> list[dict[str, Any]]:
    """The rows of a DataFrame, or of anything else that rows (dicts) can be taken from, in copies."""
    if _is_frame(given):
        table = _columns_of(given)
        return [dict(zip(table, row, strict=True)) for row in zip(*table.values(), strict=True)]
    if isinstance(given, Iterable) and not isinstance(given, (str, bytes, Mapping)):
        rows = list(given)
        if rows and all(isinstance(row, Mapping) for row in rows):
            return [dict(row) for row in rows]
    raise InputError(f"{type(given).__name__} {given!r:.40} holds no rows; {_EXPECTED}")


def _is_frame(given: Any) -> bool:
    """Is it a polars or pandas table?"""
    return hasattr(given, "columns") and hasattr(given, "to_dict")


def _columns_of(frame: Any) -> dict[str, list[Any]]:
    return {str(name): list(frame[name]) for name in frame.columns}


def _of_table(table: Mapping[str, list[Any]], columns: Mapping[str, str], where: str) -> Samples:
    check_roles(columns)
    names = list(table)
    places = find_columns(names, columns, where, source=False)
    texts = list(table.values())
    rows = len(texts[places.candidate])

    def column(place: int | None) -> list[Any] | None:
        return None if place is None else [None if _is_null(cell) else cell for cell in texts[place]]

    groups: list[list[Any]] = [[] for _ in range(rows)]
    if places.references is not None:
        expected = "a list of texts, or one text in a column named 'reference'"
        for row, listed in enumerate(texts[places.references], 1):
            if not _is_null(listed):
                groups[row - 1] += entries(f"{where}: row {row}: references", listed, expected)
    for place in places.reference:
        for group, text in zip(groups, texts[place], strict=True):
            group.append(None if _is_null(text) else text)
    return Samples.of(column(places.source), column(places.candidate), groups, column(places.system), column(places.id))


def _is_null(cell: Any) -> bool:
    """None, or what pandas puts in its place: NaN, NA."""
    return cell is None or (isinstance(cell, float) and cell != cell) or type(cell).__name__ == "NAType"
