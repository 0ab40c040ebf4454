"""The summary of scores: means, corpus scores, and what stands behind them, in one pass over chunks."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..printable import listed
from ..stats.interval import Estimate, Resamples
from ..stats.resample import RESAMPLES, Resampled, smallest, weighted_sums
from ..verdict.judgment import Criterion
from ..verdict.tally import SystemVerdict, Tally, Verdict
from .display import counted, table_html
from .notices import Notices
from .samples import Samples
from .shared_rows import SharedRows, unit_keys

if TYPE_CHECKING:
    from .scores import Aggregation, ScoreColumn, Scores

Floats = NDArray[np.float64]
_NONE: NDArray[np.uint64] = np.empty(0, dtype=np.uint64)


class SummaryRow(NamedTuple):
    """One metric of one system."""

    metric: str
    system: str
    mean: float | None  # None wherever there is no number
    low: float | None
    high: float | None
    corpus: float | None  # where it is not the mean
    corpus_low: float | None
    corpus_high: float | None
    rows: int  # that the system has; of these, each counted once:
    undefined: int  # without a score, though there is a candidate
    failures: int  # with an empty candidate
    missing: int  # without a candidate (null)
    left_out: int  # because another system lacks them
    higher_is_better: bool


_WHOLE = ("rows", "undefined", "failures", "missing", "left_out")
SUMMARY_SCHEMA: Any = [
    (name, {"metric": str, "system": str, "higher_is_better": bool, **dict.fromkeys(_WHOLE, int)}.get(name, float))
    for name in SummaryRow._fields
]


class Summary:
    """Means, corpus scores and their intervals, from chunks of scores, in memory that does not grow with them.

    `shared` says which rows count; without it every row with a candidate does.
    """

    def __init__(self, resamples: int = RESAMPLES, seed: int = 0, shared: SharedRows | None = None) -> None:
        self.resamples = resamples
        self.seed = seed
        self.shared = SharedRows() if shared is None else shared
        self._aggregations: dict[str, Aggregation] = {}
        self._sums: dict[tuple[str, str], Resampled] = {}
        self._undefined: Counter[tuple[str, str]] = Counter()
        self._rows: dict[str, Counter[str]] = {}  # of each system: all rows, failures, missing, left out
        self.tallies: dict[tuple[str, str], Tally] = {}  # of each metric that judges, and system
        self.notices = Notices()
        self.references: tuple[int, int] | None = None  # fewest and most of a row
        self.size = 0
        self.chunks = 0
        self._found: list[SummaryRow] | None = None  # until rows are added

    def add(self, scores: Scores) -> None:
        """Add a chunk."""
        self._found = None
        self.size += len(scores)
        self.chunks += 1
        self.notices.update(scores.notices)
        fewest, most = reference_counts(scores.samples)
        before = self.references or (fewest, most)
        self.references = (min(before[0], fewest), max(before[1], most))
        self._aggregations = {name: column.aggregation for name, column in scores.columns.items()} | self._aggregations
        chosen_rows = self._count(scores.samples)
        samples, columns = scores.samples, scores.columns
        if len(chosen_rows) < len(samples):
            samples = samples.rows(chosen_rows.tolist())
            columns = {name: column.rows(chosen_rows) for name, column in columns.items()}
        failures = samples.failures()
        blocks = {name: row_sums(column, samples, self.shared.empty) for name, column in columns.items()}
        keys = unit_keys(samples)
        systems = np.array(samples.systems, dtype=object)
        for system in dict.fromkeys(scores.samples.systems):
            chosen = np.flatnonzero(systems == system)
            distinct, place = np.unique(keys[chosen], return_inverse=True)
            # all metrics in one product: the draws are by far the larger matrix
            table: Floats = np.stack(
                [
                    np.bincount(place, weights=values, minlength=len(distinct))
                    for block in blocks.values()
                    for values in block[chosen].T
                ],
                axis=1,
            )
            self._tally(system, chosen.tolist(), columns)
            sums = weighted_sums(distinct, table, self.resamples, self.seed)
            all_keys = smallest(_NONE, distinct)  # one array for all metrics, so that it is sent once
            start = 0
            for name, block in blocks.items():
                key, end = (name, system), start + block.shape[1]
                self._undefined[key] += int((np.isnan(columns[name].scores[chosen]) & ~failures[chosen]).sum())
                entry = self._sums.setdefault(key, Resampled(block.shape[1], self.resamples, self.seed))
                known = table[:, start] > 0
                entry.add(all_keys if known.all() else distinct[known], block[chosen].sum(axis=0), sums[:, start:end])
                start = end

    def merge(self, later: Summary) -> None:
        """Add the summary of rows that follow: sums of whole numbers are exact, and others those of adding in order."""
        self._found = None
        self.size += later.size
        self.chunks += later.chunks
        self.notices.update(later.notices)
        if later.references is not None:
            before = self.references or later.references
            self.references = (min(before[0], later.references[0]), max(before[1], later.references[1]))
        self._aggregations |= {name: own for name, own in later._aggregations.items() if name not in self._aggregations}
        self._undefined.update(later._undefined)
        for key, tally in later.tallies.items():
            self.tallies[key] = self.tallies[key] + tally if key in self.tallies else tally
        for system, counts in later._rows.items():
            self._rows.setdefault(system, Counter()).update(counts)
        for key, entry in later._sums.items():
            # never the entry itself, which would change, and whose arrays are read-only where Ray delivers them
            own = self._sums.setdefault(key, Resampled(len(entry.total), self.resamples, self.seed))
            own.merge(entry)

    def __getstate__(self) -> dict[str, Any]:
        """Small enough to be sent for every part: without the rows that are shared, which who merges it knows."""
        return self.__dict__ | {"shared": None, "_found": None}

    def _count(self, samples: Samples) -> NDArray[np.intp]:
        """The rows that count; how many there are of every kind is noted by system."""
        counts, failures = self.shared.counts(samples), samples.failures()
        for system, rows in Counter(samples.systems).items():
            self._rows.setdefault(system, Counter())["rows"] += rows
        for row in np.flatnonzero(~counts | failures).tolist():
            kind = "missing" if row in samples.missing else "failures" if failures[row] else "left_out"
            self._rows[samples.systems[row]][kind] += 1
        return np.flatnonzero(counts)

    def _tally(self, system: str, rows: list[int], columns: Mapping[str, ScoreColumn]) -> None:
        for name, column in columns.items():
            criterion = column.aggregation.criterion
            if criterion is not None and column.judgments is not None and rows:
                tally = Tally.of([column.judgments[row] for row in rows], criterion.thresholds)
                self.tallies[name, system] = self.tallies.get((name, system), Tally()) + tally

    def difference(self, name: str, one: str, other: str) -> Estimate:
        """The difference of two systems' means, paired: both are of the same sources, drawn alike."""
        return self._means(name, one, other).difference(0, 1)

    def _means(self, name: str, *systems: str) -> Resamples:
        entries = [self._sums[name, system] for system in systems]
        with np.errstate(invalid="ignore", divide="ignore"):
            point = np.array([entry.total[1] / entry.total[0] for entry in entries])
            values = np.stack([entry.sums[:, 1] / entry.sums[:, 0] for entry in entries])
        own = self._aggregations[name]
        rows = np.array([entry.total[0] for entry in entries]) if own.shares else None
        return Resamples(values, point, min(entry.sources for entry in entries), own.scale, rows)

    def rows(self) -> list[SummaryRow]:
        """One row per metric and system; within a metric the best system first."""
        if self._found is None:
            self._found = self._all_rows()
        return self._found

    def _all_rows(self) -> list[SummaryRow]:
        result: list[SummaryRow] = []
        for name, aggregation in self._aggregations.items():
            of_metric = [self._row(name, system, aggregation) for metric, system in self._sums if metric == name]
            sign = -1 if aggregation.higher_is_better else 1
            result += sorted(of_metric, key=lambda row: (row.mean is None, sign * (row.mean or 0), row.system))
        return result

    @property
    def criterion(self) -> Criterion | None:
        """What the verdict depends on, where the metrics are there that it is made of."""
        return criterion_of(self._aggregations)

    def verdict(self, rows: Sequence[SummaryRow], *, calibrated: bool) -> Verdict | None:
        """The verdict on each system, the one with the most usable candidates first; `rows` are those of `rows()`."""
        criterion = self.criterion
        if criterion is None:
            return None
        by_key = {(row.metric, row.system): row for row in rows}
        found = []
        for row in rows:
            if row.metric == criterion.usable:
                tally = self.tallies.get((criterion.usable, row.system), Tally())
                means = {name: Estimate(*by_key[spec, row.system][2:5]) for name, spec in criterion.metrics.items()}
                found.append(SystemVerdict(row.system, row.rows, tally=tally, **means))
        return Verdict(criterion, calibrated, found, self._gap(criterion.usable, found))

    def _gap(self, usable: str, systems: Sequence[SystemVerdict]) -> Estimate | None:
        known = [one.system for one in systems if one.usable.value is not None]
        if len(known) < 2 or self.shared.matched == "none":
            return None
        return self.difference(usable, *known[:2])._replace(p=None)  # which is that of two systems picked by looking

    def remarks(self) -> list[str]:
        """What the reader of the means should know of the rows behind them, each in one sentence."""
        found = []
        left_out = {system: own["left_out"] for system, own in self._rows.items() if own["left_out"]}
        if left_out:
            what = "rows" if self.shared.matched == "id" else "sources"
            lists = listed([f"{system} ({count:,})" for system, count in left_out.items()])
            found.append(
                f"systems are compared on the {self.shared.rows:,} {what} that all of them have; rows left out: {lists}"
            )
        if self.shared.matched == "none":
            found.append(
                "the systems have no row in common, so each is summed up over its own rows and means do not compare"
            )
        failures = sum(own["failures"] for own in self._rows.values())
        endless = [name for name, aggregation in self._aggregations.items() if math.isnan(aggregation.worst)]
        if failures and endless and self.shared.empty == "worst":
            found.append(
                f"{counted(failures, 'candidate')} {'is' if failures == 1 else 'are'} empty; {listed(endless)} "
                f"{'has' if len(endless) == 1 else 'have'} no worst score to count for that: such a row has its own "
                "score where the metric is defined, and else is left out of the mean"
            )
        return found

    def __repr__(self) -> str:
        metrics = listed(list(self._aggregations))
        return f"Summary({counted(self.size, 'row')}, {counted(len(self._rows), 'system')}: {metrics})"

    def _repr_html_(self) -> str:
        rows = self.rows()
        return table_html(repr(self), {name: [getattr(row, name) for row in rows] for name in SummaryRow._fields})

    def _row(self, name: str, system: str, aggregation: Aggregation) -> SummaryRow:
        entry, own = self._sums[name, system], self._rows[system]
        mean, corpus = self._means(name, system).estimate(0), Estimate(None)
        if aggregation.from_counts is not None and entry.total[2]:
            drawn = entry.sums[:, 2] > 0
            values = aggregation.from_counts(np.vstack([entry.total[3:], entry.sums[drawn, 3:]]))
            corpus = Resamples(values[None, 1:], values[:1], entry.sources).estimate(0)
        kinds = (own["rows"], self._undefined[name, system], own["failures"], own["missing"], own["left_out"])
        return SummaryRow(
            name,
            system,
            *mean[:3],
            *corpus[:3],
            *kinds,
            aggregation.higher_is_better,
        )


