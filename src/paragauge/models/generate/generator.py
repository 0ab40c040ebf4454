"""A model that writes texts, as searches ask it: what all do alike, and how one is loaded."""

from __future__ import annotations

import functools
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...errors import InputError, ModelError, check_choice
from ..convert.checks import friendly_errors, integer
from ..convert.seq2seq import check_family, convertible, position_limit, vocabulary
from ..ctranslate2 import check_ids
from ..encoders.encoder import PRECISIONS
from ..hub.locate import ModelFiles, identified, model_folder
from ..hub.registry import full_name
from .words import ModelTokenizer, words_of, words_sha256

LogProbabilities = NDArray[np.float32]
Ids = NDArray[np.intp]
KIND = "sequence-to-sequence model"
BACKENDS = ("auto", "ctranslate2", "torch")
ROWS = 640  # that are stepped together at most: as many as 64 beams of 10


class Found(NamedTuple):
    """A sequence that an engine's own search found, its prefix included and the end token not."""

    tokens: tuple[int, ...]
    log_probability: float
    score: float  # by length, the end token included
    ended: bool  # or cut off


@dataclass(frozen=True)
class DecoderState:
    """What each row has read, and what it has written so far, the token that begins a text included."""

    sources: list[int]  # places in `memory`
    tokens: list[tuple[int, ...]]
    memory: object  # of the sources: their ids, or what the encoder made of them

    def select_rows(self, rows: Ids) -> DecoderState:
        chosen = rows.tolist()
        return DecoderState([self.sources[row] for row in chosen], [self.tokens[row] for row in chosen], self.memory)


class Generator(ABC):
    """A sequence-to-sequence model, as searches ask it: `start`, `step`, and the ids that begin and end a text."""

    def __init__(self, model: ModelFiles, precision: str, backend: str) -> None:
        ids = vocabulary(model.config)
        self.name, self.sha256, self.precision = model.name, model.sha256, precision
        self.vocabulary, self.begin, self.end = ids.target, ids.start, ids.end
        self.readable = ids.source
        self.limit = model.limit(position_limit(model.config))  # tokens that it can read, and that it can write
        self.suppressed = _suppressed(model, ids.target, ids.start, ids.end)
        self.words: ModelTokenizer = words_of(model)
        self.config, self.folder = model.config, model.folder
        self.signature = (
            f"{model.name}|sha256:{model.sha256[:12]}|files:{words_sha256(model)[:12]}|precision:{precision}|{backend}"
        )

    @abstractmethod
    def read(self, sources: Sequence[Sequence[int]]) -> object:
        """What a step needs of the sources."""

    @abstractmethod
    def logits(self, state: DecoderState) -> NDArray[np.float32]:
        """[rows, vocabulary]: what may follow what each row has written."""

    def start(self, sources: Sequence[Sequence[int]]) -> DecoderState:
        self.check(sources)
        return DecoderState(list(range(len(sources))), [()] * len(sources), self.read(sources))

    def check(self, sources: Sequence[Sequence[int]]) -> None:
        """Refuse ids that an engine would look for beyond its tables."""
        for source in sources:
            check_ids(self.name, max(source) if source and min(source) >= 0 else self.readable, self.readable)

    def step(self, state: DecoderState, tokens: Ids) -> tuple[LogProbabilities, DecoderState]:
        grown = [(*before, token) for before, token in zip(state.tokens, tokens.tolist(), strict=True)]
        # draws of one source begin alike: rows that have read and written the same are computed once
        numbers: dict[tuple[int, tuple[int, ...]], int] = {}
        rows = [numbers.setdefault(row, len(numbers)) for row in zip(state.sources, grown, strict=True)]
        different = DecoderState([source for source, _ in numbers], [written for _, written in numbers], state.memory)
        logits = self.logits(different).astype(np.float64)[rows]
        logits[:, self.suppressed] = -np.inf
        logits -= logits.max(axis=1, keepdims=True)
        logits -= np.log(np.exp(logits).sum(axis=1, keepdims=True))
        if np.isnan(logits).any():
            raise ModelError(f"{self.name} gives numbers that are not finite; are its weights damaged?")
        return logits.astype(np.float32), DecoderState(state.sources, grown, state.memory)


def _suppressed(model: ModelFiles, size: int, begin: int, end: int) -> list[int]:
    """Tokens that are never written: padding, the token that begins a text, and what the model's own settings ban."""
    padding = model.config.get("pad_token_id")
    banned = {begin} | ({integer(model.config, "pad_token_id", low=0)} if padding is not None else set())
    for phrase in model.config.get("bad_words_ids") or ():
        if isinstance(phrase, list) and len(phrase) == 1 and isinstance(phrase[0], int):
            banned.add(phrase[0])
    return sorted(token for token in banned if token != end and 0 <= token < size)


def load_generator(name: str, precision: str = "float32", backend: str = "auto") -> Generator:
    """The model of a registered name, a folder or a hub id: by CTranslate2 where it can compute it, else by torch."""
    check_choice("precision", precision, PRECISIONS)
    check_choice("backend", backend, BACKENDS)
    return _load(full_name(name), precision, backend)


@functools.cache
def _load(name: str, precision: str, backend: str) -> Generator:
    from .run import CTranslateGenerator, TorchGenerator

    model = identified(*model_folder(name, KIND))
    with friendly_errors(model.folder):
        check_family(model)
        if backend != "torch" and convertible(model.config):
            return CTranslateGenerator(model, precision)
        if model.is_converted:
            raise InputError(f"{model.name} has weights for CTranslate2 alone; expected backend=ctranslate2")
        if backend == "ctranslate2":
            kind = model.config["model_type"]
            raise InputError(
                f"{model.name} is a {kind} model that CTranslate2 is not given here; expected backend=torch"
            )
        return TorchGenerator(model, precision)
