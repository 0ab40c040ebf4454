"""The pages of a study, served or as one file to mail, and the answers that come back."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import datetime
from html import escape
from pathlib import Path
from typing import Any, NamedTuple

from ...errors import InputError
from ...files.write import PathLike, atomic_write
from ...printable import printable_lines
from ...reports.page import check_report, filled_page
from ...runs.record import read_object
from .store import Screen, StudyStore, rater_name

_RATER = ("elements.js", "server.js", "tasks.js", "annotate.js")
_OWNER = ("elements.js", "progress.js")
_SERVER = " connect-src 'self';"

FORMAT = "paragauge annotations"


def rater_page(title: str, data: dict[str, Any], *, offline: bool = False) -> str:
    """The page on which raters judge; offline, it holds its tasks and asks nobody for anything."""
    return _page(title, data, _RATER, "" if offline else _SERVER)


def progress_page(title: str) -> str:
    """The page on which the owner of a study sees how it goes."""
    return _page(title, {}, _OWNER, _SERVER)


def _page(title: str, data: dict[str, Any], scripts: Sequence[str], connect: str) -> str:
    # inside a script element nothing is markup but what begins with <
    packed = json.dumps(data, ensure_ascii=True).replace("<", "\\u003c")
    also = f"{connect} img-src data:;"
    return filled_page(__package__, "annotate.html", scripts, also, title=escape(printable_lines(title)), data=packed)


class Imported(NamedTuple):
    """What came back: how many answers are new, how many were known."""

    rater: str
    new: int
    known: int


def task_content(store: StudyStore, screen: Screen) -> dict[str, Any]:
    """What a rater may know of a task: texts, and nothing of systems or checks."""
    samples = store.samples
    return {
        "task": screen.task,
        "source": samples.sources[screen.shown[0][0]],
        "candidates": [samples.candidates[cell] if made is None else made for cell, made in screen.shown],
        "answer": screen.answer,
    }


def write_offline(store: StudyStore, output: PathLike, rater: str | None = None, *, overwrite: bool = False) -> int:
    """Write a page with the rater's next block of tasks, and give their number.

    It opens from disk, keeps the answers in the browser, and has a button to download them as JSON. The rater's name
    is by default that of the file.
    """
    check_report(output, inputs=[store.path], overwrite=overwrite)
    name = store.join(rater_name(rater if rater is not None else Path(output).stem)).rater
    tasks = [task for task in store.give(name) if task.answer is None]
    if not tasks:
        raise InputError(f"nothing is left to judge for {name!r:.60}")
    data = {
        "study": store.facts["study"], "task": store.design.task, "guide": store.facts["guide"], "rater": name,
        "tasks": [task_content(store, task) for task in tasks],
    }  # fmt: skip
    atomic_write(output, rater_page(store.facts["title"], data, offline=True).encode())
    return len(tasks)


def import_answers(store: StudyStore, path: PathLike) -> Imported:
    """Take the answers of a mailed page; all of them or, where one is wrong, none. Known ones are passed over."""
    found = _read(Path(path))
    if found.get("study") != store.facts["study"]:
        raise InputError(f"{path} has answers of another study than {store.path}")
    rater = found.get("rater")
    known = [one for one in store.raters() if one.rater == rater]
    if not known:
        raise InputError(f"{path} is of the rater {rater!r:.60}, to whom no tasks of {store.path} were given")
    judgments = found.get("judgments")
    if not isinstance(judgments, list):
        raise InputError(f"{path} has no list of judgments")
    new, name = 0, known[0].rater
    with store.writing():
        for number, one in enumerate(judgments, 1):
            try:
                fields = one if isinstance(one, dict) else {}
                key, saved = fields.get("key"), _moment(fields.get("saved"))
                new += store.save(name, fields.get("task"), fields.get("answer"), fields.get("seconds"), key, saved)
            except InputError as error:
                raise InputError(f"{path}: judgment {number}: {error.message}; nothing was imported") from None
        if found.get("understood") is True and not known[0].understood:
            given = found.get("attempts")
            attempts = given if isinstance(given, int) and 0 < given < 1000 else 1
            store.try_comprehension(name, passed=True, attempts=attempts)
    return Imported(name, new, len(judgments) - new)


def _read(path: Path) -> dict[str, Any]:
    expected = "expected the file that a mailed page downloads"
    try:
        found = read_object(path)
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror or error}") from error
    except ValueError as error:
        raise InputError(f"{path} is not JSON ({error}); {expected}") from None
    if found.get("format") != FORMAT or found.get("version") != 1:
        raise InputError(f"{path} is not a file of answers; {expected}")
    return found


def _moment(text: Any) -> str:
    try:
        return datetime.fromisoformat(text).isoformat(timespec="milliseconds")
    except (TypeError, ValueError):
        raise InputError(f"saved is {text!r:.60}; expected a date and time") from None
