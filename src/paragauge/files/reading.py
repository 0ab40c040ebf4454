"""Input read in chunks: tables and aligned text files to Samples."""

from __future__ import annotations

import hashlib
import json
import os
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from ..errors import InputError, nearest
from ..tables.samples import Samples
from .columns import (
    Columns,
    Keys,
    check_roles,
    find_columns,
    find_numbers,
    is_role,
    list_in_cell,
    locate_numbers,
    no_number_column,
    number_in_cell,
)
from .formats import Content, Parquet, Record, check_delimiter, csv_records, is_quoted, tsv_records
from .objects import array_records, jsonl_records
from .writing import FORMATS, PathLike, format_by_suffix, unknown_suffix
from .xlsx import xlsx_records

ROWS = 8_192  # of one chunk
INPUT_FORMATS = FORMATS | {".json": "json", ".json.gz": "json", ".xlsx": "xlsx"}
FLAT = ("csv", "tsv", "xlsx")  # rows of texts, below a header
OBJECTS = ("jsonl", "json")  # each row names its own cells


def open_table(
    path: PathLike,
    format: str | None = None,
    columns: Mapping[str, str] | None = None,
    encoding: str = "utf-8",
    delimiter: str | None = None,
    header: Sequence[str] | None = None,
    *,
    sources: bool = True,
) -> Input:
    """A csv, tsv, jsonl, json, parquet or xlsx file; `-` is standard input. `columns` renames: {"source": "question"}.

    `delimiter` separates the cells of csv. `header` names the columns, in order, of a csv, tsv or xlsx file that has no
    header line. Without `sources` it need not have a column of sources.
    """
    return _table(path, format, columns, encoding, delimiter, header, sources=sources)


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
                f"{content.name} is read as {format}, and a delimiter is for csv; with --input-format csv it is read so"
            )
    if header is not None:
        if isinstance(header, str):
            raise InputError(f"header is the string {header!r:.40}; expected a list of column names")
        if format not in FLAT:
            raise InputError(f"{content.name} is read as {format}, which names its columns itself; leave out --columns")
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


class Input(ABC):
    """Rows to be judged, in chunks; each iteration reads the files anew, so memory holds one chunk."""

    name: str
    length: int | None = None  # number of rows, once known
    several_systems: bool = True  # may there be more than one?
    repaired: int = 0  # texts of the last iteration in which half a surrogate pair was replaced

    def __iter__(self) -> Iterator[Samples]:
        return self.chunks()

    def chunks(self, rows: int = ROWS) -> Iterator[Samples]:
        """At most `rows` rows at a time."""
        if rows < 1:
            raise InputError(f"a chunk of {rows} rows holds nothing; expected at least 1")
        self.repaired = 0
        for chunk in self._read(rows):
            self.repaired += chunk.repaired
            yield chunk

    @abstractmethod
    def _read(self, rows: int) -> Iterator[Samples]: ...

    @abstractmethod
    def progress(self) -> tuple[int, int]:
        """How much of the current iteration is done, and of how much: in bytes or in rows."""

    def fingerprint(self) -> str:
        """sha256 of the files and of the options that change what is read from them."""
        return hashlib.sha256(json.dumps(self._identity()).encode()).hexdigest()

    @abstractmethod
    def _identity(self) -> list[Any]: ...


