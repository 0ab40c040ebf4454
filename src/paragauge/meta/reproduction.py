"""A cell of a published table beside what is computed for it here."""

from __future__ import annotations

from typing import NamedTuple


class Cell(NamedTuple):
    """One number of a published table."""

    table: str
    row: str
    column: str
    printed: str | None  # as it stands there
    authors: float | None  # computed here as the authors' code does
    corrected: float | None  # done right; the same where nothing is wrong
    why: str  # why the two differ, or why one is missing, else ""
