"""The learned part of `meaning`: a pair of English texts to a number, by weights that come with the package.

The weights are the upper layers of the default encoder as they were trained, kept as int8; its embeddings and lowest
layers are read from its own file. They were trained by `paragauge train-metric`.
"""

from __future__ import annotations

import functools
import hashlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...errors import ModelError
from ...process.cores import threads
from ..encoders.ctranslate import chosen_device, engine
from ..encoders.tokenize import read_tokenizer
from ..formats.encoders import converted
from ..formats.weights import Weight, open_weights
from ..hub.checksum import file_sha256
from ..hub.locate import ModelFiles, open_model
from .pairs import Cutter, PairModel, Prepared, check_ids

Vectors = NDArray[np.float32]

FOLDER = Path(__file__).parent / "meaning"
WEIGHTS, SETTINGS, RARITY = "meaning.safetensors", "meaning.json", "rarity.npy"
RARITY_STEP = 1 / 16  # of a table of whole numbers: one byte for each piece


class Head(NamedTuple):
    """The two layers on top of the encoder, d wide."""

    dense: Vectors  # [d, 2d]
    dense_offset: Vectors  # [d]
    output: Vectors  # [1, d]
    output_offset: Vectors  # [1]

    def __call__(self, pooled: Vectors) -> Vectors:
        found: Vectors = np.tanh(pooled @ self.dense.T + self.dense_offset) @ self.output.T + self.output_offset
        return found


class Pieces(NamedTuple):
    """What is known of each piece of a word in the vocabulary."""

    rarity: NDArray[np.float64]  # log of how many texts there are for one that has it
    continues: NDArray[np.bool_]  # does it go on with a word?


class LearnedMeaning(PairModel):
    """The logit of the same meaning."""

    label = "comparing meanings"
    batch = 2048  # ids and types: 1,024 tokens, as for an encoder

    def __init__(self, folder: Path, settings: Mapping[str, Any], precision: str) -> None:
        import ctranslate2

        sha256 = file_sha256(folder / WEIGHTS)
        if sha256 != settings["sha256"]:
            raise ModelError(f"{folder / WEIGHTS} is damaged: its sha256 is {sha256}, expected {settings['sha256']}")
        base = open_model(settings["base"])
        if base.sha256 != settings["base_sha256"]:
            raise ModelError(f"the weights of {base.name} are not those that meaning was trained on")
        device = chosen_device(ctranslate2.get_cuda_device_count())
        workers = 1 if device == "cuda" else threads()
        limit = int(settings["limit"])
        signature = f"meaning|sha256:{sha256[:16]}|precision:{precision}|limit:{limit}|ctranslate2-{device}"
        super().__init__("meaning", sha256, signature, limit, workers)
        self.settings = settings
        tensors = read_tensors(folder / WEIGHTS)
        self._head = Head(*(tensors[f"{layer}.{part}"] for layer in ("dense", "output") for part in ("weight", "bias")))
        tokenizer = read_tokenizer(base.folder)
        self._cutter = Cutter(tokenizer, limit)
        self._vocabulary = int(base.config["vocab_size"])
        names = [tokenizer.id_to_token(number) or "" for number in range(self._vocabulary)]
        self.pieces = Pieces(
            _read_rarity(folder, settings, self._vocabulary), np.array([name.startswith("##") for name in names])
        )
        self._host = ctranslate2.Device.cpu
        made = converted(base.config, sha256, base.layers(), lambda: _trained(base, tensors), pairs=True)
        self._model = engine(ctranslate2.Encoder, self.name, made, device, precision=precision, workers=workers)

    def prepare(self, pairs: Sequence[tuple[str, str]]) -> list[Prepared]:
        return [
            Prepared(ids, types, len(ids), unknown, int(truncated))
            for ids, types, unknown, truncated in self._cutter.cut(pairs)
        ]

    def compute(self, batch: Sequence[Prepared]) -> list[tuple[float, ...]]:
        rows = [pair.first for pair in batch]
        check_ids(self.name, rows, self._vocabulary)
        found = self._model.get().forward_batch(rows, token_type_ids=[pair.second for pair in batch]).last_hidden_state
        states = np.array(found if found.device == "cpu" else found.to_device(self._host))
        lengths = np.array([len(row) for row in rows])
        real = (np.arange(states.shape[1]) < lengths[:, None])[..., None]
        means = (states * real).sum(axis=1) / lengths[:, None].astype(np.float32)
        return [tuple(row) for row in self._head(np.concatenate((states[:, 0], means), axis=1)).tolist()]


def load_meaning(folder: Path = FOLDER, precision: str = "float32") -> LearnedMeaning:
    """The weights in a folder; the default encoder must be there too."""
    return _load(folder, precision, _described(folder))


def read_settings(folder: Path = FOLDER) -> Mapping[str, Any]:
    """Base, sha256, blends and calibration of the weights in a folder."""
    settings: Mapping[str, Any] = json.loads(_described(folder))
    return settings


def blend_of(sha256: str, folder: Path = FOLDER) -> Mapping[str, float] | None:
    """The blend for an encoder, known by the sha256 of its weights, whatever it is called; None where there is none."""
    settings = read_settings(folder)
    found: Mapping[str, float] | None = settings["blends"].get(settings["encoders"].get(sha256))
    return found


def settings_sha256(folder: Path = FOLDER) -> str:
    """Of the settings: of the blends, and of the weights, whose sha256 they name."""
    return hashlib.sha256(_described(folder).encode()).hexdigest()


def read_tensors(file: Path) -> dict[str, Vectors]:
    """Tensors of a file in which matrices are kept as int8 rows (`…:rows`) with a scale each (`…:scales`)."""
    from safetensors import SafetensorError
    from safetensors.numpy import load_file

    try:
        tensors = load_file(file)
    except (SafetensorError, OSError) as error:
        raise ModelError(f"{file} is damaged or not there: {error}") from None
    found: dict[str, Vectors] = {}
    for name, values in tensors.items():
        if name.endswith(":rows"):
            whole = name.removesuffix(":rows")
            found[whole] = values.astype(np.float32) * tensors[f"{whole}:scales"][:, None]
        elif not name.endswith(":scales"):
            found[name] = values.astype(np.float32)
    return found


def _read_rarity(folder: Path, settings: Mapping[str, Any], vocabulary: int) -> NDArray[np.float64]:
    try:
        sha256 = file_sha256(folder / RARITY)
        steps = np.load(folder / RARITY, allow_pickle=False)
    except (OSError, ValueError) as error:
        raise ModelError(f"{folder / RARITY} is damaged or not there: {error}") from None
    if sha256 != settings["rarity_sha256"] or steps.shape != (vocabulary,):
        raise ModelError(f"{folder / RARITY} is damaged: its sha256 is {sha256}, expected {settings['rarity_sha256']}")
    found: NDArray[np.float64] = steps * RARITY_STEP
    return found


def _described(folder: Path) -> str:
    try:
        return (folder / SETTINGS).read_text("utf-8")
    except OSError as error:
        raise ModelError(f"{folder} does not hold the weights of meaning: {error}") from None


@functools.cache
def _load(folder: Path, precision: str, described: str) -> LearnedMeaning:
    return LearnedMeaning(folder, json.loads(described), precision)


def _trained(base: ModelFiles, tensors: Mapping[str, Vectors]) -> Weight:
    own = open_weights(base.weights)
    return lambda name: tensors[name] if name in tensors else own(name)
