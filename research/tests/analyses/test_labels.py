"""Labels that do not cover each other."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize

from paragauge_research.analyses.figures import Box, place, spread


def test_spread_by_hand():
    # 1 and 1.2 must be 1 apart: around their mean; 5 stays
    assert spread([1.2, 5, 1.0], 1).tolist() == pytest.approx([1.6, 5, 0.6])
    assert spread([], 1).tolist() == []
    assert spread([3, 3, 3], 2).tolist() == [1, 3, 5]


@given(st.lists(st.floats(-5, 5), min_size=1, max_size=12), st.floats(0.01, 2))
def test_spread_keeps_apart_in_order_and_on_average(values, gap):
    found = spread(values, gap)
    order = np.argsort(values, kind="stable")
    assert (np.diff(found[order]) >= gap - 1e-9).all()
    assert found.mean() == pytest.approx(np.mean(values), abs=1e-9)


def test_spread_is_the_nearest():
    values = np.array([0.0, 0.1, 0.15, 1.0, 1.05, 3.0])
    apart = [{"type": "ineq", "fun": lambda x, row=row: x[row + 1] - x[row] - 0.4} for row in range(5)]
    best = minimize(lambda x: ((x - values) ** 2).sum(), np.arange(6.0), constraints=apart)
    np.testing.assert_allclose(spread(values, 0.4), best.x, atol=1e-3)  # the solver's own tolerance


def test_boxes():
    assert Box(0, 0, 2, 2).covers(Box(1, 1, 3, 3)) == 1
    assert Box(0, 0, 1, 1).covers(Box(2, 0, 3, 1)) == 0


def test_labels_of_near_points_are_apart():
    points = [(200.0, 200.0), (203.0, 201.0), (199.0, 204.0), (205.0, 197.0), (590.0, 5.0)]
    widths = [60.0, 80.0, 50.0, 70.0, 90.0]
    middles = place(points, widths, 13, (600, 400))
    boxes = [Box(x - w / 2, y - 6.5, x + w / 2, y + 6.5) for (x, y), w in zip(middles, widths, strict=True)]
    for row, box in enumerate(boxes):
        assert all(box.covers(other) == 0 for other in boxes[row + 1 :])
        assert all(not (box.left < x < box.right and box.top < y < box.bottom) for x, y in points)
        assert box.left >= 0 <= box.top
        assert box.right <= 600
