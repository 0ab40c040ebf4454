"""Bootstrap intervals in one pass and constant memory, resampled by source."""

from __future__ import annotations

import math
import zlib
from collections.abc import Sequence
from functools import cache
from hashlib import blake2b
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .arrays import Floats, count

RESAMPLES = 1000
_AT_ONCE = 4  # 16-bit draws that a 64-bit number gives
_KEPT = 500  # smallest keys, by which sources are counted
_BLOCK = 256  # sources whose draws are made at a time: they stay in the cache of one core


def source_keys(sources: Sequence[str]) -> NDArray[np.uint64]:
    """A 64-bit number for each source text; candidates of one source share it, wherever they stand in the file."""
    known: dict[str, int] = {}
    for text in sources:
        if text not in known:
            known[text] = int.from_bytes(blake2b(text.encode(), digest_size=8).digest(), "little")
    return np.array([known[text] for text in sources], dtype=np.uint64)


def weights(keys: NDArray[np.uint64], resamples: int = RESAMPLES, seed: int = 0, start: int = 0) -> Floats:
    """How often each source is drawn in each resample; shape (resamples, keys), from the resample `start` on.

    Poisson(1) counts instead of multinomial ones (Chamandy et al. 2012, Estimating uncertainty for massive data
    streams), drawn from a hash of the source: so the draw needs neither the number of sources nor a second pass, and
    a source gets the same weights in whatever chunk it comes up again, whatever resamples it, and however often.
    """
    count(resamples, "the number of resamples")
    skipped = start % _AT_ONCE
    drawn = _draws(keys, resamples + skipped, seed, start // _AT_ONCE)[:, skipped:]
    return np.ascontiguousarray(drawn.T.astype(np.float64))


def draw(units: int, resamples: int = RESAMPLES, seed: int = 0, start: int = 0) -> Floats:
    """`weights` of units that have numbers and no texts."""
    return weights(np.arange(units, dtype=np.uint64), resamples, seed, start)


def weighted_sums(keys: NDArray[np.uint64], table: Floats, resamples: int = RESAMPLES, seed: int = 0) -> Floats:
    """`weights @ table`, where the table has one row per key; shape (resamples, columns).

    Block by block, as the draws of all keys are far larger than a processor's cache, and on one core: the blocks are
    so small that threads wait for each other longer than they multiply (four times slower on a busy machine).
    """
    from threadpoolctl import threadpool_limits

    result = np.zeros((resamples, table.shape[1]))
    with threadpool_limits(1, user_api="blas"):
        for start in range(0, len(keys), _BLOCK):
            drawn = _draws(keys[start : start + _BLOCK], resamples, seed).astype(np.float64)
            result += drawn.T @ table[start : start + _BLOCK]
    return result


def _draws(keys: NDArray[np.uint64], resamples: int, seed: int, block: int = 0) -> NDArray[np.uint8]:
    """Shape (keys, resamples), from a block of `_AT_ONCE` resamples on."""
    draws = -(-resamples // _AT_ONCE)
    with np.errstate(over="ignore"):
        steps = np.arange(block + 1, block + draws + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
        state = _mix(keys + np.uint64(seed) * np.uint64(0xD1B54A32D192ED03))
        bits = _mix(state[:, None] + steps[None, :]).view(np.uint16)
    counts = np.zeros(bits.shape, dtype=np.uint8)
    for threshold in _poisson_thresholds():
        counts += bits >= threshold
    return counts[:, :resamples]


def _mix(state: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """The finaliser of splitmix64 (Steele et al. 2014): well-mixed bits from a counter."""
    state = state ^ (state >> np.uint64(30))
    state *= np.uint64(0xBF58476D1CE4E5B9)
    state ^= state >> np.uint64(27)
    state *= np.uint64(0x94D049BB133111EB)
    state ^= state >> np.uint64(31)
    return state


@cache
def _poisson_thresholds() -> tuple[np.uint16, ...]:
    """Of 65,536 equally likely draws, the first that counts 1, 2 … by Poisson(1)."""
    cumulative = np.cumsum([math.exp(-1) / math.factorial(count) for count in range(12)])
    counts = np.searchsorted(cumulative, (np.arange(1 << 16) + 0.5) / (1 << 16))
    return tuple(np.uint16(np.searchsorted(counts, count)) for count in range(1, int(counts[-1]) + 1))


class Resampled:
    """Sums of rows of numbers, plain and for every resample, to which chunks are added as they come."""

    def __init__(self, width: int, resamples: int = RESAMPLES, seed: int = 0) -> None:
        self.total = np.zeros(width)
        self.sums = np.zeros((resamples, width))
        self.seed = seed
        self._keys = np.empty(0, dtype=np.uint64)

    def add(self, keys: NDArray[np.uint64], total: Floats, sums: Floats) -> None:
        """Add the plain sum of a chunk's rows and their sums in every resample; `keys` are the sources they are of."""
        self.total += total
        self.sums += sums
        self._keys = smallest(self._keys, keys)

    def __getstate__(self) -> dict[str, Any]:
        """As small as it can be sent: most sums are of whole numbers, whose bytes, sorted by place, are mostly zero."""
        bytes_by_place = np.ascontiguousarray(self.sums.T).view(np.uint8).reshape(-1, 8).T
        return self.__dict__ | {"sums": (self.sums.shape, zlib.compress(bytes_by_place.tobytes(), 1))}

    def __setstate__(self, state: dict[str, Any]) -> None:
        shape, packed = state["sums"]
        bytes_by_place = np.frombuffer(zlib.decompress(packed), dtype=np.uint8).reshape(8, -1)
        sums = np.ascontiguousarray(bytes_by_place.T).view(np.float64).reshape(shape[::-1]).T
        self.__dict__.update(state | {"sums": np.ascontiguousarray(sums)})

    def merge(self, other: Resampled) -> None:
        """Add the sums of other rows."""
        self.total += other.total
        self.sums += other.sums
        self._keys = smallest(self._keys, other._keys)

    @property
    def sources(self) -> int:
        """How many sources the rows are of."""
        return _how_many(self._keys)


def smallest(keys: NDArray[np.uint64], others: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """The smallest distinct ones of both, as many as it takes to count all."""
    found = np.union1d(keys, others)[:_KEPT]
    return others if np.array_equal(found, others) else found  # one array in many places is sent once


def count_sources(keys: NDArray[np.uint64]) -> int:
    """How many sources there are, as `Resampled` counts them."""
    return _how_many(smallest(keys[:0], keys))


def _how_many(keys: NDArray[np.uint64]) -> int:
    """How many distinct keys there are, given the smallest: exactly where they are few, and else within about 5%.

    Keys are spread evenly, so that the last of them tells how close they lie (Bar-Yossef et al. 2002, Counting
    Distinct Elements in a Data Stream). An interval of as many sources changes by less than a thousandth for it.
    """
    return len(keys) if len(keys) < _KEPT else round((_KEPT - 1) * 2.0**64 / float(keys[_KEPT - 1]))
