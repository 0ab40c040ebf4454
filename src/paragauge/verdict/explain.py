"""What a candidate has, what it needs to be usable, and what to do about it."""

from __future__ import annotations

from typing import NamedTuple

from .findings import Outcome
from .judgment import Criterion, Judgment, counts
from .words import MORE_CHANGE, to_do

RULES = "rules"  # by which a condition is named that is not a metric's


class Requirement(NamedTuple):
    """One condition: a metric, its value and the least it needs; or what rules found, which no value makes up for."""

    metric: str
    value: float | None
    least: float | None
    met: bool
    lacks: float | None
    advice: str | None

    @classmethod
    def of(cls, metric: str, value: float, least: float, advice: str) -> Requirement:
        """Of a metric."""
        met = value >= least
        return cls(metric, value, least, met, 0.0 if met else least - value, None if met else advice)


def conditions(judgment: Judgment, criterion: Criterion, source: str, candidate: str) -> list[Requirement]:
    """The conditions of a usable candidate, as far as they are defined."""
    accept, min_changed, strict = criterion.thresholds
    advice = to_do(judgment, source, candidate)
    found = []
    if judgment.meaning is not None:
        found.append(Requirement.of(criterion.meaning, judgment.meaning, accept, advice))
    if judgment.changed is not None:
        found.append(Requirement.of(criterion.changed, judgment.changed, min_changed, MORE_CHANGE))
    if strict and judgment.outcome is Outcome.MEANING and counts(judgment.findings):
        found.append(Requirement(RULES, None, None, False, None, advice))
    return found
