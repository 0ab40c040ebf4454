"""Samples: the table of what is judged, and its checks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from ..errors import InputError

DEFAULT_SYSTEM = "candidate"


@dataclass(frozen=True)
class Samples:
    """Columns of equal length: one row per candidate. An empty reference is no reference.

    >>> table = Samples.of(["How old are you?"], ["What is your age?"], [["Your age?", " "]])
    >>> table.references
    [('Your age?',)]
    """

    sources: list[str]
    candidates: list[str]
    references: list[tuple[str, ...]]
    systems: list[str]
    ids: list[str]
    repaired: int = field(default=0, compare=False)  # texts in which half a surrogate pair was replaced

    @classmethod
    def of(
        cls,
        sources: Sequence[str | None],
        candidates: Sequence[str | None],
        references: Sequence[Sequence[str | None] | None] | None = None,
        systems: Sequence[str | None] | str | None = None,
        ids: Sequence[object] | None = None,
        first_row: int = 1,
    ) -> Samples:
        """Check the columns and bring them into their one form; a null text is an empty text."""
        columns: dict[str, object] = {"sources": sources, "candidates": candidates, "references": references}
        for name, column in columns.items():
            if isinstance(column, str):
                raise InputError(f"{name} is one string; expected a list with one entry per row")
        rows = len(candidates)
        if references is None:
            references = [()] * rows
        if systems is None or isinstance(systems, str):
            systems = [systems] * rows
        if ids is None:
            ids = range(first_row, first_row + rows)
        lengths = {"sources": len(sources), "references": len(references), "systems": len(systems), "ids": len(ids)}
        for name, length in lengths.items():
            if length != rows:
                raise InputError(f"{length:,} {name} but {rows:,} candidates; every row needs one of each")
        clean = _Cleaner()
        return cls(
            sources=[clean(text, "source", row) for row, text in enumerate(sources, first_row)],
            candidates=[clean(text, "candidate", row) for row, text in enumerate(candidates, first_row)],
            references=[_references(group, row, clean) for row, group in enumerate(references, first_row)],
            systems=[clean(system, "system", row) or DEFAULT_SYSTEM for row, system in enumerate(systems, first_row)],
            ids=[clean(str(row if name is None else name), "id", row) for row, name in enumerate(ids, first_row)],
            repaired=clean.repaired,
        )

    def __len__(self) -> int:
        return len(self.candidates)

    def __add__(self, other: Samples) -> Samples:
        return Samples(
            self.sources + other.sources,
            self.candidates + other.candidates,
            self.references + other.references,
            self.systems + other.systems,
            self.ids + other.ids,
            self.repaired + other.repaired,
        )

    def rows(self, chosen: Iterable[int]) -> Samples:
        """The chosen rows, in that order."""
        chosen = list(chosen)

        def pick(column: list[str]) -> list[str]:
            return [column[row] for row in chosen]

        return Samples(
            pick(self.sources),
            pick(self.candidates),
            [self.references[row] for row in chosen],
            pick(self.systems),
            pick(self.ids),
        )

    def sets(self) -> list[list[int]]:
        """The rows of each (system, source), in order of their first row."""
        found: dict[tuple[str, str], list[int]] = {}
        for row, key in enumerate(zip(self.systems, self.sources, strict=True)):
            found.setdefault(key, []).append(row)
        return list(found.values())

    def keys(self) -> list[tuple[str, str]]:
        """(system, id) of every row: what must be unique in a run."""
        return list(zip(self.systems, self.ids, strict=True))


class _Cleaner:
    """Null becomes empty, and half a surrogate pair (which no UTF-8 file can hold) becomes U+FFFD."""

    def __init__(self) -> None:
        self.repaired = 0

    def __call__(self, text: str | None, column: str, row: int) -> str:
        if text is None:
            return ""
        if not isinstance(text, str):
            raise InputError(f"row {row}: {column} is {type(text).__name__} {text!r:.40}; expected text")
        if text.isascii():
            return text
        try:
            text.encode("utf-8")
        except UnicodeEncodeError:
            self.repaired += 1
            return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        return text


def _references(group: Sequence[str | None] | None, row: int, clean: _Cleaner) -> tuple[str, ...]:
    if group is None:
        return ()
    if isinstance(group, str):
        raise InputError(
            f"row {row}: references is the string {group!r:.40}; expected a list of references, such as [{group!r:.40}]"
        )
    texts = (clean(text, "reference", row) for text in group)
    return tuple(text for text in texts if text.strip())
