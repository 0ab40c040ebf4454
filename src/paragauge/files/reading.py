"""Input read in chunks: tables and aligned text files to Samples."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from ..errors import Hint, InputError, nearest
from ..tables.samples import Samples
from .columns import (
    Columns,
    check_roles,
    find_columns,
    find_numbers,
    list_in_cell,
    locate_numbers,
    no_number_column,
    number_in_cell,
)
from .formats import Content, Record, check_delimiter, csv_records, is_quoted, tsv_records
from .input import ROWS as ROWS
from .input import Input as Input
from .many import Row, Tables
from .objects import array_records, jsonl_records
from .parquet import Parquet
from .places import table_files
from .remote import shown
from .writing import FORMATS, PathLike, format_by_suffix, unknown_suffix
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


def read_numbered(
    path: PathLike,
    numbers: Sequence[str],
    format: str | None = None,
    columns: Mapping[str, str] | None = None,
    encoding: str = "utf-8",
    delimiter: str | None = None,
    header: Sequence[str] | None = None,
) -> tuple[Samples, dict[str, list[float]]]:
    """A whole table, and those of its columns that hold numbers; an empty cell is NaN."""
    return _table(path, format, columns, encoding, delimiter, header, numbers).read_numbered()


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


def open_aligned(
    source: PathLike | None,
    candidates: Sequence[PathLike],
    references: Sequence[PathLike] = (),
    encoding: str = "utf-8",
) -> Input:
    """Text files of which line n belongs to line n; each candidate file is a system, named by the file's stem.

    Where nothing reads the sources, `source` may be None.
    """
    if not candidates:
        raise InputError("no candidate file; aligned text needs a source file and at least one candidate file")
    for name, paths in (("candidates", candidates), ("references", references)):
        if isinstance(paths, (str, os.PathLike)):
            raise InputError(f"{name} is one path; expected a list of paths, such as [{os.fspath(paths)!r}]")
    return _Aligned(
        None if source is None else Content(source, encoding),
        {name: Content(path, encoding) for name, path in _systems(candidates).items()},
        [Content(path, encoding) for path in references],
    )


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

    def position(self) -> int:
        return self._content.position()

    def identity(self) -> list[Any]:
        layout = [self._delimiter, self._header, sorted(self._columns.items())]
        return [self.format, self._content.encoding, layout, self._content.digest()]

    def records(self) -> Iterator[Row]:
        """Records with the places of their cells; jsonl may name different cells in every line."""
        found: dict[tuple[str, ...], Columns] = {}
        for record in self._raw_records():
            number, names, cells = record
            if names not in found:
                where = f"{self.name}: {self._place} {number}" if self.format in OBJECTS else self.name
                sparse = bool(found)
                if len(found) > 1_000:
                    found.clear()
                found[names] = self._find_columns(names, where, sparse)
            is_header = not cells and self.format not in OBJECTS
            if not is_header:
                yield record, found[names]

    def _find_columns(self, names: tuple[str, ...], where: str, sparse: bool) -> Columns:
        headless = self.format in FLAT and self._header is None
        return find_columns(names, self._columns, where, sparse, self._sources, headless)

    def _raw_records(self) -> Iterator[Record]:
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
        return self._parquet.records([header[place] for place in sorted(used)])

    def read_numbered(self) -> tuple[Samples, dict[str, list[float]]]:
        if self.lacks_rows:
            raise InputError(f"{self.name} {self.lacks_rows}")
        records = list(self.records())
        samples = self.samples(records, 1)
        headers = dict.fromkeys(names for (_, names, _), _ in records)
        places = {names: locate_numbers(names, self._numbers, self.name) for names in headers}
        for column, name in enumerate(self._numbers):  # one line of jsonl may lack what another has
            if all(found[column] is None for found in places.values()):
                raise no_number_column(name, {known for names in headers for known in names}, self.name)
        numbers: dict[str, list[float]] = {name: [] for name in self._numbers}
        for (number, names, cells), _ in records:
            for name, place in zip(self._numbers, places[names], strict=True):
                cell = None if place is None else cells[place]
                numbers[name].append(number_in_cell(cell, f"{self.name}: {self._place} {number}: {name}"))
        return samples, numbers

    def samples(self, batch: Sequence[Row], first_row: int, earlier: int = 0) -> Samples:
        def column(places: Callable[[Columns], int | None]) -> list[Any]:
            return [None if (place := places(columns)) is None else cells[place] for (_, _, cells), columns in batch]

        references = [self._references(record, columns) for record, columns in batch]
        ids = self._ids(batch, first_row, earlier)
        try:
            return Samples.of(
                column(lambda columns: columns.source),
                column(lambda columns: columns.candidate),
                references,
                column(lambda columns: columns.system),
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

    def _ids(self, batch: Sequence[Row], first_row: int, earlier: int) -> list[str | int | float | None]:
        ids = [self._id(record, columns) for record, columns in batch]
        if not earlier:
            return ids  # the default is the number of the row
        return [row if found is None else found for row, found in enumerate(ids, earlier + first_row)]

    def _id(self, record: Record, columns: Columns) -> str | int | float | None:
        number, _, cells = record
        found = None if columns.id is None else cells[columns.id]
        if isinstance(found, (bool, list, dict)):
            raise InputError(f"{self.name}: {self._place} {number}: id is {found!r:.40}; expected a text or a number")
        return None if found == "" else found


class _Aligned(Input):
    def __init__(self, source: Content | None, candidates: dict[str, Content], references: list[Content]) -> None:
        self._systems = list(candidates)
        self.several_systems = len(self._systems) > 1
        self._sources = source is not None
        self._files = [*([source] if source is not None else ()), *candidates.values(), *references]
        self.name = self._files[0].name
        self.files = tuple(file.given for file in self._files)
        self._done = 0
        lines = [_count(file.lines()) for file in self._files]
        for file, count in zip(self._files, lines, strict=True):
            if not count:
                raise InputError(f"{file.name} is empty")
            if count != lines[0]:
                raise _unequal(self._files[0], lines[0], file, count)
        self.length = lines[0] * len(candidates)

    def progress(self) -> tuple[int, int]:
        return self._done, self.length or 0

    def _identity(self) -> list[Any]:
        return [
            "aligned",
            self._files[0].encoding,
            self._sources,
            self._systems,
            [file.digest() for file in self._files],
        ]

    def _rows(self) -> Iterator[tuple[str, str, str, tuple[str, ...], int]]:
        """All systems of a line follow each other, so that what is computed for its source is still at hand."""
        files = [map(_line_text, file.lines()) for file in self._files]
        first = int(self._sources)
        last = first + len(self._systems)
        for number, texts in enumerate(zip(*files, strict=True), 1):
            for system, candidate in zip(self._systems, texts[first:last], strict=True):
                yield texts[0] if self._sources else "", candidate, system, texts[last:], number

    def _read(self, rows: int) -> Iterator[Samples]:
        self._done = 0
        lines = self._rows()
        while batch := list(islice(lines, rows)):
            sources, candidates, systems, references, ids = zip(*batch, strict=True)
            self._done += len(batch)
            yield Samples.of(sources, candidates, references, systems, ids)


def _systems(paths: Iterable[PathLike]) -> dict[str, PathLike]:
    """Each file by its stem or, where two stems are equal, by its path as given."""
    stems = {os.fspath(path): Path(os.fspath(path).removesuffix(".gz")).stem for path in paths}
    if len(stems) < len(given := [os.fspath(path) for path in paths]):
        twice = next(path for path, times in Counter(given).items() if times > 1)
        raise InputError(f"the candidate file {twice} is given twice; each system needs a file of its own")
    times = Counter(stems.values())
    return {stem if times[stem] == 1 else path: path for path, stem in stems.items()}


def _line_text(line: str) -> str:
    return line.removesuffix("\n").removesuffix("\r")


def _count(lines: Iterable[str]) -> int:
    return sum(1 for _ in lines)


def _unequal(source: Content, expected: int, file: Content, count: int) -> InputError:
    shorter, longer = (file, source) if count < expected else (source, file)
    ends = min(count, expected)
    last, beyond = (
        _line_text(next(islice(content.lines(), line - 1, None)))
        for content, line in ((shorter, ends), (longer, ends + 1))
    )
    return InputError(
        f"{source.name} has {expected:,} lines but {file.name} has {count:,}; {shorter.name} ends after line {ends:,} "
        f"({last!r:.60}), and {longer.name} continues with {beyond!r:.60}"
    )


def _format_of(path: PathLike, content: Content, delimiter: str | None) -> str:
    format = format_by_suffix(os.fspath(path), INPUT_FORMATS)
    if format is None and delimiter is not None:
        return "csv"
    if format is None and content.spooled:
        return content.sniff()
    if format is None:
        raise unknown_suffix(os.fspath(path), INPUT_FORMATS, Hint("or name it with {format}", format=None))
    return format
