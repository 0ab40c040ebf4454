"""The way back from a model that CTranslate2 reads to weights under the names of transformers, with numpy alone."""

from __future__ import annotations

import struct
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from paragauge.errors import ModelError
from paragauge.models.convert.seq2seq import OFFSET

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
