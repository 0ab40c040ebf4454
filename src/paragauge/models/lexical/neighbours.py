"""The nearest words of many words at once, by matrix products of blocks of words."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...process.limits import threads

Neighbours = tuple[NDArray[np.float64], NDArray[np.intp]]  # [n, k] each: cosines, best first, and rows of the matrix

# Float32 products round differently in blocks of another size, so some more are kept and told apart in float64.
_SPARE = 6


class Sizes(NamedTuple):
    """What is computed at once."""

    words: int = 1 << 14  # rows of the matrix that are scaled together
    tile: int = 1 << 11  # of them in a product
    queries: int = 1 << 8  # in a product: 2 MB of cosines, which stay in the cache of a processor


class _Block(NamedTuple):
    """Some rows of the matrix, each of length 1."""

    words: NDArray[np.float32]
    zeros: NDArray[np.intp]  # rows that have no direction
    start: int  # the place of the first in the matrix
    tile: int

    def cosines(
        self, queries: NDArray[np.float32], own: NDArray[np.intp] | None
    ) -> Iterator[tuple[NDArray[np.float32], int]]:
        """The cosines of queries with a tile of rows, and the place of the first of these, tile by tile.

        Each is written over the one before: to ask for memory costs as much as the product.
        """
        room = np.empty(len(queries) * min(self.tile, len(self.words)), np.float32)
        for first in range(0, len(self.words), self.tile):
            tile = self.words[first : first + self.tile]
            found = room[: len(queries) * len(tile)].reshape(len(queries), len(tile))
            np.matmul(queries, tile.T, out=found)
            absent = self.zeros[(self.zeros >= first) & (self.zeros < first + self.tile)]
            found[:, absent - first] = -np.inf
            if own is not None:
                place = own - (self.start + first)
                inside = np.flatnonzero((place >= 0) & (place < found.shape[1]))
                found[inside, place[inside]] = -np.inf
            yield found, self.start + first


def nearest_rows(
    matrix: NDArray[np.float32],
    lengths: NDArray[np.float32],
    queries: NDArray[np.float32],
    k: int,
    own: NDArray[np.intp] | None = None,
    sizes: Sizes = Sizes(),  # noqa: B008 - of constants
) -> Neighbours:
    """The k rows of the highest cosine to each query; of equal cosines the first row.

    A row of zeros is nobody's neighbour, nor is the row that `own` names for a query. Where there are fewer than k, the
    cosines behind are −inf. Each core has its own queries.
    """
    from threadpoolctl import threadpool_limits

    count = min(k + _SPARE, len(matrix))
    best = np.full((len(queries), count), -np.inf, np.float32)
    rows = np.zeros((len(queries), count), np.intp)
    unit = _unit(queries)
    parts = [slice(first, first + sizes.queries) for first in range(0, len(queries), sizes.queries)]
    with threadpool_limits(1, user_api="blas"), ThreadPoolExecutor(threads()) as pool:
        for start in _spread(range(0, len(matrix), sizes.words)):
            scale = lengths[start : start + sizes.words]
            words = np.divide(
                matrix[start : start + sizes.words], np.where(scale > 0, scale, 1)[:, None], dtype=np.float32
            )
            block = _Block(words, np.flatnonzero(scale == 0), start, sizes.tile)
            for _ in pool.map(functools.partial(_look, block, unit, own, best, rows), parts):
                pass
    return _exact(matrix, queries, best, rows, k, parts)


def _spread(starts: Sequence[int]) -> list[int]:
    """All of them, near ones far apart: frequent words come first in a file, and the neighbours of a rare word late."""
    order = sorted(range(len(starts)), key=lambda number: number * 0.6180339887 % 1)
    return [starts[number] for number in order]


def _look(
    block: _Block,
    unit: NDArray[np.float32],
    own: NDArray[np.intp] | None,
    best: NDArray[np.float32],
    rows: NDArray[np.intp],
    part: slice,
) -> None:
    """The best of a block for some of the queries: what is better than before is put in order now and then."""
    mine, places = best[part], rows[part]
    better: list[_Better] = []
    for cosines, first in block.cosines(unit[part], None if own is None else own[part]):
        if np.isneginf(mine[:, -1]).any():  # at first all are better than none, so the least that can count is found
            _merge(mine, places, [_among_the_best(cosines, first, mine.shape[1])])
        else:
            better.append(_better(cosines, first, mine[:, -1]))
            if sum(len(one.queries) for one in better) > mine.size:
                _merge(mine, places, better)
                better = []
    _merge(mine, places, better)


class _Better(NamedTuple):
    """Cosines that may be among the best, with their queries and their rows in the matrix."""

    queries: NDArray[np.intp]
    values: NDArray[np.float32]
    rows: NDArray[np.intp]


def _better(cosines: NDArray[np.float32], start: int, least: NDArray[np.float32]) -> _Better:
    """Those not below the least of each query; most queries have none, which their maximum tells at once."""
    changed = np.flatnonzero(cosines.max(axis=1) >= least)
    own = cosines[changed]
    found, places = np.divmod(np.flatnonzero(own >= least[changed, None]), cosines.shape[1])
    return _Better(changed[found], own[found, places], places + start)


def _among_the_best(cosines: NDArray[np.float32], start: int, count: int) -> _Better:
    """The `count` highest of each query, and what is equal to the last of them."""
    level = np.full((len(cosines), 1), np.finfo(np.float32).min)
    if cosines.shape[1] > count:
        place = cosines.shape[1] - count
        level = np.maximum(level, np.partition(cosines, place, axis=1)[:, place : place + 1])
    found, places = np.nonzero(cosines >= level)
    return _Better(found, cosines[found, places], places + start)


def _merge(best: NDArray[np.float32], rows: NDArray[np.intp], better: Sequence[_Better]) -> None:
    """Put cosines into their places among the best; of equal ones the first row."""
    if not any(len(one.queries) for one in better):
        return
    found, values, places = (np.concatenate(parts) for parts in zip(*better, strict=True))
    count = best.shape[1]
    changed = np.unique(found)
    owner = np.concatenate((np.repeat(changed, count), found))
    values = np.concatenate((best[changed].ravel(), values))
    every = np.concatenate((rows[changed].ravel(), places))
    order = np.lexsort((every, -values, owner))
    firsts = np.searchsorted(owner[order], changed)
    chosen = order[firsts[:, None] + np.arange(count)]
    best[changed] = values[chosen]
    rows[changed] = every[chosen]


def _exact(
    matrix: NDArray[np.float32],
    queries: NDArray[np.float32],
    best: NDArray[np.float32],
    rows: NDArray[np.intp],
    k: int,
    parts: Sequence[slice],
) -> Neighbours:
    """The best k of what was found, by cosines in float64, which depend on the two words alone."""
    cosines = np.empty((len(queries), min(k, rows.shape[1])), np.float64)
    chosen = np.empty(cosines.shape, np.intp)
    for part in parts:
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
