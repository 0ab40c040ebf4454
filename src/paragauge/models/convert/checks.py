"""A model's configuration and tensors checked against each other, before an engine trusts them: what does not fit is an
error in words, where an engine would read beyond a table, divide by 0 or never end."""

from __future__ import annotations

import math
import struct
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...errors import ModelError, ParagaugeError

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
