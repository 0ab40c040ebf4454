"""Exact optimal transport between two weighted sets of points."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..process.extras import require

Floats = NDArray[np.float64]

# pivots of the network simplex; two texts of 500 words each need fewer than 100,000
_PIVOTS = 10_000_000


@functools.cache
def _solver() -> tuple[Callable[..., Any], Callable[..., Any]]:
    emd2 = require("ot", "transport", "this metric solves transport problems with POT").emd2
    from scipy.spatial.distance import cdist

    return emd2, cdist


def check_solver() -> None:
    """A MissingExtraError where the solver is not installed."""
    _solver()


def distances(points: Floats, others: Floats) -> Floats:
    """Euclidean, [n, m]; by differences, so that equal points are exactly 0 apart."""
    found: Floats = _solver()[1](points, others)
    return found


def transport_cost(supply: Floats, demand: Floats, costs: Floats) -> float:
    """The least cost of moving `supply` [n] to `demand` [m], which have the same sum; `costs` is [n, m]."""
    if 1 in costs.shape:  # everything goes to the one place, or comes from it
        return float(np.dot(costs.ravel(), demand if len(supply) == 1 else supply))
    scale = supply.sum()
    found = _solver()[0](
        supply / scale, demand / demand.sum(), costs, numItermax=_PIVOTS, center_dual=False, check_marginals=False
    )
    return float(found) * float(scale)
