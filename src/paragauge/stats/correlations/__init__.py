"""The correlations that agreement is measured by: one file each, or family, found by its name."""

from __future__ import annotations

from ...registry import Registry
from ..statistic import Statistic

FAMILIES = {"kendall": ("kendall-b", "kendall-c")}  # files that hold several
CORRELATIONS = Registry[Statistic](Statistic, "statistic", __name__, group="paragauge.correlations", families=FAMILIES)
statistic = CORRELATIONS.load
_FIRST = ("pearson", "spearman")


def names() -> tuple[str, ...]:
    """The statistics there are: the most common two, then the others by name."""
    return tuple(sorted(CORRELATIONS.names(), key=lambda name: (name not in _FIRST, name)))
