"""Run folders: what was judged, its scores, and how they came about, written chunk by chunk so that a run can go on."""

from __future__ import annotations

import gzip
import json
import os
import shutil
from collections.abc import Mapping
from io import BytesIO
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from ..errors import InputError
from ..tables.samples import Samples
from ..tables.scores import Form, Scores
from .spreadsheet import guard_frame
from .writing import atomic_write, check_output

if TYPE_CHECKING:
    import polars


class Run:
    """A folder with `samples.parquet`, `scores.parquet`, `run.json` and `timings.json`.

    Until it is complete, finished chunks lie in `parts/`. `identity` is what the run depends on (input, metrics,
    versions): a folder that holds a run with another identity is refused.
    """

    def __init__(self, folder: Path, identity: Mapping[str, Any]) -> None:
        self.folder = folder
        self.identity = dict(identity)
        self.parts = folder / "parts"
        self.complete = self._check()
        self._read = 0  # rows of the complete tables that have been loaded
        if not self.complete:
            self.parts.mkdir(parents=True, exist_ok=True)
            self._lock = _lock(folder / "parts" / "lock")
            atomic_write(folder / "run.json", _json({"status": "running"} | self.identity))

    def _check(self) -> bool:
        record = self.folder / "run.json"
        if not record.exists():
            if self.folder.is_dir() and any(self.folder.iterdir()):
                raise InputError(f"the folder {self.folder} holds other files; choose a new one for the run")
            return False
        before = read_record(self.folder)
        for key, value in self.identity.items():
            if before.get(key) != value:
                raise InputError(
                    f"{self.folder} holds a run with another {key} ({_short(before.get(key))}, now {_short(value)}); "
                    "choose another folder, or delete that one"
                )
        return before.get("status") == "complete"

    def load(self, number: int, samples: Samples, forms: Mapping[str, Form]) -> Scores | None:
        """The scores of a chunk that is finished, or None; chunks are asked for in order."""
        import polars

        if self.complete:
            lines = polars.scan_parquet(self.folder / "scores.parquet")
            frame = lines.slice(self._read * len(forms), len(samples) * len(forms)).collect()
            self._read += len(samples)
            return Scores.from_stored(samples, frame, forms, {})
        scores, _, notes = self._paths(number)
        if not scores.exists():
            return None
        return Scores.from_stored(samples, polars.read_parquet(scores), forms, json.loads(notes.read_text()))

    def save(self, number: int, found: Scores) -> None:
        """Write a finished chunk; the scores last, as they say that it is complete."""
        scores, samples, notes = self._paths(number)
        atomic_write(samples, _parquet(_frame(found.samples)))
        atomic_write(notes, _json(dict(found.notes)))
        atomic_write(scores, _parquet(found.stored()))

    def finish(self, chunks: int, record: Mapping[str, Any], timings: Mapping[str, Any]) -> None:
        """Join the parts into the two tables, and say how they came about."""
        if self.complete:
            return
        for name in ("samples", "scores"):
            files = [self._paths(number)[0 if name == "scores" else 1] for number in range(chunks)]
            join(files, self.folder / f"{name}.parquet")
        atomic_write(self.folder / "timings.json", _json(timings))
        atomic_write(self.folder / "run.json", _json({"status": "complete"} | self.identity | dict(record)))
        os.close(self._lock)
        shutil.rmtree(self.parts)

    def _paths(self, number: int) -> tuple[Path, Path, Path]:
        stem = self.parts / f"{number:06d}"
        return (
            stem.with_suffix(".scores.parquet"),
            stem.with_suffix(".samples.parquet"),
            stem.with_suffix(".notes.json"),
        )


def read_record(folder: Path) -> dict[str, Any]:
    """The `run.json` of a folder."""
    try:
        found = json.loads((folder / "run.json").read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise InputError(f"{folder} is not a run folder: run.json cannot be read ({error})") from error
    if not isinstance(found, dict):
        raise InputError(f"{folder} is not a run folder: run.json holds no record")
    return found


def join(files: list[Path], target: Path, spreadsheet: bool = False) -> None:
    """Parquet files end to end as one table, in constant memory; the target appears only when it is whole.

    `spreadsheet` is as in `write_frame`.
    """
    import polars

    format = check_output(target)
    lines = polars.scan_parquet(files)
    if spreadsheet and format in ("csv", "tsv"):
        lines = guard_frame(lines)

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
        with gzip.GzipFile(fileobj=stream, mode="wb", mtime=0) as inner:  # no time: same table, same bytes
            sink(inner)  # type: ignore[arg-type]

    atomic_write(target, compressed if target.suffix == ".gz" else sink)


def _frame(samples: Samples) -> polars.DataFrame:
    import polars

    return polars.DataFrame(
        {
            "sample": samples.ids,
            "system": samples.systems,
            "source": samples.sources,
            "candidate": [None if row in samples.missing else text for row, text in enumerate(samples.candidates)],
            "references": polars.Series(
                [list(group) for group in samples.references], dtype=polars.List(polars.String)
            ),
        }
    )


def _parquet(frame: polars.DataFrame) -> bytes:
    buffer = BytesIO()
    frame.write_parquet(buffer, compression="zstd")
    return buffer.getvalue()


def _json(value: Mapping[str, Any]) -> bytes:
    return (json.dumps(_without_nan(value), indent=2, ensure_ascii=False, allow_nan=False) + "\n").encode()


def _without_nan(value: Any) -> Any:
    """JSON has no NaN: an undefined number is null."""
    if isinstance(value, Mapping):
        return {key: _without_nan(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_without_nan(item) for item in value]
    return None if isinstance(value, float) and value != value else value


def _short(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 120 else f"{text[:117]}…"


def _lock(path: Path) -> int:
    """Hold the folder against a second process; the system lets go of it when this process ends, however it ends."""
    handle = os.open(path, os.O_RDWR | os.O_CREAT)
    try:
        import fcntl

        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except ImportError:  # no such locks on Windows: the atomic writes still hold
        pass
    except OSError as error:
        os.close(handle)
        raise InputError(f"another process is at work in {path.parent.parent}") from error
    return handle
