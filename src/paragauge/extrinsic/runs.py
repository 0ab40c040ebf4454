"""The run folder of an extrinsic evaluation: what its store holds, and the result."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from .._version import __version__
from ..errors import InputError
from ..files.write import keep
from ..runs.record import as_record, faults, read_object, read_record
from ..runs.store import Store

KIND = "extrinsic"
RESULT = "result.json"


def open_store(folder: Path, tasks: Mapping[str, str]) -> Store:
    """The folder of a run: `result.json`, `run.json`, `manifest.json` and, in `parts/`, everything that was computed.

    It holds one set of tasks; paraphrasers, classifiers and seeds may be added by a rerun, which trains what is new,
    and the originals where their classifiers are tested on more paraphrases than before (robustness).
    """
    return Store(folder, {"kind": KIND, "version": __version__, "tasks": dict(tasks)}, extended=True)


def finish(store: Store, result: Mapping[str, Any], metrics: Mapping[str, str], rows: int) -> None:
    """Keep the result, and what was computed for a later call that adds to it."""
    keep(store.folder / RESULT, as_record(result))
    store.finish({"metrics": dict(metrics), "rows": rows}, [RESULT], keep_parts=True)


def is_extrinsic(folder: Path) -> bool:
    """Is it the folder of such a run?"""
    try:
        return read_record(folder).get("kind") == KIND
    except InputError:
        return False


def read_result(folder: Path) -> dict[str, Any]:
    """The result of a complete and undamaged run."""
    record = read_record(folder)
    if record.get("kind") != KIND:
        raise InputError(f"{folder} is not a run of an extrinsic evaluation")
    if record.get("status") != "complete":
        raise InputError(f"the run in {folder} is not complete; rerun to resume")
    wrong = faults(folder / "manifest.json", {RESULT, "run.json"})
    if wrong:
        raise InputError(f"{folder} was modified after the run: {'; '.join(wrong)}")
    try:
        return read_object(folder / RESULT)
    except (OSError, ValueError) as error:
        raise InputError(f"{folder} was modified after the run: {RESULT} cannot be read ({error})") from None
