"""A parquet file as numbered records."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import accumulate
from typing import TYPE_CHECKING, Any

from ..errors import InputError
from ..process.forks import check_polars
from .content import Content
from .csv import Record
from .remote import Remote

if TYPE_CHECKING:
    import polars

_ROWS = 16_384


class Parquet:
    """A parquet file, read in slices of the columns that are needed."""

    def __init__(self, content: Content) -> None:
        import polars

        check_polars(f"reading {content.name}")
        self._content = content
        if content.size and not content.head.startswith(b"PAR1"):
            raise InputError(f"{content.name} is not a parquet file")
        with self._friendly_errors():
            if content.remote is not None:
                with self._remote(content.remote) as file:
                    self.header, self.length = tuple(file.schema_arrow.names), int(file.metadata.num_rows)
                return
            self._frame = polars.scan_parquet(content.path, glob=False)
            self.header = tuple(self._frame.collect_schema().names())
            self.length = int(self._frame.select(polars.len()).collect().item())

    def records(self, columns: Sequence[str], first: int = 1, rows: int | None = None) -> Iterator[Record]:
        """Rows of these columns, in this order: all, or so many from the `first` on."""
        names = tuple(columns)
        end = self.length if rows is None else min(self.length, first - 1 + rows)
        with self._friendly_errors():
            found = (row for frame in self._frames(names, first - 1, end) for row in frame.rows())
            for number, row in enumerate(found, first):
                yield number, names, row

    def _frames(self, names: tuple[str, ...], start: int, end: int) -> Iterator[polars.DataFrame]:
        import polars

        if (remote := self._content.remote) is None:
            for place in range(start, end, _ROWS):
                yield self._frame.select(names).slice(place, min(_ROWS, end - place)).collect()
            return
        with self._remote(remote) as file:
            sizes = [file.metadata.row_group(number).num_rows for number in range(file.num_row_groups)]
            begins = list(accumulate(sizes, initial=0))
            groups = [number for number in range(len(sizes)) if begins[number] < end and begins[number + 1] > start]
            place = begins[groups[0]] if groups else 0
            for batch in file.iter_batches(_ROWS, row_groups=groups, columns=list(names)):
                inside = max(start - place, 0)
                chosen = batch.slice(inside, max(end - place - inside, 0))
                place += len(batch)
                yield polars.DataFrame(polars.from_arrow(chosen)).select(names)

    @contextmanager
    def _remote(self, remote: Remote) -> Iterator[Any]:
        """Through pyarrow, which fetches the footer and the columns alone."""
        from pyarrow.lib import ArrowException
        from pyarrow.parquet import ParquetFile

        with remote.native() as stream:
            try:
                yield ParquetFile(stream)
            except ArrowException as error:
                raise OSError(str(error)) from error

    @contextmanager
    def _friendly_errors(self) -> Iterator[None]:
        import polars

        try:
            yield
        except (polars.exceptions.PolarsError, polars.exceptions.PanicException, OSError) as error:
            reason = str(error).strip().partition("\n")[0]
            raise InputError(f"{self._content.name}: could not be read as parquet: {reason}") from error
