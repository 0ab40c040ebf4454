"""Scores of systems against a reference and against that reference with further ones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..compute.workspace import Workspace
from ..errors import InputError
from ..evaluate import reference_range
from ..metric import Metric, SumMetric
from ..metrics import parse
from ..metrics.form.bleu import Bleu
from ..tables.display import counted, table_html
from ..tables.samples import Samples
from .clipping import bleu_counts
from .progress import Progress, silent
from .task import Task

Floats = NDArray[np.float64]


@dataclass(frozen=True, repr=False)
class Scored:
    """Every system and segment of a task by one metric, with so many extra references."""

    metric: Metric
    signature: str
    extras: int
    systems: list[str]
    segments: Floats  # (systems, segments), NaN where undefined
    corpus: Floats  # (systems,)
    counts: Floats | None = None  # (systems, segments, counts) of a metric that is made of sums

    def __repr__(self) -> str:
        parts = counted(len(self.systems), "system"), counted(self.segments.shape[1], "segment")
        return f"Scored({self.metric.spec}, {', '.join(parts)}, {counted(self.extras, 'extra reference')})"

    def _repr_html_(self) -> str:
        return table_html(repr(self), {"system": self.systems, "corpus": self.corpus.tolist()})

    @property
    def sign(self) -> int:
        """1 where a higher score is better, −1 where a lower one is."""
        return 1 if self.metric.direction else -1

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
    task: Task,
    metric: Metric | str = "bleu:tokenizer=13a",
    sizes: Sequence[int] | None = None,
    work: Workspace | None = None,
    progress: Progress = silent,
) -> list[Scored]:
    """Score every system with the reference and the first so many extra references, for each of `sizes`.

    Without `sizes`: with the reference alone, and with all extra references. A metric of counts clips over all
    references (BLEU) or takes the best of them (chrF, TER, METEOR), as it is defined; any other takes the best.
    """
    metric = parse(metric) if isinstance(metric, str) else metric
    sizes = _checked(task, metric, sizes)
    work = Workspace() if work is None else work
    if type(metric) is Bleu:
        progress("scoring systems", 0, len(sizes))
        counted = bleu_counts(task, metric, sizes, work)
        progress("scoring systems", len(sizes), len(sizes))
        return [_from_counts(task, metric, size, counted[size]) for size in sizes]
    found = []
    for place, size in enumerate(sizes):
        done = (place * len(task.outputs), len(sizes) * len(task.outputs))
        found.append(_one_by_one(task, metric, size, work, progress, done))
    return found


def _checked(task: Task, metric: Metric, sizes: Sequence[int] | None) -> list[int]:
    if "references" not in metric.requires:
        raise InputError(f"{metric.spec} needs {metric.requires}, not references; further references change nothing")
    if "source" in metric.requires and task.sources is None:
        raise InputError(
            f"{metric.spec} needs {metric.requires}, and there are no sources; `references score` takes --source"
        )
    if metric.unit != "pair":
        raise InputError(f"{metric.spec} scores sets of candidates; expected a metric of single candidates")
    chosen = sorted({0, task.extras} if sizes is None else set(sizes))
    if not chosen or chosen[0] < 0 or chosen[-1] > task.extras:
        asked = ", ".join(map(str, (size for size in chosen if not 0 <= size <= task.extras))) or "no number of"
        raise InputError(f"{asked} extra references were asked for; {task.name} has from 0 to {task.extras}")
    return chosen


def _from_counts(task: Task, metric: SumMetric, size: int, counts: Floats) -> Scored:
    flat = counts.reshape(-1, counts.shape[2])
    segments = metric.from_counts(flat, corpus=False).reshape(counts.shape[:2])
    summed = np.nansum(counts, axis=1)
    corpus = metric.from_counts(summed, corpus=True)
    corpus[np.isnan(counts).all(axis=(1, 2))] = np.nan
    return Scored(metric, _signature(task, metric, size), size, task.systems, segments, corpus, counts)


def _one_by_one(
    task: Task, metric: Metric, size: int, work: Workspace, progress: Progress, state: tuple[int, int]
) -> Scored:
    groups = list(zip(*task.references[: size + 1], strict=True))
    sources = task.references[0] if task.sources is None else task.sources
    counts, segments, corpus = [], [], []
    for done, (system, texts) in enumerate(task.outputs.items(), 1):
        samples = Samples.of(sources, texts, groups, system)
        metric.prepare([samples], work)
        if isinstance(metric, SumMetric):
            counts.append(metric.counts(samples, work))
        else:
            segments.append(metric.rate(samples, work))
            defined = segments[-1][~np.isnan(segments[-1])]
            corpus.append(float(defined.mean()) if len(defined) else np.nan)
        progress("scoring systems", state[0] + done, state[1])
    if isinstance(metric, SumMetric):
        return _from_counts(task, metric, size, np.stack(counts))
    signature = _signature(task, metric, size)
    return Scored(metric, signature, size, task.systems, np.stack(segments), np.array(corpus))


def _signature(task: Task, metric: Metric, size: int) -> str:
    numbers = [sum(bool(text.strip()) for text in group) for group in zip(*task.references[: size + 1], strict=True)]
    return metric.signature(reference_range(min(numbers), max(numbers)))
