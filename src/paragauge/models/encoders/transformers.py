"""The encoder for architectures that CTranslate2 does not know: transformers and torch."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..convert.encoder import position_limit
from ..hub.locate import ModelFiles
from ..torch import backend_tokenizer, load_torch, require_torch
from .batching import BatchedEncoder, EncoderIdentity, Hidden
from .tokenize import Tokenize


class TorchEncoder(BatchedEncoder):
    """A model as transformers runs it, in float32. Code that comes with a model is never run."""

    def __init__(self, identity: EncoderIdentity, model: ModelFiles) -> None:
        self._torch, transformers, self._device, backend = require_torch(model, identity.precision)
        tokenize = Tokenize(
            backend_tokenizer(model), model.limit(position_limit(model.config)), windows=identity.long == "window"
        )
        # one worker: torch itself uses all cores for a batch
        super().__init__(identity._replace(backend=backend), tokenize, workers=1)
        # what lies above the layers, such as a pooler, is often absent and never read
        loaded = load_torch(transformers.AutoModel, model, complete=False)
        if loaded.config.is_encoder_decoder:
            loaded = loaded.get_encoder()
        self._model = loaded.to(self._device)

    def hidden(self, inputs: NDArray[np.int32]) -> Hidden:
        ids = self._torch.from_numpy(inputs.astype(np.int64)).to(self._device)
        with self._torch.inference_mode():
            output = self._model(ids, attention_mask=self._torch.ones_like(ids), output_hidden_states=True)
        states: Hidden = output.hidden_states[self.layer].float().cpu().numpy()
        return states
