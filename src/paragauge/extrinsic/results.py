"""What an extrinsic evaluation found, as rows that can be kept, printed and reported; and its run folder."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple, get_args, get_origin, get_type_hints

from .._version import __version__
from ..errors import InputError
from ..files.write import keep
from ..runs.record import as_record, faults, read_object, read_record
from ..runs.store import Store
from .association import Association
from .prediction import Prediction
from .tasks.versions import ORIGINAL


class TaskOutcome(NamedTuple):
    """The accuracy of a classifier, and what the paraphrases gained or lost against the originals.

    Accuracies and gains are shares from 0 to 1. Of the originals themselves the gain is NaN.
    """

    task: str
    mode: str
    paraphraser: str  # or `original`
    share: float  # of the training data
    model: str
    seeds: int
    texts: int  # that were tested
    accuracy: float
    low: float
    high: float
    spread: float  # standard deviation of the seeds' accuracies
    gain: float
    gain_low: float
    gain_high: float
    p: float  # of no difference, over seeds and texts
    adjusted: float  # the same by Holm, for all paraphrasers and classifiers of the task and mode
    mcnemar: tuple[float, ...]  # exact p-value within each seed
    verdict: str


class Associated(NamedTuple):
    """An association, and what it is of: the classifier trained on originals, and whose paraphrases it read."""

    task: str
    paraphraser: str
    model: str
    found: Association


class Curve(NamedTuple):
    """The training loss of a cell after each epoch."""

    task: str
    training: str
    model: str
    seed: int
    losses: tuple[float, ...]


@dataclass(frozen=True)
class Evaluation:
    """All that was found."""

    outcomes: list[TaskOutcome]
    associations: list[Associated] = field(default_factory=list)
    prediction: list[Prediction] = field(default_factory=list)
    curves: list[Curve] = field(default_factory=list)
    # means by task, paraphraser, metric
    intrinsic: dict[str, dict[str, dict[str, float]]] = field(default_factory=dict)
    findings: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    signatures: dict[str, str] = field(default_factory=dict)  # of paraphrasers, classifiers and metrics
    seconds: dict[str, float] = field(default_factory=dict)  # to train a cell of each classifier, on average

    def record(self) -> dict[str, Any]:
        """As JSON can hold it."""
        return {name: _plain(getattr(self, name)) for name in self.__dataclass_fields__}

    @classmethod
    def of_record(cls, record: Mapping[str, Any]) -> Evaluation:
        """The inverse of `record`, after JSON made null of NaN and lists of tuples."""
        return cls(**{name: _typed(hint, record[name]) for name, hint in get_type_hints(cls).items()})

    def of(self, task: str, mode: str) -> list[TaskOutcome]:
        """The outcomes of a task in a mode."""
        return [row for row in self.outcomes if (row.task, row.mode) == (task, mode)]

    @property
    def tasks(self) -> list[str]:
        return list(dict.fromkeys(row.task for row in self.outcomes))

    @property
    def models(self) -> list[str]:
        return list(dict.fromkeys(row.model for row in self.outcomes))

    @property
    def modes(self) -> list[str]:
        return list(dict.fromkeys(row.mode for row in self.outcomes))


def _plain(value: Any) -> Any:
    """Named tuples as tables, at any depth."""
    if hasattr(value, "_asdict"):
        return {name: _plain(own) for name, own in value._asdict().items()}
    return list(map(_plain, value)) if isinstance(value, list) else value


def _typed(hint: Any, value: Any) -> Any:
    """The value of this type that `_plain` and JSON made this of."""
    if value is None:
        return math.nan
    kind, inner = get_origin(hint), get_args(hint)
    if kind in (list, tuple):
        return kind(_typed(inner[0], one) for one in value)
    if kind is dict:
        return {key: _typed(inner[1], one) for key, one in value.items()}
    if hasattr(hint, "_fields"):
        hints = get_type_hints(hint)
        return hint(**{name: _typed(hints[name], own) for name, own in value.items()})
    return value


def names_of(rows: Sequence[TaskOutcome]) -> list[str]:
    """The paraphrasers of some outcomes, without the originals."""
    return list(dict.fromkeys(row.paraphraser for row in rows if row.paraphraser != ORIGINAL))


KIND = "extrinsic"
RESULT = "result.json"


def open_store(folder: Path, tasks: Mapping[str, str]) -> Store:
    """The folder of a run: `result.json`, `run.json`, `manifest.json` and, in `parts/`, everything that was computed.

    It holds one set of tasks; paraphrasers, classifiers and seeds may be added by a rerun, which trains what is new,
    and the originals where their classifiers are tested on more paraphrases than before (robustness).
    """
    return Store(folder, {"kind": KIND, "version": __version__, "tasks": dict(tasks)}, extended=True)


def finish(store: Store, result: Mapping[str, Any], metrics: Mapping[str, str], rows: int) -> None:
    """Keep the result, and what was computed for a later call that adds to it."""
    keep(store.folder / RESULT, as_record(result))
    store.finish({"metrics": dict(metrics), "rows": rows}, [RESULT], keep_parts=True)


def is_extrinsic(folder: Path) -> bool:
    """Is it the folder of such a run?"""
    try:
        return read_record(folder).get("kind") == KIND
    except InputError:
        return False


def read_result(folder: Path) -> dict[str, Any]:
    """The result of a complete and undamaged run."""
    record = read_record(folder)
    if record.get("kind") != KIND:
        raise InputError(f"{folder} is not a run of an extrinsic evaluation")
    if record.get("status") != "complete":
        raise InputError(f"the run in {folder} is not complete; rerun to resume")
    wrong = faults(folder / "manifest.json", {RESULT, "run.json"})
    if wrong:
        raise InputError(f"{folder} was modified after the run: {'; '.join(wrong)}")
    try:
        return read_object(folder / RESULT)
    except (OSError, ValueError) as error:
        raise InputError(f"{folder} was modified after the run: {RESULT} cannot be read ({error})") from None
