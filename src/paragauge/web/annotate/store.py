"""A study in one SQLite file: texts, items, raters, and every judgment, on disk before it is acknowledged.

What the rows hold is checked as they are read: a damaged one is an error in one sentence.
"""

from __future__ import annotations

import json
import random
import secrets
import sqlite3
import time
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple, get_args

from ..._version import __version__
from ...errors import InputError
from ...files.write import PathLike
from ...runs.record import parse_json
from ...tables.samples import Samples
from .blocks import Kind, compose
from .database import Database, StudyError
from .design import Design, Items, RaterAnswer, check_answer, check_seconds, fingerprint
from .guide import check_guide

_VERSION = 1  # of the tables
_TEXTS = ("title", "owner", "study", "fingerprint")
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


Shown = list[tuple[int, str | None]]  # cells, or texts made of one


class Screen(NamedTuple):
    """One screen of a rater, as the store keeps it."""

    task: int
    position: int
    unit: int
    kind: str
    shown: Shown
    answer: dict[str, Any] | None


class Rater(NamedTuple):
    """Who judges: when they came, how often they tried the comprehension check, and whether they passed it."""

    rater: str
    joined: str
    attempts: int
    understood: bool


class StudyStore(Database):
    """The file of a study; any thread may use it, and other processes may read and write it at the same time."""

    def __init__(self, path: PathLike) -> None:
        path = Path(path)
        if not path.is_file():
            raise InputError(f"there is no study {path}")
        if not is_study(path):
            raise InputError(f"{path} is not a study; expected a file that `paragauge annotate` made")
        try:
            super().__init__(path)
            rows = self.read("SELECT name, value FROM study")
        except StudyError as error:
            raise InputError(f"{path} cannot be read as a study: {error.message}") from error
        with _checked(self.path):
            self.facts = _facts_of(rows)
        if self.facts["version"] != _VERSION:
            raise InputError(f"{self.path} is of version {self.facts['version']}; this program knows {_VERSION}")
        with _checked(self.path):
            self.design = Design.of_json(self.facts["design"])
            self.samples, self.items = _texts_of(
                self.read("SELECT id, system, source, candidate, references_, cell FROM samples ORDER BY sample"),
                self.read("SELECT cells, overlap FROM units ORDER BY unit"),
            )

    @classmethod
    def create(
        cls, path: PathLike, samples: Samples, design: Design, items: Items, title: str, guide: dict[str, Any]
    ) -> StudyStore:
        """A new study; it appears only when it is whole."""
        path = Path(path)
        if path.exists():
            raise InputError(f"{path} already exists")
        made = path.parent / f".paragauge-{secrets.token_hex(8)}.part"
        facts = {
            "version": _VERSION, "study": secrets.token_hex(16), "title": title, "program": __version__,
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

    def raters(self) -> list[Rater]:
        rows = self.read("SELECT rater, joined, attempts, understood IS NOT NULL FROM raters ORDER BY joined, rater")
        return [Rater(rater, joined, attempts, bool(understood)) for rater, joined, attempts, understood in rows]

    def join(self, name: Any) -> Rater:
        """The rater of this name, who may have been here before."""
        rater = rater_name(name)
        with self.writing() as connection:
            connection.execute("INSERT OR IGNORE INTO raters (rater, joined) VALUES (?, ?)", (rater, _now()))
        return next(one for one in self.raters() if one.rater == rater)

    def try_comprehension(self, rater: str, passed: bool, attempts: int = 1) -> None:
        """Additional attempts at the comprehension check; once passed, it stays passed."""
        self._known(rater)
        with self.writing() as connection:
            connection.execute(
                "UPDATE raters SET attempts = attempts + ?, understood = coalesce(understood, ?) WHERE rater = ?",
                (attempts, _now() if passed else None, rater),
            )

    def tasks(self, rater: str) -> list[Screen]:
        """All tasks that the rater was given so far, with the answers."""
        self._known(rater)
        rows = self.read(
            "SELECT task, position, unit, kind, shown, (SELECT answer FROM judgments WHERE judgments.task = tasks.task "
            "ORDER BY judgment DESC LIMIT 1) FROM tasks WHERE rater = ? ORDER BY position",
            rater,
        )
        with _checked(self.path):
            return [
                Screen(task, position, unit, kind, self._shown(shown, unit),
                     None if answer is None else parse_json(answer))
                for task, position, unit, kind, shown, answer in rows
            ]  # fmt: skip

    def give(self, rater: str) -> list[Screen]:
        """The tasks of a rater, with another block if all are answered and there is something left to judge.

        Items that have too few raters come first in the order of the study, then those that others were given but have
        not answered: a rater who stays away holds up nothing.
        """
        with self.writing() as connection:
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
        given, answered = Counter[int](), Counter[int]()
        seen: set[int] = set()
        rows = self.read(
            "SELECT unit, rater, EXISTS (SELECT 1 FROM judgments WHERE judgments.task = tasks.task AND "
            "answer NOT LIKE '{\"skip\"%') FROM tasks WHERE kind = 'genuine'"
        )
        for unit, whose, done in rows:
            given[unit] += 1
            answered[unit] += done
            if whose == rater:
                seen.add(unit)
        wanted = self.design.redundancy
        left = [
            unit
            for unit in range(len(self.items.units))
            if unit not in seen and (unit in self.items.overlap or answered[unit] < wanted)
        ]
        return sorted(left, key=lambda unit: given[unit] >= wanted)

    def save(self, rater: str, task: Any, answer: Any, seconds: Any, key: Any, saved: str | None = None) -> bool:
        """Keep an answer; on disk when this returns. An answer of a key that is known was saved already: False."""
        number = task if isinstance(task, int) and not isinstance(task, bool) and abs(task) < 2**63 else -1
        found = self.read("SELECT shown, unit FROM tasks WHERE task = ? AND rater = ?", number, rater)
        if not found:
            raise InputError(f"{rater!r:.60} has no task {task!r:.40}")
        if not isinstance(key, str) or not 8 <= len(key) <= 100 or not (key.isascii() and key.isprintable()):
            raise InputError(f"the key of an answer is {key!r:.60}; expected 8 to 100 letters, digits or signs")
        with _checked(self.path):
            shown = self._shown(*found[0])
        sound = json.dumps(check_answer(self.design, len(shown), answer))
        row = (number, sound, check_seconds(seconds), saved or _now(), f"{number} {key}")
        with self.writing() as connection:
            done = connection.execute(
                "INSERT OR IGNORE INTO judgments (task, answer, seconds, saved, key) VALUES (?, ?, ?, ?, ?)", row
            )
            return done.rowcount == 1

    def judgments(self) -> list[RaterAnswer]:
        """The latest answer to every task, with the time that all took, in the order in which the raters saw them."""
        rows = self.read(
            "SELECT task, rater, position, unit, kind, shown, answer, (SELECT sum(seconds) FROM judgments AS own "
            "WHERE own.task = tasks.task) FROM tasks JOIN judgments USING (task) "
            "WHERE judgment IN (SELECT max(judgment) FROM judgments GROUP BY task) ORDER BY rater, position"
        )
        with _checked(self.path):
            return [self._answer(*row) for row in rows]

    def _shown(self, text: Any, unit: Any) -> Shown:
        """The candidates of a task, each by its cell, or as text made of one."""
        found = [(cell, made) for cell, made in parse_json(text)]
        cells = self.items.units[unit] if isinstance(unit, int) and unit >= 0 else ()
        number = 1 if self.design.task == "direct" else len(cells)
        sound = all(made is None or isinstance(made, str) for _, made in found)
        if len(found) != number or not {cell for cell, _ in found} <= set(cells) or not sound:
            raise ValueError(f"a task shows {text!r:.60}, which is not of its item")
        return found

    def _answer(
        self, task: Any, rater: Any, position: Any, unit: Any, kind: Any, text: Any, answer: Any, seconds: Any
    ) -> RaterAnswer:
        """An answer, with the task that it is of."""
        shown = self._shown(text, unit)
        broken = sum(made is not None for _, made in shown)
        if not isinstance(rater, str) or kind not in get_args(Kind) or broken != (kind == "broken"):
            raise ValueError(f"task {task} is none of a rater")
        if not isinstance(seconds, (int, float)) or not 0 <= seconds < 1e12:
            raise ValueError(f"task {task} took {seconds!r:.40} seconds")
        given = check_answer(self.design, len(shown), parse_json(answer))
        return RaterAnswer(task, rater, position, unit, kind, tuple(shown), given, seconds)

    def _known(self, rater: str) -> None:
        if not self.read("SELECT 1 FROM raters WHERE rater = ?", rater):
            raise InputError(f"no rater named {rater!r:.60} has joined the study")


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


@contextmanager
def _checked(path: Path) -> Iterator[None]:
    """Whatever is wrong with the rows that are read meanwhile is one sentence."""
    try:
        yield
    except KeyError as error:
        raise InputError(f"{path} is damaged: it has no {error.args[0]}") from error
    except (ValueError, TypeError, AttributeError, IndexError, OverflowError) as error:
        raise InputError(f"{path} is damaged: {str(error).splitlines()[0]:.200}") from error


def _facts_of(rows: Sequence[tuple[Any, Any]]) -> dict[str, Any]:
    """What the study says of itself."""
    found = {name: parse_json(value) for name, value in rows}
    for name in _TEXTS:
        if not isinstance(found[name], str):
            raise ValueError(f"its {name} is not text")
    if found["version"] == _VERSION:
        check_guide(found["guide"])
    return found


def _texts_of(samples: Sequence[Sequence[Any]], units: Sequence[tuple[Any, Any]]) -> tuple[Samples, Items]:
    """The texts, and the items that are made of them."""
    ids, systems, sources, candidates, references, cells = (list(column) for column in zip(*samples, strict=True))
    if not all(isinstance(text, str) for column in (ids, systems, sources, candidates) for text in column):
        raise ValueError("one of its texts is not text")
    given = [tuple(parse_json(one)) for one in references]
    if not all(isinstance(text, str) for own in given for text in own):
        raise ValueError("one of its references is not text")
    known = {cell for cell in cells if cell is not None}
    of_units = [tuple(parse_json(own)) for own, _ in units]
    if not known <= set(range(len(ids))) or not all(own and known >= set(own) for own in of_units):
        raise ValueError("an item names a text that it does not have")
    shared = frozenset(place for place, (_, overlap) in enumerate(units) if overlap)
    return Samples(sources, candidates, given, systems, ids), Items(cells, of_units, shared, [])
