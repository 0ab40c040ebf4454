"""A trained model that training begins from: the settings it was trained with, its vocabulary, its weights."""

from __future__ import annotations

import hashlib
import json
import struct
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from paragauge.errors import InputError, ModelError
from paragauge.models.convert.seq2seq import OFFSET
from paragauge.models.convert.weights import open_tensors
from paragauge.models.generate.generator import KIND
from paragauge.models.hub.locate import CONVERTED, model_folder
from paragauge.models.hub.registry import ALIASES, ENTRIES

Variables = Mapping[str, NDArray[Any]]
_VERSION = 6  # of the layout, as `ModelSpec._serialize` of CTranslate2 4 writes it
_TYPES = ("<f4", "<i1", "<i2", "<i4", "<f2")  # by their number; 5 is bfloat16, which numpy lacks


def read_variables(file: Path) -> Variables:
    """All variables by name, numbers with a fraction in float32; weights in int8 are multiplied out."""
    reader = _Reader(file.read_bytes())
    if (version := reader.number("I")) != _VERSION:
        raise ModelError(f"{file} has version {version} of CTranslate2's layout; expected {_VERSION}")
    reader.text(), reader.number("I")  # the name and the revision of the specification
    stored = dict(reader.variable() for _ in range(reader.number("I")))
    found: dict[str, NDArray[Any]] = {}
    for name, values in stored.items():
        if name.endswith("/weight_scale"):
            continue
        if f"{name}_scale" in stored:
            values = values.astype(np.float32) / stored[f"{name}_scale"].reshape(-1, 1)
        found[name] = values.astype(np.float32) if values.dtype.kind == "f" else values
    for _ in range(reader.number("I")):
        alias = reader.text()
        found[alias] = found[reader.text()]
    return found


