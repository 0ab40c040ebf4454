"""What is compared: run folders, and files of scores, as one table of several systems."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ..errors import InputError
from ..evaluate.run import Run, open_run, stored_aggregation
from ..files.layout import FORMATS, format_by_suffix
from ..files.write import PathLike
from ..runs.record import difference
from ..tables.samples import Samples
from ..tables.scores import ScoreColumn, Scores

if TYPE_CHECKING:
    import polars

_EMPTY, _MISSING = "the candidate is empty", "the candidate is missing"


class NamedScores(NamedTuple):
    """The scores of one run folder or file; `texts` says whether sources and candidates are known."""

    name: str
    scores: Scores
    texts: bool


def read_all(inputs: Sequence[PathLike | Scores | Run]) -> tuple[Scores, bool, list[str]]:
    """All inputs as one table, every system under a name of its own; whether texts are known; what to know of it."""
    given = [_read(path) for path in inputs]
    named = _distinct_names(given)
    common = [metric for metric in given[0].scores.columns if all(metric in one.scores.columns for one in given)]
    if not common:
        lists = "; ".join(f"{one.name} has {', '.join(one.scores.columns)}" for one in given)
        raise InputError(f"the inputs have no metric in common: {lists}")
    every = dict.fromkeys(metric for one in given for metric in one.scores.columns)
    notes = []
    if alone := [metric for metric in every if metric not in common]:
        notes.append(f"not in all inputs, and left out: {', '.join(alone)}")
    for metric in common:
        signatures = [one.scores.signatures[metric] for one in given if metric in one.scores.signatures]
        if others := [signature for signature in signatures if signature != signatures[0]]:
            notes.append(f"{metric} was computed in different ways: {difference(signatures[0], others[0])}")
    if len({one.scores.empty for one in given}) > 1:
        raise InputError("the inputs count empty candidates in different ways (worst, skip); expected the same in all")
    samples = [_renamed(one.scores.samples, names) for one, names in zip(given, named, strict=True)]
    whole = samples[0]
    for later in samples[1:]:
        whole += later
    columns = {metric: _joined([one.scores.columns[metric] for one in given]) for metric in common}
    signatures_of = {metric: given[0].scores.signatures.get(metric, metric) for metric in common}
    found = Scores(whole, columns, signatures_of, empty=given[0].scores.empty)
    return found, all(one.texts for one in given), notes


def _read(path: PathLike | Scores | Run) -> NamedScores:
    if isinstance(path, Scores):
        return NamedScores("scores", path, True)
    if isinstance(path, Run):
        return NamedScores(
            "scores" if path.folder is None else Path(os.path.normpath(path.folder)).name, path.scores, True
        )
    name = Path(os.path.normpath(path)).name
    if Path(path).is_dir():
        return NamedScores(name, open_run(path).scores, True)
    if not Path(path).is_file():
        raise InputError(f"there is no run folder and no file {os.fspath(path)}")
    return NamedScores(name.partition(".")[0], _read_file(path), False)


def _read_file(path: PathLike) -> Scores:
    """A table of scores as `output` of `score_file` has them: one line per sample, system and metric."""
    import polars

    frame = _frame(path)
    needed = ("sample", "system", "metric", "score")
    if lacking := [name for name in needed if name not in frame.columns]:
        raise InputError(
            f"{os.fspath(path)} has no column '{lacking[0]}'; expected a run folder, or a file of scores with the "
            f"columns {', '.join(needed)}"
        )
    if frame["score"].dtype == polars.String:
        raise InputError(f"{os.fspath(path)}: the column score holds text; expected numbers")
    frame = frame.with_columns(polars.col("sample", "system", "metric").cast(polars.String))
    reasons = (
        frame["reason"] if "reason" in frame.columns else polars.Series([None] * frame.height, dtype=polars.String)
    )
    frame = frame.with_columns(reasons.alias("reason"), polars.col("score").cast(polars.Float64).fill_nan(None))
    rows = frame.group_by("system", "sample", maintain_order=True).agg(
        (polars.col("reason") == _EMPTY).any().alias("empty"), (polars.col("reason") == _MISSING).any().alias("missing")
    )
    # of the texts only this much is known
    candidates = [
        None if missing else "" if empty else "…" for empty, missing in rows.select("empty", "missing").rows()
    ]
    samples = Samples.of(None, candidates, None, rows["system"].to_list(), rows["sample"].to_list())
    places = {key: row for row, key in enumerate(samples.keys())}
    columns = {}
    for metric in frame["metric"].unique(maintain_order=True).to_list():
        own = frame.filter(polars.col("metric") == metric)
        at = [places[key] for key in own.select("system", "sample").rows()]
        if len(set(at)) < len(at):
            raise InputError(
                f"{os.fspath(path)} has several scores of {metric} for one sample of a system; expected one"
            )
        scores = np.full(len(samples), np.nan)
        scores[at] = own["score"].fill_null(float("nan")).to_numpy()
        reasons_of = {row: text for row, text in zip(at, own["reason"].to_list(), strict=True) if text is not None}
        columns[metric] = ScoreColumn(scores, reasons_of, None, stored_aggregation(metric, {}, texts=False))
    return Scores(samples, columns)


def _frame(file: PathLike) -> polars.DataFrame:
    import polars

    path = Path(file)
    format = format_by_suffix(os.fspath(path), FORMATS)
    if format is None:
        raise InputError(f"{os.fspath(path)} is neither a run folder nor a file of scores (csv, tsv, jsonl, parquet)")
    try:
        if format == "parquet":
            return polars.read_parquet(path, glob=False)
        if format == "jsonl":
            return polars.read_ndjson(path, infer_schema_length=None)
        return polars.read_csv(path, separator="\t" if format == "tsv" else ",", infer_schema_length=None, glob=False)
    except (polars.exceptions.PolarsError, OSError) as error:
        raise InputError(f"{os.fspath(path)} cannot be read as {format}: {str(error).splitlines()[0]}") from error


def _distinct_names(given: Sequence[NamedScores]) -> list[dict[str, str]]:
    """Of each input the new name of each system: its own where no other input has it, else that of the input."""
    systems = [list(dict.fromkeys(one.scores.samples.systems)) for one in given]
    counts = Counter(name for names in systems for name in names)
    if max(counts.values()) == 1:
        return [{name: name for name in names} for names in systems]
    inputs = Counter(one.name for one in given)
    labels = [one.name if inputs[one.name] == 1 else f"{one.name} ({place})" for place, one in enumerate(given, 1)]
    return [
        {name: label if len(names) == 1 else f"{label}: {name}" for name in names}
        for label, names in zip(labels, systems, strict=True)
    ]


def _renamed(samples: Samples, names: Mapping[str, str]) -> Samples:
    return replace(samples, systems=[names[system] for system in samples.systems])


def _joined(columns: Sequence[ScoreColumn]) -> ScoreColumn:
    counted = [column.counts for column in columns]
    widths = {counts.shape[1] for counts in counted if counts is not None}
    judged = [column.judgments for column in columns]
    counts = None
    aggregation = columns[0].aggregation
    if None not in [None if one is None else 0 for one in counted] and len(widths) == 1:
        counts = np.concatenate([one for one in counted if one is not None])
    else:
        aggregation = replace(aggregation, from_counts=None)
    return ScoreColumn(
        np.concatenate([column.scores for column in columns]),
        _shifted(columns, [column.reasons for column in columns]),
        counts,
        aggregation,
        _shifted(columns, [column.notes for column in columns]),
        None if None in judged else [one for own in judged if own is not None for one in own],
    )


def _shifted(columns: Sequence[ScoreColumn], found: Sequence[Mapping[int, str]]) -> dict[int, str]:
    """What is said of single rows, by their place in the joined table."""
    starts = np.cumsum([0, *(len(column.scores) for column in columns)]).tolist()
    return {start + row: text for start, own in zip(starts, found, strict=False) for row, text in own.items()}
