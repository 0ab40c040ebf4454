"""Language models that CTranslate2 is not given here: transformers and torch."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..hub.locate import ModelFiles
from ..torch import load_torch, require_torch
from .batched import BatchedLanguageModel, Ids, LanguageModelIdentity, LogProbabilities


class TorchLanguageModel(BatchedLanguageModel):
    """A model as transformers runs it, in float32. Code that comes with a model is never run."""

    def __init__(self, identity: LanguageModelIdentity, tokenizer: Any, model: ModelFiles) -> None:
        self._torch, transformers, self._device, backend = require_torch(model, identity.precision)
        # one worker: torch itself uses all cores for a batch
        super().__init__(identity, tokenizer, 1, backend)
        self._model = load_torch(transformers.AutoModelForCausalLM, model).to(self._device)

    def predictions(self, inputs: Ids) -> LogProbabilities:
        ids = self._torch.from_numpy(inputs.astype(np.int64)).to(self._device)
        with self._torch.inference_mode():
            logits = self._model(ids, attention_mask=self._torch.ones_like(ids), use_cache=False).logits
            found: LogProbabilities = self._torch.log_softmax(logits.float(), dim=-1).cpu().numpy()
        return found
