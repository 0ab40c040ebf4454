"""A study in one SQLite file: texts, items, raters, and every judgment, on disk before it is acknowledged."""

from __future__ import annotations

import json
import random
import secrets
import sqlite3
import time
import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

from ..._version import __version__
from ...errors import InputError
from ...files.write import PathLike
from ...runs.record import parse_json
from ...tables.samples import Samples
from .answers import Judgment, check_answer, check_seconds
from .connection import Connection, StudyError
from .contents import VERSION, checked, facts_of, judgment_of, shown_of, texts_of
from .design import Design, Items, compose, fingerprint

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
        try:
            self._file = Connection(self.path)
            rows = self._read("SELECT name, value FROM study")
        except StudyError as error:
            raise InputError(f"{self.path} cannot be read as a study: {error.message}") from error
        with checked(self.path):
            self.facts = facts_of(rows)
        if self.facts["version"] != VERSION:
            raise InputError(f"{self.path} is of version {self.facts['version']}; this program knows {VERSION}")
        with checked(self.path):
            self.design = Design.of_json(self.facts["design"])
            self.samples, self.items = texts_of(
                self._read("SELECT id, system, source, candidate, references_, cell FROM samples ORDER BY sample"),
                self._read("SELECT cells, overlap FROM units ORDER BY unit"),
            )

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
        self._file.close()

    def in_place(self) -> bool:
        """Is the file that was opened still the one of that name?"""
        return self._file.in_place()

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
        with self._file.writing() as connection:
            connection.execute("INSERT OR IGNORE INTO raters (rater, joined) VALUES (?, ?)", (rater, _now()))
        return next(one for one in self.raters() if one.rater == rater)

    def try_comprehension(self, rater: str, passed: bool, attempts: int = 1) -> None:
        """Further attempts at the comprehension check; once passed, it stays passed."""
        self._known(rater)
        with self._file.writing() as connection:
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
        with checked(self.path):
            return [
                Task(task, position, unit, kind, shown_of(shown, unit, self.design, self.items),
                     None if answer is None else parse_json(answer))
                for task, position, unit, kind, shown, answer in rows
            ]  # fmt: skip

    def give(self, rater: str) -> list[Task]:
        """The tasks of a rater, with a further block if all are answered and there is something left to judge.

        Items that have too few raters come first in the order of the study, then those that others were given but have
        not answered: whoever stays away holds up nothing.
        """
        with self._file.writing() as connection:
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
        found = self._read("SELECT shown, unit FROM tasks WHERE task = ? AND rater = ?", number, rater)
        if not found:
            raise InputError(f"{rater!r:.60} has no task {task!r:.40}")
        if not isinstance(key, str) or not 8 <= len(key) <= 100 or not (key.isascii() and key.isprintable()):
            raise InputError(f"the key of an answer is {key!r:.60}; expected 8 to 100 letters, digits or signs")
        with checked(self.path):
            shown = shown_of(found[0][0], found[0][1], self.design, self.items)
        sound = check_answer(self.design, len(shown), answer)
        row = (number, json.dumps(sound), check_seconds(seconds), saved or _now(), f"{number} {key}")
        with self._file.writing() as connection:
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
        with checked(self.path):
            return [judgment_of(row, self.design, self.items) for row in rows]

    def _known(self, rater: str) -> None:
        if not self._read("SELECT 1 FROM raters WHERE rater = ?", rater):
            raise InputError(f"no rater named {rater!r:.60} has joined the study")

    def _read(self, query: str, *values: Any) -> list[Any]:
        return self._file.read(query, *values)

    @contextmanager
    def all_or_nothing(self) -> Iterator[None]:
        """What is saved meanwhile is kept together or, after an error, not at all."""
        with self._file.writing():
            yield


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


def _now() -> str:
    return datetime.fromtimestamp(time.time(), UTC).isoformat(timespec="milliseconds")
