"""The one resumable store: finished parts by key, in a folder that one process holds, under what they depend on."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import InputError
from ..files.write import UNFINISHED, PathLike, keep
from .record import FORMAT, RECORD, as_manifest, as_record, difference, faults, file_sha256, read_record, sha256_of

if TYPE_CHECKING:
    from filelock import FileLock

MANIFEST = "manifest.json"
SUFFIX = ".parts"  # of the folder next to an output that is not whole


class Parts:
    """Finished parts: of each the same files `KEY.NAME`, and `KEY.manifest.json` with their sha256.

    Each file appears whole, and the last one last: it says that the part is complete. So the worker that makes a part
    writes it alone, one that finishes late does no harm, and a damaged part is found out. It can be pickled.
    """

    def __init__(self, folder: Path, names: Sequence[str]) -> None:
        self.folder = folder
        self.names = tuple(names)

    def paths(self, key: int | str) -> list[Path]:
        """Its files, in the order in which they are written."""
        return [self._path(key, name) for name in self.names]

    def load(self, key: int | str) -> list[bytes] | None:
        """The content of each file of a part that is finished and undamaged, or None."""
        if not self.is_finished(key) or self.faults(key):
            return None
        return [path.read_bytes() for path in self.paths(key)]

    def is_finished(self, key: int | str) -> bool:
        return self._path(key, self.names[-1]).exists()

    def faults(self, key: int | str) -> list[str]:
        """What is wrong with the files of a part."""
        return faults(self._path(key, MANIFEST), {path.name for path in self.paths(key)})

    def save(self, key: int | str, *files: bytes) -> None:
        """Write a finished part: the content of each of its files."""
        content = dict(zip(self.paths(key), files, strict=True))
        *first, last = content
        for path in first:
            keep(path, content[path])
        keep(self._path(key, MANIFEST), as_manifest({path.name: sha256_of(data) for path, data in content.items()}))
        keep(last, content[last])

    def finished(self) -> list[int]:
        """The numbers of the parts that are finished."""
        ends = [file.name.removesuffix(f".{self.names[-1]}") for file in self.folder.glob(f"*.{self.names[-1]}")]
        return sorted(int(name) for name in ends if name.isdecimal())

    def _path(self, key: int | str, name: str) -> Path:
        return self.folder / f"{key:06d}.{name}" if isinstance(key, int) else self.folder / f"{key}.{name}"


class Store:
    """A folder of finished parts under an identity: what they depend on, kept in `record`, a file of that folder.

    One of another identity, with other files, that another process works on, or that was changed since it was complete
    is refused. What is complete is done, unless it is there to be `extended`. The lock is held by the process that
    opened the store, whichever worker makes its parts.
    """

    def __init__(
        self,
        folder: Path,
        identity: Mapping[str, Any],
        *,
        record: str = RECORD,
        parts: str = "parts",
        extended: bool = False,
    ) -> None:
        self.folder = folder
        self.identity = dict(identity)
        self.parts = folder / parts
        self._record = folder / record
        self._lock: FileLock | None = None
        with self._friendly_errors():
            self.complete = self._check(extended)
            if not self.complete:
                self._hold()
                self.complete = self._check(extended)  # another process may have finished it in the meantime
            if self.complete:
                self._clear()  # a process that was killed meanwhile may not have come to it
            else:
                keep(self._record, as_record({"format": FORMAT, "status": "running"} | self.identity))

    @classmethod
    def beside(cls, output: PathLike, identity: Mapping[str, Any]) -> Store:
        """The parts of an output that is not whole."""
        return cls(folder_beside(output), identity, record="identity.json", parts="")

    def kept(self, names: Sequence[str], below: str = "") -> Parts:
        """Parts of these files, in the folder of the parts or one in it."""
        (self.parts / below).mkdir(parents=True, exist_ok=True)
        return Parts(self.parts / below, names)

    def finish(self, record: Mapping[str, Any], files: Sequence[str], *, keep_parts: bool = False) -> None:
        """Say how these files of the folder came about: from now on it is complete."""
        whole = as_record({"format": FORMAT, "status": "complete"} | self.identity | dict(record) | {"files": files})
        sums = {name: file_sha256(self.folder / name) for name in files}
        keep(self.folder / MANIFEST, as_manifest(sums | {RECORD: sha256_of(whole)}))
        keep(self._record, whole)  # last: it says that the rest is there
        self.complete = True
        self._sweep()
        if not keep_parts:
            self._clear()

    def remove(self) -> None:
        """The output next to it is whole."""
        self.release()
        shutil.rmtree(self.folder, ignore_errors=True)

    def release(self) -> None:
        """Let another process go on."""
        if self._lock is not None:
            self._lock.release()
            self._lock = None

    def _check(self, extended: bool) -> bool:
        """Is it complete? One that is not to be gone on with is refused."""
        place = "folder" if self._record.name == RECORD else "output"
        if not self._record.exists():
            # all that a process killed in its first moment leaves
            ours = {self.parts, self.parts / "lock", *self.folder.glob(UNFINISHED)}
            if any(file not in ours for here in {self.folder, self.parts} if here.exists() for file in here.iterdir()):
                raise InputError(f"the folder {self.folder} contains other files; choose a new {place} for the run")
            return False
        before = read_record(self.folder, self._record.name)
        for key, value in self.identity.items():
            if before.get(key) != value:
                raise InputError(
                    f"{self.folder} holds another run ({key}: {difference(before.get(key), value)}); choose another "
                    f"{place}, or delete that folder"
                )
        if extended or before.get("status") != "complete":
            return False
        wrong = faults(self.folder / MANIFEST, files_of(before))
        if wrong:
            raise InputError(
                f"{self.folder} was modified after the run: {'; '.join(wrong)}; choose another {place}, or delete that "
                "folder to compute it again"
            )
        return True

    def _hold(self) -> None:
        """Hold it against a second process; the system lets go of it when this process ends, however it ends."""
        from filelock import FileLock, Timeout

        self.parts.mkdir(parents=True, exist_ok=True)
        lock = FileLock(self.parts / "lock")  # where `paragauge runs list` looks for it
        try:
            lock.acquire(blocking=False)
        except Timeout as error:
            raise InputError(f"another process is using {self.folder}") from error
        self._lock = lock

    def _clear(self) -> None:
        self.release()
        shutil.rmtree(self.parts, ignore_errors=True)  # what stays of it is never read again
        self._sweep()

    def _sweep(self) -> None:
        """Remove the files that a killed process left under a passing name."""
        for file in self.folder.rglob(UNFINISHED):
            with suppress(OSError):
                file.unlink()

    @contextmanager
    def _friendly_errors(self) -> Iterator[None]:
        """A folder that cannot be used is an error in one sentence, and is not held."""
        why = f"cannot keep the run in {self.folder}"
        try:
            yield
        except (FileExistsError, NotADirectoryError) as error:
            self.release()
            raise InputError(f"{why}: {error.filename} is a file; expected a folder") from error
        except OSError as error:
            self.release()
            raise InputError(f"{why}: {error.strerror or error}") from error
        except InputError:
            self.release()
            raise


def folder_beside(output: PathLike) -> Path:
    """Where the parts of an output lie until it is whole."""
    return Path(os.path.realpath(os.fspath(output)) + SUFFIX)


def files_of(record: Mapping[str, Any]) -> set[str]:
    """The files of a complete run that its manifest names, by its record."""
    return {*map(str, record.get("files", ("samples.parquet", "scores.parquet", "timings.json"))), RECORD}
