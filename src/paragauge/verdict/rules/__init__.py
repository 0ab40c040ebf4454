"""Rules that see what a candidate lost, each in one file: a pure function of source and candidate.

A rule's file has `KIND` (the word that a reader sees), `OUTCOME` (what a candidate is in which it is found: MEANING
lost, a fault of the whole such as GARBLED, or just to CHECK), `ENGLISH` (does it know English only?) and `find`, which
gives the places in both texts. How often each is right stands in rules.json, as `research/bench/rules.py` measured it;
one that is right in less than 80% of its findings is not shown.
"""

from __future__ import annotations

import importlib
import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import NamedTuple

from ..findings import GARBLED, READER, Finding, Outcome, Places

LEAST_PRECISION = 0.8


class Rule(NamedTuple):
    """A rule, by its file."""

    name: str
    kind: str
    outcome: Outcome
    english: bool  # does it know English only?
    places: Callable[[str, str], list[Places]]

    def find(self, source: str, candidate: str) -> list[Finding]:
        """What it finds, with the places."""
        return [Finding(self.name, self.kind, *places) for places in self.places(source, candidate)]


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
    """Every rule by the name of its file."""
    found = {}
    for file in sorted(Path(__file__).parent.glob("[!_]*.py")):
        module = importlib.import_module(f".{file.stem}", __name__)
        found[file.stem] = Rule(file.stem, module.KIND, module.OUTCOME, module.ENGLISH, module.find)
    return found


@cache
def accuracy() -> dict[str, Accuracy]:
    """What was measured of each rule."""
    table = json.loads(Path(__file__).with_name("rules.json").read_text(encoding="utf-8"))
    return {name: Accuracy(**measured) for name, measured in table.items()}


@cache
def shown() -> tuple[Rule, ...]:
    """The rules that are right often enough to be shown."""
    known = accuracy()
    return tuple(rule for name, rule in rules().items() if name in known and known[name].precision >= LEAST_PRECISION)


def findings(source: str, candidate: str) -> list[Finding]:
    """What the rules that are shown find; those that know English only are not asked of another language."""
    from .language import language

    english = language(source) in (None, "English")
    found = [one for rule in shown() if english or not rule.english for one in rule.find(source, candidate)]
    # a word put in or taken out is not told twice
    told = [span for one in found if not _is_word(one) for span in (one.source, one.candidate) if span is not None]
    return [
        one
        for one in found
        if not _is_word(one)
        or not any(
            span.start < own.end and own.start < span.end
            for span in told
            for own in (one.source, one.candidate)
            if own is not None
        )
    ]


def _is_word(found: Finding) -> bool:
    return found.rule in ("added", "dropped")


def outcome_of(found: Finding) -> Outcome:
    """What a candidate is in which this is found; one of a rule that is not known here is to be looked at."""
    if found.rule == READER:
        return Outcome.GARBLED if found.kind == GARBLED else Outcome.MEANING
    rule = rules().get(found.rule)
    return Outcome.CHECK if rule is None else rule.outcome
