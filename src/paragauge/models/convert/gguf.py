"""Files in the GGUF format: what they say of a model, and their tensors as float32."""

from __future__ import annotations

import math
import mmap
import struct
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...errors import ModelError
from .weights import friendly_errors, integer

_MAGIC = b"GGUF"
_VERSIONS = (2, 3)  # 1 had shorter counts, and is no longer written
_ALIGNMENT = 32  # unless the file says otherwise
_STRING, _ARRAY = 8, 9
_SCALARS = {0: "B", 1: "b", 2: "H", 3: "h", 4: "I", 5: "i", 6: "f", 7: "?", 10: "Q", 11: "q", 12: "d"}
_SIDES = 4  # of a tensor, at most, as in ggml
_BLOCK = 32  # weights that share a scale


class Gguf(NamedTuple):
    """A file's metadata by key, and its tensors by name, each read when it is asked for."""

    metadata: Mapping[str, Any]
    tensors: Mapping[str, Callable[[], NDArray[np.float32]]]


class _Type(NamedTuple):
    """How a type of tensor lies in the file."""

    name: str
    weights: int  # of one block
    bytes: int  # of one block
    values: Callable[[NDArray[np.uint8]], NDArray[np.float32]]  # of blocks [n, bytes]


def read_gguf(path: Path) -> Gguf:
    """Open a file; a tensor of a type that is not known here is an error only when it is asked for."""
    try:
        with path.open("rb") as file:
            data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    except (OSError, ValueError) as error:
        raise ModelError(f"{path} cannot be read: {error}") from None
    with friendly_errors(path):
        return _read(path, data)


def _read(path: Path, data: mmap.mmap) -> Gguf:
    if data[:4] != _MAGIC:
        raise ModelError(f"{path} is not a GGUF file: it begins with {data[:4]!r}, not with {_MAGIC!r}")
    cursor = _Cursor(data, 4)
    version = cursor.number("I")
    if version not in _VERSIONS:
        raise ModelError(f"{path} is GGUF version {version}; known: {', '.join(map(str, _VERSIONS))}")
    tensors, entries = cursor.number("Q"), cursor.number("Q")
    metadata = {}
    for _ in range(entries):
        key = cursor.text()
        metadata[key] = cursor.value(cursor.number("I"))
    described = []
    for _ in range(tensors):
        name = cursor.text()
        sides = cursor.number("I")
        if sides > _SIDES:
            raise ModelError(f"{path} is damaged: {name:.80} has {sides} dimensions; expected at most {_SIDES}")
        shape = tuple(cursor.number("Q") for _ in range(sides))[::-1]  # the file has the fastest first
        described.append((name, shape, cursor.number("I"), cursor.number("Q")))
    alignment = integer(metadata, "general.alignment", _ALIGNMENT)
    start = -(-cursor.place // alignment) * alignment
    found = {name: _Tensor(path, data, name, shape, kind, start + offset) for name, shape, kind, offset in described}
    if sum(tensor.size for tensor in found.values()) > len(data):  # tensors that share bytes could fill any memory
        raise ModelError(f"{path} is damaged: its tensors hold more bytes than the file has")
    return Gguf(metadata, found)


class _Cursor:
    """Reads one thing after the other."""

    def __init__(self, data: mmap.mmap, place: int) -> None:
        self.data = data
        self.place = place

    def number(self, code: str) -> Any:
        (value,) = struct.unpack_from(f"<{code}", self.data, self.place)
        self.place += struct.calcsize(f"<{code}")
        return value

    def text(self) -> str:
        length = self.number("Q")
        if length > len(self.data) - self.place:
            raise struct.error("the file ends within a text")
        raw = self.data[self.place : self.place + length]
        self.place += length
        return raw.decode("utf-8")

    def value(self, kind: int) -> Any:
        if kind == _STRING:
            return self.text()
        if kind != _ARRAY:
            return self.number(_SCALARS[kind])
        inner, length = self.number("I"), self.number("Q")
        if inner == _ARRAY:
            raise ModelError("a GGUF file has a list of lists, which no model needs")
        if inner == _STRING:
            return [self.text() for _ in range(length)]
        width = struct.calcsize(f"<{_SCALARS[inner]}")
        if length * width > len(self.data) - self.place:
            raise struct.error("the file ends within a list")
        values = struct.unpack_from(f"<{length}{_SCALARS[inner]}", self.data, self.place)
        self.place += length * width
        return list(values)


@dataclass(frozen=True)
class _Tensor:
    """One tensor, not yet read."""

    path: Path
    data: mmap.mmap
    name: str
    shape: tuple[int, ...]
    kind: int
    offset: int

    @property
    def size(self) -> int:
        """Bytes in the file; 0 of a type that is not known."""
        kind = _TYPES.get(self.kind)
        return 0 if kind is None else math.prod(self.shape) // kind.weights * kind.bytes

    def __call__(self) -> NDArray[np.float32]:
        if self.kind not in _TYPES:
            known = ", ".join(kind.name for kind in _TYPES.values())
            raise ModelError(f"{self.name} in {self.path} is of GGUF type {self.kind}; known: {known}")
        kind = _TYPES[self.kind]
        blocks, rest = divmod(math.prod(self.shape), kind.weights)
        if rest:
            raise ModelError(
                f"{self.path} is damaged: {self.name} has {self.shape} values, no whole blocks of {kind.name}"
            )
        if self.offset + blocks * kind.bytes > len(self.data):
            raise ModelError(f"{self.path} is truncated: {self.name} extends beyond its end")
        raw = np.frombuffer(self.data, np.uint8, blocks * kind.bytes, self.offset)
        return kind.values(raw.reshape(blocks, kind.bytes)).reshape(self.shape)


def _halves(raw: NDArray[np.uint8]) -> NDArray[np.float32]:
    """float16 values [n, bytes / 2] of [n, bytes]."""
    return np.ascontiguousarray(raw).view("<f2").astype(np.float32)


def _float32(raw: NDArray[np.uint8]) -> NDArray[np.float32]:
    return np.ascontiguousarray(raw).view("<f4").astype(np.float32)


def _nibbles(raw: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Of 16 bytes, the lower halves and then the upper halves."""
    return np.concatenate([raw & 15, raw >> 4], axis=1).astype(np.float32)


def _q4_0(raw: NDArray[np.uint8]) -> NDArray[np.float32]:
    return _halves(raw[:, :2]) * (_nibbles(raw[:, 2:]) - np.float32(8))


def _q4_1(raw: NDArray[np.uint8]) -> NDArray[np.float32]:
    return _halves(raw[:, :2]) * _nibbles(raw[:, 4:]) + _halves(raw[:, 2:4])


def _q8_0(raw: NDArray[np.uint8]) -> NDArray[np.float32]:
    return _halves(raw[:, :2]) * np.ascontiguousarray(raw[:, 2:]).view(np.int8).astype(np.float32)


# The numbers are those of ggml's enumeration of types.
_TYPES = {
    0: _Type("F32", 1, 4, _float32),
    1: _Type("F16", 1, 2, _halves),
    2: _Type("Q4_0", _BLOCK, 2 + _BLOCK // 2, _q4_0),
    3: _Type("Q4_1", _BLOCK, 4 + _BLOCK // 2, _q4_1),
    8: _Type("Q8_0", _BLOCK, 2 + _BLOCK, _q8_0),
}
