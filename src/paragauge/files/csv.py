"""Delimited text, csv and tsv, as numbered records, with errors that say where."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from ..errors import Hint, InputError
from .content import LONGEST, Content

# number of the line (or row) where it begins, names of the cells, cells
Record = tuple[int, tuple[str, ...], Sequence[Any]]


def csv_records(content: Content, delimiter: str = ",", header: tuple[str, ...] | None = None) -> Iterator[Record]:
    """Quoted cells, with the first row as names unless these are given; blank lines are passed over."""
    if csv.field_size_limit() < LONGEST:
        csv.field_size_limit(LONGEST)
    yield from under_header(content.name, _csv_rows(content, delimiter), header)


def _csv_rows(content: Content, delimiter: str) -> Iterator[tuple[int, list[str]]]:
    line, size = 1, 0  # where the row begins, and its characters

    def lines() -> Iterator[str]:
        nonlocal size
        for text in content.lines(newline=""):
            size += len(text)
            if size > LONGEST:
                raise InputError(
                    f"{content.name}: line {line}: this row has more than {LONGEST:,} characters; "
                    "is a quote opened there and never closed?"
                )
            yield text

    # strict: otherwise "Hello," he said  would lose its quotes and an open quote would take the rest of the file
    reader = csv.reader(lines(), delimiter=delimiter, strict=True)
    try:
        for cells in reader:
            if cells:
                yield line, cells
            line, size = reader.line_num + 1, 0
    except csv.Error as error:
        raise _mismatched(content.name, line, error) from error


def under_header(
    name: str, rows: Iterable[tuple[int, list[str]]], header: tuple[str, ...] | None, *, sheet: bool = False
) -> Iterator[Record]:
    """Numbered rows of cells with their header, which is the first of them unless it is given.

    In a `sheet` they are rows and not lines, and empty cells at their end are left out.
    """
    given = header is not None
    for number, cells in rows:
        if header is None:
            header = tuple(cells)
            yield number, header, ()
            continue
        if given:
            _refuse_header(name, cells, header)
            given = False
        if sheet:
            cells += [""] * (len(header) - len(cells))
        if len(cells) != len(header):
            few, place = "few" if len(cells) < len(header) else "many", "row" if sheet else "line"
            raise InputError(
                f"{name}: {place} {number}: too {few} cells: {len(cells)}, where the header has {len(header)} "
                f"({', '.join(header):.80})"
            )
        yield number, header, cells


def tsv_records(content: Content, quoted: bool, header: tuple[str, ...] | None = None) -> Iterator[Record]:
    """Cells between tabs, with the first row as names unless these are given.

    Where not `quoted`, a quote is a character like any other.
    """
    if quoted:
        yield from csv_records(content, "\t", header)
        return
    lines = (line.removesuffix("\n").removesuffix("\r") for line in content.lines())
    rows = ((number, line.split("\t")) for number, line in enumerate(lines, 1) if line)
    yield from under_header(content.name, rows, header)


_PLAIN = r'[^"\t\r\n]*+'
_QUOTED = r'"[^"]*+(?:""[^"]*+)*+"'
_ROW = re.compile(rf"(?:{_QUOTED}|{_PLAIN})(?:\t(?:{_QUOTED}|{_PLAIN}))*+")
_TAB_OR_QUOTED = re.compile(rf"\t|{_QUOTED}")


def is_quoted(content: Content) -> bool:
    """Does the tsv file quote its cells as csv does, everywhere? One stray quote means that quotes are plain text.

    Data sets such as MRPC hold raw quotes (`"Hello," he said`), spreadsheets and csv writers quote; no rule for single
    rows tells them apart, so the whole file decides.
    """
    inside, cells, width = False, 1, 0
    for line in content.lines():
        if '"' not in line and (inside or width):
            continue
        text = line.removesuffix("\n").removesuffix("\r")
        if not text and not inside:
            continue
        if inside:
            text = '"' + text
        inside = text.count('"') % 2 == 1
        if inside:
            text += '"'
        if not _ROW.fullmatch(text):
            return False
        cells += sum(match == "\t" for match in _TAB_OR_QUOTED.findall(text))
        if not inside:
            if width and cells != width:
                return False
            width, cells = width or cells, 1
    return not inside


def _refuse_header(name: str, cells: Sequence[str], header: Sequence[str]) -> None:
    """Refuse a first row that holds the names given for a file without a header: it would be scored."""
    if [cell.strip().lower() for cell in cells] == [cell.strip().lower() for cell in header]:
        raise InputError(
            f"{name}: its first row is a header ({', '.join(cells):.80})", Hint("leave out {header}", header=None)
        )


def _mismatched(name: str, line: int, error: csv.Error) -> InputError:
    if "end of data" in str(error):
        return InputError(f"{name}: line {line}: a quote is opened in this row and never closed")
    return InputError(
        f"{name}: line {line}: a quoted cell of this row has text after its closing quote; "
        'inside a quoted cell a quote is written twice: ""'
        if "expected after" in str(error)
        else f"{name}: line {line}: {error}"
    )
