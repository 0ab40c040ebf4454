"""A table with human scores to Ratings; a pair may have one row for each of its raters."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..errors import Hint, InputError, MissingColumnError, nearest
from ..tables.ratings import Floats, Ratings
from ..tables.samples import Samples
from .columns import locate, number_in_cell
from .layout import Layout
from .table_file import TableFile
from .write import PathLike

_RATER = "rater"  # the column of who judged a row


class Numbered(NamedTuple):
    """A whole table: its samples, and what its columns of numbers hold; an empty cell is NaN."""

    samples: Samples
    numbers: dict[str, Floats]  # one for each row of the file
    rows: list[int]  # the sample of each row of the file
    raters: list[str] | None  # who judged it; None where the file does not say


class JudgedRow(NamedTuple):
    """What a row is known by; `where` is its place in the file, `id` None where it has none."""

    where: str
    id: str | int | float | None
    rater: str
    system: str
    source: str
    candidate: str


def read_ratings(path: PathLike, human: str = "human", scores: Sequence[str] = (), **layout: Any) -> Ratings:
    """A table with a column of human scores, and perhaps columns of scores of metrics computed elsewhere.

    Where it has a column `rater`, a pair has one row for each of its raters, as `paragauge annotate export` writes
    them: its human score is the mean of theirs, and every one of them is in `judgments`. `layout` has the format,
    columns, encoding, delimiter and header of a table that does not tell them, as in `Layout`.
    """
    for place, name in enumerate(scores):
        if name == human or name in scores[:place]:
            raise InputError(f"the column '{name}' is named twice; expected one of human scores, and others of metrics")
    try:
        found = read_numbered(path, [human, *scores], Layout(**layout))
    except MissingColumnError as error:
        if error.column != "human":
            raise
        raise InputError(error.message, Hint("name the column of human scores with {human}", human=None)) from None
    values = found.numbers
    if np.isnan(values[human]).all():
        raise InputError(f"{path}: no row has a human score: the column '{human}' is empty")
    title = "standard input" if str(path) == "-" else str(path)
    if found.raters is None:
        return Ratings(found.samples, values[human], title, scores={name: values[name] for name in scores})
    size, rows = len(found.samples), np.array(found.rows)
    judgments: list[tuple[float, ...]] = [()] * size
    raters: list[tuple[str, ...]] = [()] * size
    for row, rater, value in zip(found.rows, found.raters, values[human].tolist(), strict=True):
        if not math.isnan(value):
            judgments[row], raters[row] = (*judgments[row], value), (*raters[row], rater)
    means = np.array([math.fsum(own) / len(own) if own else math.nan for own in judgments])
    once = {name: _once(values[name], rows, size, f"{path}: {name}") for name in scores}
    return Ratings(found.samples, means, title, judgments=judgments, raters=raters, scores=once)


def read_numbered(path: PathLike, numbers: Sequence[str], layout: Layout = Layout()) -> Numbered:
    """A table with columns of numbers. Where it has a column `rater`, each sample has a row for each of its raters."""
    table = TableFile(path, layout)
    if table.lacks_rows:
        raise InputError(f"{table.name} {table.lacks_rows}")
    records = list(table.whole_records())
    headers = dict.fromkeys(names for (_, names, _), _ in records)
    places = {names: [locate(names, name, table.name) for name in (_RATER, *numbers)] for names in headers}
    rows, raters = list(range(len(records))), None
    if any(found[0] is not None for found in places.values()):
        judged = []
        for record, columns in records:
            number, names, cells = record
            roles = places[names][0], columns.system, columns.source, columns.candidate
            texts = ["" if place is None or cells[place] is None else str(cells[place]) for place in roles]
            judged.append(JudgedRow(f"{table.place} {number}", table.id_of(record, columns), *texts))
        rows, raters = _judged_samples(judged, table.name), [row.rater for row in judged]
    firsts = sorted({row: place for place, row in reversed([*enumerate(rows)])}.values())
    samples = table.samples([records[place] for place in firsts], 1)
    values: dict[str, Floats] = {}
    for column, name in enumerate(numbers, 1):
        if all(found[column] is None for found in places.values()):  # one line of jsonl may lack what another has
            known = {known for names in headers for known in names}
            raise MissingColumnError(f"{table.name}: no column '{name}'{nearest(name, known)}", name)
        cells_of = [(number, cells, places[names][column]) for (number, names, cells), _ in records]
        values[name] = np.array(
            [
                number_in_cell(None if place is None else cells[place], f"{table.name}: {table.place} {number}: {name}")
                for number, cells, place in cells_of
            ]
        )
    return Numbered(samples, values, rows, raters)


def _judged_samples(rows: Iterable[JudgedRow], name: str) -> list[int]:
    """The number of the pair that each row judges: of one system and id or, without an id, system and texts."""
    known: dict[tuple[object, ...], int] = {}
    firsts: list[JudgedRow] = []
    seen: dict[tuple[int, str], str] = {}
    found = []
    for row in rows:
        key = (row.system, row.source, row.candidate) if row.id is None else (row.system, str(row.id))
        sample = known.setdefault(key, len(firsts))
        if sample == len(firsts):
            firsts.append(row)
        first = firsts[sample]
        if (first.source, first.candidate) != (row.source, row.candidate):
            raise InputError(f"{name}: {first.where} and {row.where} have the id {row.id!r:.60} and different texts")
        if (sample, row.rater) in seen:
            raise InputError(
                f"{name}: {row.rater!r:.60} judges one pair in {seen[sample, row.rater]} and in {row.where}; expected "
                "one row for each pair and rater"
            )
        seen[sample, row.rater] = row.where
        found.append(sample)
    return found


def _once(values: Floats, rows: NDArray[np.intp], size: int, where: str) -> Floats:
    """The score of a metric, which every row of a pair repeats."""
    found = np.full(size, math.nan)
    found[rows] = values
    if not np.array_equal(found[rows], values, equal_nan=True):
        raise InputError(f"{where} differs among the rows of one pair; expected the same score next to each rater")
    return found
