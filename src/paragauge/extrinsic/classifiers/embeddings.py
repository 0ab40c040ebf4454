"""Logistic regression on sentence embeddings."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ...compute.store import Store
from ...compute.workspace import Workspace, silent
from ...models.encoders.encoder import Encoder
from ...models.encoders.load import load_encoder
from ..classifier import parameter
from ._linear import Linear

_BATCH = 512  # texts that are encoded before what was made of them is written to the cache


@dataclass(frozen=True)
class SentenceVector:
    """The vector of a whole text, as the encoder pools it; without those of its tokens it is small to keep."""

    encoder: Encoder

    label = "encoding texts"

    @property
    def signature(self) -> str:
        return f"sentence|{self.encoder.signature}"

    def compute(self, texts: Sequence[str]) -> Iterable[NDArray[np.float32]]:
        return (encoded.sentence for encoded in self.encoder.encode(texts))

    def size(self, vector: NDArray[np.float32]) -> int:
        return vector.nbytes

    def pack(self, vector: NDArray[np.float32]) -> bytes:
        return vector.astype("<f4", copy=False).tobytes()

    def unpack(self, data: bytes) -> NDArray[np.float32]:
        return np.frombuffer(data, "<f4")


@dataclass(frozen=True, kw_only=True)
class Embeddings(Linear):
    """Logistic regression on the sentence embedding of a text.

    A text beyond the limit of the encoder is cut off there. Vectors are kept in the disk cache.
    """

    name: ClassVar[str] = "embeddings"
    title: ClassVar[str] = "Logistic regression on sentence embeddings"

    encoder: str = parameter("default", "encoder name (see `paragauge models`), model folder or hub id")

    def learn(self, texts: Sequence[str]) -> Callable[[Sequence[str]], Any]:  # noqa: ARG002
        return self.vectors

    def prepare(self, texts: Sequence[str], progress: Callable[[int, int], None]) -> None:
        self.vectors(list(dict.fromkeys(texts)), progress)

    def vectors(self, texts: Sequence[str], progress: Callable[[int, int], None] = silent) -> NDArray[np.float32]:
        """One row per text."""
        feature = SentenceVector(load_encoder(self.encoder))
        work = Workspace(Store.default())
        rows: list[NDArray[np.float32]] = []
        try:
            for start in range(0, len(texts), _BATCH):
                rows += work.get(feature, texts[start : start + _BATCH])
                work.tidy()
                progress(len(rows), len(texts))
        finally:
            work.close()
        return np.stack(rows)

    def details(self) -> dict[str, str]:
        encoder = load_encoder(self.encoder)
        return super().details() | {"encoder": encoder.name, "sha256": encoder.sha256[:12]}
