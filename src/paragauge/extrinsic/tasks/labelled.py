"""Labelled texts: checked, read from a table, and drawn from by a hash that is the same on every machine."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from ...errors import Hint, InputError, nearest
from ...files.layout import Layout
from ...files.table_file import raw_rows
from ...files.write import PathLike
from ...printable import listed
from ...tables.display import counted
from ...tables.samples import is_empty


@dataclass(frozen=True, repr=False)
class Labelled:
    """Texts with a label each. No text is empty, and no id comes twice."""

    ids: tuple[str, ...]
    texts: tuple[str, ...]
    labels: tuple[str, ...]

    def __post_init__(self) -> None:
        if not len(self.ids) == len(self.texts) == len(self.labels):
            found = f"{len(self.ids)} ids, {len(self.texts)} texts and {len(self.labels)} labels"
            raise InputError(f"there are {found}; expected one of each per row")
        for name, text, label in zip(self.ids, self.texts, self.labels, strict=True):
            if is_empty(text):
                raise InputError(f"the text of row {name} is empty; expected a text to classify")
            if not label.strip():
                raise InputError(f"the label of row {name} is empty; expected the class of its text")
        if len(set(self.ids)) < len(self.ids):
            twice = next(name for place, name in enumerate(self.ids) if name in self.ids[:place])
            raise InputError(f"the id '{twice}' comes twice; expected one row per id")

    def __len__(self) -> int:
        return len(self.texts)

    def __repr__(self) -> str:
        return f"Labelled({counted(len(self), 'text')}, labels: {listed(self.classes)})"

    @property
    def classes(self) -> tuple[str, ...]:
        """The labels there are, in order."""
        return tuple(sorted(set(self.labels)))

    def rows(self, places: Iterable[int]) -> Labelled:
        """The rows at these places, in that order."""
        chosen = list(places)
        columns = (self.ids, self.texts, self.labels)
        return Labelled(*(tuple(column[place] for place in chosen) for column in columns))

    def fingerprint(self) -> str:
        """sha256 of ids, texts and labels."""
        digest = hashlib.sha256()
        for row in zip(self.ids, self.texts, self.labels, strict=True):
            digest.update("\x1f".join(row).encode("utf-8", "surrogatepass") + b"\x1e")
        return digest.hexdigest()


def shuffled(ids: Sequence[str], seed: int) -> list[int]:
    """The places of the ids in a random order, which depends on the seed and the ids alone.

    Sorted by a hash, since the streams of random generators may change between versions of numpy.
    """
    keys = [hashlib.sha256(f"{seed}\x1f{name}".encode("utf-8", "surrogatepass")).digest() for name in ids]
    return sorted(range(len(ids)), key=keys.__getitem__)


def drawn_share(table: Labelled, share: float, seed: int) -> list[int]:
    """The places of a share of the rows of each class, at least one of each; a larger share holds a smaller one."""
    if not 0 < share <= 1:
        raise InputError(f"a share of {share!r} of the data; expected a number above 0 and up to 1")
    if share == 1:
        return list(range(len(table)))
    chosen: list[int] = []
    order = shuffled(table.ids, seed)
    for label in table.classes:
        own = [place for place in order if table.labels[place] == label]
        chosen += own[: max(1, round(share * len(own)))]
    return sorted(chosen)


def read_labelled(path: PathLike, text: str = "text", label: str = "label", layout: Layout = Layout()) -> Labelled:
    """The columns `text` and `label` of a table, and its column `id`, else the row's number."""
    name = os.fspath(path)
    ids, texts, labels = [], [], []
    for number, (names, cells) in enumerate(raw_rows(path, layout), 1):
        row = dict(zip(names, cells, strict=True))
        for column, argument in ((text, "text"), (label, "label")):
            if column not in row:
                raise InputError(
                    f"{name}: row {number} has no column '{column}'{nearest(column, map(str, row))}",
                    Hint(f"name the column with {{{argument}}}", **{argument: None}),
                )
        ids.append(_written(row.get("id")) or str(number))
        texts.append(_written(row[text]))
        labels.append(_written(row[label]))
    if not texts:
        raise InputError(f"{name} has no rows")
    try:
        return Labelled(tuple(ids), tuple(texts), tuple(labels))
    except InputError as error:
        raise InputError(f"{name}: {error.message}") from None


def _written(cell: Any) -> str:
    """A cell as text; a null is empty, and 1.0 of a column of numbers is 1."""
    if cell is None or (isinstance(cell, float) and cell != cell):
        return ""
    return str(int(cell)) if isinstance(cell, float) and cell.is_integer() else str(cell)
