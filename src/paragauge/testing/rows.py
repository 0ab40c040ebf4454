"""Of rows: one score each, in range, whatever stands next to them; of odd, empty and missing texts, which have none."""

from __future__ import annotations

import dataclasses
import math
import random
import tempfile
import warnings
from pathlib import Path

import numpy as np

from ..compute.store import FeatureStore
from ..metric import Metric, Samples, Workspace
from .expected import assert_in_range, equal, exactness, plain, rounding
from .texts import SCRIPTS, odd_rows


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
        assert equal(metric.score(table.rows(rows)), expected[rows], within), "a score depends on the rows next to it"
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
    cold = Workspace(FeatureStore(path))
    expected = metric.score(plain(metric), cold)
    assert equal(metric.score(plain(metric), cold), expected, 0), "a warm workspace gives another score"
    cold.flush()
    assert equal(metric.score(plain(metric), cold), expected, 0), "a tidied workspace gives another score"
    cold.close()
    computed: list[str] = []
    warm = Workspace(FeatureStore(path), progress=lambda what, _done, _of: computed.append(what))
    found = metric.score(plain(metric), warm)
    warm.close()
    assert not computed, f"{computed[0]} again, though the store has it"
    assert equal(found, expected, 0), "what comes back from disk gives another score"


def check_odd_texts(metric: Metric) -> None:
    """Empty, odd and huge texts: no crash, no warning, nothing beyond the range, NaN only with a reason."""
    table = odd_rows()
    generic = Metric.reason(metric, plain(metric), 0)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            scores = metric.score(odd_rows())
        except Exception as error:
            raise AssertionError(f"{type(error).__name__}: {error}") from error
    assert not np.isinf(scores).any(), "a score is infinite"
    assert_in_range(metric, scores)
    undefined = np.flatnonzero(np.isnan(scores))
    for row in undefined:
        reason = metric.reason(table, int(row))
        texts = table.sources[row], table.candidates[row], table.references[row]
        assert reason.strip(), f"{texts!r:.200} is undefined without a reason"
        assert reason != generic, f"{texts!r:.200} is undefined for no particular reason"


def check_an_empty_candidate_is_no_gain(metric: Metric) -> None:
    """Nothing is never better than something: no score, or one no better than any plain candidate's.

    A metric without a worst score is let off: TER is 100 for an empty candidate, and higher for one much too long.
    """
    table = plain(metric)
    nothing = ["", " ", "\u200b"]
    for text in nothing:
        empty = dataclasses.replace(table, candidates=[text] * len(table))
        scores = metric.score(empty)
        for row, (score, real) in enumerate(zip(scores, metric.score(table), strict=True)):
            if math.isnan(score):
                why = metric.why(empty, row)
                assert why == "the candidate is empty", f"{text!r} has no score because {why}, not because it is empty"
            elif not math.isnan(metric.worst) and not math.isnan(real):
                gain = score - real if metric.higher_is_better else real - score
                assert gain <= rounding(metric), f"{text!r} gets {score}, better than {table.candidates[row]!r}: {real}"


def check_a_missing_candidate_has_no_score(metric: Metric) -> None:
    """A candidate that is not there has no score, and that is the reason given."""
    table = plain(metric)
    found = Samples.of(table.sources, [None] * len(table), table.references)
    assert np.isnan(metric.score(found)).all(), "a candidate that is not there has a score"
    why = metric.why(found, 0)
    assert why == "the candidate is missing", f"a candidate that is not there has no score because {why}"


def check_plain_texts_have_a_score(metric: Metric) -> None:
    """For a metric of sets: in every set of two rows or more, for one text is not a set."""
    table = plain(metric)
    rows = [row for rows in table.sets() if metric.unit == "pair" or len(rows) > 1 for row in rows]
    undefined = np.isnan(metric.score(table)[rows])
    assert not undefined.any(), (
        f"no score for row {[rows[place] for place in np.flatnonzero(undefined)]} of plain texts"
    )
