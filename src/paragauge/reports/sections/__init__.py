"""The sections of a report of runs, in their order."""

from __future__ import annotations

from collections.abc import Callable

from ..document import Raw, Section
from ..page import part
from ..runs import Runs
from . import about, answer, differences, examples, scores


def _every_pair(runs: Runs) -> Section | None:
    """The map of all pairs, and the table of those that are selected on it."""
    return Section("map", "Every pair", [Raw(part("map.html"))]) if len(runs.scores) else None


# a section is None where the runs have nothing for it
OF_RUNS: tuple[Callable[[Runs], Section | None], ...] = (
    answer.section,
    _every_pair,
    scores.thresholds,
    differences.section,
    scores.distributions,
    scores.correlations,
    examples.section,
    scores.undefined,
    about.section,
)
