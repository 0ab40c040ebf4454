"""Tables of an extrinsic evaluation: in the form of Tables 2 and 3 of Hailu et al. 2020, and all rows."""

from __future__ import annotations

import math
from typing import Any

from ..tables.display import spread
from .association import Association, stars
from .modes import AUGMENT, REPLACE, ROBUSTNESS
from .prediction import Prediction
from .results import Evaluation, TaskOutcome
from .tasks.versions import ORIGINAL

Table = tuple[list[str], list[list[Any]]]
CAPTIONS = {
    REPLACE: "accuracy on the originals, trained on originals or on paraphrases",
    AUGMENT: "accuracy on the originals, trained on originals alone or with paraphrases added",
    ROBUSTNESS: "accuracy of training on originals, tested on originals or on paraphrases",
}
_FIRST = {REPLACE: "trained on", AUGMENT: "trained on", ROBUSTNESS: "tested on"}


def accuracy_table(found: Evaluation, task: str, mode: str) -> Table:
    """Training sets (or test sets) by classifiers, in percent: Table 2 with intervals.

    A star after the difference to the originals: p ≤ 0.05 after Holm's correction, over seeds and texts.
    """
    rows = found.of(task, mode)
    models = list(dict.fromkeys(row.model for row in rows))
    header = [_FIRST[mode], *(["share"] if mode == AUGMENT else []), *models]
    table: list[list[Any]] = []
    for share in sorted({row.share for row in rows}):
        for name in dict.fromkeys(row.paraphraser for row in rows):
            own = {row.model: row for row in rows if (row.share, row.paraphraser) == (share, name)}
            if own:
                shown = name if name == ORIGINAL or mode != AUGMENT else f"{ORIGINAL} + {name}"
                cells = [_accuracy(own[model]) if model in own else None for model in models]
                table.append([shown, *([f"{100 * share:g}%"] if mode == AUGMENT else []), *cells])
    return header, table


def _accuracy(row: TaskOutcome) -> str:
    percent = f"{100 * row.accuracy:.2f}"
    if row.paraphraser == ORIGINAL:
        return f"{percent} ({_interval(100 * row.low, 100 * row.high, 1)})"
    star = "*" if row.adjusted <= 0.05 else ""
    gain = f"{100 * row.gain:+.2f}".replace("-", "−")
    return f"{percent} ({gain}{star}; {_interval(100 * row.gain_low, 100 * row.gain_high, 1)})"


def _interval(low: float, high: float, digits: int) -> str:
    return spread(low, high, digits).replace("-", "−")


def association_table(found: Evaluation, task: str, metric: str) -> Table:
    """Classifiers by paraphrasers, Pearson's r with its 95% interval and Spearman's ρ, the paper's stars: Table 3."""
    rows = [row for row in found.associations if row.task == task and row.found.metric == metric]
    names = list(dict.fromkeys(row.paraphraser for row in rows))
    header = ["model", *(f"{name} {sign}" for name in names for sign in ("r", "ρ"))]
    table: list[list[Any]] = []
    for model in dict.fromkeys(row.model for row in rows):
        own = {row.paraphraser: row.found for row in rows if row.model == model}
        cells: list[Any] = []
        for name in names:
            one = own[name]
            pearson = _starred(one.pearson, one.pearson_p)
            if pearson is not None:
                pearson += f" ({_interval(one.pearson_low, one.pearson_high, 3)})"
            cells += [pearson, _starred(one.spearman, one.spearman_p)]
        table.append([model, *cells])
    return header, table


def associations_table(found: Evaluation, task: str) -> Table:
    """The same for every metric, one below the other."""
    metrics = dict.fromkeys(row.found.metric for row in found.associations if row.task == task)
    made = {metric: association_table(found, task, metric) for metric in metrics}
    header = next((own for own, _ in made.values()), ["model"])
    return ["metric", *header], [[metric, *row] for metric, (_, rows) in made.items() for row in rows]


def _starred(value: float, p: float) -> str | None:
    return None if math.isnan(value) else f"{value:z.3f}{stars(p)}".replace("-", "−")


def association_rows(found: Evaluation) -> Table:
    """Every association with its intervals."""
    header = ["task", "metric", "paraphraser", "model", *_names(Association)[1:]]
    rows: list[list[Any]] = [
        [row.task, row.found.metric, row.paraphraser, row.model, *row.found[1:]] for row in found.associations
    ]
    return header, rows


def prediction_rows(found: Evaluation) -> Table:
    """How well each metric predicts the gain, with all numbers."""
    return _names(Prediction), list(map(list, found.prediction))


def prediction_table(found: Evaluation) -> Table:
    """Metrics by how well they predict the gain, for each mode."""
    header = ["mode", "metric", "rank correlation", "95% interval", "p", "least p", "paraphrasers", "gains", "reason"]
    rows: list[list[Any]] = [
        [
            row.mode, row.metric, row.value, _interval(row.low, row.high, 2), row.p, row.least_p, row.paraphrasers,
            row.points, row.reason,
        ]
        for row in found.prediction
    ]  # fmt: skip
    return header, rows


def intrinsic_table(found: Evaluation) -> Table:
    """The mean intrinsic scores of the paraphrased test texts."""
    metrics = list(dict.fromkeys(name for own in found.intrinsic.values() for one in own.values() for name in one))
    rows: list[list[Any]] = [
        [task, name, *(scores.get(metric, math.nan) for metric in metrics)]
        for task, own in found.intrinsic.items()
        for name, scores in own.items()
    ]
    return ["task", "paraphraser", *metrics], rows


def outcome_rows(found: Evaluation) -> Table:
    """Every outcome, with all its numbers."""
    rows: list[list[Any]] = [
        [" ".join(f"{p:.3g}" for p in cell) if isinstance(cell, tuple) else cell for cell in row]
        for row in found.outcomes
    ]
    return _names(TaskOutcome), rows


def _names(kind: type[TaskOutcome | Association | Prediction]) -> list[str]:
    return [name.replace("_", " ") for name in kind._fields]
