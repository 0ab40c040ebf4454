"""A name that became another one."""

from __future__ import annotations

from collections.abc import Sequence

from ..english import Word
from ..entities.names import WITHIN, Names, is_known, names_of
from ..findings import Outcome, Places, Span
from . import rule


@rule(Outcome.MEANING)
def name(source: str, candidate: str) -> list[Places]:
    """The first name of each text that the other does not have, in any form."""
    ours, theirs = names_of(source), names_of(candidate)
    if ours.dates and theirs.dates and (found := _redated(ours.dates, theirs.dates)):
        return [found]
    if not ours.names or not theirs.names or abs(len(ours.names) - len(theirs.names)) > 2:
        return []
    # most names stand in both texts as they are: only what is left is looked for in other forms
    lost = [(name, word) for name, word in ours.names if name not in theirs.words]
    new = [(name, word) for name, word in theirs.names if name not in ours.words]
    if not lost or not new:
        return []
    before = _first(source, lost, theirs)
    after = _first(candidate, new, ours) if before else None
    return [(before, after)] if before and after else []


def _redated(
    ours: Sequence[tuple[tuple[str, str], Word]], theirs: Sequence[tuple[tuple[str, str], Word]]
) -> Places | None:
    """A day of the week or a month, where the other text has other ones alone."""
    for kind in ("days", "months"):
        here, there = ([(date, word) for date, word in side if date[0] == kind] for side in (ours, theirs))
        if here and there and {date for date, _ in here}.isdisjoint(date for date, _ in there):
            return (Span.of(here[0][1]), Span.of(there[0][1]))
    return None


def _first(text: str, names: Sequence[tuple[str, Word]], other: Names) -> Span | None:
    """The first name that the other text does not have, with all its words: Alice Walker."""
    unknown = (word for name, word in names if not is_known(name, other))
    first = last = next(unknown, None)
    if first is None or last is None:
        return None
    for word in unknown:
        if text[last.end : word.start] not in WITHIN:
            break
        last = word
    return Span.of(first, last)
