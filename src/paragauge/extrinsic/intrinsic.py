"""Intrinsic scores of paraphrased test texts, kept in the run folder."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ..compute.workspace import Progress
from ..evaluate.api import evaluate_whole
from ..files.rows import as_json
from ..metric import Floats, Metric
from ..runs.record import sha256_of
from ..runs.store import Parts
from ..tables.notices import sentences
from ..tables.samples import Samples
from .tasks import TextTask
from .tasks.versions import ORIGINAL, Version

Scores = dict[tuple[str, str], dict[str, Floats]]  # by task and paraphraser, by metric: one per text


def score_versions(
    tasks: Sequence[TextTask],
    versions: Mapping[str, Mapping[str, Version]],
    metrics: Sequence[Metric],
    kept: Parts | None,
    progress: Progress,
) -> tuple[Scores, list[str]]:
    """The intrinsic scores of each paraphrased test text against the original, on the metric's own scale.

    Of a version that has training texts alone, theirs.
    """
    found: Scores = {}
    notes: list[str] = []
    for task in tasks:
        for name, version in versions[task.name].items():
            if name == ORIGINAL or not metrics:
                continue
            own = _scored(task, version, metrics, kept, progress)
            notes += [f"{task.name}, {name}: {note}" for note in own["notes"]]
            found[task.name, name] = {
                metric.spec: np.array(own["scores"][metric.spec], dtype=np.float64) for metric in metrics
            }
    return found, notes


def _scored(
    task: TextTask, version: Version, metrics: Sequence[Metric], kept: Parts | None, progress: Progress
) -> dict[str, Any]:
    """The scores by metric, null where undefined, and what the reader should know."""
    signatures = [metric.signature() for metric in metrics]
    key = sha256_of("\x1f".join([task.fingerprint(), version.key, *signatures]).encode())[:32]
    before = kept.load(key) if kept is not None else None
    if before is not None:
        found: dict[str, Any] = json.loads(before[0])
        return found
    texts = (task.train.texts, version.train) if version.test is None else (task.test.texts, version.test)
    scores = evaluate_whole(Samples.of(*texts), metrics, progress=progress)
    columns = {metric.spec: scores[metric.spec].tolist() for metric in metrics}
    own = {
        "scores": {name: [None if value != value else value for value in column] for name, column in columns.items()},
        "notes": list(map(str, sentences(scores.notices))),
    }
    if kept is not None:
        kept.save(key, as_json(own))
    return own
