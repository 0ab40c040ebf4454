"""Of empty, missing, odd and plain texts: which have a score, and why the others have none."""

from __future__ import annotations

import dataclasses
import math
import warnings

import numpy as np

from ..metric import Metric
from ..tables.samples import Samples
from .expected import assert_in_range, plain, rounding
from .texts import odd_rows


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
    """For a metric of sets: in every set of two rows or more, for one text is no set."""
    table = plain(metric)
    rows = [row for rows in table.sets() if metric.unit == "pair" or len(rows) > 1 for row in rows]
    undefined = np.isnan(metric.score(table)[rows])
    assert not undefined.any(), (
        f"no score for row {[rows[place] for place in np.flatnonzero(undefined)]} of plain texts"
    )
