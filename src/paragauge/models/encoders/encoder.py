"""What an encoder gives for a text, the protocol of an encoder, and how one is loaded."""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from ...errors import check_choice
from ..hub.registry import full_name

PRECISIONS = ("float32", "int8")
POLICIES = ("truncate", "window")

_HEADER = struct.Struct("<4I")  # tokens, dimension, unknown, truncated


class Encoded(NamedTuple):
    """One text as an encoder sees it; T tokens, special tokens included, of d dimensions."""

    ids: NDArray[np.int32]  # [T]
    vectors: NDArray[np.float32]  # [T, d], each of length 1
    sentence: NDArray[np.float32]  # [d], of length 1: pooled as the model's own configuration says
    unknown: int  # tokens outside the vocabulary
    truncated: int  # tokens cut away because the text is longer than the model's limit

    @property
    def nbytes(self) -> int:
        return self.vectors.nbytes + self.sentence.nbytes + self.ids.nbytes

    def pack(self) -> bytes:
        """All of it as bytes; float32 values are kept exactly."""
        head = _HEADER.pack(*self.vectors.shape, self.unknown, self.truncated)
        floats = (part.astype("<f4", copy=False).tobytes() for part in (self.sentence, self.vectors))
        return b"".join((head, self.ids.astype("<i4", copy=False).tobytes(), *floats))

    @classmethod
    def unpack(cls, data: bytes) -> Encoded:
        """The inverse of `pack`; the arrays are read-only views of the bytes."""
        tokens, dimension, unknown, truncated = _HEADER.unpack_from(data)
        sentence = _HEADER.size + 4 * tokens
        return cls(
            np.frombuffer(data, "<i4", tokens, _HEADER.size),
            np.frombuffer(data, "<f4", tokens * dimension, sentence + 4 * dimension).reshape(tokens, dimension),
            np.frombuffer(data, "<f4", dimension, sentence),
            unknown,
            truncated,
        )


class Encoder(Protocol):
    """Texts to vectors. Equal signatures mean equal vectors, up to the rounding of float32."""

    name: str
    sha256: str  # of the weights
    layer: int  # the layer whose output is given, counted from 1
    layers: int  # how many layers the model has
    precision: str
    limit: int  # the longest input in tokens, special tokens included
    signature: str
    special_ids: frozenset[int]  # ids of the tokens that are put around every text, such as [CLS] and [SEP]
    unknown_id: int  # id of the token that stands for everything outside the vocabulary; −1 where there is none

    def encode(self, texts: Sequence[str]) -> Iterator[Encoded]:
        """One per text, in order, as they are ready."""
        ...

    def ids(self, texts: Sequence[str]) -> list[list[int]]:
        """Token ids alone, special tokens included."""
        ...

    def spans(self, texts: Sequence[str]) -> list[list[tuple[int, int]]]:
        """Where in its text each of these tokens stands, from and to; special ones from 0 to 0."""
        ...

    def unknown(self, texts: Sequence[str]) -> list[list[str]]:
        """What the unknown tokens of each text stand for, in order and without regard to the limit."""
        ...


def load_encoder(
    name: str = "default", layer: int | None = None, precision: str = "float32", long: str = "truncate"
) -> Encoder:
    """The encoder of a registered name, a model folder or a hub id, once per process; the default `layer` is the last.

    `long` says what becomes of a text beyond the model's limit.
    """
    check_choice("precision", precision, PRECISIONS)
    check_choice("long", long, POLICIES)
    from .run import open_encoder  # when an encoder is first asked for, so that listing metrics stays quick

    return open_encoder(full_name(name), layer, precision, long)
