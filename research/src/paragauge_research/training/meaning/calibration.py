"""From raw scores to probabilities, and how far stated probabilities are from what people said."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


class Bin(NamedTuple):
    """Pairs with about the same stated probability."""

    low: float
    high: float
    stated: float  # mean probability
    observed: float  # share called the same
    share: float  # of all pairs


def fit_platt(raw: Floats, labels: Floats, weights: Floats | None = None, steps: int = 100) -> tuple[float, float]:
    """Slope and offset of the logistic curve nearest to the labels (0 to 1), by Newton's method (Platt 1999)."""
    weight = np.ones_like(raw) if weights is None else weights
    weight = weight / weight.sum()
    inputs = np.column_stack((raw, np.ones_like(raw)))
    found = np.zeros(2)
    for _ in range(steps):
        stated = 1 / (1 + np.exp(-inputs @ found))
        slope = inputs.T @ (weight * (stated - labels)) + 1e-9 * found
        curve = (inputs * (weight * stated * (1 - stated))[:, None]).T @ inputs + 1e-9 * np.eye(2)
        change = np.linalg.solve(curve, slope)
        found -= change * min(1.0, 5.0 / max(float(np.abs(change).max()), 1e-12))
        if np.abs(change).max() < 1e-10:
            break
    return float(found[0]), float(found[1])


def reliability(stated: Floats, labels: Floats, bins: int = 10) -> list[Bin]:
    """The reliability diagram: equally wide bins, those without a pair left out."""
    places = np.minimum((stated * bins).astype(int), bins - 1)
    return [
        Bin(
            place / bins,
            (place + 1) / bins,
            float(stated[places == place].mean()),
            float(labels[places == place].mean()),
            float((places == place).mean()),
        )
        for place in range(bins)
        if (places == place).any()
    ]


def expected_error(stated: Floats, labels: Floats, bins: int = 10) -> float:
    """Expected calibration error (Naeini et al. 2015): the mean distance of stated and observed over the bins."""
    return sum(entry.share * abs(entry.stated - entry.observed) for entry in reliability(stated, labels, bins))
