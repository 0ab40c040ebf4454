"""Folders of paragauge's own: the cache, and temporary ones; those of a killed process are removed by a later one."""

from __future__ import annotations

import os
import shutil
import tempfile
import weakref
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from filelock import FileLock

PREFIX = "paragauge-"
LOCK = "paragauge.lock"  # in every such folder, held as long as the folder is in use


def cache_folder() -> Path:
    """`PARAGAUGE_CACHE`, else `paragauge` in the user's cache folder, as the platform has it."""
    if chosen := os.environ.get("PARAGAUGE_CACHE"):
        return Path(chosen)
    from platformdirs import user_cache_path  # not needed to list metrics

    return user_cache_path("paragauge", appauthor=False)


class TemporaryFolder:
    """A folder that is removed when it is closed or forgotten or, if this process is killed, by a later process.

    A forked child leaves it to its parent.
    """

    def __init__(self) -> None:
        remove_abandoned()
        self.path, lock = _made()
        self._remove = weakref.finalize(self, _remove, self.path, lock, os.getpid())

    def close(self) -> None:
        self._remove()

    def __enter__(self) -> Path:
        return self.path

    def __exit__(self, *_: object) -> None:
        self.close()


def remove_abandoned() -> list[Path]:
    """Remove the folders of this user whose process is gone, as their locks tell, and give their paths."""
    removed = []
    for folder in Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):
        with suppress(OSError):
            if _is_ours(folder) and (lock := _held(folder)) is not None:
                _remove(folder, lock, os.getpid())
                removed.append(folder)
    return removed


def _made() -> tuple[Path, FileLock]:
    from filelock import FileLock

    while True:
        folder = Path(tempfile.mkdtemp(prefix=PREFIX))
        try:
            lock = _held(folder)
        except OSError:  # a file system without locks: nobody else can hold it either, and so nobody removes it
            return folder, FileLock(folder / LOCK)
        if lock is not None and (folder / LOCK).exists():
            return folder, lock
        # a process that looks for abandoned folders came before the lock: it removes the folder


def _is_ours(folder: Path) -> bool:
    """Is it such a folder, and this user's? In a shared folder others may put what they like under our names."""
    own = not hasattr(os, "getuid") or folder.lstat().st_uid == os.getuid()
    return own and not folder.is_symlink() and (folder / LOCK).is_file()


def _held(folder: Path) -> FileLock | None:
    """The lock of a folder, or None where another process holds it."""
    from filelock import FileLock, Timeout

    lock = FileLock(folder / LOCK)
    try:
        lock.acquire(blocking=False)
    except Timeout:
        return None
    return lock


def _remove(folder: Path, lock: FileLock, owner: int) -> None:
    if os.getpid() == owner:
        if os.name == "nt":
            lock.release()  # an open file could not be deleted
        shutil.rmtree(folder, ignore_errors=True)
        lock.release()
