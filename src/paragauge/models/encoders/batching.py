"""What every encoder does alike: batches of equally long inputs, computed side by side, given back in order."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import defaultdict, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...errors import ModelError
from .encoder import Encoded
from .tokenize import Pieces, Tokenize

Hidden = NDArray[np.float32]

# Measured on two cores with sentences of 13 tokens: larger batches leave the processor's caches.
_BATCH = 1024
# Tokens among which inputs of equal length are looked for: bounds what is held back to keep the order.
_BLOCK = 65_536


class EncoderIdentity(NamedTuple):
    """What an encoder is, apart from how it computes."""

    name: str
    sha256: str  # of the weights
    files: str  # of all files together: tokenizer and configuration change the vectors too
    layer: int
    layers: int
    precision: str
    long: str
    backend: str
    pooling: str  # mean or cls


class BatchedEncoder(ABC):
    """An Encoder, but for `hidden`, the model itself.

    Inputs of a batch are exactly equally long: padding costs time and changes the last bits. Batches depend on the
    list of texts alone, never on timing, because float32 kernels round differently in batches of another size.
    """

    def __init__(self, identity: EncoderIdentity, tokenize: Tokenize, workers: int) -> None:
        self.name, self.sha256 = identity.name, identity.sha256
        self.layer, self.layers = identity.layer, identity.layers
        self.precision, self.limit = identity.precision, tokenize.limit
        self.special_ids, self.unknown_id = tokenize.special_ids, tokenize.unknown_id
        self.signature = (
            f"encoder|sha256:{identity.sha256[:16]}|files:{identity.files[:16]}|layer:{identity.layer}"
            f"|precision:{identity.precision}|long:{identity.long}|backend:{identity.backend}"
        )
        self._tokenize = tokenize
        self._pooling = identity.pooling
        self._workers = workers

    @abstractmethod
    def hidden(self, inputs: NDArray[np.int32]) -> Hidden:
        """Hidden states [n, T, d] of n inputs of T ids each; called from several threads, never with n = 0."""

    def ids(self, texts: Sequence[str]) -> list[list[int]]:
        """Token ids alone, special tokens included, within the limit."""
        return [pieces.ids() for pieces in self._tokenize.pieces(texts)]

    def unknown(self, texts: Sequence[str]) -> list[list[str]]:
        """What the unknown tokens of each text stand for, in order and without regard to the limit."""
        return list(self._tokenize.unknown(texts))

    def encode(self, texts: Sequence[str]) -> Iterator[Encoded]:
        """One per text, in order, as they are ready."""
        waiting: dict[int, tuple[Pieces, dict[int, _States]]] = {}
        ready: dict[int, Encoded] = {}
        given = 0
        for batch, states in self._computed(_batches(self._tokenize.pieces(texts), waiting)):
            for row, (text, window) in enumerate(batch.places):
                pieces, windows = waiting[text]
                windows[window] = _States(batch.inputs[row], *(part[row] for part in states))
                if len(windows) == len(pieces.inputs):
                    ready[text] = self._joined(pieces, windows)
                    del waiting[text]
            while given in ready:
                yield ready.pop(given)
                given += 1

    def _computed(self, batches: Iterable[_Batch]) -> Iterator[tuple[_Batch, tuple[Hidden, Hidden, Hidden]]]:
        """Batches and their states in order; a few are under way at any time."""
        underway: deque[tuple[_Batch, Future[tuple[Hidden, Hidden, Hidden]]]] = deque()
        with ThreadPoolExecutor(self._workers) as pool:
            for batch in batches:
                underway.append((batch, pool.submit(self._states, batch.inputs)))
                if len(underway) > 2 * self._workers:
                    batch, future = underway.popleft()
                    yield batch, future.result()
            for batch, future in underway:
                yield batch, future.result()

    def _states(self, inputs: NDArray[np.int32]) -> tuple[Hidden, Hidden, Hidden]:
        hidden = self.hidden(inputs)
        if not np.isfinite(hidden).all():
            raise ModelError(f"{self.name} gives vectors that are not finite; are its weights damaged?")
        return hidden, _unit(hidden), _unit(self._pool(hidden))

    def _pool(self, hidden: Hidden) -> Hidden:
        pooled: Hidden = hidden[..., 0, :] if self._pooling == "cls" else hidden.mean(axis=-2)
        return pooled

    def _joined(self, pieces: Pieces, windows: Mapping[int, _States]) -> Encoded:
        first = windows[0]
        if len(windows) == 1:
            return Encoded(first.ids, first.vectors, first.sentence, pieces.unknown, pieces.truncated)
        kept = [(windows[number], part) for number, part in enumerate(pieces.kept)]
        return Encoded(
            ids=np.concatenate([states.ids[part] for states, part in kept]),
            vectors=np.concatenate([states.vectors[part] for states, part in kept]),
            sentence=_unit(self._pool(np.concatenate([states.hidden[part] for states, part in kept]))),
            unknown=pieces.unknown,
            truncated=pieces.truncated,
        )


class _States(NamedTuple):
    ids: NDArray[np.int32]
    hidden: Hidden
    vectors: Hidden
    sentence: Hidden


class _Batch(NamedTuple):
    places: list[tuple[int, int]]  # text, window
    inputs: NDArray[np.int32]


def _batches(texts: Iterable[Pieces], waiting: dict[int, tuple[Pieces, dict[int, _States]]]) -> Iterator[_Batch]:
    """Batches of equal length, shortest first, block by block; `waiting` learns of each text before its first batch."""
    by_length: dict[int, list[tuple[int, int]]] = defaultdict(list)
    tokens = 0
    for text, pieces in enumerate(texts):
        waiting[text] = (pieces, {})
        for window, ids in enumerate(pieces.inputs):
            by_length[len(ids)].append((text, window))
            tokens += len(ids)
        if tokens >= _BLOCK:
            yield from _cut(by_length, waiting)
            by_length.clear()
            tokens = 0
    yield from _cut(by_length, waiting)


def _cut(
    by_length: Mapping[int, list[tuple[int, int]]], waiting: Mapping[int, tuple[Pieces, dict[int, _States]]]
) -> Iterator[_Batch]:
    for length, places in sorted(by_length.items()):
        size = max(1, _BATCH // max(1, length))
        for start in range(0, len(places), size):
            chosen = places[start : start + size]
            yield _Batch(chosen, np.array([waiting[text][0].inputs[window] for text, window in chosen], np.int32))


def _unit(vectors: Hidden) -> Hidden:
    lengths = np.sqrt(np.einsum("...d,...d->...", vectors, vectors))[..., None]
    unit: Hidden = vectors / np.maximum(lengths, np.float32(1e-12))
    return unit
