"""Human judgments of translations (direct assessment, ranking, score files), and how decisions agree with them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..errors import InputError, nearest
from ..files.pickles import read_plain
from .task import EvaluationSet, text_lines

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Booleans = NDArray[np.bool_]
# Two outputs with other counts can have the same BLEU, and then the last bits depend on the order of the arithmetic:
# what differs by no more than that is a tie. Scores that truly differ do so by far more.
ROUNDING = 1e-12


@dataclass(frozen=True, repr=False)
class Rankings:
    """Pairs of outputs of one segment, of which people found one better; places are those of the task's systems."""

    segment: Integers  # from 0
    better: Integers
    worse: Integers

    def __len__(self) -> int:
        return len(self.segment)

    def __repr__(self) -> str:
        return f"Rankings({len(self):,} of {len(np.unique(self.segment)):,} segments)"

    def without(self, place: int) -> Rankings:
        """All judgments but one."""
        return Rankings(*(np.delete(column, place) for column in (self.segment, self.better, self.worse)))


def read_assessments(path: Path) -> dict[str, dict[str, float]]:
    """`LP HUMAN SYSTEM`: the direct assessment of every system, by language pair."""
    found: dict[str, dict[str, float]] = defaultdict(dict)
    for number, line in enumerate(text_lines(path), 1):
        parts = line.split()
        if parts == ["LP", "HUMAN", "SYSTEM"] or not parts:
            continue
        if len(parts) != 3:
            raise InputError(f"{path}: line {number} has {len(parts)} columns; expected pair, score and system")
        pair, score, system = parts
        if system in found[pair]:
            raise InputError(f"{path}: line {number} judges {system} of {pair} a second time")
        found[pair][system] = _number(score, path, number)
    return dict(found)


def read_rankings(path: Path, task: EvaluationSet) -> Rankings:
    """`LP DATA SID BETTER WORSE`, segments counted from 1; only what is of this task's pair and segments is taken.

    A line `LP DATA SID BETTER WORSE` as header is left out; anything else is a judgment, the first line too.
    """
    places = {system: place for place, system in enumerate(task.systems)}
    rows: list[tuple[int, int, int]] = []
    for number, line in enumerate(text_lines(path), 1):
        parts = line.split()
        if not parts or parts[:3] == ["LP", "DATA", "SID"]:
            continue
        if len(parts) != 5 or not parts[2].isdecimal() or int(parts[2]) < 1:
            raise InputError(
                f"{path}: line {number} is {line!r:.60}; expected pair, test set, segment (from 1), better, worse"
            )
        pair, _, segment, better, worse = parts
        if pair != task.name or int(segment) > task.segments:
            continue
        for system in (better, worse):
            if system not in places:
                raise InputError(f"{path}: line {number}: no output of a system '{system}'{nearest(system, places)}")
        if better == worse:
            raise InputError(f"{path}: line {number} finds {better} better than itself; expected two systems")
        rows.append((int(segment) - 1, places[better], places[worse]))
    if not rows:
        raise InputError(f"{path} has no judgment of {task.name}'s {task.segments:,} segments")
    segment_, better_, worse_ = np.array(rows, dtype=np.int64).T
    return Rankings(segment_, better_, worse_)


def read_rankings_with_text(path: Path, task: EvaluationSet) -> Rankings:
    """BARTScore's pickles (`ref`, `better`, `worse` with `sys_name` and `sys`): the segment is found by its texts."""
    table = read_plain(path)
    places = {system: place for place, system in enumerate(task.systems)}
    by_text: dict[str, list[int]] = defaultdict(list)
    for segment, text in enumerate(task.references[0]):
        by_text[text].append(segment)
    rows = []
    for entry in table.values():
        names = [entry[side]["sys_name"] for side in ("better", "worse")]
        texts = [entry[side]["sys"] for side in ("better", "worse")]
        for system in names:
            if system not in places:
                raise InputError(f"{path}: no output of a system '{system}'{nearest(system, places)}")
        fitting = [
            segment
            for segment in by_text.get(entry["ref"], ())  # two segments can have the same reference
            if all(task.outputs[name][segment] == text for name, text in zip(names, texts, strict=True))
        ]
        if not fitting and entry["ref"] not in by_text:
            continue  # beyond the segments that are looked at
        if not fitting:
            raise InputError(f"{path}: no segment of {task.name} has the texts of the judgment {entry['ref']!r:.60}")
        rows.append((fitting[0], places[names[0]], places[names[1]]))
    if not rows:
        raise InputError(f"{path} has no judgments")
    segments, better, worse = np.array(rows, dtype=np.int64).T
    return Rankings(segments, better, worse)


