"""Run folders: what was judged, its scores, and how they came about, written part by part so that it can resume."""

from __future__ import annotations

import gzip
import json
import os
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from io import BytesIO
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from ..errors import InputError, ParagaugeError
from ..files.spreadsheet import guard_frame
from ..files.write import UNFINISHED, PathLike, atomic_write, check_output, keep
from ..tables.notices import Notices
from ..tables.samples import Samples
from ..tables.scores import Aggregation, Scores, texts_column
from .manifest import as_manifest, difference, faults, file_sha256, sha256_of
from .record import FORMAT, RECORD, as_record, read_object, read_record

if TYPE_CHECKING:
    import polars
    from filelock import FileLock


TABLES = ("samples.parquet", "scores.parquet")
PART = ("samples.parquet", "notes.json", "scores.parquet")  # in this order: the scores say that a part is complete


class PartFiles:
    """The files of finished parts: `NNNNNN.samples.parquet`, `.notes.json`, `.manifest.json`, `.scores.parquet`.

    Each file appears whole, and the scores last, with a manifest beside them: so whoever computed a part can write it
    alone, one that finishes late does no harm, and a damaged part is found out. It can be pickled.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def load(
        self, number: int, samples: Samples, aggregations: Mapping[str, Aggregation]
    ) -> tuple[Scores | None, list[str]]:
        """The scores of a part that is finished and undamaged, or None; and what is wrong with one that is damaged."""
        import polars

        _, notes, scores = self.paths(number)
        if not scores.exists():
            return None, []
        wrong = self.faults(number)
        if wrong:
            return None, wrong
        frame = polars.read_parquet(scores, glob=False)
        expected = len(samples) * len(aggregations)
        if "outcome" not in frame.columns:
            return None, [f"{scores.name} was written by an older version"]
        if frame.height != expected:
            return None, [f"{scores.name} holds {frame.height:,} scores; expected {expected:,}"]
        about = read_object(notes)
        notices = Notices.read(about.get("notices", about))  # a part of an earlier version has the counts alone
        return Scores.from_stored(samples, frame, aggregations, notices), []

    def save(self, number: int, found: Scores) -> None:
        """Write a finished part; the scores last, as they say that it is complete."""
        about = as_record({"notices": found.notices.record()})
        data = (_parquet(_frame(found.samples)), about, _parquet(found.stored()))
        files = dict(zip(self.paths(number), data, strict=True))
        *first, (scores, last) = files.items()
        for path, content in first:
            keep(path, content)
        manifest = as_manifest({path.name: sha256_of(one) for path, one in files.items()})
        keep(self.folder / f"{number:06d}.manifest.json", manifest)
        keep(scores, last)

    def paths(self, number: int) -> tuple[Path, Path, Path]:
        """Samples, notes, scores."""
        samples, notes, scores = (self.folder / f"{number:06d}.{kind}" for kind in PART)
        return samples, notes, scores

    def faults(self, number: int) -> list[str]:
        """What is wrong with the files of a part."""
        return faults(self.folder / f"{number:06d}.manifest.json", {path.name for path in self.paths(number)})

    def scores(self, number: int) -> polars.LazyFrame:
        """The table of scores of a part, without the counts behind them."""
        import polars

        return polars.scan_parquet(self.paths(number)[2], glob=False).drop("counts")


class Run:
    """A folder with `samples.parquet`, `scores.parquet`, `run.json`, `timings.json` and `manifest.json`.

    Where scores were also written elsewhere, `outputs.jsonl` says where (see outputs.py).

    `manifest.json` has the sha256 of the other files: a complete run of which one was changed is refused. Until it is
    complete, finished parts lie in `parts/`; a damaged one is computed again. `identity` is what the run depends on
    (input, metrics, versions): a folder that holds a run with another identity is refused. The lock is held by the
    process that opened the run, whoever computes its parts.
    """

    def __init__(self, folder: Path, identity: Mapping[str, Any]) -> None:
        self.folder = folder
        self.identity = dict(identity)
        self.files = PartFiles(folder / "parts")
        self.recomputed: list[str] = []  # what was wrong with parts that are computed again
        self._lock: FileLock | None = None
        self._read = 0  # rows of the complete tables that have been loaded
        with _friendly_errors(folder):
            self.complete = self._check()
            if self.complete:
                self._clear()  # a process that was killed meanwhile may not have come to it
            else:
                self._begin()

    @property
    def parts(self) -> Path:
        return self.files.folder

    def _begin(self) -> None:
        self.parts.mkdir(parents=True, exist_ok=True)
        self._lock = _lock(self.parts / "lock")
        self.complete = self._check()  # another process may have finished it in the meantime
        if self.complete:
            self._clear()
        else:
            keep(self.folder / RECORD, as_record({"format": FORMAT, "status": "running"} | self.identity))

    def _check(self) -> bool:
        record = self.folder / RECORD
        if not record.exists():
            # all that a run killed in its first moment leaves
            ours = {self.parts, self.parts / "lock", *self.folder.glob(UNFINISHED)}
            if any(
                file not in ours for place in (self.folder, self.parts) if place.exists() for file in place.iterdir()
            ):
                raise InputError(f"the folder {self.folder} contains other files; choose a new folder for the run")
            return False
        before = read_record(self.folder)
        for key, value in self.identity.items():
            if before.get(key) != value:
                raise InputError(
                    f"{self.folder} holds another run ({key}: {difference(before.get(key), value)}); "
                    "choose another folder, or delete that one"
                )
        if before.get("status") != "complete":
            return False
        wrong = faults(self.folder / "manifest.json", files_of(before))
        if wrong:
            raise InputError(
                f"{self.folder} was modified after the run: {'; '.join(wrong)}; choose another folder, or delete that "
                "one to compute it again"
            )
        self._notices = Notices.read(before.get("notices", before.get("notes", {})))
        return True

    def load(self, samples: Samples, aggregations: Mapping[str, Aggregation]) -> Scores:
        """Of a complete run, the scores of the following rows."""
        import polars

        lines = polars.scan_parquet(self.folder / "scores.parquet", glob=False)
        frame = lines.slice(self._read * len(aggregations), len(samples) * len(aggregations)).collect()
        notices = Notices() if self._read else self._notices
        self._read += len(samples)
        return Scores.from_stored(samples, frame, aggregations, notices)

    def finish(self, parts: int, record: Mapping[str, Any], timings: Mapping[str, Any]) -> None:
        """Join the parts into the two tables, and say how they came about."""
        if self.complete:
            return
        import polars

        wrong = [fault for number in range(parts) for fault in self.files.faults(number)]
        if wrong:
            raise ParagaugeError(f"{self.parts} was changed during the run: {'; '.join(wrong[:5])}; rerun to resume")
        for name in TABLES:
            place = PART.index(name)
            paths = [self.files.paths(number)[place] for number in range(parts)]
            join(
                [polars.scan_parquet(path, glob=False) for path in paths],
                self.folder / name,
                overwrite=True,
                write=keep,
            )
        keep(self.folder / "timings.json", as_record(timings))
        files = [*TABLES, "timings.json"]
        whole = as_record({"format": FORMAT, "status": "complete"} | self.identity | dict(record) | {"files": files})
        sums = {name: file_sha256(self.folder / name) for name in files}
        keep(self.folder / "manifest.json", as_manifest(sums | {RECORD: sha256_of(whole)}))
        keep(self.folder / RECORD, whole)  # last: from now on the run is complete
        self.complete = True
        self._clear()

    def release(self) -> None:
        """Let another process go on with the run."""
        if self._lock is not None:
            self._lock.release()
            self._lock = None

    def _clear(self) -> None:
        self.release()
        shutil.rmtree(self.parts, ignore_errors=True)  # what stays of it is never read again
        for file in self.folder.glob(UNFINISHED):
            with suppress(OSError):
                file.unlink()


@contextmanager
def _friendly_errors(folder: Path) -> Iterator[None]:
    """A folder that cannot be used is told of in one sentence."""
    try:
        yield
    except (FileExistsError, NotADirectoryError) as error:
        raise InputError(f"cannot keep the run in {folder}: {error.filename} is a file; expected a folder") from error
    except OSError as error:
        raise InputError(f"cannot keep the run in {folder}: {error.strerror or error}") from error


def files_of(record: Mapping[str, Any]) -> set[str]:
    """The files of a complete run that its manifest names, by its record."""
    files = record.get("files")
    return {*(map(str, files) if isinstance(files, list) else (*TABLES, "timings.json")), RECORD}


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


def _lock(path: Path) -> FileLock:
    """Hold the folder against a second process; the system lets go of it when this process ends, however it ends."""
    from filelock import FileLock, Timeout

    lock = FileLock(path)
    try:
        lock.acquire(blocking=False)
    except Timeout as error:
        raise InputError(f"another process is using {path.parent.parent}") from error
    return lock
