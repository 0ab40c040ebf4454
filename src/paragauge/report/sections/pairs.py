"""The map of all pairs, and the table of those that are selected on it."""

from __future__ import annotations

from ..document import Raw, Section
from ..page import part
from ..runs import Runs


def section(runs: Runs) -> Section | None:
    if not len(runs.scores):
        return None
    return Section("map", "Every pair", [Raw(part("map.html"))])
