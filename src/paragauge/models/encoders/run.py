"""Encoders as they run: windows of texts to hidden states, and those to vectors of texts."""

from __future__ import annotations

import functools
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...errors import InputError, ModelError
from ..batching import in_order
from ..convert.encoder import ARCHITECTURES, converted, convertible, position_limit
from ..convert.weights import friendly_errors, integer
from ..engines import CTranslateModel, TorchModel, backend_tokenizer, check_ids
from ..hub.locate import ModelFiles, open_model
from .encoder import Encoded, Encoder
from .tokenize import Pieces, Tokenize, read_tokenizer

Hidden = NDArray[np.float32]

# Measured on two cores with sentences of 13 tokens: larger batches leave the processor's caches.
_BATCH = 1024
# Tokens among which inputs of equal length are looked for: bounds what is held back to keep the order.
_BLOCK = 65_536


class Settings(NamedTuple):
    """How an encoder is asked for."""

    layer: int
    precision: str = "float32"
    long: str = "truncate"


class BatchedEncoder(ABC):
    """An Encoder, but for `hidden`, the model itself.

    Inputs of a batch are exactly equally long.
    """

    def __init__(self, model: ModelFiles, settings: Settings, tokenize: Tokenize, workers: int, backend: str) -> None:
        self.name, self.sha256 = model.name, model.sha256
        self.layer, self.layers = settings.layer, model.layers()
        self.precision, self.limit = settings.precision, tokenize.limit
        self.special_ids, self.unknown_id = tokenize.special_ids, tokenize.unknown_id
        self.signature = (
            f"encoder|sha256:{model.sha256[:16]}|files:{model.files[:16]}|layer:{settings.layer}"
            f"|precision:{settings.precision}|long:{settings.long}|backend:{backend}"
        )
        self._tokenize = tokenize
        self._pooling = model.pooling()
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


class CTranslateEncoder(BatchedEncoder):
    """A converted model, without torch."""

    def __init__(self, model: ModelFiles, settings: Settings) -> None:
        limit = model.limit(position_limit(model.config))
        tokenize = Tokenize(read_tokenizer(model.folder), limit, windows=settings.long == "window")
        folder = converted(model, settings.layer)
        self._engine = CTranslateModel("Encoder", model.name, folder, settings.precision)
        super().__init__(model, settings, tokenize, self._engine.workers, self._engine.backend)
        self._vocabulary = integer(model.config, "vocab_size")
        self._positions = ARCHITECTURES[model.config["model_type"]].relative  # passed as token types

    def hidden(self, inputs: NDArray[np.int32]) -> Hidden:
        check_ids(self.name, int(inputs.max()), self._vocabulary)
        count, length = inputs.shape
        return self._engine.states(inputs.tolist(), [list(range(length))] * count if self._positions else None)


class TorchEncoder(BatchedEncoder):
    """A model of an architecture that CTranslate2 does not know."""

    def __init__(self, model: ModelFiles, settings: Settings) -> None:
        # what lies above the layers, such as a pooler, is often absent and never read
        self._engine = TorchModel("AutoModel", model, settings.precision, complete=False)
        if self._engine.model.config.is_encoder_decoder:
            self._engine.model = self._engine.model.get_encoder()
        limit = model.limit(position_limit(model.config))
        tokenize = Tokenize(backend_tokenizer(model), limit, windows=settings.long == "window")
        super().__init__(model, settings, tokenize, self._engine.workers, self._engine.backend)

    def hidden(self, inputs: NDArray[np.int32]) -> Hidden:
        ids = self._engine.tensor(inputs.astype(np.int64))
        output = self._engine.run(
            input_ids=ids, attention_mask=self._engine.torch.ones_like(ids), output_hidden_states=True
        )
        return self._engine.array(output.hidden_states[self.layer])


def open_encoder(name: str, layer: int | None, precision: str, long: str) -> Encoder:
    """The encoder of a full name; see `load_encoder`."""
    return _encoder(name, Settings(_model(name).layers() if layer is None else layer, precision, long))


@functools.cache
def _model(name: str) -> ModelFiles:
    return open_model(name)


@functools.cache
def _encoder(name: str, settings: Settings) -> Encoder:
    model = _model(name)
    with friendly_errors(model.folder):
        layers = model.layers()
        if not 1 <= settings.layer <= layers:
            raise InputError(f"layer {settings.layer} of {model.name} does not exist; it has layers 1 to {layers}")
        return (CTranslateEncoder if convertible(model.config) else TorchEncoder)(model, settings)
