"""Finished and unfinished runs below a folder: found, described, checked against their sha256, and exported."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

from ..errors import InputError, nearest
from ..files.write import PathLike, check_output
from .record import RECORD, faults, read_record
from .scores import PART, TABLES, join
from .store import MANIFEST, Parts, files_of

WHAT = ("scores", "samples")
SCORES = "score"  # the kind of a run that names none


class RunFolder(NamedTuple):
    """What a run folder holds, as far as its record tells."""

    folder: Path
    status: str  # complete, running (a process is at it), interrupted (rerun to resume) or damaged
    rows: int | None  # None until it is complete
    metrics: list[str]
    changed: datetime  # when its record was written, in UTC


def find_runs(below: PathLike = ".") -> list[RunFolder]:
    """The run folders in a folder and below, by path; what is not a run folder is passed over."""
    if not Path(below).is_dir():
        raise InputError(f"there is no folder {os.fspath(below)}")
    found = []
    for place, folders, files in os.walk(below):
        folders.sort()
        if RECORD in files and (run := describe_run(Path(place))) is not None:
            folders.clear()
            found.append(run)
    return found


def describe_run(folder: Path) -> RunFolder | None:
    """What a folder with a `run.json` holds, its tables unread; None where that is not a record of a run."""
    changed = datetime.fromtimestamp((folder / RECORD).lstat().st_mtime, UTC)
    damaged = RunFolder(folder, "damaged", None, [], changed)
    try:
        record = read_record(folder)
    except InputError:
        ours = (folder / "parts").is_dir() or any((folder / name).exists() for name in (MANIFEST, *TABLES))
        return damaged if ours else None
    if "status" not in record or not {"metrics", "kind"} & record.keys():
        return None  # a file of this name that another program wrote
    complete = record["status"] == "complete"
    if complete and faults(folder / MANIFEST, files_of(record), {RECORD}):
        return damaged
    status = "complete" if complete else "running" if _in_use(folder) else "interrupted"
    return RunFolder(folder, status, record.get("rows") if complete else None, list(record.get("metrics", ())), changed)


def _in_use(folder: Path) -> bool:
    """Does a process hold the lock of the run?"""
    from filelock import FileLock, Timeout

    path = folder / "parts" / "lock"
    if not path.exists():
        return False
    lock = FileLock(path)
    try:
        lock.acquire(blocking=False)
    except (Timeout, OSError):
        return True
    lock.release()
    return False


def verify_run(folder: PathLike) -> list[str]:
    """Check every file of a run, or every finished part of an unfinished one, against its sha256: what is wrong."""
    folder = Path(folder)
    record = read_record(folder)
    if record.get("status") == "complete":
        return faults(folder / MANIFEST, files_of(record))
    parts = Parts(folder / "parts", PART)
    return [f"parts/{fault}" for number in parts.finished() for fault in parts.faults(number)]


def finished_parts(folder: PathLike) -> int:
    """How many parts of an unfinished run are finished."""
    return len(Parts(Path(folder) / "parts", PART).finished())


def export_run(
    folder: PathLike,
    output: PathLike,
    what: str = "scores",
    *,
    overwrite: bool = False,
    spreadsheet: bool = False,
) -> None:
    """Write the scores, or the samples, of a complete and undamaged run as csv, tsv, jsonl or parquet.

    Lists (of references) become JSON lists in csv and tsv; `spreadsheet` is as in `write_frame`.
    """
    import polars

    if what not in WHAT:
        raise InputError(f"no table of a run is named '{what}'{nearest(what, WHAT)}")
    folder = Path(folder)
    check_output(output, inputs=[folder], overwrite=overwrite)
    complete_record(folder)
    wrong = verify_run(folder)
    if wrong:
        raise InputError(f"{folder} was modified after the run: {'; '.join(wrong)}")
    lines = polars.scan_parquet(folder / f"{what}.parquet", glob=False)
    if what == "scores":
        lines = lines.drop("counts")
    join([lines], Path(output), spreadsheet, overwrite=overwrite)


def complete_record(folder: PathLike) -> dict[str, Any]:
    """The record of a run of scoring that is complete; another is refused."""
    record = read_record(Path(folder))
    if record.get("kind", SCORES) != SCORES:
        raise InputError(
            f"{os.fspath(folder)} holds a run of `paragauge {record['kind']}`, which has no table of scores; use "
            "`paragauge report`"
        )
    if record.get("status") != "complete":
        raise InputError(f"the run in {os.fspath(folder)} is not complete; rerun to resume")
    wrong = faults(Path(folder) / MANIFEST, files_of(record), {RECORD})
    if wrong or not {"metrics", "rows", "files"} <= record.keys():
        raise InputError(f"{os.fspath(folder)} was modified after the run: {'; '.join(wrong) or 'its record is cut'}")
    return record