class _Table(Input):
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
        self._format = format
        self._columns = columns
        self._numbers = numbers
        self._sources = sources
        self._delimiter = delimiter
        self._header = header
        self._done = 0
        self._place = "row" if format in ("parquet", "json", "xlsx") else "line"
        check_roles(columns)
        if not content.head:
            raise InputError(f"{self.name} is empty")
        if format == "parquet":
            self._parquet = Parquet(content)
            self.length = self._parquet.length
        self._quoted = format == "tsv" and is_quoted(content)
        if format != "parquet" and next(self._raw_records(), None) is None:
            raise InputError(f"{self.name} is empty")
        first = next(self._records(), None)
        if first is None:
            raise InputError(f"{self.name} has a header and no rows")
        self.several_systems = format == "jsonl" or first[1].system is not None  # each line of jsonl names its cells

    def progress(self) -> tuple[int, int]:
        return self._done, self.length if self._format == "parquet" and self.length else self._content.size

    def _identity(self) -> list[Any]:
        layout = [self._delimiter, self._header, sorted(self._columns.items())]
        return [self._format, self._content.encoding, layout, self._content.digest()]

    def _records(self) -> Iterator[tuple[Record, Columns]]:
        """Records with the places of their cells; jsonl may name different cells in every line."""
        found: dict[tuple[str, ...], Columns] = {}
        for record in self._raw_records():
            number, names, cells = record
            if names not in found:
                where = f"{self.name}: {self._place} {number}" if self._format in OBJECTS else self.name
                sparse = bool(found)
                if len(found) > 1_000:
                    found.clear()
                found[names] = self._find_columns(names, where, sparse)
            is_header = not cells and self._format not in OBJECTS
            if not is_header:
                yield record, found[names]

    def _find_columns(self, names: tuple[str, ...], where: str, sparse: bool) -> Columns:
        try:
            return find_columns(names, self._columns, where, sparse, self._sources)
        except InputError as error:
            headless = self._format in FLAT and self._header is None and not any(map(is_role, names))
            hint = "; if its first row is no header, name the columns: --columns source,candidate,…"
            raise InputError(f"{error}{hint * (headless and not self._columns)}") from None

    def _raw_records(self) -> Iterator[Record]:
        match self._format:
            case "csv":
                return csv_records(self._content, self._delimiter, self._header)
            case "tsv":
                return tsv_records(self._content, self._quoted, self._header)
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

    def _read(self, rows: int) -> Iterator[Samples]:
        self._done, row = 0, 0
        records = self._records()
        keys = Keys(self._keys_before)
        while batch := list(islice(records, rows)):
            chunk = self._samples(batch, row + 1)
            if keys.begun or any(columns.id is not None for _, columns in batch):
                keys.add(chunk.keys(), row + 1, self.name)
            row += len(batch)
            self._done = row if self._format == "parquet" else self._content.position()
            yield chunk
        self.length = row

    def read_numbered(self) -> tuple[Samples, dict[str, list[float]]]:
        records = list(self._records())
        samples = self._samples(records, 1)
        if any(columns.id is not None for _, columns in records):
            Keys(self._keys_before).add(samples.keys(), 1, self.name)
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

    def _samples(self, batch: Sequence[tuple[Record, Columns]], first_row: int) -> Samples:
        layouts = [columns for _, columns in batch]
        one = layouts[0] if all(columns is layouts[0] for columns in layouts) else None  # as in all but jsonl

        def column(places: Callable[[Columns], int | None]) -> list[Any]:
            if one is None:
                found = zip(batch, map(places, layouts), strict=True)
                return [None if place is None else cells[place] for ((_, _, cells), _), place in found]
            place = places(one)
            return [None] * len(batch) if place is None else [cells[place] for (_, _, cells), _ in batch]

        if one is not None and one.references is None:
            groups = [[cells[place] for place in one.reference] for (_, _, cells), _ in batch]
        else:
            groups = [self._references(record, columns) for record, columns in batch]
        ids = [None] * len(batch) if one is not None and one.id is None else [self._id(*entry) for entry in batch]
        try:
            return Samples.of(
                column(lambda columns: columns.source),
                column(lambda columns: columns.candidate),
                groups,
                column(lambda columns: columns.system),
                ids,
                first_row,
            )
        except InputError as error:
            raise error if str(error).startswith(f"{self.name}: ") else InputError(f"{self.name}: {error}") from None

    def _references(self, record: Record, columns: Columns) -> list[Any]:
        number, _, cells = record
        group: list[Any] = []
        if columns.references is not None and (listed := cells[columns.references]) is not None:
            if self._format in FLAT:
                listed = list_in_cell(listed, f"{self.name}: {self._place} {number}")
            if not isinstance(listed, list):
                raise InputError(
                    f"{self.name}: {self._place} {number}: references is {type(listed).__name__} {listed!r:.40}; "
                    "expected a list of texts, or one text in a column named 'reference'"
                )
            group += listed
        return group + [cells[place] for place in columns.reference]

    def _id(self, record: Record, columns: Columns) -> str | int | float | None:
        number, _, cells = record
        found = None if columns.id is None else cells[columns.id]
        if isinstance(found, (bool, list, dict)):
            raise InputError(f"{self.name}: {self._place} {number}: id is {found!r:.40}; expected a text or a number")
        return None if found == "" else found

    def _keys_before(self, row: int) -> Iterator[tuple[str, str]]:
        records = islice(self._records(), row - 1)
        for first_row in range(1, row, ROWS):
            yield from self._samples(list(islice(records, ROWS)), first_row).keys()


class _Aligned(Input):
    def __init__(self, source: Content | None, candidates: dict[str, Content], references: list[Content]) -> None:
        self._systems = list(candidates)
        self.several_systems = len(self._systems) > 1
        self._sources = source is not None
        self._files = [*([source] if source is not None else ()), *candidates.values(), *references]
        self.name = self._files[0].name
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
        f"({last!r:.60}), and {longer.name} goes on with {beyond!r:.60}"
    )


def _format_of(path: PathLike, content: Content, delimiter: str | None) -> str:
    format = format_by_suffix(os.fspath(path), INPUT_FORMATS)
    if format is None and delimiter is not None:
        return "csv"
    if format is None and content.spooled:
        return content.sniff()
    if format is None:
        raise unknown_suffix(os.fspath(path), INPUT_FORMATS, "; or name it with --input-format")
    return format
