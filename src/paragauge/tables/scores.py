"""Scores: the long table (sample, system, metric, score, reason, note), its signatures, and its summary."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .bootstrap import RESAMPLES, Resampled, source_keys, weights
from .samples import Samples

if TYPE_CHECKING:
    import pandas
    import polars

Floats = NDArray[np.float64]
FromCounts = Callable[[Floats], Floats]


@dataclass(frozen=True)
class Column:
    """What one metric says of every row."""

    scores: Floats
    reasons: Mapping[int, str]  # row to why its score is NaN
    counts: Floats | None = None  # of a metric that is made of sums
    from_counts: FromCounts | None = None  # its corpus score from a sum of counts
    higher_is_better: bool = True
    weights: Floats | None = None  # what each row counts in a mean, where that is not 1
    notes: Mapping[int, str] = field(default_factory=dict)  # row to what the reader of its score should know


@dataclass(frozen=True)
class Form:
    """What a metric's column needs beyond what is stored."""

    from_counts: FromCounts | None
    higher_is_better: bool
    weights: Callable[[Samples], Floats | None]


class SummaryRow(NamedTuple):
    """One metric of one system."""

    metric: str
    system: str
    mean: float
    low: float
    high: float
    corpus: float | None  # where it is not the mean
    corpus_low: float | None
    corpus_high: float | None
    rows: int
    undefined: int
    higher_is_better: bool


@dataclass(frozen=True)
class Scores:
    """The scores of some samples."""

    samples: Samples
    columns: Mapping[str, Column]
    signatures: Mapping[str, str] = field(default_factory=dict)
    notes: Mapping[str, int] = field(default_factory=dict)  # what to warn of, counted

    def __len__(self) -> int:
        return len(self.samples)

    def __getitem__(self, metric: str) -> Floats:
        """The scores of one metric, one per row."""
        return self.columns[metric].scores

    @property
    def frame(self) -> polars.DataFrame:
        """One line per sample and metric; score is null where the metric is undefined, and reason says why.

        A note says what to know of a score, such as that a text has tokens unknown to the encoder; mostly null.
        """
        import polars

        names = list(self.columns)
        rows = len(self.samples)
        tall = np.stack([self.columns[name].scores for name in names], axis=1).ravel() if names else np.empty(0)
        reasons: list[str | None] = [None] * (rows * len(names))
        notes: list[str | None] = [None] * (rows * len(names))
        for position, name in enumerate(names):
            for row, reason in self.columns[name].reasons.items():
                reasons[row * len(names) + position] = reason
            for row, note in self.columns[name].notes.items():
                notes[row * len(names) + position] = note
        repeat = np.repeat(np.arange(rows), len(names))
        return polars.DataFrame(
            {
                "sample": polars.Series(self.samples.ids, dtype=polars.String).gather(repeat),
                "system": polars.Series(self.samples.systems, dtype=polars.String).gather(repeat),
                "metric": polars.Series(names * rows, dtype=polars.String),
                "score": polars.Series(tall, dtype=polars.Float64).fill_nan(None),
                "reason": polars.Series(reasons, dtype=polars.String),
                "note": polars.Series(notes, dtype=polars.String),
            }
        )

    def stored(self) -> polars.DataFrame:
        """`frame` and, for metrics made of sums, the counts: all that a later summary needs."""
        import polars

        names = list(self.columns)
        empty: list[Any] = [None] * len(self)
        tables = [column.counts.tolist() if column.counts is not None else empty for column in self.columns.values()]
        counts = [tables[position][row] for row in range(len(self)) for position in range(len(names))]
        return self.frame.with_columns(polars.Series("counts", counts, dtype=polars.List(polars.Float64)))

    @classmethod
    def from_stored(
        cls, samples: Samples, frame: polars.DataFrame, forms: Mapping[str, Form], notes: Mapping[str, int]
    ) -> Scores:
        """The inverse of `stored`."""
        import polars

        columns = {}
        for name, form in forms.items():
            own = frame.filter(polars.col("metric") == name)
            scores = own["score"].fill_null(math.nan).to_numpy()
            reasons = {row: text for row, text in enumerate(own["reason"].to_list()) if text is not None}
            notes_of_rows = {row: text for row, text in enumerate(own["note"].to_list()) if text is not None}
            counts = np.array(own["counts"].to_list()) if form.from_counts is not None else None
            columns[name] = Column(
                scores, reasons, counts, form.from_counts, form.higher_is_better, form.weights(samples), notes_of_rows
            )
        return cls(samples, columns, {}, notes)

    @property
    def wide(self) -> polars.DataFrame:
        """One line per sample, one column per metric."""
        import polars

        return polars.DataFrame(
            {
                "sample": self.samples.ids,
                "system": self.samples.systems,
                **{name: polars.Series(column.scores).fill_nan(None) for name, column in self.columns.items()},
            }
        )

    def to_pandas(self) -> pandas.DataFrame:
        """`frame` as a pandas table; undefined scores are NaN."""
        import pandas

        return pandas.DataFrame(self.frame.to_dict(as_series=False))

    def summary(self, resamples: int = RESAMPLES, seed: int = 0) -> polars.DataFrame:
        """Each metric per system: mean, 95% bootstrap interval resampled by source, corpus score where it differs."""
        import polars

        summary = Summary(resamples, seed)
        summary.add(self)
        return polars.DataFrame(summary.rows(), schema=SUMMARY_SCHEMA, orient="row")


