"""Rows of a table, or candidates, that meet a condition: the best of each source, without near-duplicates."""

from __future__ import annotations

import math
import os
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from ..compute.workspace import Progress
from ..errors import Hint, InputError, check_count, nearest
from ..evaluate.api import evaluate_whole
from ..evaluate.plan import choose as choose_metrics
from ..files.columns import number_in_cell
from ..files.layout import Layout
from ..files.rows import Row, read, read_rows, rows_of, write_rows
from ..files.write import PathLike, check_output
from ..metrics import names as metric_names
from ..metrics import parse
from ..metrics.overall.usable import Usable
from ..runs.listing import complete_record
from ..tables.samples import is_empty
from ..text.normalize import normalize
from .condition import Condition, parse_condition

NO_CANDIDATE = "there is no candidate"


class Filtered(NamedTuple):
    """The rows that were kept, in their order, and how many were rejected for which reason."""

    rows: list[Row]
    read: int
    rejected: dict[str, int]  # by the first condition that did not hold, `near-duplicate` and `not among the best`


def filter(
    table: Any,
    where: str | None = None,
    *,
    best: int | None = None,
    by: str | None = None,
    dedupe: float | None = None,
    output: PathLike | None = None,
    overwrite: bool = False,
    spreadsheet: bool = False,
    columns: Mapping[str, str] | None = None,
    format: str | None = None,
    encoding: str = "utf-8",
    delimiter: str | None = None,
    header: Sequence[str] | None = None,
    cache: bool = True,
    progress: Progress | None = None,
    **settings: Any,
) -> Filtered:
    """Keep the rows for which the condition `where` holds; of each source the `best` ones, without near-duplicates.

    `table` is a path (or a complete run folder), a DataFrame, or rows as dicts. A name in the condition is a column of
    numbers or, where there is no such column, a metric, which is computed. `by` is what the best have most of (of a
    metric where less is better: least); by default the first name in the condition, and instead of `usable`, which
    says yes or no, the meaning that it judges by. An empty candidate is kept only by a condition on
    `usable`, which knows what it is. `dedupe` drops a candidate that is at least so
    similar to a better one of its source (1 less the edit distance by length, regardless of case and accents).
    """
    if where is None and best is None and dedupe is None:
        raise InputError(
            "nothing to filter by", Hint("give {where}, {best} or {dedupe}", where=None, best=None, dedupe=None)
        )
    best = None if best is None else check_count("best", best)
    if dedupe is not None and not 0 < dedupe <= 1:
        raise InputError(f"dedupe={dedupe}; expected a similarity above 0 and at most 1")
    given = isinstance(table, (str, os.PathLike))
    condition = None if where is None else parse_condition(where)
    if output is not None:
        check_output(output, inputs=[table] if given else (), overwrite=overwrite)
    rows = _rows_in(table, Layout(format, None, encoding, delimiter, header)) if given else rows_of(table)
    known = list(dict.fromkeys(name for row in rows for name in row))
    ranked = not (best is None and dedupe is None)
    if ranked and by is None:
        by = _ranking(condition, known)
    names = dict.fromkeys([*(condition.names if condition is not None else ()), *([by] if by is not None else ())])
    samples = read(rows, columns or {})
    numbers = {name: _numbers(rows, name) for name in names if name in known}
    computed = [name for name in names if name not in known]
    for name in computed:
        try:
            parse(name)
        except InputError as error:
            unknown = nearest(name, [*known, *metric_names()])
            raise InputError(f"'{name}' is neither a column nor a metric{unknown}", error.hint) from None
    if computed:
        metrics = choose_metrics(computed, any(samples.references), **settings)
        scores = evaluate_whole(samples, metrics, cache=cache, progress=progress)
        numbers |= {name: scores[metric.spec].tolist() for name, metric in zip(computed, metrics, strict=True)}
    kept, rejected = choose(
        CandidateRows(samples.sources, samples.candidates, numbers), condition, best=best, by=by if ranked else None,
        dedupe=dedupe,
    )  # fmt: skip
    found = [rows[place] | {name: numbers[name][place] for name in computed} for place in kept]
    if output is not None:
        inputs = [table] if given else ()
        write_rows(found, output, inputs=inputs, overwrite=overwrite, spreadsheet=spreadsheet, columns=known + computed)
    return Filtered(found, len(rows), dict(rejected))


