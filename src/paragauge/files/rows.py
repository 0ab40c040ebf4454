"""Whole rows of a table, with every column that it has: read, and written as they were."""

from __future__ import annotations

import gzip
import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from ..errors import InputError
from ..runs.listing import complete_record
from .aligned import open_aligned
from .input import Input
from .remote import path_of
from .table_file import open_table, raw_rows
from .write import PathLike, atomic_write, check_output, write_frame

Row = dict[str, Any]


def read_rows(
    path: PathLike,
    format: str | None = None,
    encoding: str = "utf-8",
    delimiter: str | None = None,
    header: Sequence[str] | None = None,
) -> list[Row]:
    """The rows of a table, or of a complete run folder: there with a column for each metric."""
    if Path(path).is_dir() and (Path(path) / "run.json").is_file():
        return _of_run(Path(path))
    rows = [
        dict(zip(names, cells, strict=True)) for names, cells in raw_rows(path, format, encoding, delimiter, header)
    ]
    if not rows:
        raise InputError(f"{os.fspath(path)} has no rows")
    names = set().union(*rows)
    if "candidate" not in names and {"sample", "metric", "score"} <= names:
        raise InputError(
            f"{os.fspath(path)} is a table of scores without the texts; expected a run folder, or a table with a "
            "column for each metric"
        )
    return rows


def open_sources(
    path: PathLike,
    format: str | None = None,
    columns: Mapping[str, str] | None = None,
    encoding: str = "utf-8",
    delimiter: str | None = None,
    header: Sequence[str] | None = None,
) -> Input:
    """Texts to be paraphrased, as `candidates`: the lines of a text file (.txt), or the column `source` of a table."""
    if format is None and path_of(os.fspath(path)).lower().endswith((".txt", ".en", ".txt.gz")):
        return open_aligned(None, [path], encoding=encoding)
    named = dict(columns or {})
    column = named.pop("source", "source")
    return open_table(
        path, format, {"source": column, "candidate": column} | named, encoding, delimiter, header, sources=True
    )


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
    """Rows as jsonl, csv, tsv or parquet; what is no text or number becomes JSON in the last three.

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


def _of_run(folder: Path) -> list[Row]:
    import polars

    complete_record(folder)
    samples = polars.read_parquet(folder / "samples.parquet", glob=False)
    scores = polars.read_parquet(folder / "scores.parquet", glob=False).select("sample", "system", "metric", "score")
    wide = scores.pivot("metric", index=["sample", "system"], values="score", maintain_order=True)
    joined = samples.join(wide, on=["sample", "system"], how="left", maintain_order="left")
    return list(_renamed(joined.iter_rows(named=True)))


def _renamed(rows: Iterable[Row]) -> Iterator[Row]:
    for row in rows:
        yield {("id" if name == "sample" else name): cell for name, cell in row.items()}
