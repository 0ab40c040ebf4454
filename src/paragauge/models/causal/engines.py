"""The language model that runs by CTranslate2: no torch."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from ...process.cores import threads
from ..encoders.ctranslate import chosen_device, engine
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
