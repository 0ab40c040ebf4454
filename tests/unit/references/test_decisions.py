"""Decisions of a metric against human rankings."""

from __future__ import annotations

import numpy as np
import pytest

from paragauge.errors import InputError
from paragauge.references.human import Rankings, agreement, changes, segment_sums


def rankings(*rows: tuple[int, int, int]) -> Rankings:
    return Rankings(*np.array(rows, dtype=np.int64).reshape(-1, 3).T)


# segment 0: system 0 above 1 above 2; segment 1: system 2 above 0
RANKED = rankings((0, 0, 1), (0, 1, 2), (0, 0, 2), (1, 2, 0))
BEFORE = np.array([[3.0, 1.0], [3.0, 5.0], [1.0, 0.0]])


def test_a_tie_counts_as_wrong():
    # 0 ties with 1; 1 above 2 and 0 above 2 are right; in segment 1 system 2 is below 0: (2 − 2) / 4
    assert agreement(BEFORE, RANKED) == (0.0, 4, 2, 1, 1, 0)


def test_changes_and_their_sums_by_segment():
    after = np.array([[4.0, 1.0], [3.0, 5.0], [3.5, 2.0]])
    # the tie is broken rightly (+1), 1 against 2 is lost (−1), 0 against 2 stays, and segment 1 is won (+1)
    found = changes(BEFORE, after, RANKED)
    assert found == (2, 1, 4)
    assert (found.improved_share, found.degraded_share) == (0.5, 0.25)
    np.testing.assert_array_equal(segment_sums(BEFORE, after, RANKED), [[3, 2, 2], [1, 0, 1]])
    gain = agreement(after, RANKED).value - agreement(BEFORE, RANKED).value
    assert gain == 2 * (found.improved - found.degraded) / found.rankings


def test_differences_of_rounding_are_ties():
    scores = np.array([[0.1 + 0.2], [0.3]])
    assert scores[0, 0] != scores[1, 0]
    assert agreement(scores, rankings((0, 0, 1), (0, 1, 0))).ties == 2
    assert agreement(np.array([[1e-9], [2e-9]]), rankings((0, 1, 0))).concordant == 1


def test_undefined_scores_are_left_out_and_counted():
    scores = BEFORE.copy()
    scores[1, 0] = np.nan
    assert agreement(scores, RANKED)[1:] == (4, 1, 1, 0, 2)
    assert changes(BEFORE, scores, RANKED).rankings == 2
    nothing = agreement(np.full((3, 2), np.nan), RANKED)
    assert np.isnan(nothing.value)
    assert nothing.undefined == 4


def test_what_is_refused():
    with pytest.raises(InputError, match="expected the same systems and segments"):
        changes(BEFORE, BEFORE[:2], RANKED)
    with pytest.raises(InputError, match="beyond"):
        agreement(BEFORE[:2], RANKED)
    with pytest.raises(InputError, match=r"expected \(systems, segments\)"):
        agreement(BEFORE[0], RANKED)
