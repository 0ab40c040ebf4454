"""What can be scored: rows in chunks, wherever they come from."""

from __future__ import annotations

import hashlib
import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import reduce
from operator import add
from typing import Any

from ..errors import InputError
from ..process.limits import without_collector
from ..tables.samples import Samples

ROWS = 8_192  # of one chunk
CHARACTERS = 1 << 24  # about: a chunk of longer rows has fewer of them


@dataclass(frozen=True)
class DeferredRows:
    """Rows that are read by the worker that scores them, wherever it is: it can be pickled, and is small."""

    size: int
    pieces: tuple[Callable[[], Samples], ...]

    def __len__(self) -> int:
        return self.size

    def read(self) -> Samples:
        with without_collector():
            return reduce(add, [piece() for piece in self.pieces])


class Input(ABC):
    """Rows to be scored, in chunks; each iteration reads the files again, so memory holds one chunk."""

    name: str
    files: tuple[str, ...] = ()  # that are read, by path or URI; an output must be none of them
    length: int | None = None  # number of rows, once known
    several_systems: bool = True  # may there be more than one?
    repaired: int = 0  # texts of the last iteration in which half a surrogate pair was replaced

    def __iter__(self) -> Iterator[Samples]:
        return self.chunks()

    def chunks(self, rows: int = ROWS) -> Iterator[Samples]:
        """At most `rows` rows at a time, fewer where they are long."""
        if rows < 1:
            raise InputError(f"a chunk of {rows} rows holds nothing; expected at least 1")
        self.repaired = 0
        reading = self._read(rows)
        while True:
            with without_collector():
                chunk = next(reading, None)
            if chunk is None:
                return
            self.repaired += chunk.repaired
            yield chunk

    def exceeds(self, rows: int) -> bool:
        """Are there more rows than this? About, where only reading them all would tell."""
        if self.length is not None:
            return self.length > rows
        found = 0
        return any((found := found + len(chunk)) > rows for chunk in self._read(rows + 1))

    def deferred(self, rows: int = ROWS) -> Iterator[DeferredRows] | None:  # noqa: ARG002
        """The same chunks, each for its reader; None where they must be read in order, by one."""
        return None

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


class Rows(Input):
    """Rows that are all at hand."""

    name = "the rows"

    def __init__(self, samples: Samples) -> None:
        self._samples = samples
        self.length = len(samples)
        self._done = 0

    def _read(self, rows: int) -> Iterator[Samples]:
        for first in range(0, len(self._samples), rows):
            self._done = min(first + rows, len(self._samples))
            yield self._samples.rows(range(first, self._done))

    def progress(self) -> tuple[int, int]:
        return self._done, len(self._samples)

    def _identity(self) -> list[Any]:
        own = self._samples
        columns = [own.sources, own.candidates, own.references, own.systems, own.ids, sorted(own.missing)]
        return ["rows", hashlib.sha256(json.dumps(columns).encode()).hexdigest()]
