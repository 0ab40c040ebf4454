"""Bootstrap intervals in one pass and constant memory, resampled by source."""

from __future__ import annotations

import math
import zlib
from collections.abc import Sequence
from functools import cache
from hashlib import blake2b
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
RESAMPLES = 1000
_BLOCK = 256  # sources whose draws are made at a time: they stay in the cache of one core


class Interval(NamedTuple):
    """The middle 95% of the resampled values; NaN where there is nothing to resample."""

    low: float
    high: float


def source_keys(sources: Sequence[str]) -> NDArray[np.uint64]:
    """A 64-bit number for each source text; candidates of one source share it, wherever they stand in the file."""
    known: dict[str, int] = {}
    for text in sources:
        if text not in known:
            known[text] = int.from_bytes(blake2b(text.encode(), digest_size=8).digest(), "little")
    return np.array([known[text] for text in sources], dtype=np.uint64)


def weights(keys: NDArray[np.uint64], resamples: int = RESAMPLES, seed: int = 0) -> NDArray[np.float32]:
    """How often each source is drawn in each resample; shape (resamples, keys).

    Poisson(1) counts instead of multinomial ones (Chamandy et al. 2012, Estimating uncertainty for massive data
    streams), drawn from a hash of the source: so the draw needs neither the number of sources nor a second pass, and
    a source gets the same weights in whatever chunk it comes up again.
    """
    return np.ascontiguousarray(_draws(keys, resamples, seed).T.astype(np.float32))


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


def _draws(keys: NDArray[np.uint64], resamples: int, seed: int) -> NDArray[np.uint8]:
    """Shape (keys, resamples)."""
    draws = -(-resamples // 4)  # one 64-bit number gives four 16-bit draws
    with np.errstate(over="ignore"):
        steps = np.arange(1, draws + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
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
        self._keys: set[int] = set()  # at most two: is there more than one source?

    def add(self, keys: NDArray[np.uint64], total: Floats, sums: Floats) -> None:
        """Add the plain sum of a chunk's rows and their sums in every resample; `keys` are the sources they are of."""
        self.total += total
        self.sums += sums
        if len(keys) and len(self._keys) < 2:
            self._keys.update(keys[:1].tolist(), keys[keys != keys[0]][:1].tolist())

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
        self._keys = set(sorted(self._keys | other._keys)[:2])

    def interval(self, values: Floats) -> Interval:
        """The interval of a statistic, given its value in every resample (NaN where it was undefined)."""
        values = values[~np.isnan(values)]
        if len(self._keys) < 2 or not len(values):
            return Interval(math.nan, math.nan)
        low, high = np.percentile(values, [2.5, 97.5])
        return Interval(float(low), float(high))
