"""Papers by name: every printed number, as its authors' code gives it, and corrected."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from paragauge.compute.workspace import Progress
from paragauge.errors import InputError, nearest
from paragauge.registry import Registry

from .cells import Cell

OLDER = {"parascore": "shen2022", "weem4pg": "hailu2020"}  # names that papers had before
_NUMBERED = re.compile(r"(table|figure)s? (\d+)(?:[–-](\d+))?", re.IGNORECASE)


class Request(NamedTuple):
    """What a paper is to compute."""

    wanted: Callable[[str], bool]  # of its tables
    data: Path | None = None  # the folder of the data sets
    models: Mapping[str, str] = {}  # weights that the user has, by what they are for
    figures: Path | None = None  # where to draw
    progress: Progress | None = None
    overwrite: bool = False  # figures that are there already
    run: Path | None = None  # a run folder of an expensive computation, instead of the numbers recorded of it


@dataclass(frozen=True)
class Paper:
    """What a paper is, which tables of it are known, what they need, and how they are computed."""

    name: str
    title: str
    citation: str
    tables: tuple[str, ...]
    needs: tuple[str, ...]  # data sets
    compute: Callable[[Request], Iterable[Cell]]
    models: Mapping[str, str] = field(default_factory=dict)  # what weights can be named: name, and what it is for
    draws: bool = False
    runs: bool = False  # can it read the run folder of an expensive computation?

    def reproduce(
        self,
        data: Path | None = None,
        tables: Sequence[str] = (),
        models: Mapping[str, str] | None = None,
        figures: Path | None = None,
        progress: Progress | None = None,
        *,
        overwrite: bool = False,
        run: Path | None = None,
    ) -> list[Cell]:
        """Every cell of the tables asked for, of all without any; what is missing is said in its cell."""
        for table in tables:
            if not any(covers(known, table) for known in self.tables):
                raise InputError(f"{self.name} has no table '{table}'; known: {', '.join(self.tables)}")
        for model in models or {}:
            if model not in self.models:
                known = nearest(model, self.models) if self.models else "; it takes none"
                raise InputError(f"{self.name} takes no weights named '{model}'{known}")
        if figures is not None and not self.draws:
            raise InputError(f"{self.name} has no figures that can be drawn")
        if run is not None and not self.runs:
            raise InputError(f"{self.name} reads no run folder")

        def wanted(label: str) -> bool:
            return not tables or any(covers(label, table) for table in tables)

        cells = self.compute(Request(wanted, data, models or {}, figures, progress, overwrite, run))
        return [cell for cell in cells if wanted(cell.table)]


PAPERS = Registry[Paper](Paper, "paper", group="paragauge.papers")
names = PAPERS.names


def paper(name: str) -> Paper:
    """The paper of this name."""
    return PAPERS.load(OLDER.get(name, name))


def covers(label: str, table: str) -> bool:
    """Is this table asked for? `Table 7` asks for `Table 7a, BLEU` too, `Figure 2` for `Figures 1–2`.

    >>> covers("Figures 1–2", "figure 2"), covers("Table 7a, BLEU", "Table 7"), covers("Table 13", "Table 1")
    (True, True, False)
    """
    asked = table.strip().casefold()
    if asked and label.casefold().startswith(asked) and not label[len(asked) :][:1].isdigit():
        return True
    ours, theirs = _NUMBERED.fullmatch(label), _NUMBERED.fullmatch(asked)
    if ours is None or theirs is None or ours[1].casefold() != theirs[1].casefold():
        return False
    spans = [range(int(found[2]), int(found[3] or found[2]) + 1) for found in (ours, theirs)]
    return bool(set(spans[0]) & set(spans[1]))
