"""What runs models, of whatever kind: CTranslate2, or torch (an extra). Code that comes with a model is never run."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import InputError, ModelError
from ..process.extras import require
from ..process.forks import PerProcess, forked
from ..process.limits import threads
from .convert.weights import check_sizes, shapes
from .encoders.tokenize import read_tokenizer, without_limits
from .hub.locate import ModelFiles


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


class TorchModel:
    """A model in float32, by the class of transformers that is named.

    Weights that a `complete` folder lacks would be random, and are refused.
    """

    workers = 1  # torch itself uses all cores for a batch

    def __init__(self, kind: str, model: ModelFiles, precision: str, *, complete: bool = True) -> None:
        check_sizes(model.config, shapes(model.weights))
        family = model.config["model_type"]
        if precision != "float32":
            raise InputError(f"precision={precision} is not available for a {family} model; it runs in float32")
        reason = f"{model.name} is a {family} model, which needs torch"
        self.torch, transformers = (require(module, "torch", reason) for module in ("torch", "transformers"))
        self.device = chosen_device(self.torch.cuda.device_count())
        self.backend = f"torch-{self.torch.__version__}-{self.device}"
        try:
            self.model, report = getattr(transformers, kind).from_pretrained(
                model.folder, trust_remote_code=False, local_files_only=True, output_loading_info=True
            )
        except Exception as error:  # transformers raises whatever its parts raise
            raise ModelError(f"transformers cannot load {model.name}: {str(error).splitlines()[0]}") from None
        if complete and (missing := sorted(report["missing_keys"])):
            raise ModelError(f"the weights of {model.name} lack '{missing[0]}' and {len(missing) - 1} more")
        self.model = self.model.float().eval().to(self.device)
        self._padding = int(getattr(self.model.config, "pad_token_id", None) or 0)

    def tensor(self, rows: Any) -> Any:
        """Numbers as a tensor where the model is."""
        return self.torch.tensor(rows, device=self.device)

    def padded(self, rows: Sequence[Sequence[int]], filler: int | None = None) -> Any:
        """Rows of one length, filled up with the model's padding unless another filler is named."""
        return self.tensor(padded(rows, self._padding if filler is None else filler))

    def mask(self, rows: Sequence[Sequence[int]]) -> Any:
        """Where the rows are not padding."""
        return self.padded([[1] * len(row) for row in rows], 0)

    def run(self, **inputs: Any) -> Any:
        """What the model makes of tensors."""
        with self.torch.inference_mode():
            return self.model(**inputs)

    @staticmethod
    def array(values: Any) -> NDArray[np.float32]:
        """A tensor as numpy has it."""
        found: NDArray[np.float32] = values.float().cpu().numpy()
        return found


def padded(rows: Sequence[Sequence[int]], filler: int) -> list[list[int]]:
    """Rows of one length."""
    width = max(map(len, rows))
    return [[*row, *[filler] * (width - len(row))] for row in rows]


def own_tokenizer(model: ModelFiles) -> Any:
    """The tokenizer of transformers, for a folder without tokenizer.json."""
    reason = f"{model.name} has no tokenizer.json; its own tokenizer needs transformers"
    transformers = require("transformers", "torch", reason, "sentencepiece")
    try:
        return transformers.AutoTokenizer.from_pretrained(model.folder, trust_remote_code=False, local_files_only=True)
    except Exception as error:  # among them the absence of the package that a vocabulary needs
        raise ModelError(f"the tokenizer of {model.name} cannot be read: {str(error).splitlines()[0]}") from None


def backend_tokenizer(model: ModelFiles) -> Any:
    """The fast tokenizer of a model folder, by way of transformers where there is no tokenizer.json."""
    if (model.folder / "tokenizer.json").is_file():
        return read_tokenizer(model.folder)
    try:
        return without_limits(own_tokenizer(model).backend_tokenizer)
    except AttributeError:
        raise ModelError(f"the tokenizer of {model.name} cannot be read: it has no fast form") from None
