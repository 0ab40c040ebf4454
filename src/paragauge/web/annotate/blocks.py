"""The blocks of tasks in which raters get the items of a study, with attention checks at random places."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Literal, NamedTuple

from ...tables.samples import Samples
from ...text.tokens import pieces
from .design import Design, Items

Kind = Literal["genuine", "broken", "repeat"]


class Planned(NamedTuple):
    """One screen of a rater: an item, and the texts it shows, in this order: cells, or text made of one."""

    unit: int
    kind: Kind
    shown: list[tuple[int, str | None]]


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
        chosen += [unit for unit in unseen if unit in items.overlap and unit not in shared][: number - len(chosen)]
    tasks = [Planned(unit, "genuine", _shuffled(items.units[unit], chance)) for unit in chosen]
    checks = round(len(chosen) * design.checks / (1 - design.checks))
    drawn = chance.sample(chosen, min(checks, len(chosen)))
    for place, unit in enumerate(drawn):
        made = _broken(design, samples, items, unit, chance) if place % 2 == 0 else None
        tasks.append(made or Planned(unit, "repeat", _shuffled(items.units[unit], chance)))
    return _spread(tasks, chance)


def _shuffled(cells: Sequence[int], chance: random.Random) -> list[tuple[int, str | None]]:
    return [(cell, None) for cell in chance.sample(list(cells), len(cells))]


def _broken(design: Design, samples: Samples, items: Items, unit: int, chance: random.Random) -> Planned | None:
    """The item with a broken copy of one of its candidates: alone, or next to the candidate that it is a copy of."""
    cells = items.units[unit]
    cell = chance.choice(cells)
    source, text = samples.sources[cell], samples.candidates[cell]
    if design.task == "direct" and "meaning" not in design.questions:
        made: str | None = source if source != text else None  # the wording of a copy is that of the source
    else:
        drawn = chance.sample(items.units, min(50, len(items.units)))
        others = [own[0] for own in drawn if samples.sources[own[0]] != source]
        made = corrupt(text, [samples.candidates[one] for one in others], chance)
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


def corrupt(text: str, others: Sequence[str], chance: random.Random) -> str | None:
    """The text with a phrase of its own replaced by one as long of another text; None where none will do.

    As many words are replaced as in the degraded translations of Graham et al. 2017, Can machine translation systems
    be evaluated by the crowd alone: 1 of 1, 2 of 2–5, 3 of 6–8, 4 of 9–15, 5 of 16–20, then a quarter. The first and
    the last word stay where there are others.
    """
    parts = pieces(text)
    places = [place for place, part in enumerate(parts) if part[:1].isalnum()]
    if not places:
        return None
    number = min(words_replaced(len(places)), len(places))
    margin = 1 if len(places) >= number + 2 else 0
    for other in others:
        donor = pieces(other)
        words = [place for place, part in enumerate(donor) if part[:1].isalnum()]
        if len(words) < number:
            continue
        start = chance.randint(margin, len(places) - number - margin)
        origin = chance.randint(0, len(words) - number)
        before, after = parts[: places[start]], parts[places[start + number - 1] + 1 :]
        phrase = donor[words[origin] : words[origin + number - 1] + 1]
        made = "".join([*before, *phrase, *after])
        if made.lower() != text.lower():
            return made
    return None


def words_replaced(words: int) -> int:
    """How many words of so many are replaced."""
    for most, number in ((1, 1), (5, 2), (8, 3), (15, 4), (20, 5)):
        if words <= most:
            return number
    return words // 4
