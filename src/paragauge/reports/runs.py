"""What a report of runs is made from: everything that their folders hold, as one table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..comparison.compare import compare
from ..comparison.reading import read_all
from ..comparison.results import Comparison
from ..errors import InputError, ParagaugeError, nearest
from ..evaluate.run import Run, open_run
from ..evaluate.score_file import scale_of
from ..files.write import PathLike
from ..metric import Floats
from ..metrics import parse
from ..runs.record import read_object
from ..tables.scores import Scores
from ..tables.shared_rows import SharedRows
from ..tables.summary import Summary, SummaryRow, criterion_of
from ..verdict.judgment import Criterion, Judgment
from ..verdict.tally import Verdict
from .align import Alignment, read_alignments

# in order of preference, for the axes of the map and the first sentence
MEANING = ("meaning", "bertscore.free", "bertscore", "cosine.free", "cosine", "moverscore", "nli")
CHANGED = ("changed", "ned.free", "lexical-deviation", "pinc", "novelty", "bleu.free", "rougeL.free")
MOST_SYSTEMS = 1_000  # each is a line of every table; those that can be compared are fewer
OVERALL = ("usable", "parascore", "parascore-free", "bert-ibleu", "ibleu")


@dataclass(frozen=True)
class Runs:
    """Some runs as one table of systems."""

    runs: list[Run]
    timings: list[dict[str, Any]]
    scores: Scores
    scales: dict[str, dict[str, Any]]
    comparison: Comparison | None  # of two systems or more
    alignments: dict[int, Alignment]
    notes: list[str]
    asked: tuple[str, ...] = ()  # the metrics to answer by, where not all are

    @property
    def names(self) -> list[str]:
        return ["run" if run.folder is None else run.folder.resolve().name for run in self.runs]

    @property
    def systems(self) -> list[str]:
        return list(dict.fromkeys(self.scores.samples.systems))

    def higher(self, metric: str) -> bool:
        """Is more better?"""
        return self.scores.columns[metric].aggregation.higher_is_better

    def digits(self, metric: str) -> int:
        """Digits after the point: three on a scale of one, one on a scale of a hundred."""
        high = self.scales.get(metric, {}).get("high")
        return 1 if isinstance(high, (int, float)) and high > 10 else 3

    def best_first(self, metric: str) -> Floats:
        """Scores turned so that more is better; NaN where undefined."""
        return self.scores[metric] * (1 if self.higher(metric) else -1)

    def axes(self) -> tuple[str | None, str | None]:
        """The metrics of the map: one of meaning across, one of changed wording up."""
        if self.criterion is not None:
            return self.criterion.meaning, self.criterion.changed
        across = self._first(MEANING, ("meaning", "overall"))
        return across, self._first(CHANGED, ("form", "diversity"), but=across)

    def main(self) -> str:
        """The metric that says which system is best."""
        if self.criterion is not None:
            return self.criterion.usable
        if self.asked:
            return self.asked[0]
        return self._first(OVERALL, ("overall",)) or next(iter(self.scores.columns))

    def _first(self, preferred: Sequence[str], questions: Sequence[str], but: str | None = None) -> str | None:
        found: list[str] = []
        for known in (self.asked, tuple(self.scores.columns)):
            names = [name for name in known if name != but]
            found += [name for wanted in preferred for name in names if name == wanted]
            found += [name for wanted in preferred for name in names if name.partition(":")[0] == wanted]
            found += [name for name in names if self.scales.get(name, {}).get("question") in questions]
        return next(iter(found), None)

    @cached_property
    def criterion(self) -> Criterion | None:
        """What the verdict of the runs depends on, if they have one and it is asked for."""
        found = criterion_of({name: column.aggregation for name, column in self.scores.columns.items()})
        return found if found is None or not self.asked or found.usable in self.asked else None

    @cached_property
    def usable_rows(self) -> UsableRows | None:
        """Which rows are usable at which thresholds, where there is a verdict."""
        return None if self.criterion is None else UsableRows(self.scores, self.criterion)

    @cached_property
    def best(self) -> set[tuple[str, str]]:
        """Metrics and systems where no other system is significantly better."""
        rows = self.comparison.systems if self.comparison is not None else []
        return {(row.metric, row.system) for row in rows if row.cluster == 1}

    @cached_property
    def verdict(self) -> Verdict | None:
        """The verdict as the record of a run has it; of several runs, or an older one, on the rows that all have."""
        if self.criterion is None:
            return None
        if len(self.runs) == 1 and "verdict" in self.runs[0].record:
            return self.runs[0].verdict
        calibrated = "|calibrated:no" not in self.scores.signatures.get(self.criterion.usable, "")
        return self._whole.verdict(self._whole.rows(), calibrated=calibrated)

    @cached_property
    def summary(self) -> list[SummaryRow]:
        """Means and intervals as `paragauge score` prints them."""
        if len(self.runs) == 1:
            return self.runs[0].summary
        return self._whole.rows()

    @cached_property
    def _whole(self) -> Summary:
        summary = Summary(shared=SharedRows(self.scores.empty, [self.scores.samples]))
        summary.add(self.scores)
        return summary


class UsableRows:
    """Which rows of each system are usable at which thresholds."""

    def __init__(self, scores: Scores, criterion: Criterion) -> None:
        samples, column = scores.samples, scores.columns[criterion.usable]
        self.criterion = criterion
        self._meaning, self._changed = scores[criterion.meaning], scores[criterion.changed]
        # as the mean of `usable` has it: rows that all systems have, and that are judged
        self._judged = SharedRows(scores.empty, [samples]).counts(samples) & ~np.isnan(column.scores)
        rows: list[Judgment] = list(column.judgments or ())
        self._final = np.array([one.is_final(criterion.thresholds.strict) for one in rows], dtype=np.bool_)
        self._systems = {system: place for place, system in enumerate(dict.fromkeys(samples.systems))}
        self._system_of_row = np.array([self._systems[system] for system in samples.systems], dtype=np.intp)
        self.counts = self._counted(self._judged)

    def shares(self, accept: float, min_changed: float) -> dict[str, float | None]:
        """Of each system the share of its rows that is usable at these thresholds; None without a row."""
        reached = self._judged & ~self._final & (self._meaning >= accept) & (self._changed >= min_changed)
        counts = self._counted(reached)
        return {system: counts[system] / rows if rows else None for system, rows in self.counts.items()}

    def _counted(self, chosen: NDArray[np.bool_]) -> dict[str, int]:
        counts = np.bincount(self._system_of_row[chosen], minlength=len(self._systems)).tolist()
        return dict(zip(self._systems, counts, strict=True))

    def packed(self) -> dict[str, Any]:
        """For the page, which does the same: metrics, thresholds, rows that are not judged or not usable at any."""
        return {
            **self.criterion.metrics,
            **self.criterion.thresholds._asdict(),
            "final": np.flatnonzero(self._final).tolist(),
            "left_out": np.flatnonzero(~self._judged).tolist(),
        }


def read_runs(
    folders: Sequence[PathLike],
    *,
    metrics: Sequence[str] = (),
    baseline: str | None = None,
    resamples: int | None = None,
    seed: int = 0,
) -> Runs:
    """Read complete and undamaged runs of `paragauge score --run`, and compare their systems as `compare` does.

    With `metrics` only these are read, and those that the axes of the map need.
    """
    if not folders:
        raise InputError("no run folder to report on")
    runs = [open_run(folder) for folder in folders]
    scores, _, notes = read_all(runs)
    for metric in metrics:
        if metric not in scores.columns:
            raise InputError(f"no metric '{metric}' in the runs{nearest(metric, scores.columns)}")
    alignments: dict[int, Alignment] = {}
    start = 0
    for run in runs:
        if run.folder is not None:
            alignments |= {start + row: found for row, found in read_alignments(run.folder).items()}
        start += run.record["rows"]
        notes += [f"{run.folder.name}: {one}" if run.folder and len(runs) > 1 else one for one in run.warnings]
    number = len(set(scores.samples.systems))
    if number > MOST_SYSTEMS:
        raise InputError(f"{number:,} systems are too many for a report; expected at most {MOST_SYSTEMS:,}")
    comparison = None
    if number > 1 or baseline is not None:
        try:
            comparison = compare(
                scores, metrics=metrics, baseline=baseline, resamples=resamples, seed=seed, examples=10
            )
        except InputError as error:
            if metrics or baseline is not None:  # it was asked for
                raise
            notes.append(f"systems are not compared: {error}")
        else:
            notes += comparison.notes
    scales = {name: _scale(name, runs) for name in scores.columns}
    timings = [_timings(run.folder) for run in runs]
    found = Runs(runs, timings, scores, scales, comparison, alignments, list(dict.fromkeys(notes)), tuple(metrics))
    if not metrics:
        return found
    kept = [name for name in dict.fromkeys([*metrics, *found.axes()]) if name is not None]
    columns = {name: scores.columns[name] for name in kept}
    signatures = {name: signature for name, signature in scores.signatures.items() if name in columns}
    return replace(found, scores=replace(scores, columns=columns, signatures=signatures))


def percentiles(runs: Runs, metrics: Sequence[str]) -> Floats:
    """The share of rows that each row beats, by each metric (metrics, rows); NaN where undefined."""
    result = np.full((len(metrics), len(runs.scores)), np.nan)
    for place, metric in enumerate(metrics):
        result[place] = shares_beaten(runs.best_first(metric))
    return result


def shares_beaten(values: Floats) -> Floats:
    """The share of rows that each row beats by one metric; NaN where undefined."""
    from scipy.stats import rankdata

    result = np.full(len(values), np.nan)
    known = ~np.isnan(values)
    if known.any():
        result[known] = (rankdata(values[known]) - 0.5) / known.sum()
    return result


def _scale(metric: str, runs: Sequence[Run]) -> dict[str, Any]:
    for run in runs:
        if metric in run.record.get("scales", {}):
            return dict(run.record["scales"][metric])
    try:
        return scale_of(parse(metric))
    except ParagaugeError:
        return {}


def _timings(folder: Path | None) -> dict[str, Any]:
    if folder is None:
        return {}
    try:
        return read_object(folder / "timings.json")
    except (OSError, ValueError):  # they are shown, and nothing depends on them
        return {}
