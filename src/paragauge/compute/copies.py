"""Candidates that are copies of their source, whatever metrics are asked for: counted by system."""

from __future__ import annotations

from ..tables.notices import NoticeKind
from ..tables.samples import Samples
from .features import Normalized
from .workspace import Workspace


def count_copies(samples: Samples, work: Workspace) -> None:
    """By system, as notices: candidates that are their source, and those that only normalizing shows to be."""
    pairs = zip(samples.sources, samples.candidates, strict=True)
    rows = [row for row, pair in enumerate(pairs) if _perhaps_copied(*pair)]
    chosen = samples.rows(rows)
    sources, candidates = (work.get(Normalized(), column) for column in (chosen.sources, chosen.candidates))
    for row, source, candidate in zip(rows, sources, candidates, strict=True):
        if candidate and candidate == source:
            exact = samples.sources[row] == samples.candidates[row]
            work.notices.add(NoticeKind.COPIES if exact else NoticeKind.EDITED_COPIES, samples.systems[row])


def _perhaps_copied(source: str, candidate: str) -> bool:
    """No, at a fraction of the cost of normalizing, for nearly all rewritten ASCII texts."""
    if source == candidate or not (_is_plain(source) and _is_plain(candidate)):
        return True
    return source.lower().replace(" ", "") == candidate.lower().replace(" ", "")


def _is_plain(text: str) -> bool:
    """Would normalizing only lower its letters and take spaces out?"""
    return text.isascii() and text.isprintable() and "`" not in text
