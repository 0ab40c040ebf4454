"""What every encoder does alike: windows of texts to hidden states, and those to vectors of texts."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...errors import ModelError
from ..batching import in_order
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

    Inputs of a batch are exactly equally long.
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

    def spans(self, texts: Sequence[str]) -> list[list[tuple[int, int]]]:
        """Where in its text each of these tokens stands; special ones from 0 to 0."""
        return list(self._tokenize.spans(texts))

    def encode(self, texts: Sequence[str]) -> Iterator[Encoded]:
        """One per text, in order, as they are ready."""
        waiting: deque[Pieces] = deque()
        states = in_order(
            self._windows(texts, waiting),
            self._states,
            shape=lambda window: (len(window.ids),),
            size=_BATCH,
            workers=self._workers,
        )
        for first in states:
            pieces = waiting.popleft()
            yield self._joined(pieces, [first, *islice(states, len(pieces.inputs) - 1)])

    def _windows(self, texts: Sequence[str], waiting: deque[Pieces]) -> Iterator[list[_Window]]:
        """The inputs of the model, block by block; `waiting` learns of each text."""
        block: list[_Window] = []
        tokens = 0
        for pieces in self._tokenize.pieces(texts):
            waiting.append(pieces)
            block += [_Window(ids, len(pieces.inputs) == 1) for ids in pieces.inputs]
            tokens += sum(map(len, pieces.inputs))
            if tokens >= _BLOCK:
                yield block
                block, tokens = [], 0
        yield block

    def _states(self, windows: Sequence[_Window]) -> Iterator[_States]:
        inputs = np.array([window.ids for window in windows], np.int32)
        hidden = self.hidden(inputs)
        if not np.isfinite(hidden).all():
            raise ModelError(f"{self.name} gives vectors that are not finite; are its weights damaged?")
        kept = [None if window.whole else row for window, row in zip(windows, hidden, strict=True)]
        return map(_States, inputs, kept, _unit(hidden), _unit(self._pool(hidden)))

    def _pool(self, hidden: Hidden) -> Hidden:
        pooled: Hidden = hidden[..., 0, :] if self._pooling == "cls" else hidden.mean(axis=-2)
        return pooled

    def _joined(self, pieces: Pieces, windows: Sequence[_States]) -> Encoded:
        first = windows[0]
        if len(windows) == 1:
            return Encoded(first.ids, first.vectors, first.sentence, pieces.unknown, pieces.truncated)
        kept = list(zip(windows, pieces.kept, strict=True))
        hidden = [states.hidden[part] for states, part in kept if states.hidden is not None]
        return Encoded(
            ids=np.concatenate([states.ids[part] for states, part in kept]),
            vectors=np.concatenate([states.vectors[part] for states, part in kept]),
            sentence=_unit(self._pool(np.concatenate(hidden))),
            unknown=pieces.unknown,
            truncated=pieces.truncated,
        )


class _Window(NamedTuple):
    ids: list[int]
    whole: bool  # is it all of the text?


class _States(NamedTuple):
    ids: NDArray[np.int32]
    hidden: Hidden | None  # of a window that is to be joined with others; of a whole text they are not kept
    vectors: Hidden
    sentence: Hidden


def _unit(vectors: Hidden) -> Hidden:
    lengths = np.sqrt(np.einsum("...d,...d->...", vectors, vectors))[..., None]
    unit: Hidden = vectors / np.maximum(lengths, np.float32(1e-12))
    return unit
