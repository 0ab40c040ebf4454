"""A part of an input, scored by itself, by a pure function, so that merging is exact."""

from __future__ import annotations

import functools
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ..compute.features import count_copies
from ..compute.store import FeatureStore
from ..compute.workspace import Progress, Workspace
from ..errors import InputError
from ..metric import Metric, SumMetric
from ..process.limits import without_collector
from ..runs.scores import load_rows, load_scores, save_scores
from ..runs.store import Parts
from ..tables.notices import NoticeKind, Notices
from ..tables.samples import Samples
from ..tables.scores import Aggregation, ScoreColumn, Scores
from ..tables.shared_rows import SharedRows
from ..tables.summary import Summary, reference_counts
from ..verdict.judgment import Judgment
from ..verdict.tally import usable_scores
from ..verdict.words import why
from .plan import Part, needs_store


class ScoredPart(NamedTuple):
    """What comes back of a part: its summary, and what was wrong with files of it that were there before."""

    summary: Summary
    repaired: list[str]


@dataclass
class PartScorer:
    """Scores a part, in whatever process it is called: all it needs is here, and can be pickled.

    The workspace is fresh for every part; the disk cache is that of the machine.
    """

    metrics: Sequence[Metric]
    prepared: Mapping[str, Any]
    shared: SharedRows
    parts: Parts | None = None  # where finished parts are kept
    complete: Path | None = None  # a complete run: its scores are read instead
    cache: Path | str | None = None  # a file for the disk cache, "default" for the user's own on whichever machine
    progress: Progress | None = None  # in this process only

    def __call__(self, part: Part) -> ScoredPart:
        aggregations = {metric.spec: aggregation_of(metric) for metric in self.metrics}
        samples = part.samples
        found: Scores | None = None
        wrong: list[str] = []
        if self.complete is None and self.parts is not None:
            found, wrong = load_scores(self.parts, part.number, samples, aggregations)
        if found is None:
            if self.complete is None:
                found = self._scored(samples)
            else:
                found = load_rows(self.complete, part.first_row, samples, aggregations)
            if self.parts is not None:
                save_scores(self.parts, part.number, found)
        summary = Summary(shared=self.shared)
        summary.add(found)
        return ScoredPart(summary, wrong)

    def _scored(self, samples: Samples) -> Scores:
        if self.cache == "default":
            store: FeatureStore | None = FeatureStore.default()
        else:
            store = None if self.cache is None else FeatureStore.at(Path(self.cache), sys.maxsize)
        work = Workspace(store, progress=self.progress)
        try:
            with without_collector():
                return score_part(samples, self.metrics, self.prepared, work, self.shared.empty)
        finally:
            work.close()

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__ | {"progress": None}


def score_part(
    samples: Samples,
    metrics: Sequence[Metric],
    prepared: Mapping[str, Any],
    work: Workspace,
    empty: str | None = None,
) -> Scores:
    """Score some rows: undefined ones are NaN with a reason; a metric that breaks its contract is an error.

    `prepared` is what metrics took from the whole input before.
    """
    work.prepared.update(prepared)
    columns = {}
    for metric in metrics:
        counts = None
        judgments = metric.judgments(samples, work)
        if judgments is not None:
            scores = usable_scores(judgments)
        elif isinstance(metric, SumMetric):
            counts = metric.counts(samples, work)
            counts[list(samples.missing)] = np.nan
            scores = metric.from_counts(counts, corpus=False)
        else:
            scores = metric.rate(samples, work)
        if scores.shape != (len(samples),):
            raise InputError(f"{metric.spec} gave scores of shape {scores.shape} for {len(samples)} rows")
        scores = metric.of_candidates(samples, scores)
        reasons = {int(row): metric.why(samples, int(row)) for row in np.flatnonzero(np.isnan(scores))}
        remarks = metric.remarks(samples, work) if judgments is None else _why(samples, judgments)
        columns[metric.spec] = ScoreColumn(scores, reasons, counts, aggregation_of(metric), remarks, judgments)
    work.notices.add(NoticeKind.REPAIRED, count=samples.repaired)
    count_copies(samples, work)
    notices, work.notices = work.notices, Notices()
    nrefs = reference_range(*reference_counts(samples))
    signatures = {metric.spec: metric.signature(nrefs, work, empty) for metric in metrics}
    return Scores(samples, columns, signatures, notices, empty or "worst")


def aggregation_of(metric: Metric) -> Aggregation:
    """What the summary has to know of a metric."""
    from_counts = functools.partial(metric.from_counts, corpus=True) if isinstance(metric, SumMetric) else None
    return Aggregation(
        from_counts,
        metric.higher_is_better,
        metric.weights,
        metric.with_failures,
        metric.worst,
        metric.range,
        metric.shares,
        metric.criterion,
    )


def _why(samples: Samples, judgments: Sequence[Judgment]) -> dict[int, str]:
    """The verdict on each row in words, where there is something to say."""
    texts = zip(judgments, samples.sources, samples.candidates, strict=True)
    return {row: said for row, own in enumerate(texts) if (said := why(*own)) is not None}


def reference_range(fewest: int, most: int) -> str:
    """`2` or `1-3`: how many references the rows have."""
    return str(most) if fewest == most else f"{fewest}-{most}"


def workspace_for(metrics: Iterable[Metric], *, cache: bool = True, progress: Progress | None = None) -> Workspace:
    """A workspace with the disk cache where a metric computes something expensive enough for it."""
    return Workspace(FeatureStore.default() if cache and any(map(needs_store, metrics)) else None, progress=progress)
