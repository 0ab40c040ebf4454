"""A candidate in another language than its source."""

from __future__ import annotations

from ..findings import Outcome, Places, Span
from ..language import differ
from . import rule


@rule(Outcome.LANGUAGE, kind="not the language", english=False)
def language(source: str, candidate: str) -> list[Places]:
    """The whole of both texts."""
    return [(Span(0, len(source)), Span(0, len(candidate)))] if differ(source, candidate) else []
