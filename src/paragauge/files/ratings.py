"""A table with human scores to Ratings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from ..errors import Hint, InputError, MissingColumnError
from ..tables.ratings import Ratings
from .reading import read_numbered
from .writing import PathLike


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

    `delimiter` separates the cells of csv; `header` names the columns, in order, of a file that has no header line.
    """
    for place, name in enumerate(scores):
        if name == human or name in scores[:place]:
            raise InputError(f"the column '{name}' is named twice; expected one of human scores, and others of metrics")
    try:
        samples, numbers = read_numbered(path, [human, *scores], format, columns, encoding, delimiter, header)
    except MissingColumnError as error:
        if error.column != "human":
            raise
        raise InputError(error.message, Hint("name the column of human scores with {human}", human=None)) from None
    values = {name: np.array(column) for name, column in numbers.items()}
    if np.isnan(values[human]).all():
        raise InputError(f"{path}: no row has a human score: the column '{human}' is empty")
    title = "standard input" if str(path) == "-" else str(path)
    return Ratings(samples, values[human], title, scores={name: values[name] for name in scores})
