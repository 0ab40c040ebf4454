"""Places for the labels of a chart, so that none covers another."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from paragauge.metric import Floats


class Box(NamedTuple):
    """A rectangle in pixels; y grows downwards."""

    left: float
    top: float
    right: float
    bottom: float

    def covers(self, other: Box) -> float:
        """The area that both share."""
        width = min(self.right, other.right) - max(self.left, other.left)
        height = min(self.bottom, other.bottom) - max(self.top, other.top)
        return max(width, 0.0) * max(height, 0.0)


def spread(values: Sequence[float], gap: float) -> Floats:
    """Places on a line at least `gap` apart, in the order of the values, and as near to them as can be.

    Least squares under an order: with i·gap taken off the i-th value, what is left must not fall, and runs that do are
    pooled to their mean (isotonic regression).
    """
    wanted = np.asarray(values, dtype=np.float64)
    order = np.argsort(wanted, kind="stable")
    pools: list[tuple[float, int]] = []  # mean and size
    for place, index in enumerate(order):
        mean, size = float(wanted[index]) - place * gap, 1
        while pools and pools[-1][0] >= mean:
            before, count = pools.pop()
            mean, size = (before * count + mean * size) / (size + count), size + count
        pools.append((mean, size))
    result = np.empty(len(wanted))
    result[order] = np.concatenate([np.full(size, mean) for mean, size in pools] or [np.empty(0)])
    result[order] += np.arange(len(wanted)) * gap
    return result


def place(
    points: Sequence[tuple[float, float]],
    widths: Sequence[float],
    height: float,
    size: tuple[float, float],
    radius: float = 8,
) -> list[tuple[float, float]]:
    """The middle of a label for each point (pixels), where it covers the least of other labels, points and the edge.

    Points are served in order of how crowded they are; each takes the nearest free place of a ring of places around it.
    """
    dots = [Box(x - radius / 2, y - radius / 2, x + radius / 2, y + radius / 2) for x, y in points]
    array = np.asarray(points, dtype=np.float64).reshape(-1, 2)
    crowd = [
        -int((np.abs(array - point) < [widths[row], 3 * height]).all(axis=1).sum()) for row, point in enumerate(array)
    ]
    taken: list[Box] = []
    found: dict[int, tuple[float, float]] = {}
    for row in np.argsort(crowd, kind="stable").tolist():
        best = min(
            _ring(points[row], widths[row], height, radius),
            key=lambda middle: _cost(middle, points[row], widths[row], height, size, [*dots, *taken]),
        )
        found[row] = best
        taken.append(_box(best, widths[row], height))
    return [found[row] for row in range(len(points))]


def _ring(point: tuple[float, float], width: float, height: float, radius: float) -> list[tuple[float, float]]:
    """Middles to try: right, left, above, below, then farther out."""
    x, y = point
    result = []
    for step in range(7):
        across, along = width / 2 + radius, height / 2 + radius / 2 + step * height * 0.75
        result += [(x + across, y + sign * step * height * 0.75) for sign in (1, -1)]
        result += [(x - across, y + sign * step * height * 0.75) for sign in (1, -1)]
        result += [(x + shift * width / 2, y + sign * along) for shift in (0, 1, -1) for sign in (-1, 1)]
    return result


def _cost(
    middle: tuple[float, float],
    point: tuple[float, float],
    width: float,
    height: float,
    size: tuple[float, float],
    obstacles: Sequence[Box],
) -> tuple[float, float]:
    box = _box(middle, width, height)
    outside = width * height - box.covers(Box(0, 0, *size))
    covered = sum(box.covers(other) for other in obstacles)
    away = abs(middle[0] - point[0]) - width / 2, abs(middle[1] - point[1]) - height / 2
    return round(covered + outside, 6), float(np.hypot(max(away[0], 0), max(away[1], 0)))


def _box(middle: tuple[float, float], width: float, height: float) -> Box:
    return Box(middle[0] - width / 2, middle[1] - height / 2, middle[0] + width / 2, middle[1] + height / 2)
