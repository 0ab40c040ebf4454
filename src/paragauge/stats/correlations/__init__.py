"""The correlations that agreement is measured by: one file each, found by its name."""

from __future__ import annotations

from ...registry import Registry
from ..arrays import choice
from ..statistic import Statistic

CORRELATIONS = Registry[Statistic](Statistic, "statistic", __name__, group="paragauge.correlations")
_FIRST = ("pearson", "spearman")


def names() -> tuple[str, ...]:
    """The statistics there are: the most common two, then the others by name."""
    return tuple(sorted(CORRELATIONS.names(), key=lambda name: (name not in _FIRST, name)))


def statistic(name: str) -> Statistic:
    """The statistic of this name."""
    choice(name, names(), "statistic")
    return CORRELATIONS.load(name)
