"""Language models as CTranslate2 runs them, without torch, and as transformers and torch do where it cannot."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from ...process.cores import threads
from ..encoders.ctranslate import chosen_device, engine
from ..hub.locate import ModelFiles
from ..torch import load_torch, require_torch
from .batched import BatchedLanguageModel, Ids, LanguageModelIdentity, LogProbabilities


class CTranslateLanguageModel(BatchedLanguageModel):
    """A converted model: one replica with one thread per core."""

    def __init__(self, identity: LanguageModelIdentity, tokenizer: Any, converted: Path) -> None:
        import ctranslate2

        device = chosen_device(ctranslate2.get_cuda_device_count())
        workers = 1 if device == "cuda" else threads()
        super().__init__(identity, tokenizer, workers, f"ctranslate2-{ctranslate2.__version__}-{device}")
        self._host = ctranslate2.Device.cpu
        self._model = engine(
            ctranslate2.Generator, identity.name, converted, device, precision=identity.precision, workers=workers
        )

    def engine(self) -> Any:
        """The generator of CTranslate2."""
        return self._model.get()

    def predictions(self, inputs: Ids) -> LogProbabilities:
        found = self._model.get().forward_batch(inputs.tolist(), return_log_probs=True)
        return np.asarray(found if found.device == "cpu" else found.to_device(self._host))


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
