"""Table 1 of Hailu, Yu and Fantaye 2020: WEEM4PG against the human judgments of phrase pairs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np

from ..benchmarks import benchmark
from ..compute.workspace import Progress, Workspace
from ..errors import InputError
from ..meta.statistics.correlation import pearson, spearman
from ..metrics import parse
from .cells import Cell

TABLE = "Table 1"
PRINTED = {"ppdb": "0.435", "wikipedia-phrases": "0.382"}  # with word2vec
VECTORS = "other vectors: printed with word2vec, computed with GloVe 6B 50d"
UNDEFINED = "the formula has no value where no word is shared: {rows:,} of {all:,} rows left out"
FACTOR = "without √N/N, the overlap factor: not in the paper"
WHICH = "; which of the two correlations is printed could not be read"


def reproduce(
    folder: Path | None = None,
    wanted: Callable[[str], bool] = lambda _: True,
    progress: Progress | None = None,
) -> list[Cell]:
    """Both data sets with Spearman and Pearson, with the overlap factor and without; words cut at white space.

    `authors` is the formula to the letter, undefined where no word is shared; `corrected` has the factor 1 there.
    """
    if not wanted(TABLE):
        return []
    found: list[Cell] = []
    missing: dict[str, str] = {}
    for done, name in enumerate(PRINTED):
        if progress is not None:
            progress("phrase pairs", done, len(PRINTED))
        try:
            found += _cells(name, folder)
        except InputError as error:
            missing[name] = str(error)
    if not found:
        raise InputError(next(iter(missing.values())))
    return found + [
        Cell(TABLE, "WEEM4PG", benchmark(name).title, PRINTED[name], None, None, why) for name, why in missing.items()
    ]


def _cells(name: str, folder: Path | None) -> Iterator[Cell]:
    known = benchmark(name)
    ratings = known.load(folder)
    work = Workspace()
    letter, whole, plain = (
        parse(f"weem4pg:tokenizer=none,{choice}").score(ratings.samples, work)
        for choice in ("compat=paper", "compat=none", "overlap_factor=no")
    )
    defined = ~np.isnan(letter)
    left_out = UNDEFINED.format(rows=int((~defined).sum()), all=len(letter))
    for statistic, correlate in (("Spearman", spearman), ("Pearson", pearson)):
        column = f"{known.title} {statistic}"
        strict = correlate(letter[defined], ratings.human[defined]).value
        values = [
            correlate(own[keep], ratings.human[keep]).value for own in (whole, plain) for keep in [~np.isnan(own)]
        ]
        yield Cell(TABLE, "WEEM4PG", column, PRINTED[name], strict, values[0], f"{VECTORS}; theirs: {left_out}{WHICH}")
        yield Cell(TABLE, "WEEM4PG without the factor", column, None, None, values[1], f"{VECTORS}; {FACTOR}")
