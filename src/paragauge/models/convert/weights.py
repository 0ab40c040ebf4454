"""Tensors by name from safetensors files (or, with torch, pickled ones), whatever prefix a checkpoint gives them."""

from __future__ import annotations

import contextlib
import functools
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...errors import ModelError
from ...process.extras import require

Weight = Callable[[str], NDArray[np.float32]]
Tensors = Mapping[str, Callable[[], NDArray[np.float32]]]

_FLOATS = ("F32", "F16", "F64")
_ANCHOR = "embeddings.word_embeddings.weight"
# Checkpoints converted from TensorFlow keep its names for the two halves of a layer norm.
_OLD_NAMES = {"LayerNorm.weight": "LayerNorm.gamma", "LayerNorm.bias": "LayerNorm.beta"}


def open_weights(files: Sequence[Path]) -> Weight:
    """A function from a tensor's name, without the checkpoint's prefix, to its values; KeyError if there is none."""
    tensors = open_tensors(files)
    prefix = next((name.removesuffix(_ANCHOR) for name in sorted(tensors, key=len) if name.endswith(_ANCHOR)), "")

    def weight(name: str) -> NDArray[np.float32]:
        full = prefix + name
        if full not in tensors:
            for new, old in _OLD_NAMES.items():
                if full.endswith(new) and (renamed := full.removesuffix(new) + old) in tensors:
                    return tensors[renamed]()
        return tensors[full]()

    return weight


def open_tensors(files: Sequence[Path]) -> Tensors:
    """Every tensor under the name it has in the checkpoint; it is read when it is called."""
    tensors: dict[str, Callable[[], NDArray[np.float32]]] = {}
    for file in files:
        tensors |= _safetensors(file) if file.suffix == ".safetensors" else _pickled(file)
    return tensors


def _safetensors(file: Path) -> Mapping[str, Callable[[], NDArray[np.float32]]]:
    with _opened(file) as archive:
        return {name: functools.partial(_float32, archive, file, name) for name in archive.keys()}  # noqa: SIM118


def shapes(files: Sequence[Path]) -> list[list[int]]:
    """The shape of every tensor in safetensors files; none of other files."""
    found: list[list[int]] = []
    for file in files:
        if file.suffix == ".safetensors":
            with _opened(file) as archive:
                found += [archive.get_slice(name).get_shape() for name in archive.keys()]  # noqa: SIM118
    return found


@contextlib.contextmanager
def _opened(file: Path) -> Iterator[Any]:
    from safetensors import SafetensorError, safe_open

    try:
        yield safe_open(file, framework="numpy")
    except (SafetensorError, OSError, ValueError) as error:
        raise ModelError(f"{file} is damaged: {error}") from None


def _float32(archive: Any, file: Path, name: str) -> NDArray[np.float32]:
    kind = archive.get_slice(name).get_dtype()
    if kind == "BF16":
        return _bfloat16(file, name)
    if kind not in _FLOATS:
        raise ModelError(f"{name} in {file} is of type {kind}; known: {', '.join((*_FLOATS, 'BF16'))}")
    with np.errstate(over="ignore"):  # of a float64 beyond float32: what reads it refuses what is not finite
        values: NDArray[np.float32] = archive.get_tensor(name).astype(np.float32, copy=False)
    return values


def _bfloat16(file: Path, name: str) -> NDArray[np.float32]:
    """numpy has no bfloat16; it is the upper half of a float32."""
    with file.open("rb") as data:
        length = int.from_bytes(data.read(8), "little")
        entry = json.loads(data.read(length))[name]
        start, end = entry["data_offsets"]
        data.seek(8 + length + start)
        halves = np.frombuffer(data.read(end - start), "<u2")
    return (halves.astype(np.uint32) << 16).view(np.float32).reshape(entry["shape"])


def _pickled(file: Path) -> Mapping[str, Callable[[], NDArray[np.float32]]]:
    torch = require("torch", "torch", f"{file} is a torch file; use a model in safetensors, or torch to read it")
    try:
        # weights_only: a pickle can run any code when it is read, this reader refuses all but tensors
        tensors = torch.load(file, map_location="cpu", weights_only=True)
    except Exception as error:
        raise ModelError(f"{file} is damaged or holds more than weights: {str(error).splitlines()[0]}") from None
    return {name: functools.partial(_numpy, tensor) for name, tensor in tensors.items()}


def _numpy(tensor: Any) -> NDArray[np.float32]:
    values: NDArray[np.float32] = tensor.float().numpy()
    return values
