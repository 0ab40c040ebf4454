"""A study in one SQLite file: texts, items, raters, and every judgment, on disk before it is acknowledged."""

from __future__ import annotations

import json
import random
import secrets
import sqlite3
import threading
import time
import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

from ..._version import __version__
from ...errors import InputError
from ...files.writing import PathLike
from ...tables.samples import Samples
from .answers import Judgment, check_answer, check_seconds
from .study import Design, Items, compose, fingerprint

VERSION = 1
_APPLICATION = 0x70617261  # "para", in the header of the file
_SCHEMA = """
CREATE TABLE study (name TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE samples (sample INTEGER PRIMARY KEY, id TEXT NOT NULL, system TEXT NOT NULL, source TEXT NOT NULL,
    candidate TEXT NOT NULL, references_ TEXT NOT NULL, cell INTEGER);
CREATE TABLE units (unit INTEGER PRIMARY KEY, cells TEXT NOT NULL, overlap INTEGER NOT NULL);
CREATE TABLE raters (rater TEXT PRIMARY KEY, joined TEXT NOT NULL, attempts INTEGER NOT NULL DEFAULT 0,
    understood TEXT);
CREATE TABLE tasks (task INTEGER PRIMARY KEY AUTOINCREMENT, rater TEXT NOT NULL REFERENCES raters,
    position INTEGER NOT NULL, unit INTEGER NOT NULL REFERENCES units, kind TEXT NOT NULL, shown TEXT NOT NULL,
    UNIQUE (rater, position));
CREATE INDEX tasks_of_unit ON tasks (unit);
CREATE TABLE judgments (judgment INTEGER PRIMARY KEY AUTOINCREMENT, task INTEGER NOT NULL REFERENCES tasks,
    answer TEXT NOT NULL, seconds REAL NOT NULL, saved TEXT NOT NULL, key TEXT NOT NULL UNIQUE);
CREATE INDEX judgments_of_task ON judgments (task);
"""


class Task(NamedTuple):
    """One screen of a rater, as the store keeps it."""

    task: int
    position: int
    unit: int
    kind: str
    shown: list[tuple[int, str | None]]
    answer: dict[str, Any] | None


class Rater(NamedTuple):
    """Who judges: when they came, how often they tried the comprehension check, and whether they passed it."""

    rater: str
    joined: str
    attempts: int
    understood: bool


