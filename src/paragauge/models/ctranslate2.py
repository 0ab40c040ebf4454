"""CTranslate2, which runs converted models without torch: the engine itself, whatever kind of model it runs."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import InputError, ModelError
from ..process.cores import threads
from ..process.forks import PerProcess, forked


class CTranslateModel:
    """A converted model: one replica with one thread per core, which beats one replica with all threads.

    It is loaded now, and again in a forked child. `kind` is a class of CTranslate2: Encoder, Generator or Translator.
    """

    def __init__(self, kind: str, name: str, folder: Path, precision: str) -> None:
        import ctranslate2

        self.name = name
        self.device = chosen_device(ctranslate2.get_cuda_device_count())
        self.workers = 1 if self.device == "cuda" else threads()
        self.backend = f"ctranslate2-{ctranslate2.__version__}-{self.device}"
        self._host = ctranslate2.Device.cpu

        def load() -> Any:
            if forked() and self.device == "cuda":
                raise ModelError(
                    f"{name} cannot run on CUDA in a forked process; start processes by spawn: "
                    'multiprocessing.get_context("spawn")'
                )
            options = {"compute_type": precision, "inter_threads": self.workers, "intra_threads": 1}
            try:
                return getattr(ctranslate2, kind)(str(folder), self.device, **options)
            except (RuntimeError, ValueError) as error:
                raise ModelError(f"CTranslate2 cannot load {name} in {precision}: {error}") from None

        self._loaded = PerProcess(load)
        self._loaded.get()

    def get(self) -> Any:
        """The engine of this process."""
        return self._loaded.get()

    def states(self, ids: Sequence[Sequence[int]], types: Sequence[Sequence[int]] | None) -> NDArray[np.float32]:
        """Hidden states [n, T, d] of an encoder."""
        return self.array(self.get().forward_batch(ids, token_type_ids=types).last_hidden_state).copy()

    def array(self, values: Any) -> NDArray[np.float32]:
        """Numbers that the engine has computed, wherever they are."""
        return np.asarray(values if values.device == "cpu" else values.to_device(self._host))


def chosen_device(cuda_devices: int) -> str:
    """`PARAGAUGE_DEVICE` (cpu or cuda), else cuda where there is one."""
    chosen = os.environ.get("PARAGAUGE_DEVICE", "auto")
    if chosen not in ("auto", "cpu", "cuda"):
        raise InputError(f"PARAGAUGE_DEVICE is '{chosen}'; expected auto, cpu or cuda")
    if chosen == "auto":
        return "cuda" if cuda_devices else "cpu"
    return chosen


def check_ids(name: str, largest: int, vocabulary: int) -> None:
    """Refuse ids that CTranslate2 would look for beyond its tables."""
    if largest >= vocabulary:
        raise ModelError(f"the tokenizer of {name} gives ids that its vocabulary of {vocabulary} lacks")
