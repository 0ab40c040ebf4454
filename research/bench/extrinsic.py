"""The recorded grids of `paragauge extrinsic`, what a cell costs, and why recurrent networks stay at chance.

    python bench/extrinsic.py --plan                       one epoch of each network timed; seeds and cost of the grid
    python bench/extrinsic.py --run FOLDER                 the grid of Hailu et al. 2020; rerun to resume
    python bench/extrinsic.py --run FOLDER --model tfidf   some classifiers first; the others may be added by a rerun
    python bench/extrinsic.py --run FOLDER --record        and add its numbers to those of `reproduce hailu2020`; prints
                                                           accuracies and differences as docs/extrinsic.md has them
    python bench/extrinsic.py --run FOLDER --record --mode robustness    originals alone: Table 3, and a row of Table 2
    python bench/extrinsic.py --rank-metrics FOLDER        nine paraphrasers, logistic regression on TF-IDF, all metrics
    python bench/extrinsic.py --rank-metrics FOLDER --task cr    on some of the four tasks
    python bench/extrinsic.py --rank-metrics FOLDER --paraphraser beam    and by further paraphrasers
    python bench/extrinsic.py --why                        padding, length and learning rate of a GRU and an LSTM

The grid is originals and wordswap-1, -2 and -3 of 5,000 IMDB reviews, by the four networks of the paper, the two
recurrent ones as corrected too, and logistic regression: replace and robustness (Tables 2 and 3). Every cell runs on
one thread, two at a time. Networks need the extra torch, logistic regression the extra extrinsic; the data are looked
for in PARAGAUGE_DATA.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import numpy as np

from paragauge.extrinsic import tables
from paragauge.extrinsic.cells import grid
from paragauge.extrinsic.classifiers import parse
from paragauge.extrinsic.evaluation import METRICS, evaluate_extrinsic
from paragauge.extrinsic.modes import REPLACE, ROBUSTNESS
from paragauge.extrinsic.results import Evaluation, TaskOutcome
from paragauge.extrinsic.tasks import TextTask, open_task
from paragauge.extrinsic.tasks.versions import ORIGINAL
from paragauge.meta.leaderboard import light_metrics
from paragauge_research.papers.hailu2020.grid import add_recorded, recorded

PARAPHRASERS = ("wordswap-1", "wordswap-2", "wordswap-3")
# by --plan the grid fits two hours on two cores with five seeds of each; fewer with --seeds
SEEDS = dict.fromkeys(("tfidf", "embeddings", "cnn", "mlp", "gru", "lstm", "gru-paper", "lstm-paper"), 5)
MODES = (REPLACE, ROBUSTNESS)
TASKS = ("imdb", "sst2", "mr", "cr")
RANKED_BY = (
    *PARAPHRASERS, "wordnet-swap", "wordswap-1:stop_words=keep", "wordswap-2:stop_words=keep",
    "wordswap-1:inflection=other,stop_words=keep", "wordswap:rank=10", "wordswap:rank=10,stop_words=keep",
)  # fmt: skip
WHY = (
    "gru:padding=after", "gru:padding=before", "gru:padding=unread", "gru:padding=after,learning_rate=0.01",
    "gru:padding=after,length=100", "lstm:padding=after", "lstm:padding=unread", "lstm:padding=after,length=100",
)  # fmt: skip
WHY_EPOCHS = 10


def classes_of(task: TextTask, labels: tuple[str, ...]) -> np.ndarray:
    return np.array([task.classes.index(label) for label in labels], dtype=np.int64)


def plan() -> None:
    """Time one epoch of each network on one thread, and say what the grid costs."""
    task = open_task("imdb")
    classes = classes_of(task, task.train.labels)
    names = {"imdb": list(PARAPHRASERS)}
    total = 0.0
    print("model        s/epoch  min/cell  seeds  cells  core-minutes")
    for name, seeds in SEEDS.items():
        model = parse(name)
        start = time.process_time()
        epochs = getattr(model, "epochs", 1)
        once = parse(f"{name}:epochs=1") if hasattr(model, "epochs") else model
        once.fit(task.train.texts, classes, 2, 0)
        seconds = time.process_time() - start
        cells = len(grid(names, {name: model}, {name: seeds}, MODES, ()))
        minutes = seconds * epochs / 60
        total += minutes * cells
        print(f"{name:12} {seconds:7.1f}  {minutes:8.1f}  {seeds:5}  {cells:5}  {minutes * cells:12.0f}", flush=True)
    print(f"in all {total:.0f} core-minutes: {total / 2:.0f} minutes on two cores")


def why() -> None:
    """The validation accuracy of recurrent networks by where texts are padded, by length and by learning rate."""
    task = open_task("imdb")
    test = task.validation  # so that the test part stays unseen
    assert test is not None
    train, truth = classes_of(task, task.train.labels), classes_of(task, test.labels)
    for spec in WHY:
        fitted = parse(f"{spec},epochs={WHY_EPOCHS}").fit(task.train.texts, train, 2, 0)
        right = float((fitted.predict(test.texts) == truth).mean())
        print(f"{spec:42} accuracy {100 * right:5.1f}%  last loss {fitted.losses[-1]:.3f}", flush=True)


def progress(begun: dict[str, float], label: str, done: int, total: int) -> None:
    """A line on standard error, with the time that is left by the pace so far."""
    passed = time.monotonic() - begun.setdefault(label, time.monotonic())
    left = passed / done * (total - done) / 60
    print(f"\r{label}: {done}/{total}, {left:z.0f} min left", end="\n" if done == total else "", file=sys.stderr)


def show(found: Evaluation) -> None:
    for task in found.tasks:
        for mode in found.modes:
            print(f"\n{task}: {tables.CAPTIONS[mode]}")
            for row in (lambda table: [table[0], *table[1]])(tables.accuracy_table(found, task, mode)):
                print(" | ".join(map(str, row)))
        for metric in list(dict.fromkeys(row.found.metric for row in found.associations if row.task == task))[:1]:
            print(f"\n{task}: {metric} against correct answers")
            for row in (lambda table: [table[0], *table[1]])(tables.association_table(found, task, metric)):
                print(" | ".join(map(str, row)))
    print("\n" + "\n".join(found.findings))
    print("\nseconds to train a cell:", {model: round(seconds, 1) for model, seconds in found.seconds.items()})


def as_documented(found: Evaluation) -> Iterator[str]:
    """The accuracies of each mode in percent and the differences to the originals with intervals, in Markdown."""
    for task in found.tasks:
        for mode in found.modes:
            rows = [row for row in found.of(task, mode) if row.share == 1]
            models = list(dict.fromkeys(row.model for row in rows))
            yield from ("", f"{task}, {mode}:", f"| | {' | '.join(models)} |", "|---|" + "---|" * len(models))
            for name in dict.fromkeys(row.paraphraser for row in rows):
                own = {row.model: _documented(row) for row in rows if row.paraphraser == name}
                yield f"| {name} | {' | '.join(own.get(model, '–') for model in models)} |"


def _documented(row: TaskOutcome) -> str:
    numbers = (row.accuracy, row.gain, row.gain_low, row.gain_high)
    accuracy, gain, low, high = (f"{100 * number:z.1f}".replace("-", "−") for number in numbers)
    return accuracy if row.paraphraser == ORIGINAL else f"{accuracy}, {gain} ({low} to {high})"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--plan", action="store_true")
    parser.add_argument("--why", action="store_true")
    parser.add_argument("--run", type=Path)
    parser.add_argument("--rank-metrics", type=Path)
    parser.add_argument("--task", action="append", choices=TASKS, help="of --rank-metrics; default: all")
    parser.add_argument("--paraphraser", action="append", default=[], help="of --rank-metrics, beside the nine")
    parser.add_argument("--model", action="append")
    parser.add_argument("--mode", action="append", choices=MODES, help="of --run; robustness trains on originals alone")
    parser.add_argument("--metric", action="append", help="intrinsic metrics; default: those of paragauge extrinsic")
    parser.add_argument("--seeds", type=int, default=max(SEEDS.values()), help="at most; a rerun with more adds them")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--record", action="store_true")
    given = parser.parse_args()
    if given.plan:
        plan()
    if given.why:
        why()
    told = partial(progress, {})
    if given.run is not None:
        models = given.model or list(SEEDS)
        found = evaluate_extrinsic(
            "imdb", PARAPHRASERS, models=models, modes=given.mode or MODES,
            seeds={name: min(SEEDS[name], given.seeds) for name in models}, metrics=given.metric or METRICS,
            run=given.run, workers=given.workers, progress=told,
        )  # fmt: skip
        show(found)
        if given.record:
            print("\n".join(as_documented(found)))
            add_recorded(recorded(found))
    if given.rank_metrics is not None:
        found = evaluate_extrinsic(
            given.task or TASKS, [*RANKED_BY, *given.paraphraser], models=given.model or ["tfidf"],
            metrics=given.metric or ["weem4pg", *light_metrics(False)], run=given.rank_metrics,
            workers=given.workers, progress=told,
        )  # fmt: skip
        show(found)
        for row in (lambda table: [table[0], *table[1]])(tables.prediction_table(found)):
            print(" | ".join(map(str, row)))


if __name__ == "__main__":
    main()
