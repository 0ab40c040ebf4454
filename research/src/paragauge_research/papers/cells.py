"""Published numbers next to what we compute: one cell at a time, with the cause where they differ."""

from __future__ import annotations

import csv
import math
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

SAME = "same"  # the printed digits come out, and nothing is wrong with them
FAULT = "authors' fault"  # they come out with a fault that `why` names; corrected is another number
WEIGHTS = "other weights"  # the model is not available here, and another stands in for it
UNEXPLAINED = "not explained"
UNCOMPUTED = "not computed"  # what it is made of is not available
UNPRINTED = "not printed"
CAUSES = (SAME, FAULT, WEIGHTS, UNEXPLAINED, UNCOMPUTED, UNPRINTED)
CUT = "printed digits are cut off, not rounded"


class Cell(NamedTuple):
    """One published number, and the same number computed here."""

    table: str
    row: str
    column: str
    printed: str | None  # as it stands in the paper
    authors: float | None  # recomputed with the behaviour of the authors' code
    corrected: float | None  # done correctly; equal to `authors` where nothing is wrong
    cause: str  # one of CAUSES
    why: str  # they differ, or one is missing


class Computed(NamedTuple):
    """A number before it is set next to the printed one."""

    authors: float | None
    corrected: float | None
    why: str = ""
    stand_in: bool = False  # made with other weights than the paper's
    choice: bool = False  # authors and corrected differ by a choice that is not a fault
    fault: bool = False  # the paper or its data contradict the printed number


Place = tuple[str, str]  # row and column


def read_printed(folder: Path) -> dict[str, dict[Place, str]]:
    """The numbers of `printed.csv` by table, then by row and column, in the order of the paper."""
    found: dict[str, dict[Place, str]] = {}
    with (folder / "printed.csv").open(encoding="utf-8", newline="") as stream:
        for line in csv.DictReader(stream):
            found.setdefault(line["table"], {})[line["row"], line["column"]] = line["printed"]
    return found


def beside(
    table: str, printed: Mapping[Place, str], computed: Mapping[Place, Computed], missing: str = ""
) -> Iterator[Cell]:
    """Every printed number, and every computed one that is not printed; `missing` says why one is not computed."""
    for place in dict.fromkeys((*printed, *computed)):
        yield cell(table, *place, printed.get(place), computed.get(place, Computed(None, None, missing)))


def cell(table: str, row: str, column: str, printed: str | None, found: Computed) -> Cell:
    """One cell with its cause."""
    why = found.why
    if printed is not None and not found.stand_in and _first(printed, found) == "cut":
        why = "; ".join(filter(None, (CUT, why)))
    return Cell(table, row, column, printed, found.authors, found.corrected, _cause(printed, found), why)


def count_causes(cells: Iterable[Cell]) -> dict[str, dict[str, int]]:
    """How many cells of each table have each cause."""
    found: dict[str, dict[str, int]] = {}
    for one in cells:
        counts = found.setdefault(one.table, dict.fromkeys(CAUSES, 0))
        counts[one.cause] += 1
    return found


def agrees(printed: str, value: float | None) -> str:
    """How a value agrees with what is printed: `rounded`, `cut` (its digits end there), or not at all.

    >>> agrees("0.357", 0.35778), agrees("46.4%", 0.4643), agrees("9,158", 9158.0), agrees("≤ 0.05", 0.2)
    ('cut', 'rounded', 'rounded', '')
    """
    if value is None or math.isnan(value):
        return ""
    if printed[0] in "≤>":
        return "rounded" if (value <= float(printed[1:])) == (printed[0] == "≤") else ""
    text = printed.replace(",", "").rstrip("*")
    if text.endswith("%"):
        text, value = text[:-1], 100 * value
    digits = len(text.partition(".")[2])
    shown = f"{float(text):z.{digits}f}"
    if f"{value:z.{digits}f}" == shown:
        return "rounded"
    cut = f"{value:.{digits + 9}f}"[:-9]  # of the decimal digits: 0.6 / 0.1 is less than 6 in floats
    return "cut" if f"{float(cut):z.{digits}f}" == shown else ""


def _first(printed: str, found: Computed) -> str:
    return agrees(printed, found.authors) or ("" if found.authors is not None else agrees(printed, found.corrected))


def _cause(printed: str | None, found: Computed) -> str:
    if found.authors is None and found.corrected is None:
        return UNCOMPUTED
    if printed is None:
        return UNPRINTED
    if found.stand_in:
        return WEIGHTS
    if found.fault:
        return FAULT
    if not _first(printed, found):
        return SAME if found.authors is None and agrees(printed, found.corrected) else UNEXPLAINED
    right = found.corrected is None or bool(agrees(printed, found.corrected))
    return SAME if right or found.choice else FAULT
