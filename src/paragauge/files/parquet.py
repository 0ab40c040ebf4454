"""A parquet file as numbered records."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from ..errors import InputError
from ..forks import check_polars
from .formats import Content, Record
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
        with self._explained():
            if content.remote is not None:
                with self._remote(content.remote) as file:
                    self.header, self.length = tuple(file.schema_arrow.names), int(file.metadata.num_rows)
                return
            self._frame = polars.scan_parquet(content.path, glob=False)
            self.header = tuple(self._frame.collect_schema().names())
            self.length = int(self._frame.select(polars.len()).collect().item())

    def records(self, columns: Sequence[str]) -> Iterator[Record]:
        """Rows of these columns, in this order."""
        names = tuple(columns)
        with self._explained():
            rows = (row for frame in self._frames(names) for row in frame.rows())
            for number, row in enumerate(rows, 1):
                yield number, names, row

    def _frames(self, names: tuple[str, ...]) -> Iterator[polars.DataFrame]:
        import polars

        if (remote := self._content.remote) is None:
            for start in range(0, self.length, _ROWS):
                yield self._frame.select(names).slice(start, _ROWS).collect()
            return
        with self._remote(remote) as file:
            for batch in file.iter_batches(_ROWS, columns=list(names)):
                yield polars.DataFrame(polars.from_arrow(batch)).select(names)

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
    def _explained(self) -> Iterator[None]:
        import polars

        try:
            yield
        except (polars.exceptions.PolarsError, polars.exceptions.PanicException, OSError) as error:
            reason = str(error).strip().partition("\n")[0]
            raise InputError(f"{self._content.name}: could not be read as parquet: {reason}") from error
