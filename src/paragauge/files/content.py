"""The bytes and the text of one input file, plain or gzipped, local, remote or a stream."""

from __future__ import annotations

import codecs
import gzip
import hashlib
import io
import os
import shutil
import stat
import sys
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from typing import IO, Literal

from ..errors import EncodingError, Hint, InputError
from .folders import TemporaryFolder
from .remote import Remote, is_uri, local_path, shown

# Characters of one row: a line of text, the lines of a quoted cell, an object. Some kilobytes may unpack to gigabytes
# that hold no end of a row, so more is refused while it is read.
LONGEST = 1 << 22
_BLOCK = 1 << 18


class Content:
    """What a file holds, plain or gzipped. A stream (`-`, a pipe) is kept in a temporary file to be read again."""

    def __init__(self, path: str | os.PathLike[str], encoding: str = "utf-8") -> None:
        self.given = os.fspath(path)
        self.name = shown(self.given)
        self.path = Path(local_path(self.given))
        self.remote = Remote(self.given) if is_uri(self.given) else None
        self.encoding = encoding
        self.spooled = False
        self.taken = 0  # characters that were read so far
        self._raw: IO[bytes] | None = None
        try:
            io.TextIOWrapper(io.BytesIO(), encoding)
        except (LookupError, ValueError) as error:
            raise InputError(f"no encoding named {encoding!r}; known are utf-8, utf-16, latin-1, cp1252 …") from error
        with self._friendly_errors():
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
    def _friendly_errors(self) -> Iterator[None]:
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
        with self._friendly_errors():
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
        with self._friendly_errors(), self._stored() as raw:
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
        for number, line in enumerate(self._pieces(lambda text: text.readline(LONGEST + 1), newline), 1):
            if "\0" in line:
                raise self._holds_nul(number)
            if len(line) > LONGEST:
                raise self.too_long(f"line {number}")
            yield line

    def blocks(self) -> Iterator[str]:
        """Its text in pieces of some size, wherever its lines end."""
        line = 1
        for block in self._pieces(lambda text: text.read(_BLOCK), "\n"):
            if "\0" in block:
                raise self._holds_nul(line + block.count("\n", 0, block.index("\0")))
            line += block.count("\n")
            yield block

    def _pieces(self, read: Callable[[io.TextIOWrapper], str], newline: Literal["", "\n"]) -> Iterator[str]:
        with self.bytes() as stream, io.TextIOWrapper(stream, self.encoding, newline=newline) as text:
            try:
                first = read(text).removeprefix("\ufeff")
                for piece in chain([first] if first else (), iter(lambda: read(text), "")):
                    self.taken += len(piece)
                    yield piece
            except UnicodeError as error:
                raise self._undecodable(error) from error

    def too_long(self, where: str) -> InputError:
        return InputError(f"{self.name}: {where}: has more than {LONGEST:,} characters; is it a table of texts?")

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
