"""Evidence of `meaning` to a probability: weights with signs known beforehand, calibration, and how far off it is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Bounds = tuple[float | None, float | None]

_RIDGE = 1e-3
# More likeness never counts against a pair, nor something lost or exchanged in favour of it. How near a copy it is may
# go either way: it says how much the model of both texts is to be believed.
_SIGNS: Mapping[str, Bounds] = {"near": (None, None), "crossed": (None, 0.0), "lost": (None, 0.0)}


class Labelled(NamedTuple):
    """Pairs of one data set."""

    evidence: Floats  # [n, k]
    labels: Floats  # [n], 0 to 1: the same meaning


def fit_blend(names: Sequence[str], sets: Sequence[Labelled], differences: Floats, order: float) -> dict[str, float]:
    """The weight of each kind of evidence, by logistic regression with an offset of its own for each data set.

    `differences` [m, k] is the evidence of a paraphrase minus that of a worse text; it should come out above 0, by the
    logistic loss times `order`. Each data set counts alike, however large.
    """
    from scipy.optimize import minimize

    count = len(names)

    def loss(values: Floats) -> tuple[float, Floats]:
        weights, total, slope = values[:count], 0.0, np.zeros_like(values)
        for place, (evidence, labels) in enumerate(sets, count):
            logits = evidence @ weights + values[place]
            total += float(np.mean(np.logaddexp(0, logits) - labels * logits))
            missed = (1 / (1 + np.exp(-logits)) - labels) / len(labels)
            slope[:count] += evidence.T @ missed
            slope[place] += missed.sum()
        if len(differences):
            ahead = differences @ weights
            total += order * float(np.mean(np.logaddexp(0, -ahead)))
            slope[:count] -= order * differences.T @ (1 / (1 + np.exp(ahead))) / len(ahead)
        slope[:count] += 2 * _RIDGE * weights
        return total + _RIDGE * float(weights @ weights), slope

    bounds: list[Bounds] = [_SIGNS.get(name.partition("_")[0], (0.0, None)) for name in names]
    bounds += [(None, None)] * len(sets)
    start = np.zeros(count + len(sets))
    found = minimize(loss, start, jac=True, bounds=bounds, method="L-BFGS-B", options={"maxiter": 5000})
    return dict(zip(names, found.x[:count].tolist(), strict=True))


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
