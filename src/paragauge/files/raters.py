"""Tables in which a pair has one row for each of its raters: which rows judge the same pair."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from ..errors import InputError

RATER = "rater"  # the column of who judged a row


class JudgedRow(NamedTuple):
    """What tells a row apart; `where` is its place in the file, `id` None where it has none."""

    where: str
    id: str | int | float | None
    rater: str
    system: str
    source: str
    candidate: str


def judged_samples(rows: Iterable[JudgedRow], name: str) -> list[int]:
    """The number of the pair that each row judges: of one system and id or, without an id, system and texts."""
    known: dict[tuple[object, ...], int] = {}
    firsts: list[JudgedRow] = []
    seen: dict[tuple[int, str], str] = {}
    found = []
    for row in rows:
        key = (row.system, row.source, row.candidate) if row.id is None else (row.system, str(row.id))
        sample = known.setdefault(key, len(firsts))
        if sample == len(firsts):
            firsts.append(row)
        first = firsts[sample]
        if (first.source, first.candidate) != (row.source, row.candidate):
            raise InputError(f"{name}: {first.where} and {row.where} have the id {row.id!r:.60} and different texts")
        if (sample, row.rater) in seen:
            raise InputError(
                f"{name}: {row.rater!r:.60} judges one pair in {seen[sample, row.rater]} and in {row.where}; expected "
                "one row for each pair and rater"
            )
        seen[sample, row.rater] = row.where
        found.append(sample)
    return found
