"""What a study asks: its design, the items made of a table, and the blocks of tasks in which raters get them."""

from __future__ import annotations

import hashlib
import json
import random
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from itertools import combinations
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...errors import Hint, InputError, check_choice
from ...tables.samples import Samples, is_empty
from .broken import break_text

TASKS = ("direct", "pairwise", "best-worst")
QUESTIONS = ("meaning", "wording")
ORDERS = ("random", "disputed")
Kind = Literal["genuine", "broken", "repeat"]


@dataclass(frozen=True)
class Design:
    """How a study asks; whoever resumes it keeps to it."""

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


class Planned(NamedTuple):
    """One screen of a rater: an item, and the texts it shows, in this order: cells, or text made of one."""

    unit: int
    kind: Kind
    shown: list[tuple[int, str | None]]


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
    # without an order of systems, lest a choice of the first be a choice of one system
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


def compose(
    design: Design,
    samples: Samples,
    items: Items,
    unseen: Sequence[int],
    chance: random.Random,
) -> list[Planned]:
    """A block of tasks for a rater who has not seen these units yet, the most wanted first.

    Up to a quarter of it are units that every rater judges. Broken copies and repeats stand at random places among the
    others, at a distance from what they are compared with where the block is long enough.
    """
    shared = [unit for unit in unseen if unit in items.overlap][: max(1, design.block // 4)]
    others = [unit for unit in unseen if unit not in items.overlap]
    number = round(design.block * (1 - design.checks))
    chosen = [*shared, *others][:number]
    if len(chosen) < number:  # nothing else is left
        more = [unit for unit in unseen if unit in items.overlap and unit not in shared]
        chosen += more[: number - len(chosen)]
    tasks = [Planned(unit, "genuine", _shuffled(items.units[unit], chance)) for unit in chosen]
    checks = round(len(chosen) * design.checks / (1 - design.checks))
    drawn = chance.sample(chosen, min(checks, len(chosen)))
    for place, unit in enumerate(drawn):
        made = _broken(design, samples, items, unit, chance) if place % 2 == 0 else None
        tasks.append(made or Planned(unit, "repeat", _shuffled(items.units[unit], chance)))
    return _spread(tasks, chance)


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


def _shuffled(cells: Sequence[int], chance: random.Random) -> list[tuple[int, str | None]]:
    return [(cell, None) for cell in chance.sample(list(cells), len(cells))]


def _broken(design: Design, samples: Samples, items: Items, unit: int, chance: random.Random) -> Planned | None:
    """The item with a broken copy of one of its candidates: alone, or beside the candidate that it is a copy of."""
    cells = items.units[unit]
    cell = chance.choice(cells)
    source, text = samples.sources[cell], samples.candidates[cell]
    if design.task == "direct" and "meaning" not in design.questions:
        made: str | None = source if source != text else None  # the wording of a copy is that of the source
    else:
        drawn = chance.sample(items.units, min(50, len(items.units)))
        others = [own[0] for own in drawn if samples.sources[own[0]] != source]
        made = break_text(text, [samples.candidates[one] for one in others], chance)
    if made is None:
        return None
    if design.task == "direct":
        return Planned(unit, "broken", [(cell, made)])
    kept = [one for one in cells if one != cell]
    shown: list[tuple[int, str | None]] = [(cell, None), (cell, made)]
    shown += [(one, None) for one in chance.sample(kept, max(0, len(cells) - 2))]
    return Planned(unit, "broken", chance.sample(shown, len(shown)))


def _spread(tasks: list[Planned], chance: random.Random) -> list[Planned]:
    """In random order, the tasks of one unit a quarter of the block apart if a few tries find such an order."""
    best, widest = tasks, -1
    for _ in range(100):
        order = chance.sample(tasks, len(tasks))
        last: dict[int, int] = {}
        gap = len(order)
        for place, task in enumerate(order):
            if task.unit in last:
                gap = min(gap, place - last[task.unit])
            last[task.unit] = place
        if gap > widest:
            best, widest = order, gap
        if gap >= len(tasks) // 4:
            break
    return best