class _Reader:
    def __init__(self, data: bytes) -> None:
        self.data, self.place = data, 0

    def number(self, form: str) -> int:
        (found,) = struct.unpack_from(f"<{form}", self.data, self.place)
        self.place += struct.calcsize(f"<{form}")
        return int(found)

    def text(self) -> str:
        size = self.number("H")  # with the zero behind it
        self.place += size
        return self.data[self.place - size : self.place - 1].decode()

    def variable(self) -> tuple[str, NDArray[Any]]:
        name = self.text()
        shape = [self.number("I") for _ in range(self.number("B"))]
        kind, size = self.number("B"), self.number("I")
        if kind >= len(_TYPES):
            raise ModelError(f"{name} is of type {kind} of CTranslate2's, which cannot be read here")
        form = np.dtype(_TYPES[kind])
        self.place += size
        return name, np.frombuffer(self.data, form, size // form.itemsize, self.place - size).reshape(shape)


_NORM = {"gamma": "weight", "beta": "bias"}
_NORMS = {"self_attention": "self_attn_layer_norm", "attention": "encoder_attn_layer_norm", "ffn": "final_layer_norm"}
_LINEAR = {
    "self_attention/linear_0": ("self_attn.q_proj", "self_attn.k_proj", "self_attn.v_proj"),
    "self_attention/linear_1": ("self_attn.out_proj",),
    "attention/linear_0": ("encoder_attn.q_proj",),
    "attention/linear_1": ("encoder_attn.k_proj", "encoder_attn.v_proj"),
    "attention/linear_2": ("encoder_attn.out_proj",),
    "ffn/linear_0": ("fc1",),
    "ffn/linear_1": ("fc2",),
}


def bart_tensors(variables: Variables) -> dict[str, NDArray[np.float32]]:
    """The weights of a converted BART or Marian model under the names of transformers: what it was converted from.

    Rows of the table of positions that BART never reads are 0; Marian's are computed.
    """
    found = {"model.shared.weight": variables["encoder/embeddings_0/weight"]}
    learned = "encoder/layernorm_embedding/gamma" in variables
    for name, value in variables.items():
        side, _, part = name.partition("/")
        if part == "position_encodings/encodings" and learned:
            unread = np.zeros((OFFSET, value.shape[1]), np.float32)
            found[f"model.{side}.embed_positions.weight"] = np.concatenate([unread, value])
        elif part.startswith("layernorm_embedding/"):
            found[f"model.{side}.layernorm_embedding.{_NORM[part.rpartition('/')[2]]}"] = value
        elif part.startswith("layer_"):
            layer, block, *kind, last = part.split("/")
            prefix = f"model.{side}.layers.{layer.removeprefix('layer_')}."
            if kind == ["layer_norm"]:
                found[f"{prefix}{_NORMS[block]}.{_NORM[last]}"] = value
            else:
                names = _LINEAR["/".join([block, *kind])]
                for own, rows in zip(names, np.split(value, len(names)), strict=True):
                    found[f"{prefix}{own}.{last}"] = rows
    return found


TOKENIZER = "tokenizer.json"  # among the prepared data, and in a model folder
TRAINED = "training.json"  # in a model folder: what it was trained with
WEIGHTS = "model.safetensors"  # in the model folder for transformers
EMBEDDINGS = "model.shared.weight"  # read and written with: a row for each piece
_SMALL = f"{CONVERTED}/model.bin"  # where there are no others: weights that were rounded to int8


@dataclass(frozen=True)
class Start:
    """A finished training."""

    folder: Path  # the model, in the layout of transformers or for CTranslate2
    sha256: str  # of its weights and its vocabulary
    data: str = ""  # digest of the settings that its data were prepared with
    selection: str = ""  # digest of the settings that its pairs were selected with


def find_start(folder: Path) -> tuple[Start, dict[str, Any]]:
    """A finished training, by its output folder or by the model in it, and the settings that it was trained with.

    The model that comes with the package is called by its name, as in `Path("default-paraphraser")`.
    """
    if str(folder) in ALIASES or str(folder) in ENTRIES:
        folder = model_folder(str(folder), KIND)[1]
    place = folder / "model" if (folder / "model").is_dir() else folder
    weights = _SMALL if (place / _SMALL).is_file() and not (place / WEIGHTS).is_file() else WEIGHTS
    if missing := [name for name in (TRAINED, TOKENIZER, weights) if not (place / name).is_file()]:
        raise InputError(
            f"{place} has no {', no '.join(missing)}; expected the output folder of a finished training, a model in "
            "it, or default-paraphraser"
        )
    try:
        settings = dict(json.loads((place / TRAINED).read_text("utf-8"))["settings"])
    except (OSError, ValueError, KeyError, TypeError):  # that of another kind of training, or damaged
        raise InputError(f"{place / TRAINED} has no settings; expected that of a paraphraser's training") from None
    digest = hashlib.sha256()
    for name in (TOKENIZER, weights):
        with (place / name).open("rb") as stream:
            digest.update(hashlib.file_digest(stream, "sha256").digest())
    return Start(place, digest.hexdigest()), settings


def load_start(network: Any, start: Start) -> None:
    """The weights of the start; rows for codes that it lacks are drawn as its other rows are spread.

    Such a row then is as far from the others as a piece is from another, and codes are told apart from the first step.
    """
    import torch

    tensors = _tensors(start.folder)
    found: dict[str, Any] = {}
    for name, value in network.named_parameters():
        if name not in tensors:
            if value.requires_grad:
                raise InputError(f"{start.folder} has no {name}; expected a network of the shape that is configured")
            continue  # computed, as Marian's positions are
        read, wanted = tensors[name], tuple(value.shape)
        if name == EMBEDDINGS and read.shape[1:] == wanted[1:] and len(read) < len(value):
            drawn = np.random.default_rng(0).normal(size=(len(value) - len(read), wanted[1]))
            read = np.concatenate([read, read.mean(axis=0) + read.std(axis=0) * drawn])
        if read.shape != wanted:
            raise InputError(
                f"{start.folder} has {name} of the shape {list(read.shape)}; the configuration asks for {list(wanted)}"
            )
        found[name] = torch.from_numpy(np.array(read, np.float32))
    if further := [name for name in tensors if name not in network.state_dict()]:
        raise InputError(f"{start.folder} has {further[0]}; the configuration asks for a network without it")
    network.load_state_dict(found, strict=False)
    network.tie_weights()


def _tensors(folder: Path) -> Mapping[str, NDArray[np.float32]]:
    if (folder / WEIGHTS).is_file():
        return {name: read() for name, read in open_tensors([folder / WEIGHTS]).items()}
    return bart_tensors(read_variables(folder / _SMALL))
