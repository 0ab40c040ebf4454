"""The variables of a CTranslate2 model file, with numpy alone."""

from __future__ import annotations

import struct
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from paragauge.errors import ModelError

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
