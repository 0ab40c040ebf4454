"""Samples: the table of what is judged, and its checks."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, Any, TypeVar, cast

from ..errors import InputError
from .display import counted, table_html

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

DEFAULT_SYSTEM = "candidate"
_UNSEEN = {"Zs", "Zl", "Zp", "Cc", "Cf"}  # spaces, line ends, control characters, zero-width characters
_COLUMN = "a list with one entry per row"
Item = TypeVar("Item")


def is_empty(text: str) -> bool:
    """Is there nothing to see in this text: no character besides spaces, control and zero-width characters?"""
    return not text[:1].isalnum() and all(unicodedata.category(character) in _UNSEEN for character in text)


@dataclass(frozen=True, repr=False)
class Samples:
    """Columns of equal length: one row per candidate. An empty reference is not a reference.

    An empty candidate is a failure of its system; one that is missing (null) was never there, and says nothing of it.

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
    missing: frozenset[int] = frozenset()  # rows whose candidate is null; it stands as "" in `candidates`

    @classmethod
    def of(
        cls,
        sources: Iterable[str | None] | None = None,
        candidates: Iterable[str | None] | None = None,
        references: Iterable[Iterable[str | None] | None] | None = None,
        systems: Iterable[str | None] | None = None,
        ids: Iterable[object] | None = None,
        first_row: int = 1,
    ) -> Samples:
        """Check the columns (any iterables) and bring them into their one form; a null text is an empty text."""
        if candidates is None:
            raise InputError("no candidates; expected a list with one entry per row")
        texts = entries("candidates", candidates, _COLUMN)
        rows = len(texts)
        columns: list[list[Any]] = []
        given = {"sources": sources, "references": references, "systems": systems, "ids": ids}
        for name, column in given.items():
            columns.append([None] * rows if column is None else entries(name, column, _COLUMN))
            if len(columns[-1]) != rows:
                raise InputError(f"{len(columns[-1]):,} {name} but {rows:,} candidates; every row needs one of each")
        origins, groups, whose, names = columns
        clean = _Cleaner()
        found = cls(
            sources=clean.column(origins, "source", first_row),
            candidates=clean.column(texts, "candidate", first_row),
            references=_references(groups, first_row, clean),
            systems=[system or DEFAULT_SYSTEM for system in clean.column(whose, "system", first_row)],
            ids=clean.column(
                [str(row if name is None else name) for row, name in enumerate(names, first_row)], "id", first_row
            ),
            repaired=clean.repaired,
            missing=frozenset(row for row, text in enumerate(texts) if text is None) if None in texts else frozenset(),
        )
        if not isinstance(ids, range) and any(name is not None for name in names):
            _check_ids(found.keys(), first_row)
        return found

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
            self.missing | {len(self) + row for row in other.missing},
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
            missing=frozenset(place for place, row in enumerate(chosen) if row in self.missing)
            if self.missing
            else frozenset(),
        )

    def failures(self) -> NDArray[np.bool_]:
        """The rows for which the system gave nothing: an empty candidate that is not missing."""
        import numpy as np

        found = np.zeros(len(self), dtype=np.bool_)
        found[self._failures] = True
        return found

    @cached_property
    def _failures(self) -> list[int]:
        """Every metric asks for them."""
        missing = self.missing
        return [row for row, text in enumerate(self.candidates) if is_empty(text) and row not in missing]

    def sets(self) -> list[list[int]]:
        """The rows of each (system, source), in order of their first row."""
        found: dict[tuple[str, str], list[int]] = {}
        for row, key in enumerate(zip(self.systems, self.sources, strict=True)):
            found.setdefault(key, []).append(row)
        return list(found.values())

    def keys(self) -> list[tuple[str, str]]:
        """(system, id) of every row: what must be unique in a run."""
        return list(zip(self.systems, self.ids, strict=True))

    def __repr__(self) -> str:
        parts = [counted(len(self), "row"), counted(len(set(self.sources)), "source")]
        parts += [counted(len(set(self.systems)), "system"), f"references in {sum(map(bool, self.references)):,}"]
        return f"Samples({', '.join(parts)})"

    def _repr_html_(self) -> str:
        columns: dict[str, Any] = {"sample": self.ids, "system": self.systems, "source": self.sources}
        return table_html(repr(self), columns | {"candidate": self.candidates, "references": self.references})


class _Cleaner:
    """Null becomes empty, and half a surrogate pair (which no UTF-8 file can hold) becomes U+FFFD."""

    def __init__(self) -> None:
        self.repaired = 0

    def column(self, texts: Sequence[Any], name: str, first_row: int) -> list[str]:
        """A whole column; its texts one by one only where there is something to mend or to refuse."""
        if _is_sound(texts):
            return list(texts)
        return [self(text, name, row) for row, text in enumerate(texts, first_row)]

    def __call__(self, text: object, column: str, row: int) -> str:
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


def _is_sound(texts: Iterable[Any]) -> bool:
    """Are all of them text, and can they be written as UTF-8?"""
    try:
        joined = "".join(texts)
        return joined.isascii() or bool(joined.encode())
    except (TypeError, UnicodeEncodeError):
        return False


def entries(name: str, given: Iterable[Item], expected: str) -> list[Item]:
    """What was given for a list; one text, a mapping, and a set, whose order is another in every process, are none."""
    if isinstance(given, str):
        raise InputError(f"{name} is one string; expected {expected}")
    if isinstance(given, (set, frozenset)):
        raise InputError(f"{name} is a {type(given).__name__}, which has no order; expected {expected}")
    if isinstance(given, (bytes, Mapping)) or not isinstance(given, Iterable):
        raise InputError(f"{name} is {type(given).__name__} {given!r:.40}; expected {expected}")
    return list(given)


def _check_ids(keys: Sequence[tuple[str, str]], first_row: int) -> None:
    seen: dict[tuple[str, str], int] = {}
    for row, key in enumerate(keys, first_row):
        if seen.setdefault(key, row) != row:
            raise InputError(repeated(key, seen[key], row))


def repeated(key: tuple[str, str], first: int, second: int) -> str:
    """What is wrong with two rows of one (system, id)."""
    return (
        f"rows {first:,} and {second:,} have the same id {key[1]!r:.60} in the system {key[0]!r:.60}; "
        "each row of a system needs an id of its own"
    )


def _references(
    groups: Sequence[Iterable[str | None] | None], first_row: int, clean: _Cleaner
) -> list[tuple[str, ...]]:
    if set(map(type, groups)) <= {list, tuple} and _is_sound(chain.from_iterable(cast(Any, groups))):
        if all(map(str.strip, chain.from_iterable(cast(Any, groups)))):
            return list(map(tuple, cast(Any, groups)))
        return [tuple(filter(str.strip, cast(Any, group))) for group in groups]
    return [_group(group, row, clean) for row, group in enumerate(groups, first_row)]


def _group(group: Iterable[str | None] | None, row: int, clean: _Cleaner) -> tuple[str, ...]:
    if group is None:
        return ()
    if isinstance(group, str):
        raise InputError(
            f"row {row}: references is the string {group!r:.40}; expected a list of references, such as [{group!r:.40}]"
        )
    texts = (clean(text, "reference", row) for text in entries(f"row {row}: references", group, "a list of references"))
    return tuple(text for text in texts if text.strip())
