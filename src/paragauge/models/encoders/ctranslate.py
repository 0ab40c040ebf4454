"""The encoder that runs by CTranslate2: no torch."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...errors import InputError, ModelError
from ...process.cores import threads
from ...process.forks import PerProcess, forked
from .batching import BatchedEncoder, EncoderIdentity, Hidden
from .tokenize import Tokenize


class CTranslateEncoder(BatchedEncoder):
    """A converted model: one replica with one thread per core, which beats one replica with all threads."""

    def __init__(
        self, identity: EncoderIdentity, tokenize: Tokenize, converted: Path, *, vocabulary: int, positions: bool
    ) -> None:
        import ctranslate2

        device = chosen_device(ctranslate2.get_cuda_device_count())
        workers = 1 if device == "cuda" else threads()
        backend = f"ctranslate2-{ctranslate2.__version__}-{device}"
        super().__init__(identity._replace(backend=backend), tokenize, workers)
        self._positions = positions  # pass positions as token types
        self._vocabulary = vocabulary
        self._host = ctranslate2.Device.cpu
        self._model = engine(
            ctranslate2.Encoder, identity.name, converted, device, precision=identity.precision, workers=workers
        )

    def hidden(self, inputs: NDArray[np.int32]) -> Hidden:
        if inputs.max() >= self._vocabulary:  # CTranslate2 would read beyond the table
            raise ModelError(f"the tokenizer of {self.name} gives ids that its vocabulary of {self._vocabulary} lacks")
        count, length = inputs.shape
        positions = [list(range(length))] * count if self._positions else None
        states = self._model.get().forward_batch(inputs.tolist(), token_type_ids=positions).last_hidden_state
        return np.array(states if states.device == "cpu" else states.to_device(self._host))


def engine(kind: Any, name: str, converted: Path, device: str, *, precision: str, workers: int) -> PerProcess[Any]:
    """A CTranslate2 model of this class, loaded now, and again in a forked child."""

    def load() -> Any:
        if forked() and device == "cuda":
            raise ModelError(
                f"{name} cannot run on CUDA in a forked process; start processes by spawn: "
                'multiprocessing.get_context("spawn")'
            )
        try:
            return kind(str(converted), device, compute_type=precision, inter_threads=workers, intra_threads=1)
        except (RuntimeError, ValueError) as error:
            raise ModelError(f"CTranslate2 cannot load {name} in {precision}: {error}") from None

    loaded = PerProcess(load)
    loaded.get()
    return loaded


def chosen_device(cuda_devices: int) -> str:
    """`PARAGAUGE_DEVICE` (cpu or cuda), else cuda where there is one."""
    chosen = os.environ.get("PARAGAUGE_DEVICE", "auto")
    if chosen not in ("auto", "cpu", "cuda"):
        raise InputError(f"PARAGAUGE_DEVICE is '{chosen}'; expected auto, cpu or cuda")
    if chosen == "auto":
        return "cuda" if cuda_devices else "cpu"
    return chosen
