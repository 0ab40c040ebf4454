"""From the answers of trained classifiers to accuracies, gains and tests."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from ..stats.tests import holm
from .accuracy import Floats, mcnemar, mean_accuracy, mean_difference
from .cells import Trained
from .finding import AT_CHANCE, verdict
from .modes import AUGMENT, REPLACE, ROBUSTNESS, Training
from .results import TaskOutcome
from .tasks import TextTask
from .tasks.versions import ORIGINAL

Answers = dict[tuple[str, Training, str], dict[str, Floats]]  # task, training, model: by test version (seeds, texts)


def right_answers(tasks: Mapping[str, TextTask], trained: Sequence[Trained]) -> Answers:
    """Right (1) or wrong (0): the seeds in their order."""
    found: dict[tuple[str, Training, str], dict[str, list[NDArray[np.bool_]]]] = {}
    for one in sorted(trained, key=lambda own: own.cell.seed):
        task = tasks[one.cell.task]
        truth = np.array(task.numbers(task.test.labels))
        own = found.setdefault((one.cell.task, one.cell.training, one.cell.model), {})
        for name, answers in one.answers.items():
            own.setdefault(name, []).append(np.array(answers) == truth)
    return {key: {name: np.array(rows, dtype=np.float64) for name, rows in own.items()} for key, own in found.items()}


def outcomes(
    tasks: Mapping[str, TextTask], right: Answers, modes: Sequence[str], shares: Sequence[float], margin: float
) -> list[TaskOutcome]:
    """One row for each task, mode, share, classifier and paraphraser, and one for the originals."""
    versions = [training.version for _, training, _ in right] + [name for own in right.values() for name in own]
    names = [name for name in dict.fromkeys(versions) if name != ORIGINAL]
    models = list(dict.fromkeys(model for *_, model in right))
    found: list[TaskOutcome] = []
    for task in tasks:
        for mode in modes:
            rows = [
                row
                for share in (sorted(shares) if mode == AUGMENT else [1.0])
                for model in models
                for row in _rows(right, tasks[task], mode, share, model, names, margin)
            ]
            adjusted = holm([row.p for row in rows])
            found += [row._replace(adjusted=float(p)) for row, p in zip(rows, adjusted, strict=True)]
    return found


def _rows(
    right: Answers, whole: TextTask, mode: str, share: float, model: str, names: Sequence[str], margin: float
) -> Iterator[TaskOutcome]:
    task = whole.name
    base = right.get((task, Training(ORIGINAL, share=share), model), {})
    if ORIGINAL not in base:
        return
    first = _outcome(task, mode, ORIGINAL, share, model, base[ORIGINAL], None, margin)
    at_chance = mode != AUGMENT and first.low <= _most_frequent(whole)
    yield first._replace(verdict=AT_CHANCE if at_chance else "")
    for name in names:
        if mode == ROBUSTNESS:
            own = base.get(name)
        else:
            training = Training(name) if mode == REPLACE else Training(name, True, share)
            own = right.get((task, training, model), {}).get(ORIGINAL)
        if own is not None:
            found = _outcome(task, mode, name, share, model, own, base[ORIGINAL], margin)
            yield found._replace(verdict=AT_CHANCE) if at_chance else found


def _most_frequent(task: TextTask) -> float:
    """The share of the test texts with the most frequent label."""
    return max(Counter(task.test.labels).values()) / len(task.test)


def _outcome(
    task: str, mode: str, name: str, share: float, model: str, own: Floats, base: Floats | None, margin: float
) -> TaskOutcome:
    mean = mean_accuracy(own)
    common = (task, mode, name, share, model, len(own), own.shape[1], mean.value, mean.low, mean.high, mean.spread)
    if base is None:
        return TaskOutcome(*common, math.nan, math.nan, math.nan, math.nan, math.nan, (), "")
    gap = mean_difference(own, base)
    within = tuple(mcnemar(one, two).p for one, two in zip(own, base, strict=True))
    said = verdict(mode, gap.low, gap.high, margin)
    return TaskOutcome(*common, gap.value, gap.low, gap.high, gap.p, math.nan, within, said)
