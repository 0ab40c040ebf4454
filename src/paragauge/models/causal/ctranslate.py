"""The language model that runs by CTranslate2: no torch."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from ...cores import threads
from ...errors import ModelError
from ..encoders.ctranslate import chosen_device
from .batched import BatchedLanguageModel, Identity, Ids, LogProbabilities


class CTranslateLanguageModel(BatchedLanguageModel):
    """A converted model: one replica with one thread per core."""

    def __init__(self, identity: Identity, tokenizer: Any, converted: Path) -> None:
        import ctranslate2

        device = chosen_device(ctranslate2.get_cuda_device_count())
        workers = 1 if device == "cuda" else threads()
        super().__init__(identity, tokenizer, workers, f"ctranslate2-{ctranslate2.__version__}-{device}")
        self._host = ctranslate2.Device.cpu
        try:
            self._model = ctranslate2.Generator(
                str(converted), device, compute_type=identity.precision, inter_threads=workers, intra_threads=1
            )
        except (RuntimeError, ValueError) as error:
            raise ModelError(f"CTranslate2 cannot load {identity.name} in {identity.precision}: {error}") from None

    def predictions(self, inputs: Ids) -> LogProbabilities:
        found = self._model.forward_batch(inputs.tolist(), return_log_probs=True)
        return np.asarray(found if found.device == "cpu" else found.to_device(self._host))
