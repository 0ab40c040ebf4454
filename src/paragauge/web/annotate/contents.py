"""What the rows of a study hold, checked as they are read: a damaged one is told in a sentence, by whoever reads it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, get_args

from ...errors import InputError
from ...runs.record import parse_json
from ...tables.samples import Samples
from .answers import Judgment, check_answer
from .design import Design, Items, Kind
from .guide import check_guide

VERSION = 1  # of the tables
_TEXTS = ("title", "owner", "study", "fingerprint")
Shown = list[tuple[int, str | None]]


@contextmanager
def checked(path: Path) -> Iterator[None]:
    """Whatever is wrong with the rows that are read meanwhile is one sentence."""
    try:
        yield
    except KeyError as error:
        raise InputError(f"{path} is damaged: it has no {error.args[0]}") from error
    except (ValueError, TypeError, AttributeError, IndexError, OverflowError) as error:
        raise InputError(f"{path} is damaged: {str(error).splitlines()[0]:.200}") from error


def facts_of(rows: Sequence[tuple[Any, Any]]) -> dict[str, Any]:
    """What the study says of itself."""
    found = {name: parse_json(value) for name, value in rows}
    for name in _TEXTS:
        if not isinstance(found[name], str):
            raise ValueError(f"its {name} is no text")
    if found["version"] == VERSION:
        check_guide(found["guide"])
    return found


def texts_of(samples: Sequence[Sequence[Any]], units: Sequence[tuple[Any, Any]]) -> tuple[Samples, Items]:
    """The texts, and the items that are made of them."""
    ids, systems, sources, candidates, references, cells = (list(column) for column in zip(*samples, strict=True))
    if not all(isinstance(text, str) for column in (ids, systems, sources, candidates) for text in column):
        raise ValueError("a text of it is none")
    further = [tuple(parse_json(one)) for one in references]
    if not all(isinstance(text, str) for own in further for text in own):
        raise ValueError("a reference of it is no text")
    known = {cell for cell in cells if cell is not None}
    of_units = [tuple(parse_json(own)) for own, _ in units]
    if not known <= set(range(len(ids))) or not all(own and known >= set(own) for own in of_units):
        raise ValueError("an item names a text that it does not have")
    shared = frozenset(place for place, (_, overlap) in enumerate(units) if overlap)
    return Samples(sources, candidates, further, systems, ids), Items(cells, of_units, shared, [])


def shown_of(text: Any, unit: Any, design: Design, items: Items) -> Shown:
    """The candidates of a task, each by its cell, or as text made of one."""
    found = [(cell, made) for cell, made in parse_json(text)]
    cells = items.units[unit] if isinstance(unit, int) and unit >= 0 else ()
    number = 1 if design.task == "direct" else len(cells)
    sound = all(made is None or isinstance(made, str) for _, made in found)
    if len(found) != number or not {cell for cell, _ in found} <= set(cells) or not sound:
        raise ValueError(f"a task shows {text!r:.60}, which is not of its item")
    return found


def judgment_of(row: Sequence[Any], design: Design, items: Items) -> Judgment:
    """An answer, with the task that it is of."""
    task, rater, position, unit, kind, text, answer, seconds = row
    shown = shown_of(text, unit, design, items)
    broken = sum(made is not None for _, made in shown)
    if not isinstance(rater, str) or kind not in get_args(Kind) or broken != (kind == "broken"):
        raise ValueError(f"task {task} is none of a rater")
    if not isinstance(seconds, (int, float)) or not 0 <= seconds < 1e12:
        raise ValueError(f"task {task} took {seconds!r:.40} seconds")
    return Judgment(
        task, rater, position, unit, kind, tuple(shown), check_answer(design, len(shown), parse_json(answer)), seconds
    )
