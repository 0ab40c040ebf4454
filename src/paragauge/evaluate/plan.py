"""An input cut into parts, and what is learned of it before the first is scored."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from ..compute.workspace import Workspace
from ..errors import InputError
from ..files.input import DeferredRows, Input
from ..metric import Metric
from ..tables.samples import Samples

ROWS = 8_192  # of a part, whoever scores it: what a part holds must not depend on the engine


class Part(NamedTuple):
    """Some rows that follow each other, numbered from 0."""

    number: int
    first_row: int  # counted from 1
    rows: Samples | DeferredRows

    @property
    def samples(self) -> Samples:
        """The rows, read where that is still to be done."""
        return self.rows.read() if isinstance(self.rows, DeferredRows) else self.rows


class Place(NamedTuple):
    """Where a part stands in the input."""

    number: int
    first_row: int
    rows: int

    @property
    def last_row(self) -> int:
        return self.first_row + self.rows - 1


def plan(chunks: Iterable[Samples], metrics: Sequence[Metric]) -> Iterator[Part]:
    """The parts of an input; for a metric of sets, none is cut through the candidates of one source.

    Where the input allows it, the rows are left to be read by whoever scores them.
    """
    deferred: Iterable[DeferredRows] | None = None
    if any(metric.unit == "source" for metric in metrics):
        chunks = WholeSets(chunks)
    elif isinstance(chunks, Input):
        deferred = chunks.deferred()
    following: Iterable[Samples | DeferredRows] = chunks if deferred is None else deferred
    first_row = 1
    for number, rows in enumerate(following):
        yield Part(number, first_row, rows)
        first_row += len(rows)


class WholeSets:
    """Chunks cut anew so that rows of one source that follow each other stay together.

    A set that comes up again later in the file could not be scored as a whole, and is refused.
    """

    def __init__(self, chunks: Iterable[Samples]) -> None:
        self.chunks = chunks

    def __iter__(self) -> Iterator[Samples]:
        seen: set[int] = set()
        rest: Samples | None = None
        for chunk in self.chunks:
            whole = chunk if rest is None else rest + chunk
            last = whole.sources[-1]
            cut = len(whole)
            while cut and whole.sources[cut - 1] == last:
                cut -= 1
            rest = whole.rows(range(cut, len(whole)))
            if cut:
                yield self._checked(whole.rows(range(cut)), seen)
        if rest is not None:
            yield self._checked(rest, seen)

    @staticmethod
    def _checked(chunk: Samples, seen: set[int]) -> Samples:
        fresh = set()
        for rows in chunk.sets():
            key = hash((chunk.systems[rows[0]], chunk.sources[rows[0]]))
            if key in seen:
                raise InputError(
                    f"the candidates of one source must stand together for a metric of sets, but those of "
                    f"{chunk.sources[rows[0]]!r:.60} come up again at row {chunk.ids[rows[0]]}; sort the file by source"
                )
            fresh.add(key)
        seen |= fresh
        return chunk


def learn(chunks: Iterable[Samples], metrics: Sequence[Metric]) -> dict[str, Any]:
    """What metrics must know of the whole input before the first row is scored, counted part by part."""
    work = Workspace()
    for metric in metrics:
        metric.prepare(chunks, work)
    return work.prepared