class Store:
    """The file of a study; any thread may use it, and other processes may read and write it at the same time."""

    def __init__(self, path: PathLike) -> None:
        self.path = Path(path)
        if not self.path.is_file():
            raise InputError(f"there is no study {self.path}")
        if not is_study(self.path):
            raise InputError(f"{self.path} is not a study; expected a file that `paragauge annotate` made")
        self._lock = threading.RLock()
        try:
            self._connection = _connected(self.path)
            self._connection.executescript("PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON;")
            self.facts = {name: json.loads(value) for name, value in self._read("SELECT name, value FROM study")}
        except sqlite3.Error as error:
            raise InputError(f"{self.path} cannot be read as a study: {error}") from error
        if self.facts["version"] != VERSION:
            raise InputError(f"{self.path} is of version {self.facts['version']}; this program knows {VERSION}")
        self.design = Design.of_json(self.facts["design"])
        self.samples, self.items = self._texts()

    @classmethod
    def create(
        cls, path: PathLike, samples: Samples, design: Design, items: Items, title: str, guide: dict[str, Any]
    ) -> Store:
        """A new study; it appears only when it is whole."""
        path = Path(path)
        if path.exists():
            raise InputError(f"{path} already exists")
        made = path.parent / f".paragauge-{secrets.token_hex(8)}.part"
        facts = {
            "version": VERSION, "study": secrets.token_hex(16), "title": title, "program": __version__,
            "created": _now(), "design": design.as_json(), "fingerprint": fingerprint(samples), "guide": guide,
            "owner": secrets.token_hex(16),
        }  # fmt: skip
        try:
            connection = sqlite3.connect(made, isolation_level=None)
            try:
                connection.executescript(f"PRAGMA application_id={_APPLICATION}; {_SCHEMA} BEGIN;")
                connection.executemany(
                    "INSERT INTO study VALUES (?, ?)", [(name, json.dumps(value)) for name, value in facts.items()]
                )
                columns = zip(
                    range(len(samples)), samples.ids, samples.systems, samples.sources, samples.candidates,
                    map(json.dumps, samples.references), items.cells, strict=True,
                )  # fmt: skip
                connection.executemany("INSERT INTO samples VALUES (?, ?, ?, ?, ?, ?, ?)", columns)
                connection.executemany(
                    "INSERT INTO units VALUES (?, ?, ?)",
                    [(place, json.dumps(cells), place in items.overlap) for place, cells in enumerate(items.units)],
                )
                connection.execute("COMMIT")
            finally:
                connection.close()
            made.rename(path)
        except (OSError, sqlite3.Error) as error:
            raise InputError(f"cannot write the study {path}: {error}") from error
        finally:
            made.unlink(missing_ok=True)
        return cls(path)

    def close(self) -> None:
        """Everything is then in the one file; while it is open, some of it is in those beside it (-wal, -shm)."""
        with self._lock:
            self._connection.close()

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def raters(self) -> list[Rater]:
        rows = self._read("SELECT rater, joined, attempts, understood IS NOT NULL FROM raters ORDER BY joined, rater")
        return [Rater(rater, joined, attempts, bool(understood)) for rater, joined, attempts, understood in rows]

    def join(self, name: Any) -> Rater:
        """The rater of this name, who may have been here before."""
        rater = rater_name(name)
        with self._writing() as connection:
            connection.execute("INSERT OR IGNORE INTO raters (rater, joined) VALUES (?, ?)", (rater, _now()))
        return next(one for one in self.raters() if one.rater == rater)

    def try_comprehension(self, rater: str, passed: bool, attempts: int = 1) -> None:
        """Further attempts at the comprehension check; once passed, it stays passed."""
        self._known(rater)
        with self._writing() as connection:
            connection.execute("UPDATE raters SET attempts = attempts + ? WHERE rater = ?", (attempts, rater))
            if passed:
                connection.execute(
                    "UPDATE raters SET understood = coalesce(understood, ?) WHERE rater = ?", (_now(), rater)
                )

    def tasks(self, rater: str) -> list[Task]:
        """All tasks that the rater was given so far, with the answers."""
        self._known(rater)
        rows = self._read(
            "SELECT task, position, unit, kind, shown, (SELECT answer FROM judgments WHERE judgments.task = tasks.task "
            "ORDER BY judgment DESC LIMIT 1) FROM tasks WHERE rater = ? ORDER BY position",
            rater,
        )
        return [
            Task(task, position, unit, kind, _shown(shown), None if answer is None else json.loads(answer))
            for task, position, unit, kind, shown, answer in rows
        ]

    def give(self, rater: str) -> list[Task]:
        """The tasks of a rater, with a further block if all are answered and there is something left to judge.

        Items that have too few raters come first in the order of the study, then those that others were given but have
        not answered: whoever stays away holds up nothing.
        """
        with self._writing() as connection:
            own = self.tasks(rater)
            if all(task.answer is not None for task in own):
                blocks = random.Random(f"{self.design.seed} {rater} {len(own)}")
                planned = compose(self.design, self.samples, self.items, self._unseen(rater), blocks)
                connection.executemany(
                    "INSERT INTO tasks (rater, position, unit, kind, shown) VALUES (?, ?, ?, ?, ?)",
                    [(rater, len(own) + place, one.unit, one.kind, json.dumps(one.shown))
                     for place, one in enumerate(planned)],
                )  # fmt: skip
            return self.tasks(rater)

    def _unseen(self, rater: str) -> list[int]:
        given: dict[int, int] = {}
        answered: dict[int, int] = {}
        seen: set[int] = set()
        rows = self._read(
            "SELECT unit, rater, EXISTS (SELECT 1 FROM judgments WHERE judgments.task = tasks.task AND "
            "answer NOT LIKE '{\"skip\"%') FROM tasks WHERE kind = 'genuine'"
        )
        for unit, whose, done in rows:
            given[unit] = given.get(unit, 0) + 1
            answered[unit] = answered.get(unit, 0) + done
            if whose == rater:
                seen.add(unit)
        wanted = self.design.redundancy
        left = [
            unit
            for unit in range(len(self.items.units))
            if unit not in seen and (unit in self.items.overlap or answered.get(unit, 0) < wanted)
        ]
        return sorted(left, key=lambda unit: given.get(unit, 0) >= wanted)

    def save(self, rater: str, task: Any, answer: Any, seconds: Any, key: Any, saved: str | None = None) -> bool:
        """Keep an answer; on disk when this returns. An answer of a key that is known was saved already: False."""
        number = task if isinstance(task, int) and not isinstance(task, bool) and abs(task) < 2**63 else -1
        found = self._read("SELECT shown FROM tasks WHERE task = ? AND rater = ?", number, rater)
        if not found:
            raise InputError(f"{rater!r:.60} has no task {task!r:.40}")
        if not isinstance(key, str) or not 8 <= len(key) <= 100 or not (key.isascii() and key.isprintable()):
            raise InputError(f"the key of an answer is {key!r:.60}; expected 8 to 100 letters, digits or signs")
        checked = check_answer(self.design, len(_shown(found[0][0])), answer)
        row = (number, json.dumps(checked), check_seconds(seconds), saved or _now(), f"{number} {key}")
        with self._writing() as connection:
            done = connection.execute(
                "INSERT OR IGNORE INTO judgments (task, answer, seconds, saved, key) VALUES (?, ?, ?, ?, ?)", row
            )
            return done.rowcount == 1

    def judgments(self) -> list[Judgment]:
        """The latest answer to every task, with the time that all took, in the order in which the raters saw them."""
        rows = self._read(
            "SELECT task, rater, position, unit, kind, shown, answer, (SELECT sum(seconds) FROM judgments AS own "
            "WHERE own.task = tasks.task) FROM tasks JOIN judgments USING (task) "
            "WHERE judgment IN (SELECT max(judgment) FROM judgments GROUP BY task) ORDER BY rater, position"
        )
        return [
            Judgment(task, rater, position, unit, kind, tuple(_shown(shown)), json.loads(answer), seconds)
            for task, rater, position, unit, kind, shown, answer, seconds in rows
        ]

    def _texts(self) -> tuple[Samples, Items]:
        rows = self._read("SELECT id, system, source, candidate, references_, cell FROM samples ORDER BY sample")
        ids, systems, sources, candidates, references, cells = (list(column) for column in zip(*rows, strict=True))
        samples = Samples(sources, candidates, [tuple(json.loads(one)) for one in references], systems, ids)
        units = self._read("SELECT cells, overlap FROM units ORDER BY unit")
        shared = frozenset(place for place, (_, overlap) in enumerate(units) if overlap)
        return samples, Items(cells, [tuple(json.loads(own)) for own, _ in units], shared, [])

    def _known(self, rater: str) -> None:
        if not self._read("SELECT 1 FROM raters WHERE rater = ?", rater):
            raise InputError(f"no rater named {rater!r:.60} has joined the study")

    def _read(self, query: str, *values: Any) -> list[Any]:
        with self._lock:
            return self._connection.execute(query, values).fetchall()

    @contextmanager
    def all_or_nothing(self) -> Iterator[None]:
        """What is saved meanwhile is kept together or, after an error, not at all."""
        with self._writing():
            yield

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        """A transaction, perhaps within another; when the outermost is over, its rows are on disk."""
        with self._lock:
            if self._connection.in_transaction:
                yield self._connection
                return
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield self._connection
            except BaseException:
                self._connection.execute("ROLLBACK")
                raise
            self._connection.execute("COMMIT")


def is_study(path: PathLike) -> bool:
    """Is this file a study, by its first bytes?"""
    with open(path, "rb") as stream:
        head = stream.read(72)
    return head.startswith(b"SQLite format 3\0") and head[68:72] == _APPLICATION.to_bytes(4, "big")


def rater_name(name: Any) -> str:
    """A name of a rater in its one form."""
    found = unicodedata.normalize("NFC", name).strip() if isinstance(name, str) else ""
    if not 1 <= len(found) <= 60 or not found.isprintable():
        raise InputError(f"the name of a rater is {name!r:.80}; expected 1 to 60 letters, digits or signs")
    return found


def _connected(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(path, timeout=30, isolation_level=None, check_same_thread=False)


def _shown(text: str) -> list[tuple[int, str | None]]:
    return [(cell, made) for cell, made in json.loads(text)]


def _now() -> str:
    return datetime.fromtimestamp(time.time(), UTC).isoformat(timespec="milliseconds")
