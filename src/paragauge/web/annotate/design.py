"""What a study asks, and what may be answered: its design, the items made of a table, the answers of raters."""

from __future__ import annotations

import hashlib
import json
import random
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...errors import Hint, InputError, check_choice
from ...tables.samples import Samples, is_empty

TASKS = ("direct", "pairwise", "best-worst")
QUESTIONS = ("meaning", "wording")
ORDERS = ("random", "disputed")
SKIPPED = {"skip": True}
LONGEST_SECONDS = 86_400.0


@dataclass(frozen=True)
class Design:
    """How a study asks; a resumed study keeps to it."""

    task: str = "direct"
    questions: tuple[str, ...] = QUESTIONS  # of direct assessment
    redundancy: int = 2  # raters of an item
    overlap: int = 20  # items that every rater judges
    checks: float = 0.2  # share of the tasks that are broken copies or repeats
    size: int = 4  # candidates of a best–worst item
    block: int = 40  # tasks that a rater is given at a time
    first: str = "random"
    seed: int = 0

    def __post_init__(self) -> None:
        check_choice("task", self.task, TASKS)
        check_choice("first", self.first, ORDERS)
        for question in self.questions:
            check_choice("questions", question, QUESTIONS)
        if not self.questions:
            raise InputError(f"no question is asked; expected one or more of {', '.join(QUESTIONS)}")
        # in one order, as the first is what is exported as the human score, and what broken copies are checked by
        object.__setattr__(self, "questions", tuple(name for name in QUESTIONS if name in self.questions))
        for name, least in (("redundancy", 1), ("overlap", 0), ("size", 3), ("block", 5), ("seed", 0)):
            if getattr(self, name) < least:
                raise InputError(f"{name}={getattr(self, name)}; expected at least {least}")
        if not 0 <= self.checks <= 0.5:
            raise InputError(f"checks={self.checks:g}; expected a share of the tasks from 0 to 0.5")

    def as_json(self) -> dict[str, Any]:
        return asdict(self) | {"questions": list(self.questions)}

    @classmethod
    def of_json(cls, found: dict[str, Any]) -> Design:
        return cls(**found | {"questions": tuple(found["questions"])})

    @property
    def asked(self) -> tuple[str, ...]:
        """What an answer holds."""
        return {"direct": self.questions, "pairwise": ("better",), "best-worst": ("best", "worst")}[self.task]


class Items(NamedTuple):
    """What is judged. A cell is a pair of texts, known by the number of the first row that has it."""

    cells: list[int | None]  # of each row; None where there is nothing to judge
    units: list[tuple[int, ...]]  # the cells that an item shows together, those asked for first at the front
    overlap: frozenset[int]  # units that every rater judges
    notes: list[str]


def make_items(samples: Samples, design: Design, disputes: NDArray[np.float64] | None = None) -> Items:
    """The items of a table, shuffled; if the design says so, those of the highest `disputes` (one a row) first."""
    cells = _cells(samples)
    notes = []
    if empty := cells.count(None):
        notes.append(f"{empty:,} of {len(samples):,} rows have an empty source or candidate, and are not judged")
    by_source: dict[str, list[int]] = {}
    for cell in dict.fromkeys(cells):
        if cell is not None:
            by_source.setdefault(samples.sources[cell], []).append(cell)
    chance = random.Random(f"items {design.seed}")
    units: list[tuple[int, ...]]
    if design.task == "direct":
        units = [(cell,) for own in by_source.values() for cell in own]
    elif design.task == "pairwise":
        units = [pair for own in by_source.values() for pair in combinations(own, 2)]
    else:
        units = [group for own in by_source.values() if len(own) > 2 for group in _groups(own, design.size, chance)]
    if not units:
        needed = {"direct": "a source and a candidate", "pairwise": "two different candidates"}
        what = needed.get(design.task, "three different candidates")
        raise InputError(
            f"no item to judge: no source has {what}",
            Hint("{task} asks about single candidates", task="direct") if design.task != "direct" else "",
        )
    left = sum(len(own) < (2 if design.task == "pairwise" else 3) for own in by_source.values())
    if design.task != "direct" and left:
        notes.append(f"{left:,} of {len(by_source):,} sources have too few different candidates, and are not judged")
    chance.shuffle(units)
    # without an order of systems, so that a choice of the first is not a choice of one system
    units = [tuple(chance.sample(unit, len(unit))) for unit in units]
    if design.first == "disputed":
        if disputes is None:
            raise InputError("no scores tell which items metrics dispute; expected those of a run, or of the table")
        worth = np.zeros(len(samples))
        for row, cell in enumerate(cells):
            if cell is not None:
                worth[cell] = max(worth[cell], np.nan_to_num(disputes[row]))
        units.sort(key=lambda unit: -max(worth[cell] for cell in unit))
    overlap = chance.sample(range(len(units)), min(design.overlap, len(units)))
    return Items(cells, units, frozenset(overlap), notes)