def read_score_file(path: Path) -> dict[str, Floats]:
    """mt-metrics-eval's `*.seg.score` or `*.sys.score`: `SYSTEM<TAB>SCORE`, segments in order, None where missing."""
    found: dict[str, list[float]] = defaultdict(list)
    for number, line in enumerate(text_lines(path), 1):
        parts = line.split()
        if not parts:
            continue
        if len(parts) != 2:
            raise InputError(f"{path}: line {number} has {len(parts)} columns; expected a system and a score")
        found[parts[0]].append(np.nan if parts[1] == "None" else _number(parts[1], path, number))
    if not found:
        raise InputError(f"{path} is empty")
    lengths = {system: len(values) for system, values in found.items()}
    if len(set(lengths.values())) > 1:
        fewest, most = min(lengths, key=lengths.__getitem__), max(lengths, key=lengths.__getitem__)
        raise InputError(
            f"{path} has {lengths[fewest]:,} scores of {fewest} but {lengths[most]:,} of {most}; expected as many of "
            "every system, None where one is missing"
        )
    return {system: np.array(values) for system, values in found.items()}


def segment_matrix(scores: Mapping[str, Floats], systems: Sequence[str], segments: int) -> Floats:
    """The segment scores of these systems; a row of NaN for a system that was not judged."""
    result = np.full((len(systems), segments), np.nan)
    for place, system in enumerate(systems):
        if system in scores:
            if len(scores[system]) < segments:
                raise InputError(f"{system} has {len(scores[system]):,} human scores; expected {segments:,}")
            result[place] = scores[system][:segments]
    return result


def _number(text: str, path: Path, line: int) -> float:
    try:
        value = float(text)
    except ValueError:
        value = np.nan
    if not np.isfinite(value):
        raise InputError(f"{path}: line {line}: {text!r} is not a number; leave out what nobody judged")
    return value


class Agreement(NamedTuple):
    """How a metric's scores agree with human rankings; `value` is NaN where no ranking could be compared."""

    value: float
    rankings: int
    concordant: int
    discordant: int
    ties: int
    undefined: int  # rankings of which the metric has no score, left out


class Changes(NamedTuple):
    """Decisions that became right, and that became wrong, with other scores."""

    improved: int
    degraded: int
    rankings: int

    @property
    def improved_share(self) -> float:
        return self.improved / self.rankings if self.rankings else np.nan

    @property
    def degraded_share(self) -> float:
        return self.degraded / self.rankings if self.rankings else np.nan


def agreement(segments: Floats, rankings: Rankings) -> Agreement:
    """The Kendall-τ-like statistic of WMT 2017 to 2020 (Ma et al. 2019, Results of the WMT19 Metrics Shared Task).

    (concordant − discordant) / (concordant + discordant), a tie of the metric being discordant, as people ranked the
    two. `segments` is (systems, segments), higher is better.
    """
    margins = _margins(segments, rankings)
    undefined = int(np.isnan(margins).sum())
    concordant, ties = int((margins > 0).sum()), int((margins == 0).sum())
    compared = len(margins) - undefined
    value = (2 * concordant - compared) / compared if compared else np.nan
    return Agreement(value, len(margins), concordant, compared - concordant - ties, ties, undefined)


def changes(before: Floats, after: Floats, rankings: Rankings) -> Changes:
    """What becomes of each decision when `before` is replaced by `after`; a tie is a wrong decision."""
    right, then, compared = _both(before, after, rankings)
    return Changes(int((~right & then & compared).sum()), int((right & ~then & compared).sum()), int(compared.sum()))


def segment_sums(before: Floats, after: Floats, rankings: Rankings) -> Floats:
    """Of each segment: rankings that both compare, right before, right after; shape (segments, 3)."""
    right, then, compared = _both(before, after, rankings)
    columns = [compared, right & compared, then & compared]
    return np.stack(
        [np.bincount(rankings.segment, weights=column, minlength=before.shape[1]) for column in columns], axis=1
    )


def _both(before: Floats, after: Floats, rankings: Rankings) -> tuple[Booleans, Booleans, Booleans]:
    if before.shape != after.shape:
        raise InputError(f"scores of shape {before.shape} and {after.shape}; expected the same systems and segments")
    old, new = _margins(before, rankings), _margins(after, rankings)
    return old > 0, new > 0, ~(np.isnan(old) | np.isnan(new))


def _margins(segments: Floats, rankings: Rankings) -> Floats:
    if segments.ndim != 2:
        raise InputError(f"scores of shape {segments.shape}; expected (systems, segments)")
    if len(rankings) and (
        rankings.segment.max() >= segments.shape[1]
        or max(rankings.better.max(), rankings.worse.max()) >= segments.shape[0]
    ):
        raise InputError(f"the rankings name systems or segments beyond the {segments.shape} that have scores")
    better = segments[rankings.better, rankings.segment]
    worse = segments[rankings.worse, rankings.segment]
    margins = better - worse
    return np.where(np.abs(margins) <= ROUNDING * np.maximum(np.abs(better), np.abs(worse)), 0.0, margins)
