"""Columns of lists, made from one flat column: polars builds a list at a time from Python, fifty times slower."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    import polars

Floats = NDArray[np.float64]


def texts_column(groups: Sequence[Sequence[str]]) -> polars.Series:
    """One list of texts per row; it may be empty."""
    import polars

    lengths = np.fromiter(map(len, groups), dtype=np.int64, count=len(groups))
    rows = polars.DataFrame({"row": np.arange(len(groups))})
    flat = {"row": np.repeat(np.arange(len(groups)), lengths), "texts": [text for group in groups for text in group]}
    given = polars.DataFrame(flat, schema_overrides={"texts": polars.String})
    lists = given.group_by("row", maintain_order=True).agg("texts")
    found = rows.join(lists, on="row", how="left", maintain_order="left")["texts"]
    return found.fill_null(polars.Series([[]], dtype=polars.List(polars.String)))


def numbers_column(tables: Sequence[Floats | None], rows: int) -> polars.Series:
    """Row by row, the numbers of each table in that row: null for a table that is None."""
    import polars

    kind = polars.List(polars.Float64)
    if not rows or not tables:
        return polars.Series([], dtype=kind)
    lists = [
        polars.Series([None] * rows, dtype=kind)
        if table is None
        else polars.Series(np.ascontiguousarray(table, dtype=np.float64).ravel()).reshape(table.shape).arr.to_list()
        for table in tables
    ]
    in_turn = np.arange(rows * len(tables)).reshape(len(tables), rows).T.ravel()
    return polars.concat(lists).gather(in_turn)


def table_of(numbers: polars.Series) -> Floats:
    """The lists of a column, all of one length, as the rows of a table."""
    return numbers.explode().to_numpy().reshape(len(numbers), -1) if len(numbers) else np.empty((0, 0))
