"""The finished parts of an output that is not finished: kept beside it, so that a rerun resumes."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import InputError
from ..files.write import PathLike, keep
from .manifest import as_manifest, difference, faults, sha256_of
from .record import read_object

if TYPE_CHECKING:
    from filelock import FileLock

SUFFIX = ".parts"
_RECORD = "identity.json"


class LineParts:
    """Files `NNNNNN.jsonl`, each with its sha256 beside it. It can be pickled: whoever makes a part writes it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def path(self, number: int) -> Path:
        return self.folder / f"{number:06d}.jsonl"

    def load(self, number: int) -> bytes | None:
        """The lines of a part that is finished and undamaged, or None."""
        path = self.path(number)
        if not path.exists() or faults(self._manifest(number), {path.name}):
            return None
        return path.read_bytes()

    def save(self, number: int, lines: bytes) -> None:
        """The lines last: they say that the part is complete."""
        keep(self._manifest(number), as_manifest({self.path(number).name: sha256_of(lines)}))
        keep(self.path(number), lines)

    def _manifest(self, number: int) -> Path:
        return self.folder / f"{number:06d}.manifest.json"


class Unfinished:
    """The folder of parts of one output; one of another call, or that another process works on, is refused."""

    def __init__(self, output: PathLike, identity: Mapping[str, Any]) -> None:
        self.folder = self.place(output)
        self.parts = LineParts(self.folder)
        self._lock: FileLock | None = None
        try:
            known = self.folder.is_dir() and any(self.folder.iterdir())
            record = self.folder / _RECORD
            if known and not (record.is_file() or {file.name for file in self.folder.iterdir()} <= {"lock"}):
                raise InputError(f"the folder {self.folder} contains other files; choose another output")
            self.folder.mkdir(exist_ok=True)
            self._hold()
            if record.is_file():
                self._check(record, identity)
            else:
                keep(record, (json.dumps(dict(identity), indent=2) + "\n").encode())
        except OSError as error:
            raise InputError(f"cannot keep parts in {self.folder}: {error.strerror or error}") from None

    @staticmethod
    def place(output: PathLike) -> Path:
        """The folder of an output, beside it."""
        return Path(os.path.realpath(os.fspath(output)) + SUFFIX)

    def _hold(self) -> None:
        from filelock import FileLock, Timeout

        lock = FileLock(self.folder / "lock")
        try:
            lock.acquire(blocking=False)
        except Timeout:
            raise InputError(f"another process is using {self.folder}") from None
        self._lock = lock

    def _check(self, record: Path, identity: Mapping[str, Any]) -> None:
        try:
            before = read_object(record)
        except ValueError:
            before = {}
        if before != dict(identity):
            self.release()
            raise InputError(
                f"{self.folder} holds parts of another call ({difference(before, dict(identity))}); "
                "choose another output, or delete that folder"
            )

    def release(self) -> None:
        """Let another process go on."""
        if self._lock is not None:
            self._lock.release()
            self._lock = None

    def remove(self) -> None:
        """The output is whole."""
        self.release()
        shutil.rmtree(self.folder, ignore_errors=True)
