"""One input file as numbered records, read bit by bit, with errors that say where."""

from __future__ import annotations

import codecs
import csv
import gzip
import hashlib
import io
import os
import re
import shutil
import stat
import sys
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import chain, islice
from pathlib import Path
from typing import IO, Any, Literal

from ...errors import EncodingError, Hint, InputError
from ..remote import Remote, is_uri, local_path, shown
from ..temporary import TemporaryFolder

# number of the line (or row) where it begins, names of the cells, cells
Record = tuple[int, tuple[str, ...], Sequence[Any]]

# Longer cells are refused, so that a quote left open does not pull the rest of a large file into memory.
LONGEST_CELL = 1 << 24


class Content:
    """What a file holds, plain or gzipped. A stream (`-`, a pipe) is kept in a temporary file to be read again."""

    def __init__(self, path: str | os.PathLike[str], encoding: str = "utf-8") -> None:
        self.given = os.fspath(path)
        self.name = shown(self.given)
        self.path = Path(local_path(self.given))
        self.remote = Remote(self.given) if is_uri(self.given) else None
        self.encoding = encoding
        self.spooled = False
        self._raw: IO[bytes] | None = None
        try:
            io.TextIOWrapper(io.BytesIO(), encoding)
        except (LookupError, ValueError) as error:
            raise InputError(f"no encoding named {encoding!r}; known are utf-8, utf-16, latin-1, cp1252 …") from error
        with self._explained():
            if self.name == "-":
                self.name = "standard input"
                self._spool(sys.stdin.buffer)
            elif self.remote is not None:
                pass
            elif stat.S_ISDIR(mode := self.path.stat().st_mode):
                raise InputError(f"{self.name} is a folder; expected a file")
            elif not stat.S_ISREG(mode):
                with self.path.open("rb") as stream:
                    self._spool(stream)
            self.size = self.path.stat().st_size if self.remote is None else self.remote.size
            with self._stored() as raw:
                self.zipped = raw.read(2) == b"\x1f\x8b"
        with self.bytes() as stream:
            self.head = stream.read(4096)

    def _spool(self, stream: IO[bytes]) -> None:
        self._folder = TemporaryFolder()
        self.path, self.spooled = self._folder.path / "content", True
        with self.path.open("xb") as copy:
            shutil.copyfileobj(stream, copy)

    @contextmanager
    def _explained(self) -> Iterator[None]:
        try:
            yield
        except (EOFError, zlib.error, gzip.BadGzipFile) as error:
            raise InputError(f"{self.name}: the gzip data is damaged or cut short: {error}") from error
        except FileNotFoundError as error:
            raise InputError(f"{self.name}: no such file") from error
        except OSError as error:
            reason = error.strerror or str(error).strip().partition("\n")[0]
            raise InputError(f"could not read {self.name}: {reason}") from error

    @contextmanager
    def _stored(self) -> Iterator[IO[bytes]]:
        if self.remote is not None:
            with self.remote.open() as stream:
                yield stream
            return
        # Closed here alone: a reader abandoned after an error is ended by the garbage collector, in any order,
        # and a file that owned its descriptor would warn of not having been closed.
        descriptor = os.open(self.path, os.O_RDONLY | getattr(os, "O_BINARY", 0))
        try:
            with open(descriptor, "rb", closefd=False) as stream:
                yield stream
        finally:
            os.close(descriptor)

    @contextmanager
    def bytes(self) -> Iterator[IO[bytes]]:
        """The content, unzipped."""
        with self._explained():
            outer = self._raw
            try:
                with self._stored() as self._raw:
                    if self.zipped:
                        with gzip.GzipFile(fileobj=self._raw) as unzipped:
                            yield unzipped  # type: ignore[misc]
                    else:
                        yield self._raw
            finally:
                self._raw = outer

    def position(self) -> int:
        """How many of the `size` bytes the innermost reader has taken in."""
        return self.size if self._raw is None or self._raw.closed else self._raw.tell()

    def digest(self) -> str:
        """sha256 of the file as it is stored."""
        with self._explained(), self._stored() as raw:
            return hashlib.file_digest(raw, "sha256").hexdigest()  # type: ignore[arg-type]

    def count_lines(self, most: int) -> int:
        """How many line ends there are, until there are `most`: as fast as bytes are read, whatever they mean."""
        found = 0
        with self.bytes() as stream:
            while found < most and (block := stream.read(1 << 18)):
                found += block.count(b"\n")
        return found

    def lines(self, newline: Literal["", "\n"] = "\n") -> Iterator[str]:
        """Its lines with their ends; a byte order mark is left out."""
        with self.bytes() as stream, io.TextIOWrapper(stream, self.encoding, newline=newline) as text:
            try:
                first = (line.removeprefix("\ufeff") for line in islice(text, 1))
                for number, line in enumerate(chain(first, text), 1):
                    if "\0" in line:
                        raise self._holds_nul(number)
                    yield line
            except UnicodeError as error:
                raise self._undecodable(error) from error

    def _holds_nul(self, line: int) -> InputError:
        found, guess = f"{self.name}: line {line}: holds a NUL byte", self._guess()
        if not guess:
            return InputError(found, "is it a text file?")
        return EncodingError(f"{found}; it looks like {guess}", Hint("try {encoding}", encoding=guess))

    def _undecodable(self, error: UnicodeError) -> InputError:
        """Read again to find the place: the error of a buffered reader counts from the start of its buffer."""
        decoder = codecs.getincrementaldecoder(self.encoding)()
        offset, line = 0, 1
        with self.bytes() as stream:
            for block in iter(lambda: stream.read(1 << 16), None):
                pending = len(decoder.getstate()[0])
                try:
                    line += decoder.decode(block, final=not block).count("\n")
                except UnicodeDecodeError as found:
                    sound = block[: max(0, found.start - pending)]
                    line += decoder.decode(sound).count("\n")
                    offset += found.start - pending
                    return EncodingError(
                        f"{self.name}: line {line}: byte 0x{found.object[found.start]:02x} at offset {offset:,} "
                        f"is not {self.encoding}",
                        Hint("try {encoding}", encoding=self._guess() or self._other()),
                    )
                except UnicodeError:
                    break
                if not block:
                    break
                offset += len(block)
        return EncodingError(
            f"{self.name}: is not {self.encoding}: {error}",
            Hint("try {encoding}", encoding=self._guess() or self._other()),
        )

    def _other(self) -> str:
        if codecs.lookup(self.encoding).name != "utf-8":
            return "utf-8"
        try:
            codecs.getincrementaldecoder("gb2312")().decode(self.head)  # accents of latin-1 rarely stand in pairs
        except UnicodeDecodeError:
            return "latin-1"
        return "gb18030"

    def _guess(self) -> str:
        """The encoding that a byte order mark or the places of NUL bytes give away, else an empty string."""
        for encoding, marks in (
            ("utf-32", (codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)),
            ("utf-16", (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)),
        ):
            if self.head.startswith(marks):
                return encoding
        even, odd = self.head[::2].count(0), self.head[1::2].count(0)
        if max(even, odd) < max(3, len(self.head) / 20) or min(even, odd) * 10 > max(even, odd):
            return ""
        return "utf-16-le" if odd > even else "utf-16-be"

    def sniff(self) -> str:
        """The format of content that has no suffix to tell it."""
        if self.head.startswith(b"PAR1"):
            return "parquet"
        if self.head.startswith(b"PK\x03\x04"):
            return "xlsx"
        text = codecs.getincrementaldecoder(self.encoding)("ignore").decode(self.head).lstrip("\ufeff \t\r\n")
        if text.startswith("{"):
            return "jsonl"
        if text.startswith("["):
            return "json"
        return "tsv" if "\t" in text.partition("\n")[0] else "csv"


