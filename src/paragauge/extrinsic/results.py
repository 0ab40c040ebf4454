"""What an extrinsic evaluation found, as rows that can be kept, printed and reported."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeVar

from .statistics.association import Association
from .statistics.foresight import Foresight
from .tasks.versions import ORIGINAL

Found = TypeVar("Found", bound=NamedTuple)


class Outcome(NamedTuple):
    """The accuracy of a classifier, and what the paraphrases gained or lost against the originals beside it.

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

    outcomes: list[Outcome]
    associations: list[Associated] = field(default_factory=list)
    foresight: list[Foresight] = field(default_factory=list)
    curves: list[Curve] = field(default_factory=list)
    intrinsic: dict[str, dict[str, dict[str, float]]] = field(
        default_factory=dict
    )  # means by task, paraphraser, metric
    findings: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    signatures: dict[str, str] = field(default_factory=dict)  # of paraphrasers, classifiers and metrics
    seconds: dict[str, float] = field(default_factory=dict)  # to train a cell of each classifier, on average

    def record(self) -> dict[str, Any]:
        """As JSON can hold it."""
        rows: dict[str, Callable[[Any], Any]] = {
            "outcomes": lambda row: row._asdict(),
            "associations": lambda row: row._asdict() | {"found": row.found._asdict()},
            "foresight": lambda row: row._asdict(),
            "curves": lambda row: row._asdict(),
        }
        whole = {name: getattr(self, name) for name in self.__dataclass_fields__}
        return {name: [rows[name](row) for row in value] if name in rows else value for name, value in whole.items()}

    @classmethod
    def of_record(cls, record: Mapping[str, Any]) -> Evaluation:
        """The inverse of `record`, after JSON made null of NaN and lists of tuples."""
        return cls(
            [_row(Outcome, row, mcnemar=tuple(map(_number, row["mcnemar"]))) for row in record["outcomes"]],
            [
                Associated(row["task"], row["paraphraser"], row["model"], _row(Association, row["found"]))
                for row in record["associations"]
            ],
            [_row(Foresight, row) for row in record["foresight"]],
            [_row(Curve, row, losses=tuple(map(_number, row["losses"]))) for row in record["curves"]],
            {
                task: {name: {key: _number(value) for key, value in own.items()} for name, own in versions.items()}
                for task, versions in record["intrinsic"].items()
            },
            record["findings"],
            record["notes"],
            record["signatures"],
            {name: _number(value) for name, value in record["seconds"].items()},
        )

    def of(self, task: str, mode: str) -> list[Outcome]:
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


def _row(kind: Callable[..., Found], row: Mapping[str, Any], **others: Any) -> Found:
    return kind(**({name: _number(value) for name, value in row.items()} | others))


def _number(value: Any) -> Any:
    return math.nan if value is None else value


def names_of(rows: Sequence[Outcome]) -> list[str]:
    """The paraphrasers of some outcomes, without the originals."""
    return list(dict.fromkeys(row.paraphraser for row in rows if row.paraphraser != ORIGINAL))
