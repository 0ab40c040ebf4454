"""A study started from a table or a run folder, or taken up again."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import reduce
from operator import add
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...errors import Hint, InputError
from ...evaluate.run import open_run
from ...files.layout import INPUT_FORMATS, Layout
from ...files.ratings import read_numbered
from ...files.table import open_table
from ...files.write import PathLike, check_path
from ...reports.runs import read_runs
from ...reports.sections.examples import disputes, spread_of_ranks
from ...tables.samples import Samples
from .design import Design, fingerprint, make_items
from .guide import make_guide
from .store import StudyStore, is_study

SUFFIX = ".annotations.db"


def open_study(
    table: PathLike,
    study: PathLike | None = None,
    *,
    title: str | None = None,
    instructions: PathLike | None = None,
    comprehension: PathLike | None = None,
    quiz: bool = True,
    scores: Sequence[str] = (),
    layout: Layout = Layout(),
    **design: Any,
) -> tuple[StudyStore, list[str]]:
    """The study of a table, a complete run folder or a study file; a new one is made where there is none yet.

    `study` is its file, by default next to the table. `design` has fields of `Design`; those of a study that exists
    must be as it has them. `scores` are columns of the table with scores of metrics, for `first="disputed"`; a run
    folder has its own. `layout` is as in `open_table`.
    """
    given = {name: value for name, value in design.items() if value is not None}
    guidance = instructions, comprehension, quiz
    if Path(table).is_file() and is_study(table):
        return _resumed(StudyStore(table), given, title, guidance), []
    place = Path(study) if study is not None else _beside(table)
    samples = _samples(table, layout)
    if place.exists():
        return _resumed(StudyStore(place), given, title, guidance, samples), []
    check_path(place, inputs=[table])
    made = Design(**given)
    found = _disputes(table, scores, layout) if made.first == "disputed" else None
    items = make_items(samples, made, found)
    guide = make_guide(made, *guidance)
    name = title or _plain_name(Path(os.path.abspath(table)))
    return StudyStore.create(place, samples, made, items, name, guide), items.notes


def _beside(table: PathLike) -> Path:
    path = Path(os.path.abspath(table))
    if not path.exists():
        name = "standard input" if os.fspath(table) == "-" else os.fspath(table)
        raise InputError(
            f"{name} is not a file or folder, so the study has no default place",
            Hint("name its file: {study}", study="NAME.db"),
        )
    return path.with_name(_plain_name(path) + SUFFIX)


def _plain_name(path: Path) -> str:
    suffixes = [suffix for suffix in INPUT_FORMATS if path.name.lower().endswith(suffix)]
    return path.name[: -len(max(suffixes, key=len))] if suffixes else path.name


def _samples(table: PathLike, layout: Layout) -> Samples:
    if Path(table).is_dir() and (Path(table) / "run.json").exists():
        return open_run(table).scores.samples
    return reduce(add, open_table(table, layout))


def _disputes(table: PathLike, scores: Sequence[str], layout: Layout) -> NDArray[np.float64]:
    if Path(table).is_dir():
        return disputes(read_runs([table]))
    if len(scores) < 2:
        raise InputError(
            f"{table} has no scores that could disagree; expected the folder of a run with two metrics or more",
            Hint("or name two or more columns of scores with {scores}", scores=None),
        )
    numbers = read_numbered(table, scores, layout).numbers
    return spread_of_ranks(np.array([numbers[name] for name in scores]))


def _resumed(
    store: StudyStore,
    given: Mapping[str, Any],
    title: str | None,
    guidance: tuple[PathLike | None, PathLike | None, bool],
    samples: Samples | None = None,
) -> StudyStore:
    """The study, if whatever is asked for is as it was made: rerun, a command resumes it."""
    another = Hint("begin another with {study}", study="NEW.db")
    if samples is not None and fingerprint(samples) != store.facts["fingerprint"]:
        raise InputError(f"{store.path} is a study of other texts", another)
    wanted = replace(store.design, **given)
    asked = {name: (getattr(store.design, name), getattr(wanted, name)) for name in given}
    if title is not None:
        asked["title"] = store.facts["title"], title
    for name, (was, value) in asked.items():
        if was != value:
            made = f"{store.path} was made with {name}={was!r}"
            raise InputError(f"{made}, and {value!r} is asked for; a study keeps its design", another)
    if guidance != (None, None, True) and make_guide(store.design, *guidance) != store.facts["guide"]:
        raise InputError(f"{store.path} was made with other instructions, or questions about them", another)
    return store
