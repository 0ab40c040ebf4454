"""A table in one file or cut into many: chunks across their borders, row numbers and ids over all of them."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import reduce
from operator import add
from typing import TYPE_CHECKING, Any, NamedTuple

from ..errors import InputError
from ..tables.samples import Samples, repeated
from .columns import has_ids
from .input import CHARACTERS, ROWS, DeferredRows, Input
from .layout import Layout
from .places import table_files
from .remote import shown
from .table_file import Row, TableFile
from .write import PathLike

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray


def open_table(path: PathLike | Sequence[PathLike], layout: Layout = Layout(), *, sources: bool = True) -> Input:
    """A csv, tsv, jsonl, json, parquet or xlsx file; `-` is standard input.

    A list of paths, a pattern ('shards/*.parquet') or a folder is one table cut into files of one format and with the
    same columns; those of a pattern or a folder are read in the order of their names. Where the extra `remote` is
    installed, URIs that pyarrow reads (s3://, gs://, hdfs:// …) are paths too. Without `sources` it need not have a
    column of sources.
    """
    files = table_files(path)
    tables = [TableFile(file, layout, sources=sources) for file in files]
    return TableFiles(shown(os.fspath(path)) if isinstance(path, (str, os.PathLike)) else "the list", tables, files)


class _Piece(NamedTuple):
    """Rows of one file that follow each other."""

    table: TableFile
    earlier: int  # rows in the files before
    passed: int  # size of the files before
    first_row: int  # in this file
    rows: list[Row]

    def samples(self) -> Samples:
        return self.table.samples(self.rows, self.first_row, self.earlier)


class TableFiles(Input):
    """Files of one format and with the same columns, in the order given; some of them may have no rows."""

    def __init__(self, name: str, tables: Sequence[TableFile], files: Sequence[str]) -> None:
        self.name = tables[0].name if len(tables) == 1 else name
        self.files = tuple(files)
        self._tables = tables
        self._done = 0
        self._begins: list[tuple[int, TableFile]] = []  # rows before each file of the current iteration
        _check_alike(tables)
        if all(table.lacks_rows for table in tables):
            first = f"{tables[0].name} {tables[0].lacks_rows}"
            raise InputError(first if len(tables) == 1 else f"{name}: none of {len(tables):,} files has a row: {first}")
        quoted = all(table.quoted for table in tables)
        for table in tables:
            table.quoted = quoted  # quotes are plain text in all files or in none
        self.several_systems = any(table.several_systems for table in tables)
        lengths = [table.length for table in tables if table.length is not None]
        if len(lengths) == len(tables):
            self.length = sum(lengths)

    def progress(self) -> tuple[int, int]:
        return self._done, sum(table.size for table in self._tables)

    def _identity(self) -> list[Any]:
        each = [table.identity() for table in self._tables]
        return each[0] if len(each) == 1 else each

    def _read(self, rows: int) -> Iterator[Samples]:
        def keys_before(row: int) -> Iterator[tuple[str, str]]:
            seen = 1
            for batch in self._batches(rows):
                for piece in batch:
                    if seen == row:
                        return
                    seen += len(piece.rows)
                    yield from piece.samples().keys()

        self._done, row = 0, 0
        self._begins = []
        keys = _Keys(keys_before, self._doubled)
        for batch in self._batches(rows):
            self._begins += [(piece.earlier, piece.table) for piece in batch if piece.first_row == 1]
            chunk = reduce(add, [piece.samples() for piece in batch])
            if keys.begun or has_ids(columns for piece in batch for _, columns in piece.rows):
                keys.add(chunk.keys(), row + 1)
            row += len(chunk)
            last = batch[-1]
            self._done = row if last.table.length is not None else last.passed + last.table.position()
            yield chunk
        self.length = row

    def exceeds(self, rows: int) -> bool:
        found = 0
        for table in self._tables:
            counted = table.count(rows + 1 - found)
            if counted is None:
                return super().exceeds(rows)
            found += counted
            if found > rows:
                return True
        return False

    def deferred(self, rows: int = ROWS) -> Iterator[DeferredRows] | None:
        """Where a file says its length and nothing is checked across rows, as ids and systems are."""
        checked = self.several_systems or any("id" in (table.roles or ()) for table in self._tables)
        apart = all(table.length is not None and table.reader(1, 1, 0) is not None for table in self._tables)
        return self._deferred(rows) if apart and not checked else None

    def _deferred(self, rows: int) -> Iterator[DeferredRows]:
        pieces: list[Callable[[], Samples]] = []
        earlier, room = 0, rows
        for table in self._tables:
            row, length = 1, table.length or 0
            while row <= length:
                size = min(room, length - row + 1)
                reader = table.reader(row, size, earlier)
                assert reader is not None  # as that of its first row
                pieces.append(reader)
                row += size
                room -= size
                if not room:
                    yield DeferredRows(rows, tuple(pieces))
                    pieces, room = [], rows
            earlier += length
        if pieces:
            yield DeferredRows(rows - room, tuple(pieces))

    def _batches(self, rows: int) -> Iterator[list[_Piece]]:
        """Pieces of `rows` rows together, of fewer where these are long, and at the end."""
        batch: list[_Piece] = []
        earlier, passed, room, size = 0, 0, rows, 0
        for table in self._tables:
            row, begin = 1, table.taken
            found: list[Row] = []
            for record in table.records():
                found.append(record)
                if len(found) == room or size + table.taken - begin > CHARACTERS:
                    yield [*batch, _Piece(table, earlier, passed, row, found)]
                    row += len(found)
                    batch, found, room, size, begin = [], [], rows, 0, table.taken
            if found:
                batch.append(_Piece(table, earlier, passed, row, found))
            row += len(found)
            room -= len(found)
            size += table.taken - begin
            earlier += row - 1
            passed += table.size
        if batch:
            yield batch

    def _doubled(self, key: tuple[str, str], first: int, second: int) -> InputError:
        (one, table), (two, other) = (
            next(begin for begin in reversed(self._begins) if begin[0] < row) for row in (first, second)
        )
        if table is other:
            return InputError(f"{table.name}: {repeated(key, first - one, second - one)}")
        return InputError(
            f"{other.name}: row {second - two:,} has the id {key[1]!r:.60} in the system {key[0]!r:.60}, as row "
            f"{first - one:,} of {table.name} has; each row of a system needs an id of its own"
        )


def _check_alike(tables: Sequence[TableFile]) -> None:
    first = tables[0]
    for table in tables[1:]:
        if table.format != first.format:
            raise InputError(
                f"{first.name} is read as {first.format} and {table.name} as {table.format}; "
                "files that are read as one table have one format"
            )
        if table.roles is None or first.roles is None:
            continue
        for role in sorted(table.roles ^ first.roles):
            has, lacks = (table, first) if role in table.roles else (first, table)
            raise InputError(
                f"{lacks.name} has no column '{role}', and {has.name} has one; "
                "files that are read as one table have the same columns"
            )


class _Keys:
    """Refuses a second row of the same (system, id); holds eight bytes per row, in sorted runs that double."""

    def __init__(
        self,
        before: Callable[[int], Iterable[tuple[str, str]]],
        doubled: Callable[[tuple[str, str], int, int], InputError],
    ) -> None:
        """`before` gives the keys of the rows before one; `doubled` says what is wrong with two rows of one key."""
        self.begun = False
        self._before = before
        self._doubled = doubled
        self._runs: list[NDArray[numpy.int64]] = []

    def add(self, keys: Sequence[tuple[str, str]], first_row: int) -> None:
        """The keys of the rows from `first_row` on."""
        import numpy

        if not self.begun:
            self.begun = True
            self._keep(numpy.fromiter(map(hash, self._before(first_row)), numpy.int64))
        rows: dict[tuple[str, str], int] = {}
        for row, key in enumerate(keys, first_row):
            if rows.setdefault(key, row) != row:
                raise self._doubled(key, rows[key], row)
        hashes = numpy.fromiter(map(hash, keys), numpy.int64, len(keys))
        for run in self._runs:
            places = numpy.searchsorted(run, hashes).clip(max=len(run) - 1)
            for place in numpy.flatnonzero(run[places] == hashes).tolist():
                # Equal hashes need not mean equal keys, so the earlier row is looked up.
                for row, key in enumerate(self._before(first_row), 1):
                    if key == keys[place]:
                        raise self._doubled(key, row, first_row + place)
        self._keep(hashes)

    def _keep(self, hashes: NDArray[numpy.int64]) -> None:
        import numpy

        if len(hashes):
            self._runs.append(numpy.sort(hashes))
        while len(self._runs) > 1 and len(self._runs[-2]) <= len(self._runs[-1]):
            self._runs.append(numpy.sort(numpy.concatenate([self._runs.pop(), self._runs.pop()])))
