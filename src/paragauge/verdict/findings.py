"""What is found in a candidate, and what follows from it: the words that rules and verdict share."""

from __future__ import annotations

from enum import StrEnum
from typing import Any, NamedTuple

READER = "reader"  # by whose name the model's findings go that reads both texts
CALIBRATION = "calibration"  # by whose name it goes that meaning is not calibrated for a source
UNCALIBRATED = "meaning is not calibrated in this language"
GARBLED = "garbled"  # the kind of its findings that say so of the candidate's language


class Outcome(StrEnum):
    """What a candidate is judged to be: the first of these that holds, in the order of `judge`."""

    OK = "usable"
    CHECK = "check"  # usable, but something is found that a reader should look at
    EMPTY = "empty"
    LANGUAGE = "not the language"
    CHATTER = "not only the paraphrase"
    GARBLED = GARBLED
    COPY = "copy"
    MEANING = "meaning lost"
    CLOSE = "too close"
    UNDEFINED = "undefined"  # what it is judged by is not defined


class Span(NamedTuple):
    """A part of a text, by code points: text[start:end]."""

    start: int
    end: int

    @classmethod
    def of(cls, *found: Any) -> Span:
        """From the start of the first of these to the end of the last."""
        return cls(found[0].start, found[-1].end)


Places = tuple[Span | None, Span | None]  # in the source, in the candidate; None where there is nothing to show


class Finding(NamedTuple):
    """Something that source and candidate differ in, and its places."""

    rule: str  # by whose name it is found: the file of a rule, or `READER`
    kind: str  # in words, for a reader
    source: Span | None
    candidate: Span | None
