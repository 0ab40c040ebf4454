"""Ratings: samples with the human score of each of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from ..errors import Hint, InputError, nearest
from ..stats.resample import source_keys
from .display import counted, table_html
from .samples import Samples

Floats = NDArray[np.float64]
Codes = NDArray[np.intp]
PARTS = ("all", "dev", "test")
SPLITS = ("published", "source")


@dataclass(frozen=True, repr=False)
class Ratings:
    """One human score per row of `samples`, higher is better; NaN where nobody judged the row."""

    samples: Samples
    human: Floats
    name: str = ""
    votes: int | None = None  # where a score is the share of so many yes-or-no votes
    judgments: list[tuple[float, ...]] | None = None  # of every rater, where they are known
    raters: list[tuple[str, ...]] | None = None  # who gave them
    scores: Mapping[str, Floats] = field(default_factory=dict)  # of metrics computed elsewhere
    dev: int | None = None  # so many rows come first that their publishers mean for choosing parameters

    def __post_init__(self) -> None:
        for name, column in {"human": self.human, **self.scores}.items():
            if column.shape != (len(self.samples),):
                raise InputError(f"{len(column):,} values of {name} for {len(self.samples):,} rows; expected one a row")

    def __len__(self) -> int:
        return len(self.samples)

    def __repr__(self) -> str:
        judged = int((~np.isnan(self.human)).sum())
        return f"Ratings({self.name!r:.60}, {counted(len(self), 'row')}, {judged:,} judged)"

    def _repr_html_(self) -> str:
        texts = {"source": self.samples.sources, "candidate": self.samples.candidates}
        return table_html(repr(self), {"sample": self.samples.ids, **texts, "human": self.human.tolist()})

    def rows(self, chosen: Sequence[int] | Codes) -> Ratings:
        """The chosen rows, in that order."""
        places = np.asarray(chosen, dtype=np.intp)
        judgments = None if self.judgments is None else [self.judgments[place] for place in places]
        raters = None if self.raters is None else [self.raters[place] for place in places]
        scores = {name: column[places] for name, column in self.scores.items()}
        samples = self.samples.rows(places.tolist())
        return Ratings(samples, self.human[places], self.name, self.votes, judgments, raters, scores)

    def judged(self) -> Ratings:
        """The rows that have a human score."""
        known = ~np.isnan(self.human)
        if known.all():
            return self
        dev = None if self.dev is None else int(known[: self.dev].sum())
        return replace(self.rows(np.flatnonzero(known)), dev=dev)

    def sources(self) -> Codes:
        """A number for each row's source: rows of one source are not independent."""
        return _codes(self.samples.sources)

    def systems(self) -> Codes:
        """A number for each row's system."""
        return _codes(self.samples.systems)

    def part(self, part: str | None = None, split: str = "published", seed: int = 0) -> Ratings:
        """All rows, the dev part or the test part; by default the test part where one is published, else all."""
        if part is None:
            part = "all" if self.dev is None else "test"
        for value, known, what in ((part, PARTS, "part"), (split, SPLITS, "split")):
            if value not in known:
                raise InputError(f"no {what} named '{value}'{nearest(value, known)}")
        if part == "all":
            return self
        dev, test = self.published_split() if split == "published" else self.split(seed=seed)
        chosen = dev if part == "dev" else test
        if not len(chosen):
            hint = Hint("{part} takes every row", part="all")
            raise InputError(f"the {part} part of {len(self):,} rows is empty", hint)
        return chosen

    def published_split(self, share: float = 0.1) -> tuple[Ratings, Ratings]:
        """The first rows for choosing parameters and the rest for judging, as published; it may cut a source in two."""
        _check_share(share)
        cut = self.dev if self.dev is not None else int(len(self) * share)
        return self.rows(range(cut)), self.rows(range(cut, len(self)))

    def split(self, share: float = 0.1, seed: int = 0) -> tuple[Ratings, Ratings]:
        """About `share` of the sources, and the others: no source is on both sides."""
        _check_share(share)
        codes = self.sources()
        order = np.random.default_rng(seed).permutation(_by_text(self.samples.sources))
        if len(order) < 2:
            raise InputError("all rows have one source; two parts need at least two sources")
        first = order[: min(max(round(len(order) * share), 1), len(order) - 1)]
        chosen = np.isin(codes, first)
        return self.rows(np.flatnonzero(chosen)), self.rows(np.flatnonzero(~chosen))

    def extended(self, every: int = 5) -> Ratings:
        """With the source itself as one more candidate of every fifth source, scored 0 (Shen et al. 2022)."""
        codes = self.sources()
        groups = [np.flatnonzero(codes == source) for source in range(codes.max(initial=-1) + 1)]
        firsts = [int(rows[0]) for rows in groups[::every]]
        texts = [self.samples.sources[first] for first in firsts]
        ids = [f"copy-{number}" for number in range(1, len(firsts) + 1)]
        references = [self.samples.references[first] for first in firsts]
        samples = self.samples + Samples(texts, texts, references, ["copy"] * len(firsts), ids)
        human = np.concatenate([self.human, np.zeros(len(firsts))])
        order: list[int] = []
        for source, rows in enumerate(groups):
            order += rows.tolist()
            if source % every == 0:
                order.append(len(self) + source // every)
        dev = None if self.dev is None else len(order) // 10
        return Ratings(samples.rows(order), human[order], f"{self.name}-extended", dev=dev)


def _check_share(share: float) -> None:
    if not 0 < share < 1:
        raise InputError(f"a part of {share:g} leaves nothing on one side; expected a share between 0 and 1")


def _codes(texts: Sequence[str]) -> Codes:
    known: dict[str, int] = {}
    return np.array([known.setdefault(text, len(known)) for text in texts], dtype=np.intp)


def _by_text(sources: Sequence[str]) -> Codes:
    """The numbers of the sources in an order that depends on their texts only, not on where they stand."""
    distinct = list(dict.fromkeys(sources))
    return np.argsort(source_keys(distinct), kind="stable").astype(np.intp)
