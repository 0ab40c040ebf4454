"""Models that judge a pair of texts: what they give, and how they are asked."""

from __future__ import annotations

import math
import struct
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...errors import ModelError
from ..batching import blocks_of, in_order
from ..convert.encoder import ARCHITECTURES, converted, takes_types
from ..convert.weights import Weight, integer
from ..encoders.tokenize import encoded, unknown_id
from ..engines import CTranslateModel, check_ids
from ..hub.locate import ModelFiles

_BLOCK = 2048  # pairs among which those of like length are looked for: bounds what is held back to keep the order
_HEADER = struct.Struct("<3I")


class PairOutput(NamedTuple):
    """What a model gives for a pair: a mean log-likelihood, or the probability of each class."""

    values: tuple[float, ...]
    tokens: int  # of both texts, special tokens included
    unknown: int  # tokens outside the vocabulary
    truncated: int  # texts (or, where they are cut together, pairs) longer than the model's limit

    @property
    def nbytes(self) -> int:
        return 8 * (len(self.values) + 3)

    def pack(self) -> bytes:
        """All of it as bytes; the values are kept exactly."""
        return _HEADER.pack(*self[1:]) + struct.pack(f"<{len(self.values)}d", *self.values)

    @classmethod
    def unpack(cls, data: bytes) -> PairOutput:
        """The inverse of `pack`."""
        values = struct.unpack_from(f"<{(len(data) - _HEADER.size) // 8}d", data, _HEADER.size)
        return cls(values, *_HEADER.unpack_from(data))


class Prepared(NamedTuple):
    """A pair as token ids: source and target, or both texts in one and the number of the text of each token."""

    first: list[int]
    second: list[int]
    tokens: int
    unknown: int
    truncated: int


class Cut(NamedTuple):
    """Tokens of a text, or of two in one input, within a limit."""

    ids: list[int]
    types: list[int]  # the number of the text that each token is of
    owners: list[int | None]  # the same, but None for special tokens
    offsets: list[tuple[int, int]]  # where each stands in its text, if the cutter was asked for places
    unknown: int
    truncated: bool


class PairModel(ABC):
    """Pairs of texts to numbers, but for `prepare` (the tokenizer) and `compute` (the model itself)."""

    progress_label = "judging pairs"
    batch = 1024  # numbers in a batch, padding included

    def __init__(self, name: str, sha256: str, signature: str, limit: int, workers: int) -> None:
        self.name = name
        self.sha256 = sha256  # of the weights
        self.signature = signature
        self.limit = limit  # the longest input in tokens
        self._workers = workers

    @abstractmethod
    def prepare(self, pairs: Sequence[tuple[str, str]]) -> list[Prepared]:
        """Tokens of each pair, within the limit."""

    @abstractmethod
    def compute(self, batch: Sequence[Prepared]) -> list[tuple[float, ...]]:
        """Values of each; called from several threads, never with nothing."""

    def judge(self, pairs: Sequence[tuple[str, str]]) -> Iterator[PairOutput]:
        """One per pair, in order, as they are ready."""
        return in_order(
            map(self.prepare, blocks_of(pairs, _BLOCK)),
            self._judged,
            shape=lambda pair: (len(pair.second), len(pair.first)),
            size=self.batch,
            workers=self._workers,
            padding=True,
        )

    def _judged(self, batch: Sequence[Prepared]) -> list[PairOutput]:
        found = self.compute(batch)
        if not all(math.isfinite(value) for row in found for value in row):
            raise ModelError(f"{self.name} gives numbers that are not finite; are its weights damaged?")
        return [PairOutput(row, *pair[2:]) for row, pair in zip(found, batch, strict=True)]


class Cutter:
    """A tokenizer that cuts what is beyond the limit, as transformers does: special tokens stay, the text's end goes.

    Of two texts in one input the longer is cut first. The tokenizers library could do it, but would keep what it cuts
    off, of a pair in all combinations: of two texts of 80,000 tokens that is millions of encodings.
    """

    def __init__(self, tokenizer: Any, limit: int, *, places: bool = False) -> None:
        self._tokenizer = tokenizer
        self._limit = limit
        self._places = places
        self._unknown = unknown_id(tokenizer)

    def cut(self, texts: Sequence[str] | Sequence[tuple[str, str]]) -> Iterator[Cut]:
        """The tokens of each text, or of each pair."""
        for encoding in encoded(self._tokenizer, texts, places=self._places):
            ids, types, owners, offsets = encoding.ids, encoding.type_ids, encoding.sequence_ids, encoding.offsets
            truncated = len(ids) > self._limit
            if truncated:
                kept = self._kept(owners)
                ids, types, owners, offsets = ([own[place] for place in kept] for own in (ids, types, owners, offsets))
            yield Cut(ids, types, owners, offsets, ids.count(self._unknown), truncated)

    def _kept(self, owners: Sequence[int | None]) -> list[int]:
        """Places of the tokens that stay; a special token belongs to neither text."""
        lengths = owners.count(0), owners.count(1)
        room = self._limit - (len(owners) - sum(lengths))
        shorter = min(lengths)
        longer = max(shorter, room - shorter)
        if shorter + longer > room:
            shorter = room // 2
            longer = room - shorter
        allowed = [longer, shorter] if lengths[0] > lengths[1] else [shorter, longer]
        kept = []
        for place, owner in enumerate(owners):
            if owner is not None:
                allowed[owner] -= 1
                if allowed[owner] < 0:
                    continue
            kept.append(place)
        return kept


def check_rows(name: str, rows: Sequence[Sequence[int]], vocabulary: int) -> None:
    """Refuse what CTranslate2 would look for beyond its tables, and rows without a token."""
    if not all(rows):
        raise ModelError(f"the tokenizer of {name} gives no token for a text")
    check_ids(name, max(map(max, rows)), vocabulary)


class PairEncoder:
    """A converted encoder that reads both texts of a pair in one input."""

    def __init__(
        self, model: ModelFiles, name: str, precision: str, weights: Callable[[], Weight] | None = None
    ) -> None:
        folder = converted(model, model.layers(), weights, pairs=True)
        self.engine = CTranslateModel("Encoder", name, folder, precision)
        self._name = name
        self._vocabulary = integer(model.config, "vocab_size")
        self._positions = ARCHITECTURES[model.config["model_type"]].relative  # passed as token types
        self._types = integer(model.config, "type_vocab_size", 2) if takes_types(model.config) else 0

    def states(self, ids: Sequence[list[int]], owners: Sequence[list[int]]) -> NDArray[np.float32]:
        """Hidden states [n, T, d] of inputs, given the number of the text of each token."""
        check_rows(self._name, ids, self._vocabulary)
        types = None
        if self._positions:
            types = [list(range(len(row))) for row in ids]
        elif self._types:
            types = list(owners)
            if any(max(row) >= self._types for row in types):  # CTranslate2 would read beyond the table
                raise ModelError(f"the tokenizer of {self._name} gives token types that its {self._types} types lack")
        return self.engine.states(ids, types)
