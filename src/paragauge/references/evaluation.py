"""Gains of several sets of additional references over the language pairs of a WMT folder, as tables."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from ..compute.workspace import Progress, no_progress
from ..errors import Hint, InputError
from ..evaluate.part import workspace_for
from ..metric import Metric
from ..stats.correlation import spearman
from ..stats.resample import RESAMPLES
from ..tables.notices import sentences
from . import wmt
from .coverage import word_diversity
from .gains import scored_segments_gain, segment_gain, spread, system_gain
from .human import read_assessments, read_score_file, segment_matrix
from .scoring import SystemScores, score_task
from .task import EvaluationSet

Value = str | float | int | None
Row = Mapping[str, Value]


class ReferenceEvaluation(NamedTuple):
    """A row for each set of references, language pair and number of references; then a row for each set and number."""

    rows: list[Row]
    summary: list[Row]
    notes: list[str]
    signatures: list[str]


def evaluate(
    folder: Path,
    extra_folders: Sequence[Path],
    human: str,
    pairs: Sequence[str],
    first: int | None,
    metric: Metric,
    sizes: Sequence[int] = (),
    resamples: int = RESAMPLES,
    seed: int = 0,
    progress: Progress = no_progress,
) -> ReferenceEvaluation:
    """`human` is da, darr, or a file of segment scores; without `pairs`, all that have what is needed."""
    judge = _judge(folder, human, pairs, resamples, seed)
    chosen = list(pairs) or wmt.pairs(folder)
    rows: list[Row] = []
    notes: list[str] = []
    signatures: list[str] = []
    steps = [(place, pair) for place in extra_folders for pair in chosen]
    work = workspace_for([metric])
    for done, (place, pair) in enumerate(steps):
        progress("evaluating", done, len(steps))
        files = wmt.extra_files(place, pair)
        if not files:
            if pairs:
                raise InputError(
                    f"{place} has no file for {pair}; expected {pair} or {pair.replace('-', '')} in a name"
                )
            notes.append(f"{pair} is left out: {place} has no references for it")
            continue
        task = wmt.read_pair(folder, pair, files, first)
        notes += task.warnings()
        wanted = sorted({0, *(sizes or [task.extras])})
        single, *augmented = score_task(task, metric, wanted, work)
        signatures += [scored.signature for scored in (single, *augmented)]
        for scored in (single, *augmented):
            notes += [f"{pair}: {warning}" for warning in sentences(scored.notices)]
        for scored in augmented:
            found = judge(task, single, scored)
            if found is None:
                notes.append(f"{pair} is left out: there are no human judgments of it ({human})")
                break
            kind: Value = _diversity(task, scored.extras)
            rows.append({"references": place.name, "pair": pair, "extras": scored.extras, **found, "diversity": kind})
        work.flush()
    progress("evaluating", len(steps), len(steps))
    work.close()
    if not rows:
        raise InputError(f"nothing to evaluate: {'; '.join(notes) or 'only the reference itself was requested'}")
    notes += _relation(rows)
    return ReferenceEvaluation(rows, _summary(rows), list(dict.fromkeys(notes)), list(dict.fromkeys(signatures)))


def as_table(rows: Sequence[Row]) -> tuple[list[str], list[list[Value]]]:
    """Names of the columns and their values; a column that is empty everywhere is left out."""
    names = list(dict.fromkeys(name for row in rows for name in row))
    kept = [name for name in names if any(row.get(name) not in (None, "") for row in rows)]
    return kept, [[row.get(name) for name in kept] for row in rows]


def _judge(
    folder: Path, human: str, pairs: Sequence[str], resamples: int, seed: int
) -> Callable[[EvaluationSet, SystemScores, SystemScores], Row | None]:
    if human == "da":
        assessments = read_assessments(folder / "DA-syslevel.csv")

        def by_systems(task: EvaluationSet, single: SystemScores, augmented: SystemScores) -> Row | None:
            if task.name not in assessments:
                return None
            found = system_gain(single, augmented, assessments[task.name], task.name, resamples, seed)
            return {
                "systems": found.systems, "r": found.single, "r with extras": found.augmented, "gain": found.gain,
                "gain %": found.relative, "low": found.low, "high": found.high, "p": found.p,
                "accuracy": found.accuracy_single, "accuracy with extras": found.accuracy_augmented,
                "why": found.reason,
            }  # fmt: skip

        return by_systems
    if human == "darr":

        def by_rankings(task: EvaluationSet, single: SystemScores, augmented: SystemScores) -> Row | None:
            rankings = wmt.rankings_of(folder, task)
            if rankings is None:
                return None
            found = segment_gain(single, augmented, rankings, task.name, resamples, seed)
            return {
                "rankings": found.rankings, "τ": found.single, "τ with extras": found.augmented, "gain": found.gain,
                "gain %": found.relative, "low": found.low, "high": found.high, "p": found.p,
                "improved": found.improved, "degraded": found.degraded, "why": found.reason,
            }  # fmt: skip

        return by_rankings
    path = Path(human)
    if not path.is_file():
        raise InputError(
            f"no human judgments '{human}'; expected da, darr, or a file of segment scores (SYSTEM, tab, SCORE)"
        )
    if len(pairs) != 1:
        raise InputError(f"{path.name} is of one language pair", Hint("name it with {pairs}", pairs=None))
    scores = read_score_file(path)

    def by_scores(task: EvaluationSet, single: SystemScores, augmented: SystemScores) -> Row | None:
        table = segment_matrix(scores, task.systems, task.segments)
        means = {
            system: float(np.nanmean(row))
            for system, row in zip(task.systems, table, strict=True)
            if not np.isnan(row).all()
        }
        if not means:
            return None
        systems = system_gain(single, augmented, means, task.name, resamples, seed)
        found = scored_segments_gain(single, augmented, table, task.name, seed=seed)
        return {
            "systems": systems.systems, "r": systems.single, "r with extras": systems.augmented, "gain": systems.gain,
            "low": systems.low, "high": systems.high, "p": systems.p, "SPA": found.soft_single,
            "SPA with extras": found.soft_augmented, "acc_eq": found.tied_single,
            "acc_eq with extras": found.tied_augmented, "why": systems.reason or found.reason,
        }  # fmt: skip

    return by_scores


def _diversity(task: EvaluationSet, extras: int) -> float | None:
    """DS-BOW of the extra references; None of a single one."""
    return word_diversity(task.references[1 : extras + 1]).value if extras > 1 else None


def _summary(rows: Sequence[Row]) -> list[Row]:
    """Average, least and most of the gains over language pairs."""
    if len({row["pair"] for row in rows}) < 2:
        return []
    keys = dict.fromkeys((row["references"], row["extras"]) for row in rows)
    result: list[Row] = []
    for references, extras in keys:
        own = [row for row in rows if (row["references"], row["extras"]) == (references, extras)]
        line: dict[str, Value] = {"references": references, "extras": extras, "pairs": len(own)}
        for name in ("gain", "gain %"):
            if name in own[0]:
                found = spread([_float(row[name]) for row in own])
                line |= {"pairs": len(own) - found.left_out} if name == "gain" else {}
                line |= {f"mean {name}": found.mean, f"least {name}": found.low, f"most {name}": found.high}
        line["significant"] = sum(_float(row["p"]) <= 0.05 for row in own)
        result.append(line)
    return result


def _relation(rows: Sequence[Row]) -> list[str]:
    """Does more diversity go with more gain?"""
    both = [(_float(row["diversity"]), _float(row["gain"])) for row in rows if row["diversity"] is not None]
    both = [pair for pair in both if not np.isnan(pair).any()]
    if len(both) < 3:
        return []
    found = spearman([pair[0] for pair in both], [pair[1] for pair in both])
    if found.reason:
        return []
    return [f"diversity and gain over {len(both)} rows: Spearman's ρ {found.value:.3f}"]


def _float(value: Value) -> float:
    return float("nan") if value is None or isinstance(value, str) else float(value)
