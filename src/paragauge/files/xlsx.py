"""The first sheet of an xlsx file as records, row by row; every cell is a text, as in csv."""

from __future__ import annotations

import warnings
import zipfile
from collections.abc import Iterator
from datetime import date, time
from typing import Any

from ..errors import InputError
from ..process.extras import require
from .content import LONGEST, Content
from .csv import Record, under_header

_UNPACKED = 1 << 26  # bytes of what openpyxl keeps in memory: the texts that cells share, styles, names
_BLOCK = 1 << 16
_ENDS = (b"/row>", b":row>", b"/si>", b":si>")  # of a row, or of a text that cells share


def xlsx_records(content: Content, header: tuple[str, ...] | None = None) -> Iterator[Record]:
    """Rows with the first one as names, unless these are given; empty rows are passed over."""
    with content.bytes() as stream:
        yield from under_header(content.name, _rows(content, stream), header, sheet=True)


def _rows(content: Content, stream: Any) -> Iterator[tuple[int, list[str]]]:
    """The rows that hold anything, without the empty cells at their end."""
    name = content.name
    openpyxl = require("openpyxl", "xlsx", f"{name}: xlsx files need openpyxl")
    try:
        _check_unpacked(name, stream)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of styles and menus that it does not know
            book = openpyxl.load_workbook(stream, read_only=True, data_only=True, keep_links=False)
            sheet: Any = book.worksheets[0]
            sheet.reset_dimensions()  # what a file says of its own size may be wrong
            rows = sheet.iter_rows(values_only=True)
            first = next(rows, ())
    except InputError:
        raise
    except Exception as error:  # a damaged workbook raises anything: KeyError, BadZipFile, ParseError …
        raise _damaged(name, error) from error
    number, row = 1, first
    while True:
        cells = [_text(cell) for cell in row]
        while cells and not cells[-1].strip():
            cells.pop()
        if cells:
            content.taken += sum(map(len, cells))
            yield number, cells
        try:
            row = next(rows, None)
        except Exception as error:
            raise _damaged(name, error) from error
        if row is None:
            return
        number += 1


def _check_unpacked(name: str, stream: Any) -> None:
    """Refuse what would unpack to more than memory should hold, before openpyxl unpacks it."""
    kept = 0
    with zipfile.ZipFile(stream) as archive:
        for member in archive.infolist():
            with archive.open(member) as part:
                size, tail = 0, b""  # since the last end of a row
                while block := part.read(_BLOCK):
                    if not tail and (start := block.lstrip()[:8]) and b"<" not in start:
                        break  # a picture, which is not read
                    if "worksheets/" not in member.filename:
                        kept += len(block)
                    end = max(map((tail + block).rfind, _ENDS))
                    size = size + len(block) if end < 0 else len(tail + block) - end
                    tail = block[-5:]
                    if size > LONGEST:
                        raise InputError(
                            f"{name}: a row or a cell unpacks to more than {LONGEST:,} bytes; save it as csv or jsonl "
                            "without that row"
                        )
                    if kept > _UNPACKED:
                        raise InputError(
                            f"{name}: what its cells share unpacks to more than {_UNPACKED:,} bytes; save it as csv or "
                            "jsonl"
                        )


def _damaged(name: str, error: Exception) -> InputError:
    reason = str(error).strip().partition("\n")[0] or type(error).__name__
    return InputError(f"{name}: could not be read as xlsx: {reason:.200}")


def _text(cell: object) -> str:
    """As a spreadsheet shows it without a format: 42 and not 42.0."""
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return str(cell).upper()
    if isinstance(cell, float) and cell.is_integer() and abs(cell) < 1e15:
        return str(int(cell))
    return cell.isoformat() if isinstance(cell, (date, time)) else str(cell)
