"""Language models that CTranslate2 is not given here: transformers and torch, the extra `torch`."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...errors import InputError, MissingExtraError, ModelError
from ..encoders.ctranslate import chosen_device
from ..hub.locate import ModelFiles
from .batched import BatchedLanguageModel, Ids, LanguageModelIdentity, LogProbabilities


class TorchLanguageModel(BatchedLanguageModel):
    """A model as transformers runs it, in float32. Code that comes with a model is never run."""

    def __init__(self, identity: LanguageModelIdentity, tokenizer: Any, model: ModelFiles) -> None:
        kind = model.config["model_type"]
        if identity.precision != "float32":
            raise InputError(f"precision={identity.precision} is not to be had for a {kind} model; it runs in float32")
        try:
            import torch
            import transformers
        except ImportError:
            raise MissingExtraError(
                f'{model.name} is a {kind} model, which needs torch: pip install "paragauge[torch]"'
            ) from None
        device = chosen_device(torch.cuda.device_count())
        # one worker: torch itself uses all cores for a batch
        super().__init__(identity, tokenizer, 1, f"torch-{torch.__version__}-{device}")
        try:
            loaded: Any = transformers.AutoModelForCausalLM.from_pretrained(
                model.folder, trust_remote_code=False, local_files_only=True
            )
        except Exception as error:  # transformers raises whatever its parts raise
            raise ModelError(f"transformers cannot load {model.name}: {str(error).splitlines()[0]}") from None
        self._torch = torch
        self._device = device
        self._model = loaded.float().eval().to(device)

    def predictions(self, inputs: Ids) -> LogProbabilities:
        ids = self._torch.from_numpy(inputs.astype(np.int64)).to(self._device)
        with self._torch.inference_mode():
            logits = self._model(ids, attention_mask=self._torch.ones_like(ids), use_cache=False).logits
            found: LogProbabilities = self._torch.log_softmax(logits.float(), dim=-1).cpu().numpy()
        return found
