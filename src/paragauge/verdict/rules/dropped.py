"""Something that the source says and the candidate does not."""

from __future__ import annotations

from ._words import words
from .added import put_in
from .finding import Finding, Span

KIND = "dropped"
ENGLISH = True


def find(source: str, candidate: str) -> list[Finding]:
    """Words taken out of an otherwise unchanged text, where one of them carries meaning."""
    return [Finding(KIND, Span.of(*run), None) for run in put_in(words(candidate), words(source))]
