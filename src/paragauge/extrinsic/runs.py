"""The run folder of an extrinsic evaluation: what is finished, the result, and the sha256 of every file."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .._version import __version__
from ..errors import InputError
from ..files.write import UNFINISHED, keep
from ..runs.manifest import as_manifest, difference, faults, file_sha256, sha256_of
from ..runs.record import as_record, read_object, read_record
from .cells import KeptFiles

if TYPE_CHECKING:
    from filelock import FileLock

KIND = "extrinsic"
RESULT = "result.json"
PARTS = "parts"


class ExtrinsicRun:
    """A folder with `result.json`, `run.json`, `manifest.json` and, in `parts/`, everything that was computed.

    It holds one set of tasks; paraphrasers, classifiers and seeds may be added by a rerun, which trains what is new,
    and the originals where their classifiers are tested on more paraphrases than before (robustness).
    """

    def __init__(self, folder: Path, tasks: Mapping[str, str]) -> None:
        self.folder = folder
        self.identity = {"kind": KIND, "version": __version__, "tasks": dict(tasks)}
        self._lock: FileLock | None = None
        try:
            self._check()
            self.paraphrases.mkdir(parents=True, exist_ok=True)
            self._hold()
            keep(folder / "run.json", as_record({"status": "running", "metrics": {}} | self.identity))
        except OSError as error:
            raise InputError(f"cannot keep the run in {folder}: {error.strerror or error}") from None

    @property
    def paraphrases(self) -> Path:
        return self.folder / PARTS / "paraphrases"

    @property
    def cells(self) -> KeptFiles:
        return KeptFiles(self.folder / PARTS / "cells")

    @property
    def scores(self) -> KeptFiles:
        return KeptFiles(self.folder / PARTS / "scores")

    def _check(self) -> None:
        if not (self.folder / "run.json").exists():
            # all that a run killed in its first moment leaves
            if self.folder.exists() and any(
                file.name != PARTS and not file.match(UNFINISHED) for file in self.folder.iterdir()
            ):
                raise InputError(f"the folder {self.folder} contains other files; choose a new folder for the run")
            return
        before = read_record(self.folder)
        for key, value in self.identity.items():
            if before.get(key) != value:
                raise InputError(
                    f"{self.folder} holds another run ({key}: {difference(before.get(key), value)}); choose another "
                    "folder, or delete that one"
                )

    def _hold(self) -> None:
        from filelock import FileLock, Timeout

        lock = FileLock(self.folder / PARTS / "lock")  # where `paragauge runs list` looks for it
        try:
            lock.acquire(blocking=False)
        except Timeout:
            raise InputError(f"another process is using {self.folder}") from None
        self._lock = lock

    def finish(self, result: Mapping[str, Any], metrics: Mapping[str, str], rows: int) -> None:
        """Keep the result; `run.json` last, as it says that the run is complete."""
        keep(self.folder / RESULT, as_record(result))
        record = {"status": "complete"} | self.identity | {"metrics": dict(metrics), "rows": rows, "files": [RESULT]}
        whole = as_record(record)
        sums = {RESULT: file_sha256(self.folder / RESULT), "run.json": sha256_of(whole)}
        keep(self.folder / "manifest.json", as_manifest(sums))
        keep(self.folder / "run.json", whole)

    def release(self) -> None:
        """Let another process go on."""
        if self._lock is not None:
            self._lock.release()
            self._lock = None


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
        raise InputError(f"{folder} is no run of an extrinsic evaluation")
    if record.get("status") != "complete":
        raise InputError(f"the run in {folder} is not complete; rerun to resume")
    wrong = faults(folder / "manifest.json", {RESULT, "run.json"})
    if wrong:
        raise InputError(f"{folder} was modified after the run: {'; '.join(wrong)}")
    try:
        return read_object(folder / RESULT)
    except (OSError, ValueError) as error:
        raise InputError(f"{folder} was modified after the run: {RESULT} cannot be read ({error})") from None
