"""Extrinsic evaluation: do paraphrases help a task, and do intrinsic metrics foresee it."""

from __future__ import annotations

from .evaluation import evaluate_extrinsic
from .results import Associated, Evaluation, Outcome
from .statistics.accuracy import McNemar, Mean, crossed_mean, mcnemar
from .statistics.association import Association, associations, point_biserial
from .statistics.foresight import Foresight, Gain, foresee
from .tasks import Task, open_task, table_task
from .tasks.labelled import Labelled, read_labelled
from .tasks.versions import Version, paraphrased, read_versions

__all__ = [
    "Associated", "Association", "Evaluation", "Foresight", "Gain", "Labelled", "McNemar", "Mean", "Outcome", "Task",
    "Version", "associations", "crossed_mean", "evaluate_extrinsic", "foresee", "mcnemar", "open_task",
    "paraphrased", "point_biserial", "read_labelled", "read_versions", "table_task",
]  # fmt: skip
