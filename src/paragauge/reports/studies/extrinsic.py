"""Do paraphrases help a task: accuracies, learning curves, scores against correct answers, prediction."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial
from typing import Any

from ...extrinsic import tables
from ...extrinsic.finding import findings
from ...extrinsic.modes import AUGMENT, REPLACE, ROBUSTNESS
from ...extrinsic.results import Evaluation, TaskOutcome
from ...extrinsic.tasks.versions import ORIGINAL
from ...files.write import PathLike
from ...printable import printable
from ..charts import COLOURS, altair, colours, drawn
from ..document import Element, Group, Measured, PValue, Section, Table, Text, number
from ..page import save
from ..sections.about import of_study

# what the last column of a table of accuracies answers
QUESTIONS = {REPLACE: "can it replace?", AUGMENT: "does it help?", ROBUSTNESS: "read as well?"}


def write_extrinsic_report(found: Evaluation, *, output: PathLike, title: str | None = None, command: str = "") -> None:
    """The finding, a section for each task, which metric predicts the gain, training losses, how it was measured."""
    made = [_answer(found), *(_task(found, task, place) for place, task in enumerate(found.tasks))]
    made += [section for section in (_prediction(found), _losses(found)) if section is not None]
    times = [
        f"{model}: {number(seconds, 1)} s to train once on all data"
        for model, seconds in found.seconds.items()
        if not math.isnan(seconds)
    ]
    made.append(of_study(command, found.signatures.items(), times))
    save(output, title or f"Do paraphrases help: {', '.join(found.tasks)}", made)


def _answer(found: Evaluation) -> Section:
    parts: list[Element] = [Text([sentence], "answer") for sentence in found.findings[:1]]
    if found.findings[1:]:
        parts.append(Text(found.findings[1:]))
    if found.notes:
        parts.append(Group("Notes", [Text(found.notes, "note")], folded=True))
    return Section("answer", "Answer", parts)


def _task(found: Evaluation, task: str, place: int) -> Section:
    parts: list[Element] = []
    for mode in found.modes:
        rows = found.of(task, mode)
        if mode == AUGMENT and any(row.share < 1 for row in rows):
            about = "accuracy by the share of the training data; the table has the numbers"
            parts += drawn((partial(_learning_curves, rows=rows), about))
        parts.append(_accuracies(rows, f"{task} {mode}", f"{task}: {tables.CAPTIONS[mode]}, in percent"))
    if any(row.task == task for row in found.associations):
        caption = (
            f"{task}: scores of a paraphrased text against its being classified correctly: Pearson's r with its 95% "
            "interval, Spearman's ρ; * p ≤ 0.05, ** 0.01"
        )
        parts.append(Table(f"{task} scores", caption, *tables.associations_table(found, task)))
    return Section(f"task-{place + 1}", f"Task: {task}", parts)


def _accuracies(rows: Sequence[TaskOutcome], name: str, caption: str) -> Table:
    shares = len({row.share for row in rows}) > 1
    header = ["paraphraser", *(["share"] if shares else []), "classifier", "seeds", "accuracy", "difference", "p",
              "p (Holm)", QUESTIONS[rows[0].mode]]  # fmt: skip
    lines: list[list[Any]] = []
    for row in rows:
        accuracy = Measured.of(100 * row.accuracy, 100 * row.low, 100 * row.high, 1)
        gain = Measured.of(100 * row.gain, 100 * row.gain_low, 100 * row.gain_high, 1)
        lines.append(
            [row.paraphraser, *([f"{100 * row.share:g}%"] if shares else []), row.model, row.seeds, accuracy,
             gain if row.paraphraser != ORIGINAL else None, PValue(row.p), PValue(row.adjusted), row.verdict]
        )  # fmt: skip
    return Table(name, caption, header, lines)


def _learning_curves(alt: Any, rows: Sequence[TaskOutcome]) -> Any:
    """Accuracy against the share of the data, with and without paraphrases, a panel for each classifier."""
    names = [_added(name) for name in dict.fromkeys(row.paraphraser for row in rows)]
    values = [
        {
            "model": printable(row.model), "trained on": _added(row.paraphraser), "share": row.share,
            "accuracy": row.accuracy, "low": row.low, "high": row.high,
        }
        for row in rows
        if not math.isnan(row.low)
    ]  # fmt: skip
    ticks = alt.Axis(format="~%", values=sorted({row.share for row in rows}))
    base = alt.Chart(alt.Data(values=values)).encode(
        x=alt.X("share:Q", title="share of the training data", scale=alt.Scale(type="log"), axis=ticks),
        y=alt.Y("accuracy:Q", title="accuracy", scale=alt.Scale(zero=False), axis=alt.Axis(format="%")),
        color=alt.Color("trained on:N", scale=colours(alt, names)),
    )
    layers = alt.layer(
        base.mark_line(point=True),
        base.mark_rule(opacity=0.4).encode(y=alt.Y("low:Q", title="accuracy"), y2="high:Q"),
    ).properties(width=220, height=170)
    return layers.facet(facet=alt.Facet("model:N", title=None), columns=3).configure_view(stroke=None)


def _added(name: str) -> str:
    return name if name == ORIGINAL else printable(f"{ORIGINAL} + {name}")


def _prediction(found: Evaluation) -> Section | None:
    if not found.prediction:
        return None
    rows: list[list[Any]] = [
        [row.mode, row.metric, Measured.of(row.value, row.low, row.high, 2), PValue(row.p),
         PValue(row.least_p), row.paraphrasers, row.points, row.reason]
        for row in found.prediction
    ]  # fmt: skip
    header = ["mode", "metric", "rank correlation", "p", "least p", "paraphrasers", "gains", "reason"]
    about = (
        "Spearman's rank correlation of mean intrinsic scores with gains in accuracy, within each task and classifier; "
        "the interval and p go by the number of paraphrasers, since gains of one paraphraser are not independent."
    )
    means = Table("intrinsic", "Mean intrinsic scores of the paraphrased test texts", *tables.intrinsic_table(found))
    if all(row.reason for row in found.prediction):
        said = findings([], [], found.prediction)
        return Section("prediction", "Prediction", [Text(said), means])
    table = Table("prediction", "Which metric predicts the gain", header, rows)
    return Section("prediction", "Prediction", [Text([about]), table, means])


def _losses(found: Evaluation) -> Section | None:
    if not found.curves:
        return None
    about = "training loss by epoch, a line for each training; the table has the numbers"
    charts = [] if altair() is None else drawn((partial(_loss_chart, found=found), about))
    rows: list[list[Any]] = [
        [curve.task, curve.training, curve.model, curve.seed, len(curve.losses), curve.losses[0], curve.losses[-1]]
        for curve in found.curves
    ]
    header = ["task", "trained on", "classifier", "seed", "epochs", "first loss", "last loss"]
    table = Table("losses", "Training loss of the first and the last epoch", header, rows)
    return Section("training", "Training", [*charts, table])


def _loss_chart(alt: Any, found: Evaluation) -> Any:
    values = [
        {"curve": f"{curve.task} {curve.training} {curve.seed}", "model": printable(curve.model), "epoch": epoch,
         "loss": loss}
        for curve in found.curves
        for epoch, loss in enumerate(curve.losses, 1)
    ]  # fmt: skip
    lines = alt.Chart(alt.Data(values=values)).mark_line(opacity=0.7)
    lines = lines.encode(x="epoch:Q", y="loss:Q", detail="curve:N", color=alt.value(COLOURS[0]))
    lines = lines.properties(width=170, height=120)
    return lines.facet(facet=alt.Facet("model:N", title=None), columns=3).configure_view(stroke=None)
