"""What a rule finds: its kind, and where in the two texts it is to be seen."""

from __future__ import annotations

from typing import NamedTuple

from ._words import Word


class Span(NamedTuple):
    """A part of a text: text[start:end]."""

    start: int
    end: int

    @classmethod
    def of(cls, *found: Word) -> Span:
        """From the first of these words to the last."""
        return cls(found[0].start, found[-1].end)


class Finding(NamedTuple):
    """Something that source and candidate differ in; a span is None where there is nothing to show."""

    kind: str
    source: Span | None
    candidate: Span | None

    def words(self, source: str, candidate: str) -> str:
        """`“2500” → “3500”`; nothing is `–`."""
        shown = [
            f"“{text[span.start : span.end]}”" if span is not None else "–"
            for text, span in ((source, self.source), (candidate, self.candidate))
        ]
        return " → ".join(shown)
