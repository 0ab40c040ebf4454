"""The sections of a report, one file each; those of a report of runs, in their order."""

from __future__ import annotations

from collections.abc import Callable

from ..document import Section
from ..runs import Runs
from . import about, answer, correlations, differences, distributions, examples, pairs, thresholds, undefined

# a section says None where the runs have nothing for it
OF_RUNS: tuple[Callable[[Runs], Section | None], ...] = (
    answer.section,
    pairs.section,
    thresholds.section,
    differences.section,
    distributions.section,
    correlations.section,
    examples.section,
    undefined.section,
    about.section,
)
