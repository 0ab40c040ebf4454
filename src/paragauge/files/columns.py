"""Which column of a table plays which role, and the checks of what stands in them."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

from ..errors import Hint, InputError, nearest

_REFERENCE = re.compile(r"reference(?:_(\d+))?")
_WIDEST = 1 << 14  # columns of a table, as in a spreadsheet
_ROLES = ("source", "candidate", "references", "reference", "system", "id")
_NOTHING = ("", "na", "n/a", "nan", "null", "none")  # as R, pandas, SQL and Python write a missing number


@dataclass(frozen=True)
class Columns:
    """Where in a record each role stands."""

    source: int | None
    candidate: int
    references: int | None
    reference: tuple[int, ...]
    system: int | None
    id: int | None

    def used(self) -> list[int]:
        single = (self.source, self.candidate, self.references, self.system, self.id)
        return sorted({place for place in (*single, *self.reference) if place is not None})

    def roles(self) -> frozenset[str]:
        """Which of them there are."""
        return frozenset(role for role in _ROLES if getattr(self, role) not in (None, ()))


def has_ids(layouts: Iterable[Columns]) -> bool:
    """Has any of these layouts, most of which are one and the same, a column of ids?"""
    return any(columns.id is not None for columns in {id(columns): columns for columns in layouts}.values())


def check_roles(columns: Mapping[str, str]) -> None:
    for role, column in columns.items():
        if role not in _ROLES and not _REFERENCE.fullmatch(role):
            raise InputError(
                f"{role}={column}: no column is called '{role}' here{nearest(role, [*_ROLES, 'reference_1'])}"
            )


def is_role(name: str) -> bool:
    """Does a column of this name need no mapping?"""
    return _folded(name) in _ROLES or _REFERENCE.fullmatch(_folded(name)) is not None


def find_columns(
    header: Sequence[str],
    columns: Mapping[str, str],
    where: str,
    sparse: bool = False,
    source: bool = True,
    headless: bool = False,
) -> Columns:
    """Mapped columns first, then those named as their role; `sparse` lets optional mapped ones be absent.

    Without `source` there need be no column of sources; `headless`, the header may be a row like any other.
    """
    if len(header) > _WIDEST:
        raise InputError(f"{where}: has {len(header):,} columns; expected at most {_WIDEST:,}")
    headless = headless and not columns and not any(map(is_role, header))
    mapped = {role: locate(header, column, where) for role, column in columns.items()}
    for role, place in mapped.items():
        if place is None and not (sparse and role not in ("source", "candidate")):
            raise _missing(columns[role], role, header, where, headless)
    taken = set(mapped.values())

    def find(role: str) -> int | None:
        if role in columns:
            return mapped[role]
        place = locate(header, role, where)
        return None if place in taken else place

    origin, candidate = find("source"), find("candidate")
    if origin is None and source:
        raise _missing("source", "source", header, where, headless)
    if candidate is None:
        raise _missing("candidate", "candidate", header, where, headless)
    # Who says where the references are means those alone.
    names = [role for role in columns if role.startswith("reference")] or ["references", *map(_folded, header)]
    numbered = {(int(match[1] or -1), name) for name in names if (match := _REFERENCE.fullmatch(name))}
    places = (find(name) for _, name in sorted(numbered))
    return Columns(
        origin,
        candidate,
        find("references") if "references" in names else None,
        tuple(place for place in places if place is not None),
        find("system"),
        find("id"),
    )


def number_in_cell(cell: Any, where: str) -> float:
    """A number, or NaN where there is none."""
    if cell is None or (isinstance(cell, str) and _folded(cell) in _NOTHING):
        return math.nan
    try:
        value = math.inf if isinstance(cell, (bool, list, dict)) else float(cell)
    except (ValueError, TypeError):
        value = math.inf
    if math.isinf(value):
        raise InputError(
            f"{where} is {cell!r:.40}; expected a number such as 3.5, or nothing where there is no judgment"
        )
    return value


def _folded(name: str) -> str:
    return name.strip().lower()


def locate(header: Sequence[str], wanted: str, where: str) -> int | None:
    """The place of a column by its exact name, else without regard to case and surrounding spaces."""
    exact = [place for place, name in enumerate(header) if name == wanted]
    places = exact or [place for place, name in enumerate(header) if _folded(name) == _folded(wanted)]
    if len(places) > 1:
        found = ", ".join(repr(header[place]) for place in places)
        raise InputError(f"{where}: {len(places)} columns are named '{wanted}' ({found}); rename all but one of them")
    return places[0] if places else None


def _missing(column: str, role: str, header: Sequence[str], where: str, headless: bool) -> InputError:
    if len(header) == 1 and (found := re.search(r"[\t;|]", header[0])):
        tab, mark = found[0] == "\t", found[0]
        return InputError(
            f"{where}: no column '{column}'; the only column is {header[0]!r:.80}",
            Hint("try {format}", format="tsv") if tab else Hint("try {delimiter}", delimiter=mark),
        )
    close = get_close_matches(_folded(column), [_folded(name) for name in header], n=1)
    example = next((name for name in header if close and _folded(name) == close[0]), "NAME")
    advice = "to map another column: {columns}"
    if headless:
        advice += "; if its first row is not a header, name the columns: {header}"
    return InputError(
        f"{where}: no column '{column}'{nearest(column, header)}",
        Hint(advice, columns={role: example}, header=["source", "candidate", "…"]),
    )


def list_in_cell(text: str, where: str) -> list[Any]:
    """The references in a csv cell: a JSON list of texts, or one text."""
    stripped = text.strip()
    if not (stripped.startswith("[") and stripped.endswith("]")):
        return [text]
    try:
        listed = json.loads(stripped)
    except (ValueError, RecursionError):
        listed = None
    if isinstance(listed, list) and all(item is None or isinstance(item, str) for item in listed):
        return listed
    # A list of anything else, or as Python prints it, would otherwise pass for one long reference.
    if listed is not None or stripped[1:].lstrip().startswith(("'", '"')):
        raise InputError(
            f"{where}: references is {text!r:.40}, which is not a JSON list{' of texts' * (listed is not None)}",
            Hint(
                'write ["…", "…"], or, if it is one text, name the column \'reference\' ({columns})',
                columns={"reference": "references"},
            ),
        )
    return [text]
