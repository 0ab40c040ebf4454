"""Something that the source says and the candidate does not."""

from __future__ import annotations

from ..english import words
from ..findings import Outcome, Places, Span
from .added import put_in

KIND = "dropped"
OUTCOME = Outcome.CHECK
ENGLISH = True


def find(source: str, candidate: str) -> list[Places]:
    """Words taken out of an otherwise unchanged text, where one of them carries meaning."""
    return [(Span.of(*run), None) for run in put_in(words(candidate), words(source))]
