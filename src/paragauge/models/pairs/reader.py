"""The model that reads both texts of an English pair: does each follow from the other, and which words are at fault?

Its weights come with the package, as updates of low rank to an encoder that is downloaded, one file for each such
encoder. They were trained by `paragauge train-metric`.
"""

from __future__ import annotations

import dataclasses
import functools
import hashlib
import json
import struct
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...errors import ModelError
from ..batching import blocks_of, in_order
from ..convert.weights import Weight, open_weights
from ..encoders.tokenize import read_tokenizer
from ..hub.locate import ModelFiles, open_model
from ..hub.verify import file_sha256
from .pair_model import Cut, Cutter, PairEncoder

Vectors = NDArray[np.float32]

FOLDER = Path(__file__).parent / "meaning"
SETTINGS = "meaning.json"
# what a word can be marked as; the first is none of them
KINDS = (
    *("kept", "number", "unit", "name", "negation", "quantifier", "modal", "tense", "person", "time", "opposite"),
    *("roles", "cause", "other", "added", "dropped", "broken"),
)
_BLOCK = 2048  # pairs among which those of like length are looked for
_BATCH = 2048  # tokens, padding included
_LEAST = 0.5  # probability that a word is at fault
_HEADER = struct.Struct("<3d4I")
_MARK = struct.Struct("<4If")


class Mark(NamedTuple):
    """A run of words that is at fault, in one of the texts."""

    side: int  # 0: of the source, 1: of the candidate
    start: int
    end: int
    kind: int  # of KINDS
    probability: float


class Reading(NamedTuple):
    """What the model says of a pair; logits, 0 is as likely as not."""

    forward: float  # does the candidate follow from the source?
    backward: float  # does the source follow from the candidate?
    fluent: float  # is the candidate language that a person would write?
    marks: tuple[Mark, ...]
    tokens: int
    unknown: int
    truncated: int
    # of several sentences, those that say it, in both texts
    worst: tuple[tuple[int, int], tuple[int, int]] | None = None

    @property
    def nbytes(self) -> int:
        return 56 + 24 * len(self.marks)

    def pack(self) -> bytes:
        """All of it as bytes; logits are kept exactly."""
        head = _HEADER.pack(*self[:3], len(self.marks), *self[4:7])
        return head + b"".join(_MARK.pack(*mark) for mark in self.marks)

    @classmethod
    def unpack(cls, data: bytes) -> Reading:
        """The inverse of `pack`."""
        forward, backward, fluent, count, tokens, unknown, truncated = _HEADER.unpack_from(data)
        marks = tuple(Mark(*_MARK.unpack_from(data, _HEADER.size + place * _MARK.size)) for place in range(count))
        return cls(forward, backward, fluent, marks, tokens, unknown, truncated)


class Head(NamedTuple):
    """The layers on top of an encoder, d wide."""

    dense: Vectors  # [d, 2d]
    dense_offset: Vectors  # [d]
    output: Vectors  # [3, d]
    output_offset: Vectors  # [3]
    mark: Vectors  # [kinds, d]
    mark_offset: Vectors  # [kinds]

    def pair(self, pooled: Vectors) -> Vectors:
        """Logits of a pair."""
        found: Vectors = np.tanh(pooled @ self.dense.T + self.dense_offset) @ self.output.T + self.output_offset
        return found

    def pieces(self, states: Vectors) -> Vectors:
        """Of every piece, the probability of each kind."""
        logits = states @ self.mark.T + self.mark_offset
        shares = np.exp(logits - logits.max(axis=-1, keepdims=True))
        found: Vectors = shares / shares.sum(axis=-1, keepdims=True)
        return found


class PairReader:
    """A pair of texts to a reading, by updates to the weights of an encoder."""

    progress_label = "reading pairs"

    def __init__(self, folder: Path, name: str, settings: Mapping[str, Any], precision: str) -> None:
        file = folder / f"{name}.safetensors"
        self.sha256 = file_sha256(file) if file.is_file() else "missing"
        if self.sha256 != settings["sha256"]:
            raise ModelError(f"{file} is damaged: its sha256 is {self.sha256}, expected {settings['sha256']}")
        model = open_model(settings["base"])
        if model.sha256 != settings["base_sha256"]:
            raise ModelError(f"the weights of {model.name} are not those that meaning was trained on")
        limit = int(settings["limit"])
        self.name = "meaning"
        self.settings = settings
        tensors = read_tensors(file)
        self._head = Head(
            *(tensors[f"{layer}.{part}"] for layer in ("dense", "output", "mark") for part in ("weight", "bias"))
        )
        self._cutter = Cutter(read_tokenizer(model.folder), limit, places=True)
        own = dataclasses.replace(model, sha256=self.sha256)
        self._encoder = PairEncoder(own, self.name, precision, lambda: _updated(model, tensors))
        device = f"ctranslate2-{self._encoder.engine.device}"
        self.signature = f"reading|sha256:{self.sha256[:16]}|precision:{precision}|limit:{limit}|{device}"

    def read(self, pairs: Sequence[tuple[str, str]]) -> Iterator[Reading]:
        """One per pair of a source and a candidate, in order, as they are ready."""
        return in_order(
            (list(self._cutter.cut(block)) for block in blocks_of(pairs, _BLOCK)),
            self._read,
            shape=lambda cut: (len(cut.ids),),
            size=_BATCH,
            workers=self._encoder.engine.workers,
            padding=True,
        )

    def _read(self, batch: Sequence[Cut]) -> list[Reading]:
        states = self._encoder.states([cut.ids for cut in batch], [cut.types for cut in batch])
        lengths = np.array([len(cut.ids) for cut in batch])
        real = (np.arange(states.shape[1]) < lengths[:, None])[..., None]
        means = np.where(real, states, 0).sum(axis=1) / lengths[:, None].astype(np.float32)
        logits = self._head.pair(np.concatenate((states[:, 0], means), axis=1))
        if not np.isfinite(logits).all():
            raise ModelError(f"{self.name} gives numbers that are not finite; are its weights damaged?")
        pieces = self._head.pieces(states)
        return [
            Reading(forward, backward, fluent, tuple(_marks(cut, own)), len(cut.ids), cut.unknown, int(cut.truncated))
            for cut, (forward, backward, fluent), own in zip(batch, logits.tolist(), pieces, strict=True)
        ]