def criterion_of(aggregations: Mapping[str, Aggregation]) -> Criterion | None:
    """What a verdict depends on: that of the metric that judges, where the two that it is made of are there too."""
    for aggregation in aggregations.values():
        found = aggregation.criterion
        if found is not None and {found.meaning, found.changed} <= aggregations.keys():
            return found
    return None


def row_sums(column: ScoreColumn, samples: Samples, empty: str) -> Floats:
    """Weight and weighted score of each row and, of a metric made of sums, 1 and its counts; zeros where undefined."""
    scores = column.aggregation.with_failures(samples, column.scores, empty)
    defined = ~np.isnan(scores)
    given = column.aggregation.weights(samples)
    weight: Floats = np.where(defined, np.ones(len(scores)) if given is None else given, 0.0)
    total: Floats = weight * np.where(defined, scores, 0.0)
    parts: list[Floats] = [weight[:, None], total[:, None]]
    if column.counts is not None:
        known: NDArray[np.bool_] = np.asarray(~np.isnan(column.counts).any(axis=1))
        parts += [known[:, None].astype(np.float64), np.where(known[:, None], column.counts, 0.0)]
    return np.hstack(parts)


def reference_counts(samples: Samples) -> tuple[int, int]:
    """Fewest and most references of a row."""
    counts = [len(group) for group in samples.references]
    return (min(counts, default=0), max(counts, default=0))
