"""One file of rows: its records, in which column each role stands, and its rows as Samples."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache, partial
from typing import Any

from ..errors import InputError
from ..tables.samples import Samples
from .columns import Columns, check_roles, find_columns, has_ids, list_in_cell
from .content import Content
from .csv import Record, csv_records, is_quoted, tsv_records
from .json import array_records, jsonl_records
from .layout import FLAT, OBJECTS, Layout
from .parquet import Parquet
from .write import PathLike
from .xlsx import xlsx_records

Row = tuple[Record, Columns]


class TableFile:
    """One file: its rows, and what is known of them before they are read."""

    def __init__(self, path: PathLike, layout: Layout, *, sources: bool = True) -> None:
        content = Content(path, layout.encoding)
        self.layout = layout = layout.resolved(content)
        self.name = content.name
        self.format = layout.format
        self.size = content.size  # in rows where they are known, else in bytes
        self.length: int | None = None  # number of rows, where the file says it
        self.place = "row" if self.format in ("parquet", "json", "xlsx") else "line"
        self.quoted = self.format == "tsv" and is_quoted(content)
        self._content = content
        self._columns = layout.columns or {}
        self._sources = sources
        check_roles(self._columns)
        named: Sequence[str] | None = layout.header  # the names of the columns, where all rows have the same
        if self.format == "parquet" and content.head:
            self._parquet = Parquet(content)
            self.size = self.length = self._parquet.length
            named = self._parquet.header
        raw = next(self._raw_records(), None) if content.head else None
        if self.format in FLAT and raw is not None:
            named = raw[1]
        if named is None and self.format not in OBJECTS:
            raise InputError(f"{self.name} is empty")
        # which columns it has; None where every row names its own
        self.roles = None if named is None else self._find_columns(tuple(named), self.name).roles()
        first = next(self.records(), None) if raw is not None else None
        headed = self.format == "parquet" or raw is not None
        self.lacks_rows = "" if first is not None else "has a header and no rows" if headed else "is empty"
        # each line of jsonl names its cells
        self.several_systems = self.format == "jsonl" or (first is not None and first[1].system is not None)

    @property
    def taken(self) -> int:
        """Characters that were read so far, where they count."""
        return self._content.taken

    def position(self) -> int:
        """How much of `size` the current iteration has taken in, where that is in bytes."""
        return self._content.position()

    def identity(self) -> list[Any]:
        layout = [self.layout.delimiter, self.layout.header, sorted(self._columns.items())]
        return [self.format, self._content.encoding, layout, self._content.digest()]

    def count(self, most: int) -> int | None:
        """How many rows there are, until there are `most`: by lines, so about; None where only reading would tell."""
        if self.length is not None or self.format in ("xlsx", "json"):
            return self.length
        header = self.format in FLAT and self.layout.header is None
        return self._content.count_lines(most + header) - header

    def reader(self, first_row: int, rows: int, earlier: int) -> Callable[[], Samples] | None:
        """What reads some rows alone, in any process; None where they can only be read in order."""
        if self.format != "parquet" or self._content.spooled:
            return None
        path, remote = self._content.path, self._content.remote
        if remote is not None:
            file = (self._content.given, remote.changed)
        else:  # absolute, as the worker may be in another folder
            file = (str(path.absolute()), path.stat().st_mtime_ns)
        return partial(_read_rows, file, tuple(self._columns.items()), self._sources, first_row, rows, earlier)

    def rows(self, first_row: int, rows: int, earlier: int) -> Samples:
        """Some rows of a parquet file."""
        return self.samples(list(self._found(self._raw_records(first_row, rows))), first_row, earlier)

    def records(self) -> Iterator[Row]:
        """Records with the places of their cells; jsonl may name different cells in every line."""
        return self._found(self._raw_records())

    def whole_records(self) -> Iterator[Row]:
        """The same with every column, whatever its role."""
        return self._found(self._parquet.records(self._parquet.header)) if self.format == "parquet" else self.records()

    def samples(self, batch: Sequence[Row], first_row: int, earlier: int = 0) -> Samples:
        """`first_row` is counted in this file; `earlier` rows of other files come before, which default ids count."""
        layouts = [columns for _, columns in batch]
        one = layouts[0] if len(set(map(id, layouts))) == 1 else None  # as in all but jsonl
        by_column = [] if one is None else list(zip(*[cells for (_, _, cells), _ in batch], strict=True))

        def column(role: str) -> Sequence[Any]:
            if one is None:
                places = [getattr(columns, role) for columns in layouts]
                return [
                    None if place is None else cells[place]
                    for ((_, _, cells), _), place in zip(batch, places, strict=True)
                ]
            place = getattr(one, role)
            return [None] * len(batch) if place is None else by_column[place]

        groups: Sequence[Sequence[Any]]
        if one is not None and one.references is None:
            groups = list(zip(*map(by_column.__getitem__, one.reference), strict=True)) or [()] * len(batch)
        else:
            groups = [self._references(record, columns) for record, columns in batch]
        start = earlier + first_row
        ids: Sequence[str | int | float] = range(start, start + len(batch))
        if has_ids(layouts):
            named = [self.id_of(record, columns) for record, columns in batch]
            ids = [row if name is None else name for row, name in zip(ids, named, strict=True)]
        try:
            return Samples.of(column("source"), column("candidate"), groups, column("system"), ids, first_row)
        except InputError as error:
            raise InputError(f"{self.name}: {error.message}", error.hint) from None

    def id_of(self, record: Record, columns: Columns) -> str | int | float | None:
        number, _, cells = record
        found = None if columns.id is None else cells[columns.id]
        if isinstance(found, (bool, list, dict)):
            raise InputError(f"{self.name}: {self.place} {number}: id is {found!r:.40}; expected a text or a number")
        return None if found == "" else found

    def _references(self, record: Record, columns: Columns) -> list[Any]:
        number, _, cells = record
        group: list[Any] = []
        if columns.references is not None and (listed := cells[columns.references]) is not None:
            if self.format in FLAT:
                listed = list_in_cell(listed, f"{self.name}: {self.place} {number}")
            if not isinstance(listed, list):
                raise InputError(
                    f"{self.name}: {self.place} {number}: references is {type(listed).__name__} {listed!r:.40}; "
                    "expected a list of texts, or one text in a column named 'reference'"
                )
            group += listed
        return group + [cells[place] for place in columns.reference]

    def _found(self, records: Iterable[Record]) -> Iterator[Row]:
        found: dict[tuple[str, ...], Columns] = {}
        last: tuple[str, ...] | None = None
        for record in records:
            number, names, cells = record
            if names is not last and names not in found:
                where = f"{self.name}: {self.place} {number}" if self.format in OBJECTS else self.name
                sparse = bool(found)
                if len(found) > 1_000:
                    found.clear()
                found[names] = self._find_columns(names, where, sparse)
            if names is not last:
                last, columns = names, found[names]
            if cells or self.format in OBJECTS:  # else it is the header
                yield record, columns

    def _find_columns(self, names: tuple[str, ...], where: str, sparse: bool = False) -> Columns:
        headless = self.format in FLAT and self.layout.header is None
        return find_columns(names, self._columns, where, sparse, self._sources, headless)

    def _raw_records(self, first: int = 1, rows: int | None = None) -> Iterator[Record]:
        """All, or of a parquet file some, and of it the columns that have a role."""
        if self.format != "parquet":
            return _records(self._content, self.layout, self.quoted)
        header = self._parquet.header
        used = find_columns(header, self._columns, self.name, source=self._sources).used()
        return self._parquet.records([header[place] for place in used], first, rows)


def _records(content: Content, layout: Layout, quoted: bool) -> Iterator[Record]:
    header = None if layout.header is None else tuple(layout.header)
    match layout.format:
        case "csv":
            return csv_records(content, layout.delimiter or ",", header)
        case "tsv":
            return tsv_records(content, quoted, header)
        case "xlsx":
            return xlsx_records(content, header)
        case "jsonl":
            return jsonl_records(content)
        case "json":
            return array_records(content)
    parquet = Parquet(content)
    return parquet.records(parquet.header)


def raw_rows(path: PathLike, layout: Layout) -> Iterator[tuple[Sequence[str], Sequence[Any]]]:
    """The names and the cells of every row of a table, whatever its columns are."""
    content = Content(path, layout.encoding)
    layout = layout.resolved(content)
    if not content.head:
        raise InputError(f"{content.name} is empty")
    records = _records(content, layout, layout.format == "tsv" and is_quoted(content))
    return ((names, cells) for _, names, cells in records if cells)


def _read_rows(
    file: tuple[str, int],
    columns: tuple[tuple[str, str], ...],
    sources: bool,
    first_row: int,
    rows: int,
    earlier: int,
) -> Samples:
    """Some rows of a parquet file, in any process; `file` is its path or URI, and when it was changed."""
    return _opened(file, columns, sources).rows(first_row, rows, earlier)


@lru_cache(maxsize=4)
def _opened(file: tuple[str, int], columns: tuple[tuple[str, str], ...], sources: bool) -> TableFile:
    return TableFile(file[0], Layout("parquet", dict(columns)), sources=sources)