SUMMARY_SCHEMA: Any = [
    (name, {"metric": str, "system": str, "rows": int, "undefined": int, "higher_is_better": bool}.get(name, float))
    for name in SummaryRow._fields
]


class Summary:
    """Means, corpus scores and their intervals, from chunks of scores, in memory that does not grow with them."""

    def __init__(self, resamples: int = RESAMPLES, seed: int = 0) -> None:
        self.resamples = resamples
        self.seed = seed
        self._sums: dict[tuple[str, str], Resampled] = {}
        self._sizes: dict[tuple[str, str], int] = {}
        self._undefined: dict[tuple[str, str], int] = {}
        self._columns: dict[str, Column] = {}
        self.notes: Counter[str] = Counter()
        self.references: tuple[int, int] | None = None  # fewest and most of a row
        self.size = 0
        self.chunks = 0

    def add(self, scores: Scores) -> None:
        """Add a chunk."""
        self.size += len(scores)
        self.chunks += 1
        self.notes.update(scores.notes)
        fewest, most = reference_counts(scores.samples)
        before = self.references or (fewest, most)
        self.references = (min(before[0], fewest), max(before[1], most))
        distinct, place = np.unique(source_keys(scores.samples.sources), return_inverse=True)
        drawn = weights(distinct, self.resamples, self.seed).astype(np.float64)
        systems = np.array(scores.samples.systems, dtype=object)
        for name, column in scores.columns.items():
            self._columns.setdefault(name, column)
        for system in dict.fromkeys(scores.samples.systems):
            chosen = np.flatnonzero(systems == system)
            blocks = {name: _addends(column, chosen) for name, column in scores.columns.items()}
            # all metrics in one product: the draws are by far the larger matrix
            table = np.stack(
                [
                    np.bincount(place[chosen], weights=values, minlength=len(distinct))
                    for block in blocks.values()
                    for values in block.T
                ],
                axis=1,
            )
            sums = drawn @ table
            start = 0
            for name, block in blocks.items():
                key, end = (name, system), start + block.shape[1]
                self._sizes[key] = self._sizes.get(key, 0) + len(chosen)
                undefined = int(np.isnan(scores.columns[name].scores[chosen]).sum())
                self._undefined[key] = self._undefined.get(key, 0) + undefined
                entry = self._sums.setdefault(key, Resampled(block.shape[1], self.resamples, self.seed))
                entry.add(distinct[table[:, start] > 0], block.sum(axis=0), sums[:, start:end])
                start = end

    def rows(self) -> list[SummaryRow]:
        """One row per metric and system; within a metric the best system first."""
        result = []
        for name, column in self._columns.items():
            of_metric = [self._row(name, system, column) for metric, system in self._sums if metric == name]
            sign = -1 if column.higher_is_better else 1
            result += sorted(of_metric, key=lambda row: (math.isnan(row.mean), sign * row.mean, row.system))
        return result

    def _row(self, name: str, system: str, column: Column) -> SummaryRow:
        entry, size = self._sums[name, system], self._sizes[name, system]
        with np.errstate(invalid="ignore", divide="ignore"):
            mean = float(entry.total[1] / entry.total[0])
            low, high = entry.interval(entry.sums[:, 1] / entry.sums[:, 0])
        corpus = corpus_low = corpus_high = None
        if column.from_counts is not None:
            corpus = float(column.from_counts(entry.total[None, 2:])[0]) if entry.total[0] else math.nan
            drawn = entry.sums[:, 0] > 0
            corpus_low, corpus_high = entry.interval(column.from_counts(entry.sums[drawn, 2:]))
        undefined = self._undefined[name, system]
        return SummaryRow(
            name, system, mean, low, high, corpus, corpus_low, corpus_high, size, undefined, column.higher_is_better
        )


def _addends(column: Column, chosen: NDArray[np.intp]) -> Floats:
    """Weight, weighted score and counts of the chosen rows, side by side; zeros where the score is undefined."""
    weight = np.ones(len(chosen)) if column.weights is None else column.weights[chosen]
    parts = [weight[:, None], (weight * column.scores[chosen])[:, None]]
    if column.counts is not None:
        parts.append(column.counts[chosen])
    rows = np.hstack(parts)
    rows[np.isnan(column.scores[chosen])] = 0
    return rows


def reference_counts(samples: Samples) -> tuple[int, int]:
    """Fewest and most references of a row."""
    counts = [len(group) for group in samples.references]
    return (min(counts, default=0), max(counts, default=0))
