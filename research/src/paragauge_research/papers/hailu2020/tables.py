"""The tables of Hailu et al. 2020: WEEM4PG against human judgments of phrase pairs, and sentiment classifiers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

import numpy as np

from paragauge.benchmarks import benchmark
from paragauge.compute.workspace import Workspace
from paragauge.errors import InputError
from paragauge.metrics import parse
from paragauge.stats.correlation import pearson, spearman

from .. import Request
from ..cells import Cell, Computed, Place, beside, read_printed
from .grid import computed, of_run, read_recorded

TABLES = ("Table 1", "Table 2", "Table 3")
COLUMNS = {"PPDB": "ppdb", "Wikipedia": "wikipedia-phrases"}
VECTORS = "word2vec is not available; GloVe 6B 50d stands in"
UNDEFINED = "authors: the formula has no value where no word is shared, {rows:,} of {all:,} rows left out"
COUNT = "the published file has one pair more"
OTHERS = "taken over by the paper from Pavlick et al. 2015; those scores are not in the data"
NETWORKS = "not in the recorded grid of classifiers (research/bench/extrinsic.py)"
RECORDED = "recorded by research/bench/extrinsic.py"
DIVIDED = (
    "the text says 1,000 reviews (and 2,500, 2,000 and 1,000 of 5,000); 14 of the 16 accuracies cannot come of so "
    "few: this is the least number of reviews that gives all"
)
REVIEWS = "1,000"  # in the test set, by section 3.1


@cache
def printed() -> dict[str, dict[Place, str]]:
    """Tables 1 to 3 as printed."""
    return read_printed(Path(__file__).parent)


def compute(request: Request) -> Iterator[Cell]:
    """Table 1 by Spearman as printed, and by Pearson, without the overlap factor too; 2 and 3 from the grid.

    `authors` is the formula to the letter, undefined where no word is shared; `corrected` has the factor 1 there.
    """
    if request.wanted("Table 1"):
        yield from _table_1(request)
    grid = read_recorded() if request.run is None else of_run(request.run)
    source = RECORDED if request.run is None else f"the run in {request.run}"
    if request.wanted("Table 2"):
        numbers = printed()["Table 2"]
        least = float(least_sample(list(numbers.values())))
        checked = {("reviews in the test set", "every network"): Computed(None, least, DIVIDED, fault=True)}
        shown = {**numbers, ("reviews in the test set", "every network"): REVIEWS}
        yield from beside("Table 2", shown, computed(grid, "Table 2", source) | checked, NETWORKS)
    if request.wanted("Table 3"):
        yield from beside("Table 3", printed()["Table 3"], computed(grid, "Table 3", source), NETWORKS)


def least_sample(percentages: Sequence[str], most: int = 10_000) -> int:
    """The least number of items of which every printed percentage is a whole number of items.

    >>> least_sample(["50.0", "33.3"]), least_sample(["25", "50"])
    (6, 4)
    """
    for items in range(1, most + 1):
        if all(_possible(text, items) for text in percentages):
            return items
    raise InputError(f"the percentages are of no number of items up to {most:,}")


def _possible(text: str, items: int) -> bool:
    digits = len(text.partition(".")[2])
    near = round(float(text) * items / 100)
    return f"{100 * near / items:.{digits}f}" == f"{float(text):.{digits}f}"


def _table_1(request: Request) -> Iterator[Cell]:
    found: dict[Place, Computed] = {}
    missing: dict[str, str] = {}
    for done, (column, name) in enumerate(COLUMNS.items()):
        if request.progress is not None:
            request.progress("phrase pairs", done, len(COLUMNS))
        try:
            found |= dict(_values(column, name, request.data))
        except InputError as error:
            missing[column] = str(error)
    if not found:
        raise InputError(next(iter(missing.values())))
    for column, why in missing.items():
        found |= {place: Computed(None, None, why) for place in printed()["Table 1"] if place[1] == column}
    yield from beside("Table 1", printed()["Table 1"], found, OTHERS)


def _values(column: str, name: str, folder: Path | None) -> Iterator[tuple[Place, Computed]]:
    ratings = benchmark(name).load(folder)
    work = Workspace()
    letter, whole, plain = (
        parse(f"weem4pg:tokenizer=none,{choice}").score(ratings.samples, work)
        for choice in ("compat=paper", "compat=none", "overlap_factor=no")
    )
    left_out = UNDEFINED.format(rows=int(np.isnan(letter).sum()), all=len(letter))
    rows = float(len(ratings))
    yield ("#Phrase-Paraphrase pairs", column), Computed(None, rows, COUNT if name == "ppdb" else "")
    for statistic, correlate in (("", spearman), (", Pearson", pearson)):
        strict, right, other = (
            correlate(own[keep], ratings.human[keep]).value
            for own in (letter, whole, plain)
            for keep in [~np.isnan(own)]
        )
        yield (f"WEEM4PG{statistic}", column), Computed(strict, right, f"{VECTORS}; {left_out}", stand_in=True)
        yield (f"WEEM4PG without √N/N{statistic}", column), Computed(None, other, VECTORS, stand_in=True)
