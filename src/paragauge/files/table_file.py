"""Tables read in chunks: the rows of a file as Samples."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from typing import Any, NamedTuple

from ..errors import Hint, InputError, nearest
from ..tables.samples import Samples
from .columns import (
    Columns,
    check_roles,
    find_columns,
    find_numbers,
    has_ids,
    list_in_cell,
    locate_numbers,
    no_number_column,
    number_in_cell,
)
from .content import Content
from .csv import Record, check_delimiter, csv_records, is_quoted, tsv_records
from .input import ROWS as ROWS
from .input import Input as Input
from .json import array_records, jsonl_records
from .parquet import Parquet
from .places import table_files
from .raters import RATER, JudgedRow, judged_samples
from .remote import shown
from .table import Row, Tables
from .write import FORMATS, PathLike, format_by_suffix, unknown_suffix
from .xlsx import xlsx_records

INPUT_FORMATS = FORMATS | {".json": "json", ".json.gz": "json", ".xlsx": "xlsx"}
FLAT = ("csv", "tsv", "xlsx")  # rows of texts, below a header
OBJECTS = ("jsonl", "json")  # each row names its own cells


def open_table(
    path: PathLike | Sequence[PathLike],
    format: str | None = None,
    columns: Mapping[str, str] | None = None,
    encoding: str = "utf-8",
    delimiter: str | None = None,
    header: Sequence[str] | None = None,
    *,
    sources: bool = True,
) -> Input:
    """A csv, tsv, jsonl, json, parquet or xlsx file; `-` is standard input. `columns` renames: {"source": "question"}.

    A list of paths, a pattern ('shards/*.parquet') or a folder is one table cut into files of one format and with the
    same columns; those of a pattern or a folder are read in the order of their names. Where the extra `remote` is
    installed, URIs that pyarrow reads (s3://, gs://, hdfs:// …) are paths too.
    `delimiter` separates the cells of csv. `header` names the columns, in order, of a csv, tsv or xlsx file that has no
    header line. Without `sources` it need not have a column of sources.
    """
    files = table_files(path)
    tables = [_table(file, format, columns, encoding, delimiter, header, sources=sources) for file in files]
    return Tables(shown(os.fspath(path)) if isinstance(path, (str, os.PathLike)) else "the list", tables, files)


def read_rows(
    file: tuple[str, int],
    columns: tuple[tuple[str, str], ...],
    sources: bool,
    first_row: int,
    rows: int,
    earlier: int,
) -> Samples:
    """Some rows of a parquet file, in whatever process; `file` is its path or URI, and when it was changed."""
    return _opened(file, columns, sources).rows(first_row, rows, earlier)


@lru_cache(maxsize=4)
def _opened(file: tuple[str, int], columns: tuple[tuple[str, str], ...], sources: bool) -> _Table:
    return _table(file[0], "parquet", dict(columns), "utf-8", None, None, sources=sources)


class Numbered(NamedTuple):
    """A whole table: its samples, and what its columns of numbers hold; an empty cell is NaN."""

    samples: Samples
    numbers: dict[str, list[float]]  # one for each row of the file
    rows: list[int]  # the sample of each row of the file
    raters: list[str] | None  # who judged it; None where the file does not tell


def read_numbered(
    path: PathLike,
    numbers: Sequence[str],
    format: str | None = None,
    columns: Mapping[str, str] | None = None,
    encoding: str = "utf-8",
    delimiter: str | None = None,
    header: Sequence[str] | None = None,
) -> Numbered:
    """A table with columns of numbers. Where it has a column `rater`, each sample has a row for each of its raters."""
    return _table(path, format, columns, encoding, delimiter, header, numbers).read_numbered()


def raw_rows(
    path: PathLike,
    format: str | None = None,
    encoding: str = "utf-8",
    delimiter: str | None = None,
    header: Sequence[str] | None = None,
) -> Iterator[tuple[Sequence[str], Sequence[Any]]]:
    """The names and the cells of every row of a table, whatever its columns are."""
    content = Content(path, encoding)
    format = _format_of(path, content, delimiter) if format is None else format
    if not content.head:
        raise InputError(f"{content.name} is empty")
    names = None if header is None else tuple(header)
    match format:
        case "csv":
            records = csv_records(content, check_delimiter(delimiter or ","), names)
        case "tsv":
            records = tsv_records(content, is_quoted(content), names)
        case "xlsx":
            records = xlsx_records(content, names)
        case "jsonl":
            records = jsonl_records(content)
        case "json":
            records = array_records(content)
        case "parquet":
            parquet = Parquet(content)
            records = parquet.records(parquet.header)
        case _:
            raise InputError(f"no format named '{format}'{nearest(format, set(INPUT_FORMATS.values()))}")
    return ((names, cells) for _, names, cells in records if cells)


def _table(
    path: PathLike,
    format: str | None,
    columns: Mapping[str, str] | None,
    encoding: str,
    delimiter: str | None,
    header: Sequence[str] | None,
    numbers: Sequence[str] = (),
    *,
    sources: bool = True,
) -> _Table:
    if format is not None and format not in INPUT_FORMATS.values():
        raise InputError(f"no format named '{format}'{nearest(format, set(INPUT_FORMATS.values()))}")
    content = Content(path, encoding)
    if format is None:
        format = _format_of(path, content, delimiter)
    if delimiter is not None:
        delimiter = check_delimiter(delimiter)
        if format != "csv":
            raise InputError(
                f"{content.name} is read as {format}, and a delimiter is for csv",
                Hint("{format} reads it as csv", format="csv"),
            )
    if header is not None:
        if isinstance(header, str):
            raise InputError(f"header is the string {header!r:.40}; expected a list of column names")
        if format not in FLAT:
            raise InputError(
                f"{content.name} is read as {format}, which names its columns itself",
                Hint("leave out {header}", header=None),
            )
    names = None if header is None else tuple(header)
    return _Table(content, format, dict(columns or {}), tuple(numbers), delimiter or ",", names, sources)


class _Table:
    """One file: its rows, and what it tells of them before they are read."""

    def __init__(
        self,
        content: Content,
        format: str,
        columns: dict[str, str],
        numbers: tuple[str, ...],
        delimiter: str,
        header: tuple[str, ...] | None,
        sources: bool,
    ) -> None:
        self.name = content.name
        self._content = content
        self.format = format
        self._columns = columns
        self._numbers = numbers
        self._sources = sources
        self._delimiter = delimiter
        self._header = header
        self.length: int | None = None
        self.size = content.size
        self._place = "row" if format in ("parquet", "json", "xlsx") else "line"
        check_roles(columns)
        named = header  # the names of the columns, where all rows have the same
        if format == "parquet" and content.head:
            self._parquet = Parquet(content)
            self.size = self.length = self._parquet.length
            named = self._parquet.header
        self.quoted = format == "tsv" and is_quoted(content)
        raw = next(self._raw_records(), None) if content.head else None
        if format in ("csv", "tsv", "xlsx") and raw is not None:
            named = raw[1]
        if named is None and format not in OBJECTS:
            raise InputError(f"{self.name} is empty")
        self.roles = None if named is None else self._find_columns(named, self.name, False).roles()
        first = next(self.records(), None) if raw is not None else None
        headed = format == "parquet" or raw is not None
        self.lacks_rows = "" if first is not None else "has a header and no rows" if headed else "is empty"
        # each line of jsonl names its cells
        self.several_systems = format == "jsonl" or (first is not None and first[1].system is not None)

    def reader(self, first_row: int, rows: int, earlier: int) -> Callable[[], Samples] | None:
        if self.format != "parquet" or self._content.spooled:
            return None
        path, remote = self._content.path, self._content.remote
        if remote is not None:
            file = (self._content.given, remote.changed)
        else:  # absolute, as whoever reads it may be in another folder
            file = (str(path.absolute()), path.stat().st_mtime_ns)
        return partial(read_rows, file, tuple(self._columns.items()), self._sources, first_row, rows, earlier)

    def rows(self, first_row: int, rows: int, earlier: int) -> Samples:
        """Some rows of a parquet file."""
        found = list(self._found(self._raw_records(first_row, rows)))
        return self.samples(found, first_row, earlier)

    def count(self, most: int) -> int | None:
        if self.length is not None or self.format in ("xlsx", "json"):
            return self.length
        header = self.format in FLAT and self._header is None
        return self._content.count_lines(most + header) - header

    @property
    def taken(self) -> int:
        return self._content.taken

    def position(self) -> int:
        return self._content.position()

    def identity(self) -> list[Any]:
        layout = [self._delimiter, self._header, sorted(self._columns.items())]
        return [self.format, self._content.encoding, layout, self._content.digest()]

    def records(self) -> Iterator[Row]:
        """Records with the places of their cells; jsonl may name different cells in every line."""
        return self._found(self._raw_records())

    def _found(self, records: Iterable[Record]) -> Iterator[Row]:
        found: dict[tuple[str, ...], Columns] = {}
        last: tuple[str, ...] | None = None
        for record in records:
            number, names, cells = record
            if names is not last and names not in found:
                where = f"{self.name}: {self._place} {number}" if self.format in OBJECTS else self.name
                sparse = bool(found)
                if len(found) > 1_000:
                    found.clear()
                found[names] = self._find_columns(names, where, sparse)
            if names is not last:
                last, columns = names, found[names]
            if cells or self.format in OBJECTS:  # else it is the header
                yield record, columns

    def _find_columns(self, names: tuple[str, ...], where: str, sparse: bool) -> Columns:
        headless = self.format in FLAT and self._header is None
        return find_columns(names, self._columns, where, sparse, self._sources, headless)

    def _raw_records(self, first: int = 1, rows: int | None = None) -> Iterator[Record]:
        """All, or of a parquet file some."""
        match self.format:
            case "csv":
                return csv_records(self._content, self._delimiter, self._header)
            case "tsv":
                return tsv_records(self._content, self.quoted, self._header)
            case "xlsx":
                return xlsx_records(self._content, self._header)
            case "jsonl":
                return jsonl_records(self._content)
            case "json":
                return array_records(self._content)
        header = self._parquet.header
        roles = find_columns(header, self._columns, self.name, source=self._sources)
        used = {*roles.used(), *find_numbers(header, self._numbers, self.name)}
        if self._numbers and (rater := locate_numbers(header, [RATER], self.name)[0]) is not None:
            used.add(rater)
        return self._parquet.records([header[place] for place in sorted(used)], first, rows)

    def read_numbered(self) -> Numbered:
        if self.lacks_rows:
            raise InputError(f"{self.name} {self.lacks_rows}")
        records = list(self.records())
        headers = dict.fromkeys(names for (_, names, _), _ in records)
        at = {names: locate_numbers(names, [RATER], self.name)[0] for names in headers}
        rows, raters = list(range(len(records))), None
        if any(place is not None for place in at.values()):
            judged = [self._judged(record, columns, at[record[1]]) for record, columns in records]
            rows, raters = judged_samples(judged, self.name), [row.rater for row in judged]
        firsts = sorted({row: place for place, row in reversed([*enumerate(rows)])}.values())
        samples = self.samples([records[place] for place in firsts], 1)
        places = {names: locate_numbers(names, self._numbers, self.name) for names in headers}
        for column, name in enumerate(self._numbers):  # one line of jsonl may lack what another has
            if all(found[column] is None for found in places.values()):
                raise no_number_column(name, {known for names in headers for known in names}, self.name)
        numbers: dict[str, list[float]] = {name: [] for name in self._numbers}
        for (number, names, cells), _ in records:
            for name, place in zip(self._numbers, places[names], strict=True):
                cell = None if place is None else cells[place]
                numbers[name].append(number_in_cell(cell, f"{self.name}: {self._place} {number}: {name}"))
        return Numbered(samples, numbers, rows, raters)

    def _judged(self, record: Record, columns: Columns, rater: int | None) -> JudgedRow:
        number, _, cells = record
        places = rater, columns.system, columns.source, columns.candidate
        texts = ["" if place is None or cells[place] is None else str(cells[place]) for place in places]
        return JudgedRow(f"{self._place} {number}", self._id(record, columns), *texts)

    def samples(self, batch: Sequence[Row], first_row: int, earlier: int = 0) -> Samples:
        layouts = [columns for _, columns in batch]
        one = layouts[0] if len(set(map(id, layouts))) == 1 else None  # as in all but jsonl

        by_column = [] if one is None else list(zip(*[cells for (_, _, cells), _ in batch], strict=True))

        def column(places: Callable[[Columns], int | None]) -> Sequence[Any]:
            if one is None:
                found = zip(batch, map(places, layouts), strict=True)
                return [None if place is None else cells[place] for ((_, _, cells), _), place in found]
            place = places(one)
            return [None] * len(batch) if place is None else by_column[place]

        groups: Sequence[Sequence[Any]]
        if one is not None and one.references is None:
            groups = list(zip(*map(by_column.__getitem__, one.reference), strict=True)) or [()] * len(batch)
        else:
            groups = [self._references(record, columns) for record, columns in batch]
        ids = self._ids(batch, layouts, first_row, earlier)
        try:
            return Samples.of(
                column(lambda columns: columns.source),
                column(lambda columns: columns.candidate),
                groups,
                None if one is not None and one.system is None else column(lambda columns: columns.system),
                ids,
                first_row,
            )
        except InputError as error:
            raise InputError(f"{self.name}: {error.message}", error.hint) from None

    def _references(self, record: Record, columns: Columns) -> list[Any]:
        number, _, cells = record
        group: list[Any] = []
        if columns.references is not None and (listed := cells[columns.references]) is not None:
            if self.format in FLAT:
                listed = list_in_cell(listed, f"{self.name}: {self._place} {number}")
            if not isinstance(listed, list):
                raise InputError(
                    f"{self.name}: {self._place} {number}: references is {type(listed).__name__} {listed!r:.40}; "
                    "expected a list of texts, or one text in a column named 'reference'"
                )
            group += listed
        return group + [cells[place] for place in columns.reference]

    def _ids(
        self, batch: Sequence[Row], layouts: Sequence[Columns], first_row: int, earlier: int
    ) -> Sequence[str | int | float | None]:
        start = earlier + first_row
        if not has_ids(layouts):
            return range(start, start + len(batch))
        ids = [self._id(record, columns) for record, columns in batch]
        if not earlier:
            return ids  # the default is the number of the row
        return [row if found is None else found for row, found in enumerate(ids, start)]

    def _id(self, record: Record, columns: Columns) -> str | int | float | None:
        number, _, cells = record
        found = None if columns.id is None else cells[columns.id]
        if isinstance(found, (bool, list, dict)):
            raise InputError(f"{self.name}: {self._place} {number}: id is {found!r:.40}; expected a text or a number")
        return None if found == "" else found


def _format_of(path: PathLike, content: Content, delimiter: str | None) -> str:
    format = format_by_suffix(os.fspath(path), INPUT_FORMATS)
    if format is None and delimiter is not None:
        return "csv"
    if format is None and content.spooled:
        return content.sniff()
    if format is None:
        raise unknown_suffix(os.fspath(path), INPUT_FORMATS, Hint("or name it with {format}", format=None))
    return format
