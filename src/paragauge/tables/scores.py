"""Scores: the long table (sample, system, metric, score, reason, note, verdict), its signatures, and their summary."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any
from warnings import warn

import numpy as np
from numpy.typing import NDArray

from ..printable import listed
from ..process.extras import require
from ..stats.resample import RESAMPLES
from ..verdict.findings import Finding, Outcome, Span
from ..verdict.judgment import Criterion, Judgment, judge
from ..verdict.rules import findings
from .display import ROWS as ROWS_SHOWN
from .display import counted, table_html
from .notices import Notices
from .samples import Samples
from .shared_rows import SharedRows
from .summary import SUMMARY_SCHEMA, Summary

if TYPE_CHECKING:
    import pandas
    import polars


Floats = NDArray[np.float64]
FromCounts = Callable[[Floats], Floats]


@dataclass(frozen=True)
class ScoreColumn:
    """What one metric says of every row."""

    scores: Floats
    reasons: Mapping[int, str]  # row to why its score is NaN
    counts: Floats | None  # of a metric that is made of sums
    aggregation: Aggregation
    notes: Mapping[int, str] = field(default_factory=dict)  # row to what the reader of its score should know
    judgments: Sequence[Judgment] | None = None  # of a metric that judges, one per row

    def __repr__(self) -> str:
        return f"ScoreColumn({counted(len(self.scores), 'score')}, {len(self.reasons):,} undefined)"

    def rows(self, chosen: NDArray[np.intp]) -> ScoreColumn:
        """The chosen rows, without reasons."""
        counts = None if self.counts is None else self.counts[chosen]
        judgments = None if self.judgments is None else [self.judgments[row] for row in chosen.tolist()]
        return ScoreColumn(self.scores[chosen], {}, counts, self.aggregation, judgments=judgments)


@dataclass(frozen=True)
class Aggregation:
    """What a summary has to know of a metric; it can be pickled, as all of these are functions of a module or class."""

    from_counts: FromCounts | None  # the corpus score from a sum of counts, of a metric that is made of sums
    higher_is_better: bool
    weights: Callable[[Samples], Floats | None]  # what each row counts in a mean, where that is not 1
    with_failures: Callable[[Samples, Floats, str], Floats]  # the scores that a mean is of
    worst: float  # what an empty candidate counts; NaN where there is no worst score
    scale: tuple[float, float] = (-math.inf, math.inf)  # lowest and highest possible score
    shares: bool = False  # is each score 0 or 1?
    criterion: Criterion | None = None  # what its verdict depends on, of a metric that judges


@dataclass(frozen=True, repr=False)
class Scores:
    """The scores of some samples."""

    samples: Samples
    columns: Mapping[str, ScoreColumn]
    signatures: Mapping[str, str] = field(default_factory=dict)
    notices: Notices = field(default_factory=Notices)  # what to warn of, counted
    empty: str = "worst"  # what an empty candidate counts in the summary: the worst score, or nothing ("skip")

    def __len__(self) -> int:
        return len(self.samples)

    def __getitem__(self, metric: str) -> Floats:
        """The scores of one metric, one per row."""
        return self.columns[metric].scores

    @property
    def frame(self) -> polars.DataFrame:
        """One line per sample and metric; score is null where the metric is undefined, and reason says why.

        A note says what to know of a score, such as that a text has tokens unknown to the encoder; mostly null. Of
        a metric that judges there is the outcome too, and what was found: rule, kind, and its place in both texts.
        """
        import polars

        names = list(self.columns)
        rows = len(self.samples)
        tall = np.stack([self.columns[name].scores for name in names], axis=1).ravel() if names else np.empty(0)

        def sparse(texts: Sequence[Mapping[int, str]]) -> polars.Series:
            """What is said of some rows by each metric."""
            found: list[str | None] = [None] * (rows * len(names))
            for position, own in enumerate(texts):
                for row, text in own.items():
                    found[row * len(names) + position] = text
            return polars.Series(found, dtype=polars.String)

        judged = [column.judgments for column in self.columns.values()]
        repeat = np.repeat(np.arange(rows), len(names))
        return polars.DataFrame(
            {
                "sample": polars.Series(self.samples.ids, dtype=polars.String).gather(repeat),
                "system": polars.Series(self.samples.systems, dtype=polars.String).gather(repeat),
                "metric": polars.Series(names * rows, dtype=polars.String),
                "score": polars.Series(tall, dtype=polars.Float64, nan_to_null=True),
                "reason": sparse([column.reasons for column in self.columns.values()]),
                "note": sparse([column.notes for column in self.columns.values()]),
                **judgment_columns(judged, rows),
            }
        )

    def stored(self) -> polars.DataFrame:
        """`frame` and, for metrics made of sums, the counts: all that a later summary needs."""
        counts = numbers_column([column.counts for column in self.columns.values()], len(self))
        return self.frame.with_columns(counts.alias("counts"))

    @classmethod
    def from_stored(
        cls,
        samples: Samples,
        frame: polars.DataFrame,
        aggregations: Mapping[str, Aggregation],
        notices: Notices,
    ) -> Scores:
        """The inverse of `stored`."""
        import polars

        columns = {}
        for name, aggregation in aggregations.items():
            own = frame.filter(polars.col("metric") == name)
            scores = own["score"].fill_null(math.nan).to_numpy()
            reasons = {row: text for row, text in enumerate(own["reason"].to_list()) if text is not None}
            notes = {row: text for row, text in enumerate(own["note"].to_list()) if text is not None}
            counts = table_of(own["counts"]) if aggregation.from_counts is not None else None
            columns[name] = ScoreColumn(scores, reasons, counts, aggregation, notes)
        for name, aggregation in aggregations.items():
            if aggregation.criterion is not None:
                own = frame.filter(polars.col("metric") == name)
                judgments = read_judgments(own, samples, aggregation.criterion, columns)
                columns[name] = replace(columns[name], judgments=judgments)
        return cls(samples, columns, {}, notices)

    @property
    def wide(self) -> polars.DataFrame:
        """One line per sample, one column per metric."""
        import polars

        return polars.DataFrame(
            {
                "sample": self.samples.ids,
                "system": self.samples.systems,
                **{name: polars.Series(column.scores, nan_to_null=True) for name, column in self.columns.items()},
            }
        )

    def to_pandas(self) -> pandas.DataFrame:
        """`frame` as a pandas table; undefined scores are NaN."""
        found = require("pandas", "pandas", "a table of pandas needs that package")
        table: pandas.DataFrame = found.DataFrame(self.frame.to_dict(as_series=False))
        return table

    def summary(self, resamples: int = RESAMPLES, seed: int = 0) -> polars.DataFrame:
        """Each metric per system: mean, 95% bootstrap interval resampled by source, corpus score where it differs.

        Systems are compared on the rows that all of them have. An empty candidate counts as the metric's worst score,
        or not at all where `empty` is "skip"; a missing one (null) is a row that the system does not have.
        """
        import polars

        summary = Summary(resamples, seed, SharedRows(self.empty, [self.samples]))
        summary.add(self)
        for sentence in summary.remarks():
            warn(sentence, stacklevel=2)
        return polars.DataFrame(summary.rows(), schema=SUMMARY_SCHEMA, orient="row")

    def __repr__(self) -> str:
        names = listed(list(self.columns))
        return f"Scores({counted(len(self), 'row')}, {counted(len(self.columns), 'metric')}: {names})"

    def _repr_html_(self) -> str:
        columns = {name: column.scores[:ROWS_SHOWN].tolist() for name, column in self.columns.items()}
        samples = self.samples.rows(range(min(ROWS_SHOWN, len(self))))
        whose = {"sample": samples.ids, "system": samples.systems, "candidate": samples.candidates}
        return table_html(repr(self), whose | columns, len(self))


# Columns of lists are made from one flat column: polars builds a list at a time from Python, fifty times slower.
def texts_column(groups: Sequence[Sequence[str]]) -> polars.Series:
    """One list of texts per row; it may be empty."""
    import polars

    lengths = np.fromiter(map(len, groups), dtype=np.int64, count=len(groups))
    rows = polars.DataFrame({"row": np.arange(len(groups))})
    flat = {"row": np.repeat(np.arange(len(groups)), lengths), "texts": [text for group in groups for text in group]}
    given = polars.DataFrame(flat, schema_overrides={"texts": polars.String})
    lists = given.group_by("row", maintain_order=True).agg("texts")
    found = rows.join(lists, on="row", how="left", maintain_order="left")["texts"]
    return found.fill_null(polars.Series([[]], dtype=polars.List(polars.String)))


def numbers_column(tables: Sequence[Floats | None], rows: int) -> polars.Series:
    """Row by row, the numbers of each table in that row: null for a table that is None."""
    import polars

    kind = polars.List(polars.Float64)
    if not rows or not tables:
        return polars.Series([], dtype=kind)
    lists = [
        polars.Series([None] * rows, dtype=kind)
        if table is None
        else polars.Series(np.ascontiguousarray(table, dtype=np.float64).ravel()).reshape(table.shape).arr.to_list()
        for table in tables
    ]
    in_turn = np.arange(rows * len(tables)).reshape(len(tables), rows).T.ravel()
    return polars.concat(lists).gather(in_turn)


def table_of(numbers: polars.Series) -> Floats:
    """The lists of a column, all of one length, as the rows of a table."""
    return numbers.explode().to_numpy().reshape(len(numbers), -1) if len(numbers) else np.empty((0, 0))


def judgment_columns(judged: Sequence[Sequence[Judgment] | None], rows: int) -> dict[str, polars.Series]:
    """One line per row and metric, in the order of rows; null for a metric that does not judge.

    A span is [start, end) in code points; findings are null where there are none.
    """
    import polars

    span = polars.List(polars.Int64)
    fields: Any = {"rule": polars.String, "kind": polars.String, "source": span, "candidate": span}
    outcomes: list[str | None] = [None] * (rows * len(judged))
    found: list[list[dict[str, Any]] | None] = [None] * (rows * len(judged))
    for place, judgments in enumerate(judged):
        for row, one in enumerate(judgments or ()):
            outcomes[row * len(judged) + place] = str(one.outcome)
            found[row * len(judged) + place] = as_records(one.findings) or None
    return {
        "outcome": polars.Series(outcomes, dtype=polars.String),
        "findings": polars.Series(found, dtype=polars.List(polars.Struct(fields))),
    }


def as_records(found: Sequence[Finding]) -> list[dict[str, Any]]:
    """Findings as plain values: rule, kind, and [start, end) in each text or None."""
    return [
        {name: list(value) if isinstance(value, Span) else value for name, value in one._asdict().items()}
        for one in found
    ]


def read_judgments(
    frame: polars.DataFrame, samples: Samples, criterion: Criterion, columns: Mapping[str, ScoreColumn]
) -> list[Judgment] | None:
    """The inverse, of the lines of one metric; None where an older table has no outcomes and they cannot be derived.

    They can where it has the numbers that they follow from, as rules need nothing but the texts.
    """
    meaning, changed = (
        columns[name].scores.tolist() if name in columns else [math.nan] * len(samples)
        for name in (criterion.meaning, criterion.changed)
    )
    if "outcome" in frame.columns:
        stored = zip(frame["outcome"].to_list(), meaning, changed, frame["findings"].to_list(), strict=True)
        return [
            Judgment(Outcome(outcome), _known(one), _known(other), findings_of(found or ()))
            for outcome, one, other, found in stored
        ]
    if not {criterion.meaning, criterion.changed} <= columns.keys():
        return None
    texts = zip(samples.sources, samples.candidates, strict=True)
    empty = (samples.failures() & (frame["score"] == 0).fill_null(value=False).to_numpy()).tolist()
    return [
        Judgment(Outcome.UNDEFINED)
        if row in samples.missing
        else judge(meaning[row], changed[row], findings(*pair), criterion.thresholds, empty=empty[row])
        for row, pair in enumerate(texts)
    ]


def _known(value: float) -> float | None:
    return None if math.isnan(value) else value


def findings_of(records: Sequence[Mapping[str, Any]]) -> tuple[Finding, ...]:
    """The inverse of `as_records`."""
    return tuple(
        Finding(one["rule"], one["kind"], *(_span(one[side]) for side in ("source", "candidate"))) for one in records
    )


def _span(places: Sequence[int] | None) -> Span | None:
    return None if places is None else Span(*places)
