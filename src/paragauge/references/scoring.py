"""Scores of systems against a reference and against that reference with additional ones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from ..compute.workspace import Progress, Workspace, no_progress
from ..errors import Hint, InputError
from ..evaluate.api import evaluate_whole
from ..evaluate.part import workspace_for
from ..metric import Metric, SumMetric
from ..metrics import parse
from ..stats.arrays import mean_defined
from ..tables.display import counted, table_html
from ..tables.notices import Notices
from ..tables.samples import Samples
from .task import EvaluationSet

Floats = NDArray[np.float64]
EMPTY = "worst"  # what an empty output counts


@dataclass(frozen=True, repr=False)
class SystemScores:
    """Every system and segment of a task by one metric, with a given number of extra references."""

    metric: Metric
    signature: str
    extras: int
    systems: list[str]
    segments: Floats  # (systems, segments), NaN where undefined
    corpus: Floats  # (systems,)
    counts: Floats | None = None  # (systems, segments, counts) of a metric that is made of sums
    notices: Notices = field(default_factory=Notices)  # what to warn of, counted

    def __repr__(self) -> str:
        parts = counted(len(self.systems), "system"), counted(self.segments.shape[1], "segment")
        return f"SystemScores({self.metric.spec}, {', '.join(parts)}, {counted(self.extras, 'extra reference')})"

    def _repr_html_(self) -> str:
        return table_html(repr(self), {"system": self.systems, "corpus": self.corpus.tolist()})

    @property
    def sign(self) -> int:
        """1 where a higher score is better, −1 where a lower one is."""
        return 1 if self.metric.higher_is_better else -1

    def ranked(self) -> list[int]:
        """The places of the systems, from best to worst."""
        return sorted(range(len(self.systems)), key=lambda place: -self.sign * float(self.corpus[place]))

    def resampled(self, weights: Floats) -> Floats:
        """The corpus scores with segments weighted; `weights` and result have one row per resample."""
        result = np.empty((len(weights), len(self.systems)))
        for place in range(len(self.systems)):
            if self.counts is not None and isinstance(self.metric, SumMetric):
                defined = ~np.isnan(self.counts[place]).any(axis=1)
                sums = weights[:, defined] @ self.counts[place][defined]
                result[:, place] = self.metric.from_counts(sums, corpus=True)
            else:
                defined = ~np.isnan(self.segments[place])
                sums = weights[:, defined] @ self.segments[place][defined]
                drawn = weights[:, defined].sum(axis=1)
                result[:, place] = np.divide(sums, drawn, out=np.full(len(weights), np.nan), where=drawn > 0)
        return result


def score_task(
    task: EvaluationSet,
    metrics: Metric | str | Sequence[Metric | str] = "bleu:tokenizer=13a",
    sizes: Sequence[int] | None = None,
    work: Workspace | None = None,
    progress: Progress = no_progress,
) -> list[SystemScores]:
    """Score every system with the reference and the first N extra references, for each metric and each N in `sizes`.

    Without `sizes`: with the reference alone, and with all extra references. A metric of counts clips over all
    references (BLEU) or takes the best of them (chrF, TER, METEOR), as it is defined; any other takes the best.
    """
    named = [metrics] if isinstance(metrics, (str, Metric)) else metrics
    chosen = [parse(metric) if isinstance(metric, str) else metric for metric in named]
    wanted = _checked(task, chosen, sizes)
    own = work is None
    if work is None:
        work = workspace_for(chosen)
    try:
        found = _evaluated(task, chosen, wanted, work, progress)
    finally:
        if own:
            work.close()
    return [scores for metric in chosen for scores in found[metric]]


def _checked(task: EvaluationSet, metrics: Sequence[Metric], sizes: Sequence[int] | None) -> list[int]:
    for metric in metrics:
        if "references" not in metric.needs:
            raise InputError(f"{metric.spec} needs {metric.needs}, not references; more references change nothing")
        if "source" in metric.needs and task.sources is None:
            raise InputError(
                f"{metric.spec} needs {metric.needs}, and there are no sources",
                Hint("`references score` takes {source}", source=None),
            )
        if metric.unit != "pair":
            raise InputError(f"{metric.spec} scores sets of candidates; expected a metric of single candidates")
    chosen = sorted({0, task.extras} if sizes is None else set(sizes))
    if not chosen or chosen[0] < 0 or chosen[-1] > task.extras:
        asked = ", ".join(map(str, (size for size in chosen if not 0 <= size <= task.extras))) or "no number of"
        raise InputError(f"{asked} extra references requested; {task.name} has from 0 to {task.extras}")
    return chosen


def _evaluated(
    task: EvaluationSet, metrics: Sequence[Metric], sizes: Sequence[int], work: Workspace, progress: Progress
) -> dict[Metric, list[SystemScores]]:
    """Each system as a table of its own, scored by all metrics together; a text is encoded once for all sizes.

    An empty output is a failure of its system, and has the worst score.
    """
    found: dict[Metric, list[SystemScores]] = {metric: [] for metric in metrics}
    steps = len(sizes) * len(task.outputs)
    for step, size in enumerate(sizes):
        groups = list(zip(*task.references[: size + 1], strict=True))
        tables = []
        for done, (system, texts) in enumerate(task.outputs.items(), 1):
            rows = Samples.of(task.sources, texts, groups, [system] * len(texts))
            tables.append(evaluate_whole(rows, metrics, work, empty=EMPTY))
            work.flush()
            progress("scoring systems", step * len(task.outputs) + done, steps)
        notices = Notices(notice for table in tables for notice in table.notices)
        for metric in metrics:
            columns = [table.columns[metric.spec] for table in tables]
            signature = tables[0].signatures[metric.spec]
            if isinstance(metric, SumMetric):
                counts = np.stack([column.counts for column in columns if column.counts is not None])
                scores = _from_counts(task, metric, signature, size, counts)
            else:
                segments = np.stack(
                    [
                        metric.with_failures(table.samples, column.scores, EMPTY)
                        for table, column in zip(tables, columns, strict=True)
                    ]
                )
                scores = SystemScores(metric, signature, size, task.systems, segments, mean_defined(segments))
            found[metric].append(replace(scores, notices=notices))
    return found


def _from_counts(task: EvaluationSet, metric: SumMetric, signature: str, size: int, counts: Floats) -> SystemScores:
    flat = counts.reshape(-1, counts.shape[2])
    segments = metric.from_counts(flat, corpus=False).reshape(counts.shape[:2])
    corpus = metric.from_counts(np.nansum(counts, axis=1), corpus=True)
    corpus[np.isnan(counts).all(axis=(1, 2))] = np.nan
    return SystemScores(metric, signature, size, task.systems, segments, corpus, counts)
