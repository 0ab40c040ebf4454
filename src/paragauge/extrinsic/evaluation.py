"""The whole evaluation: tasks, paraphrasers and classifiers to accuracies, associations and predictions."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path

from ..compute.workspace import Progress, no_progress
from ..errors import InputError, nearest
from ..evaluate.engines import engine as make_engine
from ..evaluate.plan import WITHOUT_REFERENCES, choose
from ..files.write import PathLike, kept_in
from ..metric import Metric
from ..metrics import Given as GivenMetric
from ..paraphrasers import Given as GivenParaphraser
from ..tables.display import counted
from .association import associations, mean_scores
from .cells import KEPT, CellTrainer, Trained, grid, train_all
from .classifier import Classifier
from .classifiers import DEFAULT, classifier_of
from .classifiers import Given as GivenClassifier
from .finding import AT_CHANCE, MARGIN, findings
from .intrinsic import Scores, score_versions
from .modes import AUGMENT, MODES, ROBUSTNESS, SHARES, Training, check_modes
from .outcomes import outcomes, right_answers
from .prediction import FEWEST, Gain, predict
from .results import Associated, Curve, Evaluation, finish, open_store
from .tasks import TextTask, open_task
from .tasks.versions import ORIGINAL, Version, distinct_names, method_name, original, paraphrased, read_versions

METRICS = ("weem4pg", *WITHOUT_REFERENCES)
SEEDS = 5


def evaluate_extrinsic(
    tasks: Iterable[TextTask | str] | TextTask | str,
    paraphrasers: Sequence[GivenParaphraser] = (),
    *,
    paraphrases: Sequence[PathLike] = (),
    models: Iterable[GivenClassifier] = DEFAULT,
    modes: Sequence[str] = MODES,
    shares: Sequence[float] = SHARES,
    seeds: int | Mapping[str, int] = SEEDS,
    metrics: Iterable[GivenMetric] = METRICS,
    margin: float = MARGIN,
    rank_metrics: bool = False,
    run: Path | None = None,
    data: Path | None = None,
    seed: int = 0,
    engine: str | None = None,
    workers: int | None = None,
    address: str | None = None,
    progress: Progress = no_progress,
) -> Evaluation:
    """Train each classifier on the originals and on each paraphraser's version of them, and test on the same texts.

    `paraphrasers` are methods that paraphrase the texts sentence by sentence; `paraphrases` are files of what others
    generated. `modes` are replace, augment (at each of the `shares` of the training data) and robustness. `seeds` is
    how many seeds a classifier is trained with, for all or by its name (`{"": 5, "lstm": 1}`); one without randomness
    is trained once, except on shares that the seed draws. With `rank_metrics`, fewer paraphrasers than that needs are
    refused before any work. `seed` draws texts from a data set. With `run`, a folder, everything finished is kept, and
    the same call resumes.
    """
    modes, shares = list(dict.fromkeys(modes)), list(dict.fromkeys(shares))
    check_modes(modes, shares)
    opened = [open_task(task, data, seed) if isinstance(task, str) else task for task in _listed(tasks)]
    chosen = _classifiers(models)
    counts = _seeds(seeds, chosen)
    rated = choose(list(metrics), False) if metrics else []
    _check_metrics(rated)
    make_engine(engine or "local", workers, address)
    # all that may be refused is read before the run folder is touched, which may hold a finished run
    read = {task.name: _read(task, paraphrases, ROBUSTNESS in modes) for task in opened}
    named = list(map(method_name, paraphrasers))
    for own in read.values():
        _check_names([*named, *(version.name for version in own)], rank_metrics)
    with ExitStack() as stack:
        store = None
        if run is not None:
            stack.enter_context(kept_in(run))
            store = open_store(run, {task.name: task.fingerprint() for task in opened})
            stack.callback(store.release)
        versions: dict[str, dict[str, Version]] = {}
        for task in opened:
            made = [
                paraphrased(task, method, store, engine=engine, workers=workers, address=address, progress=progress)
                for method in paraphrasers
            ]
            versions[task.name] = {version.name: version for version in (original(task), *made, *read[task.name])}
        cells, scored = (None if store is None else store.kept(KEPT, below) for below in ("cells", "scores"))
        trainer = CellTrainer({task.name: task for task in opened}, versions, chosen, modes, cells)
        trained = _trained(trainer, counts, shares, engine, workers, address, progress)
        scores, notes = score_versions(opened, versions, rated, scored, progress)
        found = _evaluation(trainer, trained, scores, rated, modes, shares, margin, notes)
        if store is not None:
            finish(store, found.record(), found.signatures, len(found.outcomes))
    return found


def _read(task: TextTask, files: Sequence[PathLike], test: bool) -> list[Version]:
    return [version for path in files for version in read_versions(task, path, test=test)]


def _check_names(names: Sequence[str], rank_metrics: bool) -> None:
    if not names:
        raise InputError("no paraphraser was given; expected a method such as wordswap-1, or a file")
    distinct_names(names)
    if rank_metrics and len(names) < FEWEST:
        raise InputError(f"metrics cannot be ranked by {counted(len(names), 'paraphraser')}; expected {FEWEST} or more")


def _listed(tasks: Iterable[TextTask | str] | TextTask | str) -> list[TextTask | str]:
    found = [tasks] if isinstance(tasks, (TextTask, str)) else list(tasks)
    named = [task if isinstance(task, str) else task.name for task in found]
    if not found:
        raise InputError("no task was given; expected a name such as 'imdb', or a table")
    if len(set(named)) < len(named):
        raise InputError(f"two tasks have one name: {', '.join(named)}; expected different ones")
    return found


def _classifiers(models: Iterable[GivenClassifier]) -> dict[str, Classifier]:
    found = {classifier.spec: classifier for classifier in map(classifier_of, models)}
    if not found:
        raise InputError("no classifier was given; expected a name such as 'tfidf'")
    for classifier in found.values():
        _ = classifier.signature  # an absent extra or model is reported before anything is paraphrased
    return found


def _seeds(seeds: int | Mapping[str, int], models: Mapping[str, Classifier]) -> dict[str, int]:
    """How many seeds each classifier is trained with."""
    given = {"": seeds} if isinstance(seeds, int) else dict(seeds)
    known = {name for spec, classifier in models.items() for name in (spec, spec.partition(":")[0], classifier.name)}
    for name, count in given.items():
        if name and name not in known:
            raise InputError(f"seeds are given for '{name}', not a classifier of this run{nearest(name, known)}")
        if count < 1:
            raise InputError(f"{count} seeds; expected at least 1")
    return {
        spec: next(
            (given[name] for name in (spec, spec.partition(":")[0], classifier.name, "") if name in given), SEEDS
        )
        for spec, classifier in models.items()
    }


def _check_metrics(metrics: Sequence[Metric]) -> None:
    for metric in metrics:
        if "references" in metric.needs:
            raise InputError(f"{metric.spec} needs references, and a paraphrased text has none; use {metric.name}.free")
        if metric.unit != "pair":
            raise InputError(f"{metric.spec} judges sets, not single paraphrases")
        _ = metric.signature()  # as with classifiers


def _trained(
    trainer: CellTrainer, seeds: Mapping[str, int], shares: Sequence[float], engine: str | None, workers: int | None,
    address: str | None, progress: Progress,
) -> list[Trained]:  # fmt: skip
    names = {task: [name for name in versions if name != ORIGINAL] for task, versions in trainer.versions.items()}
    cells = grid(names, trainer.models, seeds, trainer.modes, shares)
    for classifier in trainer.models.values():
        for task, versions in trainer.versions.items():
            texts = [text for version in versions.values() for text in (*version.train, *(version.test or ()))]
            classifier.prepare(texts, partial(progress, f"{task}: encoding texts"))
    found = []
    for trained in train_all(trainer, cells, engine, workers, address):
        found.append(trained)
        progress("training classifiers", len(found), len(cells))
    return found


def _evaluation(
    trainer: CellTrainer,
    trained: Sequence[Trained],
    scores: Scores,
    metrics: Sequence[Metric],
    modes: Sequence[str],
    shares: Sequence[float],
    margin: float,
    notes: Sequence[str],
) -> Evaluation:
    right = right_answers(trainer.tasks, trained)
    rows = outcomes(trainer.tasks, right, modes, shares, margin)
    turned = [metric.spec for metric in metrics if not metric.higher_is_better]
    associated = []
    means: dict[tuple[str, str], dict[str, float]] = {}
    intrinsic: dict[str, dict[str, dict[str, float]]] = {}
    for (task, name), own in scores.items():
        means[task, name] = intrinsic.setdefault(task, {})[name] = mean_scores(own)
        better = {spec: -values if spec in turned else values for spec, values in own.items()}
        for model in trainer.models:
            answers = right.get((task, Training(ORIGINAL), model), {}).get(name)
            if answers is not None:
                associated += [Associated(task, name, model, found) for found in associations(better, answers)]
    gains = [
        Gain(row.paraphraser, row.task, _mode(row.mode, row.share), row.model, row.gain)
        for row in rows
        if row.paraphraser != ORIGINAL and row.verdict != AT_CHANCE
    ]
    preferred = {
        (name, task): {spec: -mean if spec in turned else mean for spec, mean in own_means.items()}
        for (task, name), own_means in means.items()
    }
    predicted = predict(gains, preferred)
    versions = [version for own in trainer.versions.values() for version in own.values()]
    said = [note for task in trainer.tasks.values() for note in task.notes]
    said += [note for version in versions for note in version.notes]
    if turned:
        said.append(f"less is better for {', '.join(turned)}: correlated by the negated score")
    fixed = [spec for spec, classifier in trainer.models.items() if not classifier.random]
    if fixed:
        said.append(f"{', '.join(fixed)}: the seed changes nothing but which share of the data is drawn")
    signatures = {version.name: version.signature for version in versions if version.name != ORIGINAL}
    signatures |= {spec: classifier.signature for spec, classifier in trainer.models.items()}
    signatures |= {metric.spec: metric.signature() for metric in metrics}
    return Evaluation(
        rows,
        associated,
        predicted,
        _curves(trained),
        intrinsic,
        findings(rows, associated, predicted, margin),
        [*said, *notes],
        signatures,
        _seconds(trained),
    )


def _mode(mode: str, share: float) -> str:
    return f"{mode} {100 * share:g}%" if mode == AUGMENT else mode


def _curves(trained: Iterable[Trained]) -> list[Curve]:
    return [
        Curve(one.cell.task, label(one.cell.training), one.cell.model, one.cell.seed, tuple(one.losses))
        for one in trained
        if one.losses
    ]


def label(training: Training) -> str:
    """`original`, `wordswap-1`, `original + wordswap-1 (10%)`."""
    name = f"{ORIGINAL} + {training.version}" if training.added else training.version
    return name if training.share == 1 else f"{name} ({100 * training.share:g}%)"


def _seconds(trained: Sequence[Trained]) -> dict[str, float]:
    """To train a cell on all data, on average."""
    found: dict[str, float] = {}
    for model in dict.fromkeys(one.cell.model for one in trained):
        own = [one.seconds for one in trained if one.cell.model == model and one.cell.training.share == 1]
        found[model] = sum(own) / len(own) if own else math.nan
    return found
