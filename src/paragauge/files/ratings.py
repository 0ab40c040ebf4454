"""A table with human scores to Ratings."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from ..errors import Hint, InputError, MissingColumnError
from ..tables.ratings import Floats, Ratings
from .table_file import read_numbered
from .write import PathLike


def read_ratings(
    path: PathLike,
    human: str = "human",
    scores: Sequence[str] = (),
    format: str | None = None,
    columns: Mapping[str, str] | None = None,
    encoding: str = "utf-8",
    delimiter: str | None = None,
    header: Sequence[str] | None = None,
) -> Ratings:
    """A table with a column of human scores, and perhaps columns of scores of metrics computed elsewhere.

    Where it has a column `rater`, a pair has one row for each of its raters, as `paragauge annotate export` writes
    them: its human score is the mean of theirs, and every one of them is in `judgments`.
    `delimiter` separates the cells of csv; `header` names the columns, in order, of a file that has no header line.
    """
    for place, name in enumerate(scores):
        if name == human or name in scores[:place]:
            raise InputError(f"the column '{name}' is named twice; expected one of human scores, and others of metrics")
    try:
        found = read_numbered(path, [human, *scores], format, columns, encoding, delimiter, header)
    except MissingColumnError as error:
        if error.column != "human":
            raise
        raise InputError(error.message, Hint("name the column of human scores with {human}", human=None)) from None
    values = {name: np.array(column) for name, column in found.numbers.items()}
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


def _once(values: Floats, rows: NDArray[np.intp], size: int, where: str) -> Floats:
    """The score of a metric, which every row of a pair repeats."""
    found = np.full(size, math.nan)
    found[rows] = values
    if not np.array_equal(found[rows], values, equal_nan=True):
        raise InputError(f"{where} differs among the rows of one pair; expected the same score beside each rater")
    return found
