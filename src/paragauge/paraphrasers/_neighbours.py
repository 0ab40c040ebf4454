"""The nearest words of a word, kept on disk."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ..models.lexical.vectors import Vectors

Near = list[tuple[str, float]]  # words and their cosines, best first


@dataclass(frozen=True)
class Neighbours:
    """The `count` words of the highest cosine to a word; the word has a vector."""

    vectors: Vectors
    count: int

    label = "looking for neighbours"

    @property
    def signature(self) -> str:
        return f"neighbours|sha256:{self.vectors.sha256}|count:{self.count}"

    def compute(self, words: Sequence[str]) -> Iterable[Near]:
        return self.vectors.nearest(words, self.count)

    def size(self, near: Near) -> int:
        return 32 * len(near)

    def pack(self, near: Near) -> bytes:
        return json.dumps(near).encode()

    def unpack(self, data: bytes) -> Near:
        return [(word, cosine) for word, cosine in json.loads(data)]
