"""The verdict on one candidate, as data; what is said of it is a function of this (`words.py`)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from .findings import Finding, Outcome
from .rules import outcome_of, overruled

# what other thresholds may turn into each other; all other outcomes are faults that no threshold undoes
_BY_THRESHOLDS = (Outcome.OK, Outcome.CHECK, Outcome.COPY, Outcome.MEANING, Outcome.CLOSE, Outcome.UNDEFINED)


class Thresholds(NamedTuple):
    """What a usable candidate must reach."""

    accept: float  # least meaning
    min_changed: float  # least share of the wording that is new
    strict: bool  # is it not usable where a loss of meaning is found?


class Criterion(NamedTuple):
    """What a verdict depends on: the metric that gives it, the two that it is made of, and its thresholds."""

    usable: str
    meaning: str
    changed: str
    thresholds: Thresholds

    @property
    def metrics(self) -> dict[str, str]:
        """By what they say."""
        return {"usable": self.usable, "meaning": self.meaning, "changed": self.changed}


@dataclass(frozen=True, slots=True)
class Judgment:
    """One candidate: what it is, by which numbers, and what was found in it that says so; None is undefined."""

    outcome: Outcome
    meaning: float | None = None
    changed: float | None = None
    findings: tuple[Finding, ...] = ()

    @property
    def usable(self) -> bool | None:
        """None where it cannot be judged."""
        return None if self.outcome is Outcome.UNDEFINED else self.outcome in (Outcome.OK, Outcome.CHECK)

    @property
    def kinds(self) -> tuple[str, ...]:
        """Of the findings, each once, but for what the outcome says already."""
        return tuple(dict.fromkeys(one.kind for one in self.findings if one.kind != self.outcome))

    def is_final(self, strict: bool) -> bool:
        """Is it not usable, whatever the other thresholds?"""
        lost = strict and self.outcome is Outcome.MEANING and counts(self.findings)
        return lost or self.outcome not in _BY_THRESHOLDS


def counts(findings: Sequence[Finding]) -> bool:
    """Is meaning lost, as rules or model see it?"""
    return any(outcome_of(one) is Outcome.MEANING for one in findings)


def joined(ruled: Sequence[Finding], read: Sequence[Finding], sure: bool) -> list[Finding]:
    """What rules and the reader find; where both mark the same words, the rule's finding is reported.

    Where the reader is sure that the texts say the same, the rules are silent that it overrules.
    """
    ruled = [one for one in ruled if not (sure and overruled(one))]
    return [*ruled, *(one for one in read if not any(_overlap(one, other) for other in ruled))]


def _overlap(one: Finding, other: Finding) -> bool:
    pairs = ((one.source, other.source), (one.candidate, other.candidate))
    return any(a is not None and b is not None and a.start < b.end and b.start < a.end for a, b in pairs)


def judge(
    meaning: float, changed: float, findings: Sequence[Finding], thresholds: Thresholds, *, empty: bool = False
) -> Judgment:
    """The verdict on a candidate; a number that is NaN is undefined."""
    numbers = (None if meaning != meaning else meaning, None if changed != changed else changed)
    if empty:
        return Judgment(Outcome.EMPTY, *numbers)
    for one in findings:
        if (outcome := outcome_of(one)) not in _BY_THRESHOLDS:
            return Judgment(outcome, *numbers, (one,))
    if None in numbers:
        return Judgment(Outcome.UNDEFINED, *numbers)
    if changed == 0 and (thresholds.min_changed > 0 or meaning < thresholds.accept):
        return Judgment(Outcome.COPY, *numbers)
    found = tuple(findings)
    if meaning < thresholds.accept or (thresholds.strict and counts(found)):
        return Judgment(Outcome.MEANING, *numbers, found)
    if changed < thresholds.min_changed:
        return Judgment(Outcome.CLOSE, *numbers, found)
    return Judgment(Outcome.CHECK if found else Outcome.OK, *numbers, found)
