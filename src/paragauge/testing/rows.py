"""Of rows: one score each, in range, whatever stands beside them, computed or remembered."""

from __future__ import annotations

import random
import tempfile
from pathlib import Path

import numpy as np

from ..compute.store import Store
from ..compute.workspace import Workspace
from ..metric import Metric
from .expected import assert_in_range, equal, exactness, plain
from .texts import SCRIPTS


def check_one_score_per_row(metric: Metric) -> None:
    """A float64 for each row, and for no rows none."""
    for size in (0, 1, 2, len(plain(metric))):
        scores = metric.score(plain(metric).rows(range(size)))
        assert scores.shape == (size,), f"{size} rows gave scores of shape {scores.shape}"
        assert scores.dtype == np.float64, f"scores are {scores.dtype}, not float64"


def check_range(metric: Metric) -> None:
    """No score of plain texts is beyond the range; `check_odd_texts` sees to the others."""
    assert_in_range(metric, metric.score(plain(metric)))


def check_declared_symmetry(metric: Metric) -> None:
    """Where a metric says that it is symmetric, the two texts can change places."""
    if not metric.symmetric:
        return
    one = [texts[0] for texts in SCRIPTS.values()]
    two = [f"{texts[1]} {texts[2]}" for texts in SCRIPTS.values()]
    there = metric.score(sources=one, candidates=two, references=[[text] for text in one])
    back = metric.score(sources=two, candidates=one, references=[[text] for text in two])
    assert equal(there, back, within=exactness(metric)), (
        f"the two texts cannot change places: {there.tolist()} becomes {back.tolist()}"
    )


def check_rows_are_independent(metric: Metric) -> None:
    """A score depends on its own row (or set) alone: not on the order, the batch, or what was scored before."""
    within = exactness(metric)
    table = plain(metric)
    table = table.rows([*range(len(table)), *range(0, len(table), 2)])  # some rows twice
    expected = metric.score(table.rows(range(len(table))))
    order = list(range(len(table)))
    mixed = random.Random(0).sample(order, len(order))
    assert equal(metric.score(table.rows(mixed)), expected[mixed], within), "a score depends on the order of the rows"
    pieces = table.sets()
    if metric.unit == "pair":
        pieces = [order[start : start + size] for size in (1, 2, 5) for start in range(0, len(table), size)]
    shared = Workspace()
    for rows in pieces:
        assert equal(metric.score(table.rows(rows)), expected[rows], within), "a score depends on the rows beside it"
        assert equal(metric.score(table.rows(rows), shared), expected[rows], within), (
            "a score depends on what the workspace scored before"
        )


def check_samples_stay_as_they_are(metric: Metric) -> None:
    """A metric leaves the table that it is given as it was."""
    table = plain(metric)
    metric.score(table)
    assert table == plain(metric), "the metric changed the samples"


def check_cold_and_warm(metric: Metric) -> None:
    """The same to the last bit whether computed, remembered, or read back from disk."""
    with tempfile.TemporaryDirectory(prefix="paragauge-") as folder:
        _check_cold_and_warm(metric, Path(folder) / "features.sqlite")


def _check_cold_and_warm(metric: Metric, path: Path) -> None:
    cold = Workspace(Store(path))
    expected = metric.score(plain(metric), cold)
    assert equal(metric.score(plain(metric), cold), expected, 0), "a warm workspace gives another score"
    cold.flush()
    assert equal(metric.score(plain(metric), cold), expected, 0), "a tidied workspace gives another score"
    cold.close()
    computed: list[str] = []
    warm = Workspace(Store(path), progress=lambda what, _done, _of: computed.append(what))
    found = metric.score(plain(metric), warm)
    warm.close()
    assert not computed, f"{computed[0]} again, though the store has it"
    assert equal(found, expected, 0), "what comes back from disk gives another score"
