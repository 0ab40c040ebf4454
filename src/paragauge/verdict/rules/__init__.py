"""Rules that see what a candidate lost, each in one file: a pure function of source and candidate.

A rule gives the places in both texts, and is declared by `rule`: what a candidate is in which it is found (MEANING
lost, a fault of the whole such as GARBLED, or just to CHECK), and whether it knows English only. How often each is
right stands in rules.json, as `research/bench/rules.py` measured it; one that is right in less than 80% of its findings
is not shown. One that was not measured, such as those of other packages (entry points `paragauge.rules`), is shown.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import NamedTuple

from ...errors import InputError
from ...registry import Registry
from ..findings import GARBLED, READER, Finding, Outcome, Places, Span
from ..language import language as language_of

LEAST_PRECISION = 0.8
Find = Callable[[str, str], list[Places]]


@dataclass(frozen=True)
class Rule:
    """A rule, by the name of its function."""

    name: str
    kind: str  # the word that a reader sees
    outcome: Outcome
    english: bool  # does it know English only?
    yields: bool  # is it silent where another rule marks the same words?
    overruled: bool  # is it silent where the model that reads both texts is sure that they say the same?
    places: Find

    def find(self, source: str, candidate: str) -> list[Finding]:
        """What it finds, with the places."""
        try:
            return [Finding(self.name, self.kind, *places) for places in self.places(source, candidate)]
        except Exception as error:  # whatever a rule of another package raises
            texts = f"{source!r:.60} and {candidate!r:.60}"
            raise InputError(f"the rule '{self.name}' fails on {texts}: {type(error).__name__}: {error}") from error


def rule(
    outcome: Outcome, *, kind: str = "", english: bool = True, yields: bool = False, overruled: bool = False
) -> Callable[[Find], Rule]:
    """Declare a function of source and candidate to be a rule; its kind is its name, unless given."""
    return lambda find: Rule(find.__name__, kind or find.__name__, outcome, english, yields, overruled, find)


FAMILIES = {"added": ("added", "dropped")}  # files that hold several
RULES: Registry[Rule] = Registry(Rule, "rule", __name__, group="paragauge.rules", families=FAMILIES)


class Accuracy(NamedTuple):
    """How often a rule is right, on pairs that it was not made by; shares of 1."""

    precision: float  # of its findings, where there are as many pairs of its kind as true paraphrases
    recall: float  # of the pairs of its kind that differ in nothing else
    recall_reworded: float | None  # of those whose wording differs too
    false_alarms: float  # of true paraphrases
    pairs: int  # of its kind
    paraphrases: int
    data: str


@cache
def rules() -> dict[str, Rule]:
    """Every rule by its name; one that cannot be loaded is an error, as a verdict without it would be another."""
    return {name: RULES.load(name) for name in RULES.names()}


@cache
def accuracy() -> dict[str, Accuracy]:
    """What was measured of each rule."""
    table = json.loads(Path(__file__).with_name("rules.json").read_text(encoding="utf-8"))
    return {name: Accuracy(**measured) for name, measured in table.items()}


@cache
def shown() -> tuple[Rule, ...]:
    """The rules that are right often enough to be shown, and those that were not measured."""
    poor = {name for name, measured in accuracy().items() if measured.precision < LEAST_PRECISION}
    return tuple(own for name, own in rules().items() if name not in poor)


def findings(source: str, candidate: str) -> list[Finding]:
    """What the rules that are shown find; those that know English only are not asked of another language."""
    is_english = language_of(source) in (None, "English")
    asked = [own for own in shown() if is_english or not own.english]
    found = [(own, one) for own in asked for one in own.find(source, candidate)]
    marked = [span for own, one in found if not own.yields for span in (one.source, one.candidate) if span is not None]
    return [one for own, one in found if not (own.yields and _is_marked(one, marked))]


def overruled(found: Finding) -> bool:
    """Is it of a rule that is silent where the model that reads both texts is sure?"""
    own = rules().get(found.rule)
    return own is not None and own.overruled


def _is_marked(one: Finding, marked: list[Span]) -> bool:
    return any(
        span.start < own.end and own.start < span.end
        for span in marked
        for own in (one.source, one.candidate)
        if own is not None
    )


def outcome_of(found: Finding) -> Outcome:
    """What a candidate is in which this is found; one of a rule that is not known here is to be looked at."""
    if found.rule == READER:
        return Outcome.GARBLED if found.kind == GARBLED else Outcome.MEANING
    own = rules().get(found.rule)
    return Outcome.CHECK if own is None else own.outcome
