"""One table in one file or cut into many: chunks across their borders, row numbers and ids over all of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import reduce
from operator import add
from typing import Any, NamedTuple, Protocol

from ..errors import InputError
from ..tables.samples import Samples, repeated
from .columns import Columns, Keys, has_ids
from .csv import Record
from .input import CHARACTERS, ROWS, DeferredRows, Input

Row = tuple[Record, Columns]


class Table(Protocol):
    """One file of rows."""

    name: str
    format: str
    size: int  # in rows where they are known, else in bytes
    length: int | None  # number of rows, where the file tells it
    lacks_rows: str  # says so, or is empty
    roles: frozenset[str] | None  # which columns it has; None where every row names its own
    several_systems: bool
    quoted: bool

    @property
    def taken(self) -> int:
        """Characters that were read so far, where they count."""

    def records(self) -> Iterator[Row]: ...

    def samples(self, batch: Sequence[Row], first_row: int, earlier: int) -> Samples:
        """`first_row` is counted in this file; `earlier` rows of other files come before, which default ids count."""

    def reader(self, first_row: int, rows: int, earlier: int) -> Callable[[], Samples] | None:
        """What reads some rows alone, in whatever process; None where they can only be read in order."""

    def count(self, most: int) -> int | None:
        """How many rows there are, until there are `most`: by lines, so about; None where only reading would tell."""

    def position(self) -> int:
        """How much of `size` the current iteration has taken in, where that is in bytes."""

    def identity(self) -> list[Any]: ...


class _Piece(NamedTuple):
    """Rows of one file that follow each other."""

    table: Table
    earlier: int  # rows in the files before
    passed: int  # size of the files before
    first_row: int  # in this file
    rows: list[Row]

    def samples(self) -> Samples:
        return self.table.samples(self.rows, self.first_row, self.earlier)


class Tables(Input):
    """Files of one format and with the same columns, in the order given; some of them may have no rows."""

    def __init__(self, name: str, tables: Sequence[Table], files: Sequence[str]) -> None:
        self.name = tables[0].name if len(tables) == 1 else name
        self.files = tuple(files)
        self._tables = tables
        self._done = 0
        self._begins: list[tuple[int, Table]] = []  # rows before each file of the current iteration
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
        keys = Keys(keys_before, self._doubled)
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
        """Where a file tells its length and nothing is checked across rows, as ids and systems are."""
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


def _check_alike(tables: Sequence[Table]) -> None:
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
