"""Judgments as a table of ratings, one row for each candidate and rater, which `meta`, `tune` and `plan` read."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

import numpy as np

from ...errors import InputError
from ...files.write import PathLike, check_output, write_frame
from .design import RaterAnswer, points
from .progress import progress
from .store import StudyStore

if TYPE_CHECKING:
    import polars


def export_ratings(
    store: StudyStore,
    output: PathLike,
    *,
    standardize: bool = False,
    careful: bool = False,
    overwrite: bool = False,
    spreadsheet: bool = False,
) -> list[str]:
    """Write the ratings as csv, tsv, jsonl or parquet, and say what was left out."""
    check_output(output, inputs=[store.path], overwrite=overwrite)
    frame, notes = ratings_frame(store, standardize=standardize, careful=careful)
    write_frame(frame, output, inputs=[store.path], overwrite=overwrite, spreadsheet=spreadsheet)
    return notes


def ratings_frame(
    store: StudyStore, *, standardize: bool = False, careful: bool = False
) -> tuple[polars.DataFrame, list[str]]:
    """One row for each candidate and rater; `human` is the rating of the first question or, of comparisons, the mean
    of what the candidate got in all it was shown in.

    Checks and skipped tasks are left out. With `standardize`, `human` is in standard deviations from the rater's own
    mean; with `careful`, raters who do not tell originals from broken copies are left out.
    """
    import polars

    notes = []
    left = set()
    if careful:
        left = {one.rater for one in progress(store, resamples=0).raters if one.verdict == "not careful"}
        if left:
            notes.append(f"left out, as they rate broken copies no lower: {', '.join(sorted(left))}")
    by_rater: dict[str, dict[int, list[tuple[float, RaterAnswer]]]] = defaultdict(lambda: defaultdict(list))
    for row in store.judgments():
        if row.kind == "genuine" and not row.skipped and row.rater not in left:
            for (cell, _), value in zip(row.shown, points(store.design, row), strict=True):
                by_rater[row.rater][cell].append((value, row))
    if not by_rater:
        raise InputError(f"{store.path} has no judgments{' of careful raters' if left else ''} to export")
    rows_of = defaultdict(list)
    for sample, own in enumerate(store.items.cells):
        rows_of[own].append(sample)
    questions = store.design.asked if store.design.task == "direct" else ()
    table: list[dict[str, object]] = []
    for rater, cells in by_rater.items():
        means = {cell: float(np.mean([value for value, _ in found])) for cell, found in cells.items()}
        values = np.array([*means.values()])
        centre, spread = float(values.mean()), float(values.std(ddof=1)) if np.ptp(values) > 0 else 0.0
        if standardize and not spread:
            notes.append(f"{rater} gave the same rating to all, and is left out: it has no standard deviation")
            continue
        for cell, found in cells.items():
            human = (means[cell] - centre) / spread if standardize else means[cell]
            details = {question: found[0][1].answer[question] for question in questions}
            for sample in rows_of[cell]:
                table.append(_texts(store, sample) | {"rater": rater, "human": human, **details}
                             | {"seconds": sum(row.seconds for _, row in found), "judgments": len(found)})  # fmt: skip
    order = {name: place for place, name in enumerate(by_rater)}
    table.sort(key=lambda row: (row.pop("row"), order[str(row["rater"])]))
    schema: dict[str, type[polars.DataType] | polars.DataType] = {
        "id": polars.String, "system": polars.String, "source": polars.String, "candidate": polars.String,
        "references": polars.List(polars.String), "rater": polars.String, "human": polars.Float64,
        **dict.fromkeys(questions, polars.Float64), "seconds": polars.Float64, "judgments": polars.Int64,
    }  # fmt: skip
    if not any(store.samples.references):
        del schema["references"]
    return polars.DataFrame([[row[name] for name in schema] for row in table], schema=schema, orient="row"), notes


def _texts(store: StudyStore, sample: int) -> dict[str, object]:
    samples = store.samples
    return {
        "row": sample, "id": samples.ids[sample], "system": samples.systems[sample],
        "source": samples.sources[sample], "candidate": samples.candidates[sample],
        "references": list(samples.references[sample]),
    }  # fmt: skip
