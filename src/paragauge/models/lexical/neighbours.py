"""The nearest words of many words at once, by matrix products of blocks of words."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Neighbours = tuple[NDArray[np.float64], NDArray[np.intp]]  # [n, k] each: cosines, best first, and rows of the matrix

_WORDS = 1 << 14  # rows of the matrix in a product
_QUERIES = 1 << 9  # queries in a product: 32 MB of cosines
# Float32 products round differently in blocks of another size, so some more are kept and told apart in float64.
_SPARE = 6


def nearest_rows(
    matrix: NDArray[np.float32],
    lengths: NDArray[np.float32],
    queries: NDArray[np.float32],
    k: int,
    own: NDArray[np.intp] | None = None,
) -> Neighbours:
    """The k rows of the highest cosine to each query; of equal cosines the first row.

    A row of zeros is nobody's neighbour, nor is the row that `own` names for a query. Where there are fewer than k, the
    cosines behind are −inf.
    """
    count = min(k + _SPARE, len(matrix))
    best = np.full((len(queries), count), -np.inf, np.float32)
    rows = np.zeros((len(queries), count), np.intp)
    unit = _unit(queries)
    for start in range(0, len(matrix), _WORDS):
        block = matrix[start : start + _WORDS]
        scale = lengths[start : start + _WORDS]
        words = np.divide(block, np.where(scale > 0, scale, 1)[:, None], dtype=np.float32)
        for first in range(0, len(queries), _QUERIES):
            part = slice(first, first + _QUERIES)
            cosines: NDArray[np.float32] = unit[part] @ words.T
            cosines[:, scale == 0] = -np.inf
            if own is not None:
                inside = np.flatnonzero((own[part] >= start) & (own[part] < start + len(block)))
                cosines[inside, own[part][inside] - start] = -np.inf
            _merge(best[part], rows[part], cosines, start)
    return _exact(matrix, queries, best, rows, k)


def _merge(best: NDArray[np.float32], rows: NDArray[np.intp], cosines: NDArray[np.float32], start: int) -> None:
    """Put those cosines of a block that are among the best into their place."""
    better = cosines > best[:, -1:]
    for query in np.flatnonzero(better.any(axis=1)).tolist():
        places = np.flatnonzero(better[query])
        found = cosines[query, places]
        count = best.shape[1]
        if len(found) > count:  # of equal ones the first, so a whole order and not a partition
            chosen = np.flatnonzero(found >= np.partition(found, len(found) - count)[len(found) - count])
            places, found = places[chosen], found[chosen]
        values = np.concatenate((best[query], found))
        order = np.argsort(-values, kind="stable")[:count]
        best[query] = values[order]
        rows[query] = np.concatenate((rows[query], places + start))[order]


def _exact(
    matrix: NDArray[np.float32], queries: NDArray[np.float32], best: NDArray[np.float32], rows: NDArray[np.intp], k: int
) -> Neighbours:
    """The best k of what was found, by cosines in float64, which depend on the two words alone."""
    cosines = np.empty((len(queries), min(k, rows.shape[1])), np.float64)
    chosen = np.empty(cosines.shape, np.intp)
    for first in range(0, len(queries), _QUERIES):
        part = slice(first, first + _QUERIES)
        order = np.argsort(rows[part], axis=1, kind="stable")
        places = np.take_along_axis(rows[part], order, axis=1)
        words = matrix[places].astype(np.float64)
        wanted = queries[part].astype(np.float64)
        scale = np.sqrt(np.einsum("qkd,qkd->qk", words, words) * np.einsum("qd,qd->q", wanted, wanted)[:, None])
        found = np.einsum("qkd,qd->qk", words, wanted) / np.where(scale > 0, scale, 1)
        found[np.isneginf(np.take_along_axis(best[part], order, axis=1))] = -np.inf
        ranked = np.argsort(-found, axis=1, kind="stable")[:, : cosines.shape[1]]
        cosines[part] = np.take_along_axis(found, ranked, axis=1)
        chosen[part] = np.take_along_axis(places, ranked, axis=1)
    return cosines, chosen


def _unit(vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    scale = np.linalg.norm(vectors, axis=1, keepdims=True).astype(np.float32)
    return np.divide(vectors, np.where(scale > 0, scale, 1), dtype=np.float32)
