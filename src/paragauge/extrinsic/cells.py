"""A cell of the grid: one classifier trained once, by any engine, and kept so that a rerun resumes."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ..evaluate.drive import drive
from ..evaluate.engines import engine as make_engine
from ..files.rows import as_json
from ..runs.record import sha256_of
from ..runs.store import Parts
from .classifier import Classifier
from .modes import Training, examples, tested_on, trainings
from .tasks import TextTask
from .tasks.versions import Version

KEPT = ("json",)  # what is kept of each thing that was computed


class Cell(NamedTuple):
    """What is trained, by which classifier, with which seed."""

    task: str
    training: Training
    model: str
    seed: int


class Trained(NamedTuple):
    """The answers of a trained classifier: the class of each test text, by the version of the test texts."""

    cell: Cell
    answers: dict[str, list[int]]
    losses: list[float]
    seconds: float


@dataclass
class CellTrainer:
    """Trains a cell, in whatever process it is called; all it needs can be pickled."""

    tasks: Mapping[str, TextTask]
    versions: Mapping[str, Mapping[str, Version]]  # by task, by name
    models: Mapping[str, Classifier]
    modes: Sequence[str]
    kept: Parts | None = None  # of these files: KEPT

    def key(self, cell: Cell) -> str:
        """What the answers depend on."""
        versions = self.versions[cell.task]
        tests = tested_on(cell.training, list(versions.values()), self.modes)
        parts = [
            self.tasks[cell.task].fingerprint(),
            versions[cell.training.version].key,
            str(cell.training.added),
            repr(cell.training.share),
            self.models[cell.model].signature,
            str(cell.seed),
            *(f"{name} {versions[name].key}" for name in tests),
        ]
        return sha256_of("\x1f".join(parts).encode())[:32]

    def __call__(self, cell: Cell) -> Trained:
        kept = self.kept.load(self.key(cell)) if self.kept is not None else None
        if kept is not None:
            found = json.loads(kept[0])
            return Trained(cell, found["answers"], found["losses"], found["seconds"])
        trained = self._train(cell)
        if self.kept is not None:
            about = {**cell._asdict(), "training": cell.training._asdict()}
            self.kept.save(self.key(cell), as_json(about | trained._asdict() | {"cell": None}))
        return trained

    def _train(self, cell: Cell) -> Trained:
        task, versions = self.tasks[cell.task], self.versions[cell.task]
        texts, classes = examples(task, versions[cell.training.version], cell.training, cell.seed)
        start = time.perf_counter()
        fitted = self.models[cell.model].fit(texts, np.array(classes, dtype=np.int64), len(task.classes), cell.seed)
        answers = {
            name: fitted.predict(versions[name].test or ()).tolist()
            for name in tested_on(cell.training, list(versions.values()), self.modes)
        }
        return Trained(cell, answers, list(map(float, fitted.losses)), time.perf_counter() - start)


def grid(
    tasks: Mapping[str, Sequence[str]],
    models: Mapping[str, Classifier],
    seeds: Mapping[str, int],
    modes: Sequence[str],
    shares: Sequence[float],
) -> list[Cell]:
    """Every cell: for the paraphrasers of each task, what is trained, by each classifier, with each of its seeds."""
    return [
        Cell(task, training, model, seed)
        for task, names in tasks.items()
        for model, classifier in models.items()
        for training in trainings(names, modes, shares)
        for seed in range(seeds[model] if classifier.random or training.share < 1 else 1)
    ]


def train_all(
    trainer: CellTrainer, cells: Sequence[Cell], engine: str | None, workers: int | None, address: str | None
) -> Iterator[Trained]:
    """Every cell, in their order; an error when all others are done, which are kept."""
    # networks run on one thread each
    alone = workers is None and engine is None and not any(model.random for model in trainer.models.values())
    by = make_engine(engine or "local", 1 if alone else workers, address)
    kept = trainer.kept is not None
    return drive(by, trainer, cells, name=_training_of, noun="classifier", kept=kept)


def _training_of(cell: Cell) -> str:
    version = f"the originals with those of {cell.training.version}" if cell.training.added else cell.training.version
    return f"training {cell.model} (seed {cell.seed}) for {cell.task} on {version}"
