"""The disk cache: bytes by key in one SQLite file that several processes can share, checked and bounded."""

from __future__ import annotations

import hashlib
import os
import sqlite3
import sys
import threading
import time
import zlib
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from ..errors import InputError
from ..files.folders import TemporaryFolder, cache_folder
from ..printable import say
from ..process.forks import PerProcess

DEFAULT_LIMIT = 4 << 30
_JOURNAL = 4 << 20  # bytes of the journal that may stay: beyond, it is written back and cut off
_PAGES = 8192  # of the file that are given back at once: bounds how far the journal grows meanwhile
_DAY = 86_400
_PATIENCE = (
    2.0  # seconds that another program may hold the file: to compute a text again takes less than to wait for it
)
_VARIABLES = 500  # keys per query; SQLite's oldest limit is 999
_FAILURES = (sqlite3.DatabaseError, UnicodeDecodeError)  # the latter from messages that quote a damaged schema
# Errors that say nothing about the file itself: it is in use, out of reach, or the disk is full.
_SURROUNDINGS = (
    sqlite3.SQLITE_PERM,
    sqlite3.SQLITE_BUSY,
    sqlite3.SQLITE_LOCKED,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_CANTOPEN,
)


_thread = threading.local()


class FeatureStore:
    """Values are checked when read: a damaged entry counts as absent, a damaged file is set aside and recreated.

    SQLite must not carry a connection across a fork, so a forked child opens one of its own.
    """

    def __init__(self, path: Path, limit: int = DEFAULT_LIMIT) -> None:
        self.path = path
        self.limit = limit
        self._locked = False  # by another program, longer than we wait: then nothing is written any more
        self._delete: Callable[[], object] = lambda: None
        path.parent.mkdir(parents=True, exist_ok=True)
        self._opened = PerProcess(self._open)
        self._opened.get()
        self._inode = _inode(path)
        try:
            self._shrink()
        except _FAILURES as error:  # a damaged one is reported when it is written to
            self._give_up(error)

    @property
    def _connection(self) -> sqlite3.Connection:
        return self._opened.get()

    @staticmethod
    def place() -> Path:
        """The file of the user's own store."""
        return cache_folder() / "features.sqlite"

    @staticmethod
    def default_limit() -> int:
        """`PARAGAUGE_CACHE_LIMIT`, else 4 GiB."""
        limit = os.environ.get("PARAGAUGE_CACHE_LIMIT", str(DEFAULT_LIMIT))
        if not limit.isdecimal():
            raise InputError(f"PARAGAUGE_CACHE_LIMIT is '{limit}'; expected a number of bytes")
        return int(limit)

    @classmethod
    def default(cls) -> FeatureStore:
        """The user's own, bounded by `PARAGAUGE_CACHE_LIMIT` bytes (default: 4 GiB), or else a temporary one."""
        return cls.at(cls.place(), cls.default_limit())

    @classmethod
    def kept(cls) -> FeatureStore:
        """`default`, left open in this thread for the next call: opening it takes longer than to judge a pair."""
        place, limit = cls.place(), cls.default_limit()
        kept: FeatureStore | None = getattr(_thread, "store", None)
        if kept is not None:
            if (kept.path, kept.limit, kept._inode, kept._locked) == (place, limit, _inode(place), False):
                return kept
            kept.close()
        opened = _thread.store = cls.default()
        return opened

    @classmethod
    def at(cls, path: Path, limit: int) -> FeatureStore:
        """The one in this file, or else a temporary one."""
        try:
            return cls(path, limit)
        except (OSError, sqlite3.OperationalError) as error:
            say(f"paragauge: the cache {path} cannot be used ({error}); continuing without it")
            return cls.temporary()

    @classmethod
    def temporary(cls) -> FeatureStore:
        """One that is deleted when it is closed."""
        folder = TemporaryFolder()
        store = cls(folder.path / "features.sqlite", limit=sys.maxsize)
        store._delete = folder.close
        return store

    def _open(self) -> sqlite3.Connection:
        try:
            return self._connect()
        except _FAILURES as error:
            code = getattr(error, "sqlite_errorcode", 0) & 0xFF
            read_only = code == sqlite3.SQLITE_READONLY and not os.access(self.path, os.W_OK)
            if read_only or code in _SURROUNDINGS:
                raise
            aside = self.path.with_suffix(".damaged")
            os.replace(self.path, aside)
            for journal in ("-wal", "-shm"):  # of the old file: SQLite would read it into the new one
                Path(f"{self.path}{journal}").unlink(missing_ok=True)
            say(f"paragauge: the cache {self.path} is damaged ({error}); recreated, old file: {aside}")
            return self._connect()

    def _connect(self) -> sqlite3.Connection:
        connection = sqlite3.connect(self.path, timeout=_PATIENCE, isolation_level=None)
        connection.text_factory = bytes  # a value whose type is damaged may not decode
        try:
            connection.execute("PRAGMA auto_vacuum = INCREMENTAL")
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = OFF")  # a cache: the checksum finds what a crash leaves torn
            connection.execute(
                "CREATE TABLE IF NOT EXISTS entry (key BLOB PRIMARY KEY, used INTEGER NOT NULL, value BLOB NOT NULL)"
            )
            connection.execute("SELECT count(*) FROM (SELECT 1 FROM entry LIMIT 1)")
        except _FAILURES:
            connection.close()
            raise
        return connection

    def read(self, signature: str, keys: Sequence[str]) -> dict[str, bytes]:
        """What is known of these keys; absent or damaged ones are left out."""
        found: dict[str, bytes] = {}
        day = int(time.time()) // _DAY
        for start in range(0, len(keys), _VARIABLES):
            names = {_digest(signature, key): key for key in keys[start : start + _VARIABLES]}
            marks = ",".join("?" * len(names))
            stale = []
            try:
                query = f"SELECT key, used, value FROM entry WHERE key IN ({marks})"
                for name, used, value in self._connection.execute(query, list(names)):
                    if name in names and isinstance(value, bytes) and value[:4] == _checksum(name, value[4:]):
                        found[names[name]] = value[4:]
                        if used != day:
                            stale.append(name)
                if stale and not self._locked:
                    marks = ",".join("?" * len(stale))
                    self._connection.execute(f"UPDATE entry SET used = ? WHERE key IN ({marks})", [day, *stale])
            except _FAILURES as error:  # a damaged page or a file system that is full: compute instead
                self._give_up(error)
                continue
        return found

    def write(self, signature: str, values: Iterable[tuple[str, bytes]]) -> None:
        """Add values in one transaction; a full disk or a damaged file only means that nothing is remembered."""
        if self._locked:
            return
        day = int(time.time()) // _DAY
        named = ((_digest(signature, key), data) for key, data in values)
        rows = ((name, day, _checksum(name, data) + data) for name, data in named)
        try:
            self._connection.execute("BEGIN IMMEDIATE")
            self._connection.executemany("INSERT OR REPLACE INTO entry VALUES (?, ?, ?)", rows)
            self._connection.execute("COMMIT")
            self._shrink()
        except _FAILURES as error:
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")
            if self._give_up(error):
                return
            say(f"paragauge: the cache {self.path} could not be written ({error}); continuing without it")

    def _give_up(self, error: Exception) -> bool:
        """Where another program holds the file longer than we wait, say so once, and wait no more."""
        busy = getattr(error, "sqlite_errorcode", 0) & 0xFF in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
        if busy and not self._locked:
            self._locked = True
            self._connection.execute("PRAGMA busy_timeout = 0")
            say(f"paragauge: the cache {self.path} is locked by another program; continuing without writing to it")
        return busy

    def _shrink(self) -> None:
        """Drop the longest unused entries until the files are a fifth under their bound, and give back the room."""
        self._checkpoint(_JOURNAL)
        if self.size() <= self.limit:
            return
        surplus = self._content() - int(self.limit * 0.8)
        if surplus > 0:
            self._connection.execute(
                "DELETE FROM entry WHERE rowid IN (SELECT rowid FROM (SELECT rowid, sum(length(value)) OVER "
                "(ORDER BY used, rowid) - length(value) AS before FROM entry) WHERE before < ?)",
                [surplus],
            )
        self._give_back()

    def _give_back(self) -> None:
        """Cut the file down to its content."""
        while free := self._pragma("freelist_count"):
            # a script is run to its end, where `execute` would free one page and stop
            self._connection.executescript(f"PRAGMA incremental_vacuum({_PAGES})")
            self._checkpoint(_JOURNAL)
            if self._pragma("freelist_count") >= free:  # a file that was made without auto_vacuum
                self._connection.execute("VACUUM")
                break
        self._checkpoint(0)

    def _checkpoint(self, allowed: int) -> None:
        """Write a journal that is larger than this back into the file, and cut it off."""
        if _bytes(self._journal) > allowed:
            self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()

    @property
    def _journal(self) -> Path:
        return Path(f"{self.path}-wal")

    def clear(self) -> None:
        """Forget everything, and give back the room; other processes may go on using the file."""
        self._connection.execute("DELETE FROM entry")
        self._give_back()

    def size(self) -> int:
        """Bytes on disk, the journal included."""
        return _bytes(self.path) + _bytes(self._journal)

    def _content(self) -> int:
        return (self._pragma("page_count") - self._pragma("freelist_count")) * self._pragma("page_size")

    def _pragma(self, name: str) -> int:
        return int(self._connection.execute(f"PRAGMA {name}").fetchone()[0])

    def __len__(self) -> int:
        return int(self._connection.execute("SELECT count(*) FROM entry").fetchone()[0])

    def close(self) -> None:
        """Release the file."""
        if self._opened.made:
            self._connection.close()
            self._opened.forget()
        self._delete()


def _inode(file: Path) -> int:
    try:
        return file.stat().st_ino
    except OSError:
        return 0


def _bytes(file: Path) -> int:
    try:
        return file.stat().st_size
    except OSError:
        return 0


def _checksum(name: bytes, data: bytes) -> bytes:
    """Of the value and its name: a damaged index may hand out the value of another key."""
    return zlib.crc32(data, zlib.crc32(name)).to_bytes(4, "little")


def _digest(signature: str, key: str) -> bytes:
    return hashlib.blake2b(f"{signature}\0{key}".encode(), digest_size=16).digest()
