"""The encoder for architectures that CTranslate2 does not know: transformers and torch, the extra `torch`."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...errors import InputError, MissingExtraError, ModelError
from ..formats.encoders import position_limit
from ..hub.locate import ModelFiles
from .batching import BatchedEncoder, EncoderIdentity, Hidden
from .ctranslate import chosen_device
from .tokenize import Tokenize, read_tokenizer


class TorchEncoder(BatchedEncoder):
    """A model as transformers runs it, in float32. Code that comes with a model is never run."""

    def __init__(self, identity: EncoderIdentity, model: ModelFiles) -> None:
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
        backend = f"torch-{torch.__version__}-{device}"
        tokenize = Tokenize(
            backend_tokenizer(model), model.limit(position_limit(model.config)), windows=identity.long == "window"
        )
        # one worker: torch itself uses all cores for a batch
        super().__init__(identity._replace(backend=backend), tokenize, workers=1)
        try:
            loaded: Any = transformers.AutoModel.from_pretrained(
                model.folder, trust_remote_code=False, local_files_only=True
            )
        except Exception as error:  # transformers raises whatever its parts raise
            raise ModelError(f"transformers cannot load {model.name}: {str(error).splitlines()[0]}") from None
        if loaded.config.is_encoder_decoder:
            loaded = loaded.get_encoder()
        self._torch = torch
        self._device = device
        self._model = loaded.float().eval().to(device)

    def hidden(self, inputs: NDArray[np.int32]) -> Hidden:
        ids = self._torch.from_numpy(inputs.astype(np.int64)).to(self._device)
        with self._torch.inference_mode():
            output = self._model(ids, attention_mask=self._torch.ones_like(ids), output_hidden_states=True)
        states: Hidden = output.hidden_states[self.layer].float().cpu().numpy()
        return states


def backend_tokenizer(model: ModelFiles) -> Any:
    """The tokenizer of a model folder, by way of transformers where there is no tokenizer.json."""
    if (model.folder / "tokenizer.json").is_file():
        return read_tokenizer(model.folder)
    from transformers import AutoTokenizer

    try:
        tokenizer = AutoTokenizer.from_pretrained(model.folder, trust_remote_code=False, local_files_only=True)
        return tokenizer.backend_tokenizer
    except Exception as error:  # among them the absence of the package that a vocabulary needs
        raise ModelError(f"the tokenizer of {model.name} cannot be read: {str(error).splitlines()[0]}") from None