def fingerprint(samples: Samples) -> str:
    """sha256 of what is judged."""
    rows = zip(samples.ids, samples.systems, samples.sources, samples.candidates, samples.references, strict=True)
    return hashlib.sha256(json.dumps([*map(list, rows)]).encode()).hexdigest()


def _cells(samples: Samples) -> list[int | None]:
    known: dict[tuple[str, str], int] = {}
    found: list[int | None] = []
    for row, pair in enumerate(zip(samples.sources, samples.candidates, strict=True)):
        found.append(None if is_empty(pair[0]) or is_empty(pair[1]) else known.setdefault(pair, row))
    return found


def _groups(cells: list[int], size: int, chance: random.Random) -> list[tuple[int, ...]]:
    """Groups of different cells, of this size where there are so many, in which each is shown about twice."""
    if len(cells) <= size:
        return [tuple(cells)]
    found: list[tuple[int, ...]] = []
    waiting: list[int] = []
    for _ in range(2):
        waiting += chance.sample(cells, len(cells))
    while waiting:
        group = list(dict.fromkeys(waiting))[:size]
        for cell in group:
            waiting.remove(cell)
        spare = [cell for cell in cells if cell not in group]
        found.append((*group, *chance.sample(spare, size - len(group))))
    return found


class RaterAnswer(NamedTuple):
    """A rater's latest answer to a task."""

    task: int
    rater: str
    position: int
    unit: int
    kind: str
    shown: tuple[tuple[int, str | None], ...]
    answer: Mapping[str, Any]
    seconds: float

    @property
    def skipped(self) -> bool:
        return "skip" in self.answer


def check_answer(design: Design, shown: int, answer: Any) -> dict[str, Any]:
    """The answer to a task that shows so many candidates, refused where it is none."""
    if not isinstance(answer, dict):
        raise InputError(f"an answer is {answer!r:.60}; expected an object with {', '.join(design.asked)}")
    if set(answer) == {"skip"} and answer["skip"] is True:  # 1 == True, and is none
        return dict(SKIPPED)
    if set(answer) != set(design.asked):
        found = ", ".join(map(str, answer)) or "nothing"
        raise InputError(f"an answer has {found:.100}; expected {', '.join(design.asked)}")
    for name in design.asked:
        value, whole = answer[name], type(answer[name]) is int
        if design.task == "direct":
            sound, expected = _is_number(value) and 0 <= value <= 100, "a number from 0 to 100"
        elif design.task == "pairwise":
            sound = value is None or (whole and value in (0, 1))
            expected = "0 (the first), 1 (the second) or null (neither)"
        else:
            sound, expected = whole and 0 <= value < shown, f"a place from 0 to {shown - 1}"
        if not sound:
            raise InputError(f"{name} is {value!r:.60}; expected {expected}")
    if design.task == "best-worst" and answer["best"] == answer["worst"]:
        raise InputError(f"best and worst are both {answer['best']}; expected two different candidates")
    return {name: answer[name] for name in design.asked}


def check_seconds(seconds: Any) -> float:
    """How long a rater took, within a day."""
    if not _is_number(seconds) or not 0 <= seconds <= LONGEST_SECONDS:
        raise InputError(f"seconds is {seconds!r:.60}; expected a number from 0 to {LONGEST_SECONDS:g}")
    return float(seconds)


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)  # NaN is in no range


def points(design: Design, judgment: RaterAnswer) -> list[float]:
    """What the answer gives to each candidate that was shown: more is better.

    Direct: the rating of the first question. Pairwise: 1 for the better, 0 for the other, ½ for both where neither is.
    Best–worst: 1 for the best, −1 for the worst, 0 for the others; the score of a candidate is their mean (Kiritchenko
    and Mohammad 2017, Best-worst scaling more reliable than rating scales).
    """
    answer = judgment.answer
    if design.task == "direct":
        return [float(answer[design.asked[0]])]
    if design.task == "pairwise":
        better = answer["better"]
        return [0.5, 0.5] if better is None else [1.0 - better, float(better)]
    places = range(len(judgment.shown))
    return [float(place == answer["best"]) - float(place == answer["worst"]) for place in places]


def preferred(design: Design, judgment: RaterAnswer) -> str | list[int]:
    """The cell or cells chosen, whatever the order they were shown in: what raters of one item agree on, or not."""
    if design.task == "pairwise":
        better = judgment.answer["better"]
        return "neither" if better is None else [judgment.shown[better][0]]
    return [judgment.shown[judgment.answer[name]][0] for name in design.asked]