def _marks(cut: Cut, shares: Vectors) -> Iterator[Mark]:
    """Runs of words that are at fault; a word is what its most certain piece is."""
    faults = 1 - shares[: len(cut.ids), 0]
    if not (faults > _LEAST).any():
        return
    words: list[Mark] = []
    kinds = shares[:, 1:].argmax(axis=1) + 1
    for place, (side, (start, end)) in enumerate(zip(cut.owners, cut.offsets, strict=True)):
        if side is None or start == end:
            continue
        mark = Mark(side, start, end, int(kinds[place]), float(faults[place]))
        if words and words[-1].side == side and words[-1].end == start:  # it goes on with a word
            last = words.pop()
            surest = max(last, mark, key=lambda one: one.probability)
            mark = surest._replace(start=last.start, end=end)
        words.append(mark)
    # a space at most stands between two words of a run
    for alike, run in groupby(words, key=lambda word: (word.side, word.kind) if word.probability > _LEAST else None):
        if alike is not None:
            marked = list(run)
            surest = max(marked, key=lambda word: word.probability)
            yield surest._replace(start=marked[0].start, end=marked[-1].end)


def load_reader(name: str, precision: str = "float32", folder: Path = FOLDER) -> PairReader:
    """The reader of this name, that of its encoder, which must be there too."""
    return _load(folder, name, precision, _described(folder))


def read_settings(folder: Path = FOLDER) -> Mapping[str, Any]:
    """What is known of the weights in a folder: of each encoder its sha256, that of its updates, and the blend."""
    settings: Mapping[str, Any] = json.loads(_described(folder))
    return settings


def reader_of(sha256: str, folder: Path = FOLDER) -> str | None:
    """The name of the reader on an encoder, known by the sha256 of its weights, whatever it is called."""
    readers = read_settings(folder)["readers"].items()
    return next((name for name, settings in readers if settings["base_sha256"] == sha256), None)


def settings_sha256(folder: Path = FOLDER) -> str:
    """Of the settings: of the blends, and of the weights, whose sha256 they name."""
    return hashlib.sha256(_described(folder).encode()).hexdigest()


def read_tensors(file: Path) -> dict[str, Vectors]:
    """Tensors of a file in which matrices are kept as int8 rows (`…:rows`) with a scale each (`…:scales`)."""
    from safetensors import SafetensorError
    from safetensors.numpy import load_file

    try:
        tensors = load_file(file)
    except (SafetensorError, OSError) as error:
        raise ModelError(f"{file} is damaged or not there: {error}") from None
    found: dict[str, Vectors] = {}
    for name, values in tensors.items():
        if name.endswith(":rows"):
            whole = name.removesuffix(":rows")
            found[whole] = values.astype(np.float32) * tensors[f"{whole}:scales"][:, None]
        elif not name.endswith(":scales"):
            found[name] = values.astype(np.float32)
    return found


def _described(folder: Path) -> str:
    try:
        return (folder / SETTINGS).read_text("utf-8")
    except OSError as error:
        raise ModelError(f"{folder} does not hold the weights of meaning: {error}") from None


@functools.cache
def _load(folder: Path, name: str, precision: str, described: str) -> PairReader:
    return PairReader(folder, name, json.loads(described)["readers"][name], precision)


def _updated(base: ModelFiles, tensors: Mapping[str, Vectors]) -> Weight:
    """Weights of the encoder: newly trained, or with an update of low rank, or as they are."""
    own = open_weights(base.weights)

    def weight(name: str) -> Vectors:
        if name in tensors:
            return tensors[name]
        part = name.removesuffix(".weight")
        found = own(name)
        return found + tensors[f"{part}.up"] @ tensors[f"{part}.down"] if f"{part}.up" in tensors else found

    return weight