def csv_records(content: Content, delimiter: str = ",", header: tuple[str, ...] | None = None) -> Iterator[Record]:
    """Quoted cells, with the first row as names unless these are given; blank lines are passed over."""
    if csv.field_size_limit() < LONGEST_CELL:
        csv.field_size_limit(LONGEST_CELL)
    # strict: otherwise "Hello," he said  would lose its quotes and an open quote would take the rest of the file
    reader = csv.reader(content.lines(newline=""), delimiter=delimiter, strict=True)
    given = header is not None
    line = 1
    try:
        for cells in reader:
            if not cells:
                pass
            elif header is None:
                header = tuple(cells)
                yield line, header, ()
            else:
                if len(cells) != len(header):
                    raise _uneven(content.name, f"line {line}", cells, header)
                if given:
                    not_header(content.name, cells, header)
                    given = False
                yield line, header, cells
            line = reader.line_num + 1
    except csv.Error as error:
        raise _mismatched(content.name, line, error) from error


def tsv_records(content: Content, quoted: bool, header: tuple[str, ...] | None = None) -> Iterator[Record]:
    """Cells between tabs, with the first row as names unless these are given.

    Where not `quoted`, a quote is a character like any other.
    """
    if quoted:
        yield from csv_records(content, "\t", header)
        return
    given = header is not None
    for number, line in enumerate(content.lines(), 1):
        text = line.removesuffix("\n").removesuffix("\r")
        if not text:
            continue
        cells = text.split("\t")
        if header is None:
            header = tuple(cells)
            yield number, header, ()
        else:
            if len(cells) != len(header):
                raise _uneven(content.name, f"line {number}", cells, header)
            if given:
                not_header(content.name, cells, header)
                given = False
            yield number, header, cells


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


def check_width(name: str, place: str, cells: Sequence[str], header: Sequence[str]) -> None:
    if len(cells) != len(header):
        raise _uneven(name, place, cells, header)


def _uneven(name: str, place: str, cells: Sequence[str], header: Sequence[str]) -> InputError:
    few = "few" if len(cells) < len(header) else "many"
    return InputError(
        f"{name}: {place}: too {few} cells: {len(cells)}, where the header has {len(header)} ({', '.join(header):.80})"
    )


def not_header(name: str, cells: Sequence[str], header: Sequence[str]) -> None:
    """Refuse a first row that holds the names given for a file without a header: it would be scored."""
    if [cell.strip().lower() for cell in cells] == [cell.strip().lower() for cell in header]:
        raise InputError(
            f"{name}: its first row is a header ({', '.join(cells):.80})", Hint("leave out {header}", header=None)
        )


def check_delimiter(delimiter: str) -> str:
    """One character; a tab may be written as `tab` or `\\t`."""
    found = "\t" if delimiter in ("tab", r"\t") else delimiter
    if len(found) != 1 or found in '"\r\n\0':
        raise InputError(f"the delimiter is {delimiter!r:.20}; expected one character, such as ; or | or tab")
    return found


def _mismatched(name: str, line: int, error: csv.Error) -> InputError:
    if "field limit" in str(error):
        return InputError(
            f"{name}: line {line}: a cell of this row is longer than {LONGEST_CELL:,} characters; "
            "is a quote opened there and never closed?"
        )
    if "end of data" in str(error):
        return InputError(f"{name}: line {line}: a quote is opened in this row and never closed")
    return InputError(
        f"{name}: line {line}: a quoted cell of this row has text after its closing quote; "
        'inside a quoted cell a quote is written twice: ""'
        if "expected after" in str(error)
        else f"{name}: line {line}: {error}"
    )
