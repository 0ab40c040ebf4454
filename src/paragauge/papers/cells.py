"""Published tables beside what we compute: one cell at a time."""

from __future__ import annotations

from typing import NamedTuple


class Cell(NamedTuple):
    """One published number, and the same number computed here."""

    table: str
    row: str
    column: str
    printed: str | None  # as it stands in the paper
    authors: float | None  # recomputed with the behaviour of the authors' code
    corrected: float | None  # done right; equal to `authors` where nothing is wrong
    why: str  # they differ, or one is missing
