"""Tensors by name from safetensors files (or, with torch, pickled ones), checked before an engine trusts them: what
does not fit is an error in words, where an engine would read beyond a table, divide by 0 or never end."""

from __future__ import annotations

import contextlib
import functools
import json
import math
import struct
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...errors import ModelError, ParagaugeError
from ...process.extras import require

Weight = Callable[[str], NDArray[np.float32]]
Tensors = Mapping[str, Callable[[], NDArray[np.float32]]]

_FLOATS = ("F32", "F16", "F64")
_ANCHOR = "embeddings.word_embeddings.weight"
# Checkpoints converted from TensorFlow keep its names for the two halves of a layer norm.
_OLD_NAMES = {"LayerNorm.weight": "LayerNorm.gamma", "LayerNorm.bias": "LayerNorm.beta"}

_LARGEST = 1 << 31  # of a number in a configuration: engines count in 32 bits
_UNEXPECTED = (
    ArithmeticError,
    AttributeError,
    LookupError,
    MemoryError,
    RecursionError,
    TypeError,
    ValueError,
    struct.error,
)
Shaped = Callable[..., NDArray[np.float32]]  # a tensor's name and its expected shape, None for any length


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


@contextmanager
def friendly_errors(name: object) -> Iterator[None]:
    """Whatever else a malformed model file makes our reading stumble over, as a sentence."""
    try:
        yield
    except ParagaugeError:
        raise
    except _UNEXPECTED as error:
        said = (str(error).strip() or type(error).__name__).splitlines()[0]
        raise ModelError(
            f"{name} is damaged or not a model as expected: {type(error).__name__}: {said:.200}"
        ) from error


def integer(
    config: Mapping[str, Any], key: str, default: int | None = None, *, low: int = 1, high: int = _LARGEST
) -> int:
    """A whole number of the configuration."""
    value = config.get(key)
    value = default if value is None else value
    if value is None:
        raise ModelError(f"the configuration does not say {key}")
    if type(value) is not int or not low <= value < high:
        raise ModelError(
            f"the configuration says {key}={value!r:.40}; expected a whole number from {low} to {high - 1}"
        )
    return value


def small(config: Mapping[str, Any], key: str, default: float) -> float:
    """A number of the configuration from 0 to 1, such as what a norm adds to keep from dividing by 0."""
    value = config.get(key, default)
    if type(value) not in (int, float) or not 0 <= value < 1:
        raise ModelError(f"the configuration says {key}={value!r:.40}; expected a number from 0 to 1")
    return float(value)


def check_heads(width: int, heads: int, *, even: bool = False) -> int:
    """The width of one head; `even` where its coordinates are turned in pairs."""
    if width % heads or (even and width // heads % 2):
        kind = "equal heads of an even width" if even else "equal heads"
        raise ModelError(f"the configuration says {heads} attention heads, which do not split {width} into {kind}")
    return width // heads


def shaped(weight: Callable[[str], NDArray[np.float32]]) -> Shaped:
    """The same tensors, each refused unless it has the expected shape and holds finite numbers alone."""

    def read(name: str, *shape: int | None) -> NDArray[np.float32]:
        values = weight(name)
        check_shape(name, values, *shape)
        return values

    return read


def check_shape(name: str, values: NDArray[np.float32], *shape: int | None) -> None:
    """Refuse a tensor of another shape, or one with a number that is not finite."""
    fits = len(shape) == values.ndim and all(
        want in (None, have) for want, have in zip(shape, values.shape, strict=False)
    )
    if not fits or not values.size:
        expected = " × ".join("any" if want is None else str(want) for want in shape)
        found = " × ".join(map(str, values.shape)) or "a single number"
        raise ModelError(f"the tensor {name} is {found}; by the configuration it should be {expected}")
    if not np.isfinite(values).all():
        raise ModelError(f"the tensor {name} holds a number that is not finite")


def check_sizes(config: Mapping[str, Any], shapes: Sequence[Sequence[int]]) -> None:
    """Refuse sizes that no tensor bears out, of a model whose parts are not known here: torch would make room first."""
    if not shapes:
        return
    most = {"layers": len(shapes), "size": max((side for shape in shapes for side in shape), default=0)}
    most |= {"heads": most["size"], "dim": most["size"]}
    for key, value in config.items():
        bound = next((bound for ending, bound in most.items() if key.endswith(ending)), math.inf)
        if type(value) is int and value > bound:
            raise ModelError(f"the configuration says {key}={value}, which its {len(shapes):,} tensors do not bear out")
        if type(value) is int and value < 1 and key in ("num_hidden_layers", "num_attention_heads", "hidden_size"):
            raise ModelError(f"the configuration says {key}={value}; expected a whole number from 1")
