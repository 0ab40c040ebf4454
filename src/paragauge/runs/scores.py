"""What a run of scoring keeps: of each part its samples and scores, and in the end the two tables of all parts."""

from __future__ import annotations

import gzip
import json
import os
from collections.abc import Callable, Mapping, Sequence
from io import BytesIO
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from ..errors import ParagaugeError
from ..files.write import PathLike, atomic_write, check_output, guard_frame, keep
from ..tables.notices import Notices
from ..tables.samples import Samples
from ..tables.scores import Aggregation, Scores, texts_column
from .record import as_record, read_object, read_record
from .store import Parts, Store

if TYPE_CHECKING:
    import polars


TABLES = ("samples.parquet", "scores.parquet")
PART = ("samples.parquet", "notes.json", "scores.parquet")  # in this order: the scores say that a part is complete


def save_scores(parts: Parts, number: int, found: Scores) -> None:
    """Keep a part that is scored."""
    about = as_record({"notices": found.notices.record()})
    parts.save(number, _parquet(_frame(found.samples)), about, _parquet(found.stored()))


def load_scores(
    parts: Parts, number: int, samples: Samples, aggregations: Mapping[str, Aggregation]
) -> tuple[Scores | None, list[str]]:
    """The scores of a part that is finished and undamaged, or None; and what is wrong with one that is damaged."""
    import polars

    if not parts.is_finished(number):
        return None, []
    wrong = parts.faults(number)
    if wrong:
        return None, wrong
    _, notes, scores = parts.paths(number)
    frame = polars.read_parquet(scores, glob=False)
    expected = len(samples) * len(aggregations)
    if "outcome" not in frame.columns:
        return None, [f"{scores.name} was written by an older version"]
    if frame.height != expected:
        return None, [f"{scores.name} holds {frame.height:,} scores; expected {expected:,}"]
    about = read_object(notes)
    notices = Notices.read(about.get("notices", about))  # a part of an earlier version has the counts alone
    return Scores.from_stored(samples, frame, aggregations, notices), []


def load_rows(folder: Path, first_row: int, samples: Samples, aggregations: Mapping[str, Aggregation]) -> Scores:
    """The scores of these rows of a complete run, counted from 1; the first ones have the notices of all."""
    import polars

    lines = polars.scan_parquet(folder / "scores.parquet", glob=False)
    frame = lines.slice((first_row - 1) * len(aggregations), len(samples) * len(aggregations)).collect()
    record = read_record(folder) if first_row == 1 else {}
    notices = Notices.read(record.get("notices", record.get("notes", {})))
    return Scores.from_stored(samples, frame, aggregations, notices)


def scores_of(parts: Parts, number: int) -> polars.LazyFrame:
    """The table of scores of a part, without the counts behind them."""
    import polars

    return polars.scan_parquet(parts.paths(number)[-1], glob=False).drop("counts")


def finish_scores(store: Store, parts: int, record: Mapping[str, Any], timings: Mapping[str, Any]) -> None:
    """Join the parts into the two tables, and say how they came about."""
    import polars

    kept = store.kept(PART)
    wrong = [fault for number in range(parts) for fault in kept.faults(number)]
    if wrong:
        raise ParagaugeError(f"{kept.folder} was changed during the run: {'; '.join(wrong[:5])}; rerun to resume")
    for name in TABLES:
        paths = [kept.paths(number)[PART.index(name)] for number in range(parts)]
        tables = [polars.scan_parquet(path, glob=False) for path in paths]
        join(tables, store.folder / name, overwrite=True, write=keep)
    keep(store.folder / "timings.json", as_record(timings))
    store.finish(record, [*TABLES, "timings.json"])


def join(
    parts: Sequence[polars.LazyFrame],
    target: PathLike,
    spreadsheet: bool = False,
    *,
    overwrite: bool = False,
    write: Callable[[Any, Callable[[IO[bytes]], object]], None] = atomic_write,
) -> None:
    """Tables end to end as one, in constant memory; the target appears only when it is whole.

    Lists become JSON lists in csv and tsv; `spreadsheet` is as in `write_frame`.
    """
    import polars

    format = check_output(target, overwrite=overwrite)
    lines = polars.concat(parts)
    if format in ("csv", "tsv"):
        lists = [name for name, kind in lines.collect_schema().items() if isinstance(kind, polars.List)]
        lines = lines.with_columns(polars.col(lists).map_elements(_as_json, return_dtype=polars.String))
        lines = guard_frame(lines) if spreadsheet else lines

    def sink(stream: IO[bytes]) -> None:
        try:
            if format == "parquet":
                lines.sink_parquet(stream, compression="zstd", row_group_size=1 << 17)
            elif format == "jsonl":
                lines.sink_ndjson(stream)
            else:
                lines.sink_csv(stream, separator="\t" if format == "tsv" else ",")
        except polars.exceptions.ComputeError as error:  # what polars makes of a disk that is full
            raise OSError(str(error).rpartition("IO error: ")[2]) from error

    def compressed(stream: IO[bytes]) -> None:
        # neither a time nor the passing name of the file: same table, same bytes
        with gzip.GzipFile(filename="", fileobj=stream, mode="wb", mtime=0) as inner:
            sink(inner)  # type: ignore[arg-type]

    write(target, compressed if os.fspath(target).endswith(".gz") else sink)


def _as_json(cell: polars.Series) -> str:
    return json.dumps(cell.to_list(), ensure_ascii=False)


def _frame(samples: Samples) -> polars.DataFrame:
    import polars

    return polars.DataFrame(
        {
            "sample": samples.ids,
            "system": samples.systems,
            "source": samples.sources,
            "candidate": [None if row in samples.missing else text for row, text in enumerate(samples.candidates)],
            "references": texts_column(samples.references),
        }
    )


def _parquet(frame: polars.DataFrame) -> bytes:
    buffer = BytesIO()
    frame.write_parquet(buffer, compression="zstd")
    return buffer.getvalue()
