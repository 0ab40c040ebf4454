"""Something that the source says and the candidate does not."""

from __future__ import annotations

from ..english import words
from ..findings import Outcome, Places, Span
from . import rule
from .added import put_in


@rule(Outcome.CHECK, yields=True)
def dropped(source: str, candidate: str) -> list[Places]:
    """Words taken out of an otherwise unchanged text, where one of them carries meaning."""
    return [(Span.of(*run), None) for run in put_in(words(candidate), words(source))]
