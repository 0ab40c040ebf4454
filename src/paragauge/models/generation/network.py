"""A converted sequence-to-sequence model step by step in numpy: what was read and written before is kept.

CTranslate2 computes faster but keeps nothing between calls. Here the keys and values of the attention are kept: those
of the source once, those of each row token by token.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...errors import ModelError
from ..formats.variables import Variables

Floats = NDArray[np.float32]

_KNOWN = re.compile(
    r"(en|de)coder/((embeddings(_0)?|projection)/(weight|bias)|position_encodings/encodings|num_heads|pre_norm"
    r"|activation|scale_embeddings|scale_outputs|(layernorm_embedding|layer_norm)/(gamma|beta)"
    r"|layer_\d+/(ffn|self_attention|attention)/(layer_norm/(gamma|beta)|linear_([012]|0_noact)/(weight|bias)"
    r"|queries_scale|relative_attention_(bias|max_distance)))"
)
_WITHOUT_EFFECT = ("decoder/alignment_heads", "decoder/alignment_layer")
_FARTHEST = 128  # distance that T5's relative positions tell apart


class Memory(NamedTuple):
    """What the decoder looks at of one source."""

    keys: Floats  # [layers, heads, dimensions, length]
    values: Floats  # [layers, heads, length, dimensions]


class Network:
    """Encoder and decoder of BART, Marian or T5, in float32."""

    def __init__(self, variables: Variables, epsilon: float) -> None:
        for name, value in variables.items():
            if not (_KNOWN.fullmatch(name) or name in _WITHOUT_EFFECT or (value.ndim == 0 and value == 0)):
                raise ModelError(f"the converted model has {name}, which steps in numpy do not know")
            if name.endswith("/activation") and int(value) not in _ACTIVATIONS:
                raise ModelError(f"the converted model has the activation {value}, which steps in numpy do not know")
        self._encoder = _Side(variables, "encoder", epsilon)
        self._decoder = _Side(variables, "decoder", epsilon)

    @property
    def kept(self) -> int:
        """Bytes that are kept for each token of each row."""
        return 2 * self._decoder.layers * self._decoder.inner * np.dtype(np.float32).itemsize

    def read(self, source: Sequence[int]) -> Memory:
        """One source through the encoder, and as keys and values of each layer of the decoder."""
        side, length = self._encoder, len(source)
        states = side.embedded(source, np.arange(length))
        distances = np.arange(length)[None] - np.arange(length)[:, None]
        for layer in range(side.layers):

            def attend(states: Floats, name: str = f"layer_{layer}/self_attention") -> Floats:
                queries, keys, values = side.heads_of(name, "linear_0", states, 3).swapaxes(1, 2)
                bias = side.bias(name, distances, both=True)
                found = _attended(queries * side.scale(name), keys.swapaxes(1, 2), values, bias)
                return side.linear(f"{name}/linear_1", found.swapaxes(0, 1).reshape(length, -1))

            states = side.around(f"layer_{layer}/self_attention", states, attend)
            states = side.forward(layer, states)
        states = side.last(states)
        names = (f"layer_{layer}/attention" for layer in range(self._decoder.layers))
        pairs = np.stack([self._decoder.heads_of(name, "linear_1", states, 2) for name in names])
        keys, values = np.moveaxis(pairs, 1, 0)  # [layers, length, heads, dimensions]
        return Memory(np.ascontiguousarray(keys.transpose(0, 2, 3, 1)), np.ascontiguousarray(values.swapaxes(1, 2)))

    def step(
        self,
        memories: Sequence[Memory],
        sources: Sequence[int],
        tokens: Sequence[int],
        kept: Floats | None,
        places: Sequence[int],
    ) -> tuple[Floats, Floats]:
        """Each row after one more token: [rows, vocabulary], and what is kept of it.

        A row has read the memory of its source, and goes on from its place in `kept`, which is None before the first
        token, else keys and values: [layers, 2, rows, heads, length, dimensions].
        """
        side, count = self._decoder, len(tokens)
        before = 0 if kept is None else kept.shape[4]
        grown = np.empty((side.layers, 2, count, side.heads, before + 1, side.inner // side.heads), np.float32)
        if kept is not None:
            for own, old in zip(grown.reshape(-1, *grown.shape[2:]), kept.reshape(-1, *kept.shape[2:]), strict=True):
                own[..., :-1, :] = old[places]
        states = side.embedded(tokens, np.array([before]))
        distances = np.arange(-before, 1)[None]
        rows_of: dict[int, list[int]] = {}
        for row, source in enumerate(sources):
            rows_of.setdefault(source, []).append(row)
        for layer in range(side.layers):

            def write(states: Floats, layer: int = layer) -> Floats:
                name, own = f"layer_{layer}/self_attention", grown[layer]
                queries, keys, values = side.heads_of(name, "linear_0", states, 3)
                own[0, ..., -1, :], own[1, ..., -1, :] = keys, values
                bias = side.bias(name, distances, both=False)
                found = _attended((queries * side.scale(name))[..., None, :], own[0].swapaxes(2, 3), own[1], bias)
                return side.linear(f"{name}/linear_1", found.reshape(count, -1))

            def look(states: Floats, layer: int = layer) -> Floats:
                name = f"layer_{layer}/attention"
                (queries,) = side.heads_of(name, "linear_0", states, 1) * side.scale(name)
                found = np.empty_like(queries)
                for source, rows in rows_of.items():
                    memory = memories[source]
                    own = _attended(queries[rows].swapaxes(0, 1), memory.keys[layer], memory.values[layer], 0)
                    found[rows] = own.swapaxes(0, 1)
                return side.linear(f"{name}/linear_2", found.reshape(count, -1))

            states = side.around(f"layer_{layer}/self_attention", states, write)
            states = side.around(f"layer_{layer}/attention", states, look)
            states = side.forward(layer, states)
        states = side.last(states) * side.own.get("scale_outputs", np.float32(1))
        return side.linear("projection", states), grown


class _Side:
    """The variables of the encoder or the decoder, and what both do alike."""

    def __init__(self, variables: Variables, side: str, epsilon: float) -> None:
        self.own = {name.removeprefix(f"{side}/"): value for name, value in variables.items() if name.startswith(side)}
        self.layers = sum(name.endswith("/ffn/linear_0/weight") for name in self.own)
        self.heads = int(self.own["num_heads"])
        self.inner = int(self.own["layer_0/self_attention/linear_1/weight"].shape[1])  # heads times dimensions
        self._words = self.own["embeddings_0/weight" if side == "encoder" else "embeddings/weight"]
        scale = self.own["scale_embeddings"]  # a number, or whether it is the root of the width
        root = np.float32(self._words.shape[1] ** 0.5) if scale else np.float32(1)
        self._scale = scale if scale.dtype.kind == "f" else root
        self._before = bool(self.own["pre_norm"])
        self._activation = _ACTIVATIONS[int(self.own["activation"])]
        self._epsilon = np.float32(epsilon)

    def embedded(self, ids: Sequence[int], positions: NDArray[np.intp]) -> Floats:
        states = self._words[list(ids)] * self._scale
        if "position_encodings/encodings" in self.own:
            states = states + self.own["position_encodings/encodings"][positions]
        return self.norm("layernorm_embedding", states) if "layernorm_embedding/gamma" in self.own else states

    def linear(self, name: str, states: Floats) -> Floats:
        found: Floats = states @ self.own[f"{name}/weight"].T
        if (bias := self.own.get(f"{name}/bias")) is not None:
            found += bias
        return found

    def heads_of(self, name: str, linear: str, states: Floats, count: int) -> Floats:
        """[count, rows, heads, dimensions]: queries, keys or values from one product."""
        found = self.linear(f"{name}/{linear}", states).reshape(len(states), count, self.heads, -1)
        return found.swapaxes(0, 1)

    def norm(self, name: str, states: Floats) -> Floats:
        """T5 divides by the root of the mean square, and neither subtracts the mean nor adds anything."""
        beta = self.own.get(f"{name}/beta")
        centred = states if beta is None else states - states.mean(axis=-1, keepdims=True)
        spread = np.sqrt((centred * centred).mean(axis=-1, keepdims=True) + self._epsilon)
        found: Floats = centred / spread * self.own[f"{name}/gamma"]
        return found if beta is None else found + beta

    def around(self, name: str, states: Floats, part: Callable[[Floats], Floats]) -> Floats:
        """A part of a layer, the states added, normalised before it (T5) or behind it."""
        if self._before:
            return states + part(self.norm(f"{name}/layer_norm", states))
        return self.norm(f"{name}/layer_norm", states + part(states))

    def forward(self, layer: int, states: Floats) -> Floats:
        name = f"layer_{layer}/ffn"

        def part(states: Floats) -> Floats:
            inner = self._activation(self.linear(f"{name}/linear_0", states))
            if f"{name}/linear_0_noact/weight" in self.own:
                inner = inner * self.linear(f"{name}/linear_0_noact", states)
            return self.linear(f"{name}/linear_1", inner)

        return self.around(name, states, part)

    def last(self, states: Floats) -> Floats:
        return self.norm("layer_norm", states) if self._before else states

    def scale(self, name: str) -> Any:
        """Of queries: by the root of the dimensions, unless the model says otherwise."""
        return self.own.get(f"{name}/queries_scale", np.float32((self.inner // self.heads) ** -0.5))

    def bias(self, name: str, distances: NDArray[np.intp], *, both: bool) -> Any:
        """[heads, queries, keys] of T5, 0 of others; with `both` keys before a query differ from those behind it."""
        table = self.own.get(f"{name}/relative_attention_bias")
        return 0 if table is None else np.moveaxis(table[_buckets(distances, len(table), both)], -1, 0)


def _attended(queries: Floats, keys: Floats, values: Floats, bias: Any) -> Floats:
    """[…, queries, dimensions], [… dimensions, keys] and [… keys, dimensions]: the values by their shares."""
    shares = queries @ keys + bias
    shares -= shares.max(axis=-1, keepdims=True)
    np.exp(shares, out=shares)
    shares /= shares.sum(axis=-1, keepdims=True)
    found: Floats = shares @ values
    return found


def _buckets(distances: NDArray[np.intp], count: int, both: bool) -> NDArray[np.intp]:
    """T5's numbers of distances: near ones one by one, far ones by their logarithm."""
    if both:
        count //= 2
        first, far = np.where(distances > 0, count, 0), np.abs(distances)
    else:
        first, far = np.zeros_like(distances), np.maximum(-distances, 0)
    exact = count // 2
    share = np.log(np.maximum(far, 1).astype(np.float32) / np.float32(exact)) / np.log(np.float32(_FARTHEST / exact))
    large = np.minimum(exact + (share * np.float32(count - exact)).astype(np.intp), count - 1)
    return first + np.where(far < exact, far, large)


def _gelu(values: Floats) -> Floats:
    from scipy.special import erf

    found: Floats = np.float32(0.5) * values * (1 + erf(values * np.float32(0.5**0.5)))
    return found


def _gelu_tanh(values: Floats) -> Floats:
    inner = np.float32((2 / np.pi) ** 0.5) * (values + np.float32(0.044715) * values**3)
    found: Floats = np.float32(0.5) * values * (1 + np.tanh(inner))
    return found


def _swish(values: Floats) -> Floats:
    from scipy.special import expit

    found: Floats = values * expit(values)
    return found


def _relu(values: Floats) -> Floats:
    return np.maximum(values, np.float32(0))


_ACTIVATIONS = {0: _relu, 1: _gelu_tanh, 2: _swish, 3: _gelu}  # by CTranslate2's numbers
