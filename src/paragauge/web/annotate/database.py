"""The SQLite file of a study: what was written is on disk in the file of that name, or an error says otherwise."""

from __future__ import annotations

import os
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Self

from ...errors import ParagaugeError

_PATIENCE = 5.0  # seconds that another program, or other raters, may hold the file


class StudyError(ParagaugeError):
    """The file of a study cannot be used now; nothing of what was asked is saved."""


class Database:
    """One file, for any thread; other processes may read and write it at the same time."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = threading.RLock()
        self._connection = sqlite3.connect(path, timeout=_PATIENCE, isolation_level=None, check_same_thread=False)
        with self._used() as connection:
            connection.executescript("PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON;")
            connection.execute("SELECT count(*) FROM sqlite_master").fetchall()  # from now on there is a journal
        self._opened = self._inodes()

    def close(self) -> None:
        """Everything is then in the one file; while it is open, some of it is in those next to it (-wal, -shm)."""
        with self._lock:
            self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def read(self, query: str, *values: Any) -> list[Any]:
        with self._used() as connection:
            return connection.execute(query, values).fetchall()

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """A transaction, perhaps within another; when the outermost is over, its rows are on disk."""
        with self._used() as connection:
            if connection.in_transaction:
                yield connection
                return
            connection.execute("BEGIN IMMEDIATE")
            try:
                self._check_place()
                yield connection
                connection.execute("COMMIT")
            except BaseException:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
                raise
            self._check_place()

    def in_place(self) -> bool:
        """Is the file that was opened still the one of that name, and its journal too?"""
        return self._inodes() == self._opened

    def _check_place(self) -> None:
        if not self.in_place():
            raise StudyError(f"{self.path.name} was removed, moved or replaced since the study was opened")

    def _inodes(self) -> list[tuple[int, int] | None]:
        found: list[tuple[int, int] | None] = []
        for name in (self.path, f"{self.path}-wal"):
            try:
                status = os.stat(name)
                found.append((status.st_dev, status.st_ino))
            except OSError:
                found.append(None)
        return found

    @contextmanager
    def _used(self) -> Iterator[sqlite3.Connection]:
        """One thread at a time, and errors of SQLite are sentences."""
        if not self._lock.acquire(timeout=_PATIENCE):
            raise StudyError(f"{self.path.name} is busy; try again")
        try:
            yield self._connection
        except sqlite3.Error as error:
            if getattr(error, "sqlite_errorcode", None) in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
                raise StudyError(f"{self.path.name} is locked by another program; try again") from error
            raise StudyError(f"{self.path.name} cannot be read or written: {error}") from error
        finally:
            self._lock.release()
