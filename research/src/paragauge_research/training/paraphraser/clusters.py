"""k-means: vectors to clusters, with numpy alone."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from paragauge.errors import InputError

_ROWS = 1 << 14  # vectors in a product


def fit_clusters(vectors: NDArray[np.float32], number: int, seed: int, iterations: int = 50) -> NDArray[np.float32]:
    """The centres that Lloyd's iterations reach from those of k-means++; a cluster that becomes empty begins anew."""
    generator = np.random.default_rng(seed)
    centres = _begin(vectors, number, generator)
    before = np.full(len(vectors), -1, np.int32)
    for _ in range(iterations):
        chosen, distances = nearest_centres(vectors, centres)
        if (chosen == before).all():
            break
        before = chosen
        counts = np.bincount(chosen, minlength=number)
        sums = np.zeros((number, vectors.shape[1]), np.float64)
        np.add.at(sums, chosen, vectors)
        full = counts > 0
        centres[full] = (sums[full] / counts[full, None]).astype(np.float32)
        if not full.all():
            centres[~full] = vectors[np.argsort(-distances, kind="stable")[: int((~full).sum())]]
    return centres


def nearest_centres(
    vectors: NDArray[np.float32], centres: NDArray[np.float32]
) -> tuple[NDArray[np.int32], NDArray[np.float32]]:
    """The number of the nearest centre of each vector, and the square of its distance."""
    lengths = (centres**2).sum(axis=1)
    chosen = np.empty(len(vectors), np.int32)
    distances = np.empty(len(vectors), np.float32)
    for start in range(0, len(vectors), _ROWS):
        own = vectors[start : start + _ROWS]
        found = lengths[None] - 2 * own @ centres.T
        chosen[start : start + _ROWS] = found.argmin(axis=1)
        distances[start : start + _ROWS] = np.maximum(found.min(axis=1) + (own**2).sum(axis=1), 0)
    return chosen, distances


def _begin(vectors: NDArray[np.float32], number: int, generator: np.random.Generator) -> NDArray[np.float32]:
    """k-means++ (Arthur and Vassilvitskii 2007): each next centre by the square of its distance to those before."""
    centres = [vectors[int(generator.integers(len(vectors)))]]
    distances = ((vectors - centres[0]) ** 2).sum(axis=1, dtype=np.float64)
    while len(centres) < number:
        if not distances.any():
            raise InputError(f"{number} clusters cannot be made of {len(centres)} different vectors")
        place = int(generator.choice(len(vectors), p=distances / distances.sum()))
        centres.append(vectors[place])
        distances = np.minimum(distances, ((vectors - vectors[place]) ** 2).sum(axis=1, dtype=np.float64))
    return np.stack(centres).astype(np.float32)