def _ranking(condition: Condition | None, known: Sequence[str]) -> str:
    """By what candidates are ranked where nothing is said: what the condition names first, else a column `score`."""
    if condition is not None and condition.names:
        verdict = verdict_metric(condition.names[0])
        return condition.names[0] if verdict is None else verdict.meaning.spec
    if "score" not in known:
        raise InputError(
            "nothing says which candidate is better", Hint("name a column or metric with {by}", by="cosine.free")
        )
    return "score"


def _rows_in(table: PathLike, layout: Layout) -> list[Row]:
    """The rows of a table, or of a complete run folder: there with a column for each metric."""
    folder = Path(table)
    if folder.is_dir() and (folder / "run.json").is_file():
        import polars

        complete_record(folder)
        samples = polars.read_parquet(folder / "samples.parquet", glob=False)
        row = ["sample", "system"]
        scores = polars.read_parquet(folder / "scores.parquet", glob=False).select(*row, "metric", "score")
        wide = scores.pivot("metric", index=row, values="score", maintain_order=True)
        joined = samples.join(wide, on=row, how="left", maintain_order="left")
        return joined.rename({"sample": "id"}).to_dicts()
    rows = read_rows(table, layout)
    names = set().union(*rows)
    if "candidate" not in names and {"sample", "metric", "score"} <= names:
        raise InputError(
            f"{os.fspath(table)} is a table of scores without the texts; expected a run folder, or a table with a "
            "column for each metric"
        )
    return rows


def _numbers(rows: Sequence[Row], name: str) -> list[float]:
    return [number_in_cell(row.get(name), f"row {place}: {name}") for place, row in enumerate(rows, 1)]


class CandidateRows(NamedTuple):
    """What candidates are chosen by: texts, and columns of numbers by name; an undefined number is NaN."""

    sources: Sequence[str]
    candidates: Sequence[str]
    numbers: Mapping[str, Sequence[float]]


def choose(
    rows: CandidateRows,
    condition: Condition | None,
    *,
    best: int | None = None,
    by: str | None = None,
    dedupe: float | None = None,
) -> tuple[list[int], Counter[str]]:
    """The places of the rows that are kept, in their order, and how many were rejected for which reason.

    `by` names the column that says which candidate of a source is better, where the `best` are asked for, or those
    without near-duplicates. An empty candidate is kept only by a condition on a metric that judges it.
    """
    rejected: Counter[str] = Counter()
    passed: list[int] = []
    judged = condition is not None and any(verdict_metric(name) is not None for name in condition.names)
    for place, candidate in enumerate(rows.candidates):
        failed = None
        if condition is not None:
            failed = condition.failed({name: rows.numbers[name][place] for name in condition.names})
        if is_empty(candidate) and not (judged and failed is None):
            failed = NO_CANDIDATE
        if failed is None:
            passed.append(place)
        else:
            rejected[failed] += 1
    if by is None:
        return passed, rejected
    rank = _ranks(rows.numbers[by], by)
    groups: dict[str, list[int]] = {}
    for place in passed:
        groups.setdefault(rows.sources[place], []).append(place)
    kept = []
    for group in groups.values():
        own: list[int] = []
        for place in sorted(group, key=lambda place: (rank[place], place)):
            if dedupe is not None and _is_similar(rows.candidates, place, own, dedupe):
                rejected[f"near-duplicate (similarity of at least {dedupe:g})"] += 1
            elif best is not None and len(own) >= best:
                rejected[f"not among the best {best}"] += 1
            else:
                own.append(place)
        kept += own
    return sorted(kept), rejected


def verdict_metric(name: str) -> Usable | None:
    """The metric that says yes or no, if this is its name."""
    try:
        found = parse(name)
    except InputError:  # a column that is not a metric
        return None
    return found if isinstance(found, Usable) else None


def _ranks(numbers: Sequence[float], name: str) -> list[float]:
    """Less is better; an undefined number comes last."""
    try:
        sign = -1.0 if parse(name).higher_is_better else 1.0
    except InputError:  # a column that is not a metric
        sign = -1.0
    return [math.inf if value != value else sign * value for value in numbers]


def _is_similar(candidates: Sequence[str], place: int, others: Iterable[int], least: float) -> bool:
    from rapidfuzz.distance import Levenshtein

    own = normalize(candidates[place])
    return any(
        Levenshtein.normalized_similarity(own, normalize(candidates[other]), score_cutoff=least) >= least
        for other in others
    )
