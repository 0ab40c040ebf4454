"""`paragauge extrinsic`: do the paraphrases help a task, and do the metrics predict it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ..errors import InputError
from ..printable import say
from .declare import argument, command, option
from .options import DATA, FORMAT, OVERWRITE, REPORT, Workers, command_line, quiet, seed, workers
from .terminal import hints, printing
from .terminal.progress import Bar
from .terminal.signals import resumable

if TYPE_CHECKING:
    from ..extrinsic.results import Evaluation
    from ..extrinsic.tasks import TextTask

ALL = "all"  # metrics that need no additional weights
TABLES = ["outcomes", "associations", "prediction", "intrinsic"]


@command("extrinsic")
def extrinsic(
    task: Sequence[str] = argument(nargs=-1, required=False),
    paraphraser: Sequence[str] = option("method, e.g. wordswap-1, beam:model=FOLDER; may be repeated", many=True),
    paraphrases: Sequence[Path] = option(
        "file of paraphrases: source, candidate, system; may be repeated", of=Path, many=True
    ),
    train: Path | None = option("table of labelled texts, instead of a named task", of=Path),
    test: Path | None = option("with --train: table to test on  [default: a fifth of the rows of --train]", of=Path),
    text: str = option("with --train: name of the text column", "text"),
    label: str = option("with --train: name of the label column", "label"),
    model: Sequence[str] = option(
        "classifier: tfidf, embeddings (extra extrinsic), mlp, cnn, gru, lstm, gru-paper, lstm-paper (extra torch), "
        "with parameters as in gru:epochs=10; may be repeated  [default: tfidf, embeddings]",
        many=True,
    ),
    mode: Sequence[str] = option(
        "replace: train on paraphrases instead; augment: on both; robustness: test on paraphrases; may be repeated  "
        "[default: all three]",
        many=True,
    ),
    share: Sequence[float] = option(
        "for augment: share of the data; may be repeated  [default: 0.01, 0.1, 1]", of=float, many=True
    ),
    seeds: Sequence[str] = option(
        "number of seeds, for all classifiers or one: 5, lstm=1; may be repeated  [default: 5]", many=True
    ),
    metric: Sequence[str] = option(
        f"intrinsic metric; {ALL}: every one that needs no additional models; may be repeated  [default: weem4pg and "
        f"the reference-free ones of `score`; with --rank-metrics {ALL}]",
        None,
        "-m",
        many=True,
    ),
    rank_metrics: bool = option(
        "print how well each metric predicts the gain, over three or more paraphrasers, and tasks", False
    ),
    margin: float = option("loss of accuracy below which paraphrases can replace the originals", 0.02, low=0, high=1),
    seed: int = seed("drawing the texts"),
    data: Path | None = DATA,
    run: Path | None = option("folder to keep everything in; rerun to resume", of=Path),
    report: Path | None = REPORT,
    overwrite: bool = OVERWRITE,
    engine: Workers = workers(""),
    table: str | None = option(
        "with -f json or csv: which table, with all digits  [default: outcomes; with --rank-metrics prediction]",
        choices=TABLES,
    ),
    format: str = FORMAT,
    quiet: bool = quiet("print the tables only: no progress bar, no notes"),
) -> None:
    """Train classifiers on texts and on their paraphrases, and compare their accuracy on the same test texts.

    TASK is imdb, sst2, mr or cr (`paragauge data`); or name a table of your own with --train. Long texts are
    paraphrased sentence by sentence, and the label is kept. Prints accuracies with 95% intervals over seeds and test
    texts, the difference to training on the originals (* p ≤ 0.05 by Holm), the correlation of intrinsic scores with
    correct classification, and the finding in plain words. With -f json or csv one table, with all its numbers.

    \b
    Examples:
      paragauge extrinsic imdb --paraphraser wordswap-1 --paraphraser wordnet-swap --run runs/imdb
      paragauge extrinsic --train my.csv --text review --label sentiment --paraphrases out.jsonl
      paragauge extrinsic cr --paraphraser wordswap-1 --paraphraser wordswap-2 --paraphraser wordnet-swap --rank-metrics
    """
    from ..extrinsic.classifiers import DEFAULT
    from ..extrinsic.evaluation import evaluate_extrinsic
    from ..extrinsic.modes import MODES, SHARES
    from ..reports.page import check_report
    from ..reports.studies.extrinsic import write_extrinsic_report

    if table is not None and format not in ("json", "csv"):
        raise InputError(f"--table {table} is for -f json and csv; -f {format} has them all")
    inputs = [file for file in (train, test, *paraphrases) if file is not None]
    if report is not None:
        check_report(report, inputs=inputs, overwrite=overwrite)
    tasks = _tasks(task, train, test, text, label, data, seed)
    with resumable(run), Bar(quiet) as bar:
        found = evaluate_extrinsic(
            tasks, paraphraser, paraphrases=paraphrases, models=model or DEFAULT, modes=mode or MODES,
            shares=share or SHARES, seeds=_seeds(seeds), metrics=_metrics(metric, rank_metrics), margin=margin,
            rank_metrics=rank_metrics, run=run, **engine._asdict(), progress=bar.update,
        )  # fmt: skip
    _print(found, format, rank_metrics, table)
    if not quiet and format == "table":
        printing.lines("", *found.findings)
    for note in () if quiet else found.notes:
        hints.note(note)
    if report is not None:
        write_extrinsic_report(found, output=report, command=command_line())
        say(f"report: {report}")


def _tasks(
    named: Sequence[str], train: Path | None, test: Path | None, text: str, label: str, data: Path | None, seed: int
) -> list[TextTask]:
    from ..extrinsic.tasks import names, open_task, table_task

    if train is None:
        if test is not None:
            raise InputError("--test is for a table of your own; expected --train too")
        if not named:
            raise InputError(f"no task was given; known: {', '.join(names())}, or a table with --train")
        return [open_task(name, data, seed) for name in named]
    if named:
        raise InputError(f"both the task {named[0]} and --train {train} were given; expected one of them")
    return [table_task(train, test, text, label, seed)]


def _seeds(given: Sequence[str]) -> dict[str, int]:
    """`5`, `lstm=1`: by classifier, and under the empty name for all others."""
    found: dict[str, int] = {}
    for item in given:
        name, _, number = item.rpartition("=")
        if not number.isdecimal() or not int(number):
            raise InputError(f"--seeds {item}: expected a number of at least 1, or a classifier and one, as in lstm=1")
        if name in found:
            raise InputError(f"--seeds is given twice for {name or 'all classifiers'}: {found[name]} and {number}")
        found[name] = int(number)
    return found


def _metrics(named: Sequence[str], rank_metrics: bool) -> list[str]:
    from ..extrinsic.evaluation import METRICS
    from ..meta.leaderboard import light_metrics

    chosen = list(named) or ([ALL] if rank_metrics else list(METRICS))
    if ALL not in chosen:
        return chosen
    every = [metric.spec for metric in light_metrics(False)]
    return list(dict.fromkeys([*(name for name in chosen if name != ALL), "weem4pg", *every]))


def _print(found: Evaluation, format: str, rank_metrics: bool, table: str | None) -> None:
    from ..extrinsic import tables

    if format in ("json", "csv"):
        plain = {
            "outcomes": tables.outcome_rows,
            "associations": tables.association_rows,
            "prediction": tables.prediction_rows,
            "intrinsic": tables.intrinsic_table,
        }
        printing.table(*plain[table or ("prediction" if rank_metrics else "outcomes")](found), format, None)
        return
    shown = []
    for task in found.tasks:
        for mode in found.modes:
            shown.append((f"{task}: {tables.CAPTIONS[mode]} (%)", *tables.accuracy_table(found, task, mode)))
        metrics = list(dict.fromkeys(row.found.metric for row in found.associations if row.task == task))
        for metric in metrics[:1]:
            caption = (
                f"{task}: {metric} of a paraphrased text against its being classified correctly (95% interval of r)"
            )
            shown.append((caption, *tables.association_table(found, task, metric)))
    if rank_metrics:
        shown.append(("rank correlation of mean scores with gains", *tables.prediction_table(found)))
    for place, (caption, header, rows) in enumerate(shown):
        if place:
            printing.lines("")
        printing.table(header, rows, format, caption)
