"""What a comparison finds: the systems, their differences, slices that explain them, and examples."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from ..printable import listed
from ..tables.display import counted, table_html
from ..text.diff import Piece


class SystemRow(NamedTuple):
    """One metric of one system, on the rows that all systems have."""

    metric: str
    system: str
    value: float
    low: float
    high: float
    cluster: int | None  # 1: no other system is significantly better than all of these; None next to a baseline
    rows: int
    corpus: bool  # a corpus score, as BLEU has one, or else a mean
    higher_is_better: bool


class Gap(NamedTuple):
    """Two systems by one metric: the first less the second, and whether that could be chance."""

    metric: str
    first: str  # the better of the two, or the one that is not the baseline
    second: str
    value: float
    low: float
    high: float
    p: float  # two-sided
    adjusted: float  # by Holm, over the pairs of systems of this metric
    wins: int  # rows on which the first has the better score
    ties: int
    losses: int


class Slice(NamedTuple):
    """The same gap on the sources of one kind, and on the others; the interval and p are of `value` − `elsewhere`."""

    metric: str
    first: str
    second: str
    slice: str
    sources: int
    share: float
    value: float
    elsewhere: float
    low: float
    high: float
    p: float
    adjusted: float  # by Holm, over all slices and pairs of systems


class Example(NamedTuple):
    """A row on which two systems differ much; `pieces` turn the candidate of the second into that of the first."""

    metric: str
    first: str
    second: str
    sample: str
    source: str
    candidates: tuple[str, str]
    scores: tuple[float, float]
    pieces: list[Piece]
    notes: tuple[str | None, str | None] = (None, None)  # of the scores: why a candidate is not usable, say


@dataclass(frozen=True, repr=False)
class Comparison:
    """Systems side by side."""

    systems: list[SystemRow]
    gaps: list[Gap]
    slices: list[Slice]
    examples: list[Example]
    baseline: str | None
    sources: int
    matched: str  # by id or by source
    notes: list[str] = field(default_factory=list)

    def __repr__(self) -> str:
        names = list(dict.fromkeys(row.system for row in self.systems))
        return f"Comparison({counted(len(names), 'system')}: {listed(names)}; {counted(self.sources, 'source')})"

    def _repr_html_(self) -> str:
        return table_html(repr(self), {name: [getattr(gap, name) for gap in self.gaps] for name in Gap._fields})
