"""Notices: what the reader of scores should know, counted by kind and subject; and the sentences that say it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any

from ..errors import Hint
from .display import counted

UNKNOWN_SHARE = 0.1  # English tweets have 0.1% of unknown tokens, Chinese text through an English encoder 30% and more
_SYSTEMS = 5  # named in one sentence
_EDITS = "but for case, accents, spacing or invisible characters; metrics of wording see a change unless normalize=yes"


class NoticeKind(StrEnum):
    """What there is to know, in the order in which it is said."""

    EDITED_COPIES = "edited copies"  # candidates that only normalizing shows to be their source; by system
    COPIES = "copies"  # candidates that are their source; by system
    NOT_ENGLISH = "not English"  # sources, of all that are read; by metric
    REPAIRED = "repaired"  # texts that held half of a surrogate pair
    TRUNCATED_PAIRS = "truncated pairs"  # longer than a model can read; by model
    TRUNCATED = "truncated"  # texts longer than a model can read; by model
    UNKNOWN_TOKENS = "unknown"  # of all tokens; by model


COPIES = (NoticeKind.EDITED_COPIES, NoticeKind.COPIES)
_ORDER = tuple(NoticeKind)
_SAID_OF_COPIES = {  # of one candidate, and of several
    NoticeKind.EDITED_COPIES: (f"is a copy of its source {_EDITS}", f"are copies of their source {_EDITS}"),
    NoticeKind.COPIES: ("is an exact copy of its source", "are exact copies of their source"),
}
_TOTALS = {"tokens": NoticeKind.UNKNOWN_TOKENS, "sources": NoticeKind.NOT_ENGLISH}  # keys of a run's format 2


@dataclass(frozen=True, slots=True)
class Notice:
    """How often one thing was met."""

    kind: NoticeKind
    subject: str  # the system, model or metric that it is about, or ""
    count: int
    of: int = 0  # of how many, where it is the share that matters


class Notices:
    """The notices of some rows, one of each kind and subject; those of other rows add up with them."""

    def __init__(self, notices: Iterable[Notice] = ()) -> None:
        self._found: dict[tuple[NoticeKind, str], Notice] = {}
        self.update(notices)

    def add(self, kind: NoticeKind, subject: str = "", count: int = 1, of: int = 0) -> None:
        """Count something, of so many more."""
        if count or of:
            before = self[kind, subject]
            self._found[kind, subject] = Notice(kind, subject, before.count + count, before.of + of)

    def update(self, notices: Iterable[Notice]) -> None:
        """Add those of other rows."""
        for notice in notices:
            self.add(notice.kind, notice.subject, notice.count, notice.of)

    def __getitem__(self, key: tuple[NoticeKind, str]) -> Notice:
        return self._found.get(key) or Notice(*key, 0)

    def __iter__(self) -> Iterator[Notice]:
        return iter(sorted(self._found.values(), key=lambda one: (_ORDER.index(one.kind), one.subject)))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Notices) and self._found == other._found

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"Notices({list(self)})"

    def record(self) -> list[dict[str, Any]]:
        """Plain values, for JSON."""
        return [asdict(notice) for notice in self]

    @classmethod
    def read(cls, record: Iterable[Mapping[str, Any]] | Mapping[str, int]) -> Notices:
        """The inverse of `record`; or what runs of earlier versions hold, counts by `kind|subject`."""
        if not isinstance(record, Mapping):
            return cls(Notice(NoticeKind(one["kind"]), one["subject"], one["count"], one["of"]) for one in record)
        found = cls()
        for key, count in record.items():
            kind, _, subject = key.partition("|")
            if kind in _TOTALS:
                found.add(_TOTALS[kind], subject, 0, count)
            else:
                found.add(NoticeKind(kind), subject, count)
        return found


def sentences(notices: Notices, *, without: Collection[NoticeKind] = ()) -> list[str]:
    """What the reader of the scores should know, each in one sentence; nothing of the kinds left out."""
    found = []
    for kind, (one, several) in _SAID_OF_COPIES.items():
        systems = Counter({notice.subject: notice.count for notice in notices if notice.kind is kind})
        if systems and kind not in without:
            said = one if systems.total() == 1 else several
            found.append(f"{counted(systems.total(), 'candidate')} {said} ({_by_system(systems)})")
    return found + [said for notice in notices if notice.kind not in without for said in _said(notice)]


def _said(notice: Notice) -> Iterator[str]:
    kind, subject, count, of = notice.kind, notice.subject, notice.count, notice.of
    share = f"{count / max(of, 1):.0%}"
    if kind is NoticeKind.NOT_ENGLISH and 2 * count > of:
        yield (
            f"{share} of the sources are not English; {subject} was trained on "
            "English, so its numbers are not calibrated here"
        )
    if kind is NoticeKind.REPAIRED:
        yield f"{count:,} texts held half of a surrogate pair, which was replaced by U+FFFD"
    if kind in (NoticeKind.TRUNCATED_PAIRS, NoticeKind.TRUNCATED):
        noun = "pair" if kind is NoticeKind.TRUNCATED_PAIRS else "text"
        longer = f"{counted(count, noun)} {'is' if count == 1 else 'are'} longer"
        yield f"{longer} than {subject} can read; text beyond its limit was ignored"
    if kind is NoticeKind.UNKNOWN_TOKENS and count / max(of, 1) > UNKNOWN_SHARE:
        yield Hint(
            "{0} of the tokens are unknown to {1}, so its scores mean little here; use an encoder for this "
            "language: {encoder} for Chinese (non-commercial), or a folder or hub id",
            share,
            subject,
            encoder="m3e-small",
        )


def _by_system(counts: Counter[str]) -> str:
    named = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    said = ", ".join(f"{system}: {count:,}" for system, count in named[:_SYSTEMS])
    return said + (f", and {len(named) - _SYSTEMS:,} more systems" if len(named) > _SYSTEMS else "")
