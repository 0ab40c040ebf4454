"""A sequence-to-sequence model that writes by transformers and torch: the extra `torch`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from ..hub.locate import ModelFiles
from ..pairs.pair_model import padded
from ..torch import load_torch, require_torch
from .generator import DecoderState, Generator


class _Memory(NamedTuple):
    """What the encoder made of the sources."""

    states: Any  # [sources, length, width]
    mask: Any


class TorchGenerator(Generator):
    """A model as transformers runs it, in float32; each step reads all that was written, the sources only once."""

    def __init__(self, model: ModelFiles, precision: str) -> None:
        self._torch, transformers, self._device, backend = require_torch(model, precision)
        super().__init__(model, precision, backend)
        self._model = load_torch(transformers.AutoModelForSeq2SeqLM, model).to(self._device)
        self._padding = int(self._model.config.pad_token_id or 0)

    def read(self, sources: Sequence[Sequence[int]]) -> object:
        if not sources:
            return None
        ids = self._torch.tensor(padded(sources, self._padding), device=self._device)
        mask = self._torch.tensor(padded([[1] * len(source) for source in sources], 0), device=self._device)
        with self._torch.inference_mode():
            states = self._model.get_encoder()(input_ids=ids, attention_mask=mask).last_hidden_state
        return _Memory(states, mask)

    def logits(self, state: DecoderState) -> NDArray[np.float32]:
        memory = cast(_Memory, state.memory)
        rows = self._torch.tensor(state.sources, device=self._device)
        with self._torch.inference_mode():
            found = self._model(
                encoder_outputs=(memory.states[rows],),
                attention_mask=memory.mask[rows],
                decoder_input_ids=self._torch.tensor(state.tokens, device=self._device),
                use_cache=False,
            ).logits[:, -1]
        values: NDArray[np.float32] = found.float().cpu().numpy()
        return values
