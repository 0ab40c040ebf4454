"""Extrinsic evaluation: do paraphrases help a task, and do intrinsic metrics predict it."""

from __future__ import annotations

from .accuracy import McNemar, Mean, crossed_mean, mcnemar
from .association import Association, associations, point_biserial
from .evaluation import evaluate_extrinsic
from .prediction import Gain, Prediction, predict
from .results import Associated, Evaluation, TaskOutcome
from .tasks import TextTask, open_task, table_task
from .tasks.labelled import Labelled, read_labelled
from .tasks.versions import Version, paraphrased, read_versions

__all__ = [
    "Associated",
    "Association",
    "Evaluation",
    "Gain",
    "Labelled",
    "McNemar",
    "Mean",
    "Prediction",
    "TaskOutcome",
    "TextTask",
    "Version",
    "associations",
    "crossed_mean",
    "evaluate_extrinsic",
    "mcnemar",
    "open_task",
    "paraphrased",
    "point_biserial",
    "predict",
    "read_labelled",
    "read_versions",
    "table_task",
]  # fmt: skip
