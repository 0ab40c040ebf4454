"""Rows as a program has them: Samples, a DataFrame, a list of rows, or the path of a table."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from functools import reduce
from operator import add
from typing import Any

from ..errors import InputError
from ..tables.samples import Samples, entries
from .columns import check_roles, find_columns
from .layout import Layout

_EXPECTED = "expected Samples, a DataFrame, a list of rows (dicts), or the path of a table"


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
