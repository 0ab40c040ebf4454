"""What metrics ask of a text, computed once in a workspace."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from ..models.causal import language_model as reading
from ..models.causal.language_model import LanguageModel, Likelihood
from ..models.encoders.encoder import Encoded, Encoder, pack, unpack
from ..models.encoders.matching import Spelled, match_pairs
from ..models.pairs import pair_model as pair_models
from ..models.pairs import reader as pair_readings
from ..models.pairs.reader import PairReader, Reading
from ..tables.notices import NoticeKind
from ..text.normalize import bare, normalize
from ..text.tokens import tokenize
from ..verdict.findings import Finding
from ..verdict.rules import findings
from .workspace import Workspace


@dataclass(frozen=True)
class Normalized:
    """The text without what no reader would call a difference."""

    signature: str = "normalized"

    def compute(self, keys: Sequence[str]) -> Iterable[str]:
        return map(normalize, keys)


@dataclass(frozen=True)
class Bare:
    """The words of a normalized text, without punctuation."""

    signature: str = "bare"

    def compute(self, keys: Sequence[str]) -> Iterable[str]:
        return map(bare, keys)


@dataclass(frozen=True)
class Findings:
    """What the rules find in a candidate, given its source."""

    signature: str = "findings"

    def compute(self, keys: Sequence[tuple[str, str]]) -> Iterable[list[Finding]]:
        return (findings(source, candidate) for source, candidate in keys)


@dataclass(frozen=True)
class Tokens:
    """The tokens of a text."""

    tokenizer: str
    lowercase: bool = False

    @property
    def signature(self) -> str:
        return f"tokens:{self.tokenizer}:{'lower' if self.lowercase else 'mixed'}"

    def compute(self, keys: Sequence[str]) -> Iterable[list[str]]:
        tokens, lengths = self.end_to_end(keys)
        following = iter(tokens)
        return [list(islice(following, length)) for length in lengths.tolist()]

    def end_to_end(self, keys: Sequence[str]) -> tuple[list[str], NDArray[np.int64]]:
        """The tokens of all texts, and how many each has."""
        return tokenize(self.tokenizer, [key.lower() for key in keys] if self.lowercase else keys)


@dataclass(frozen=True)
class Encoding:
    """A text through an encoder: token vectors and sentence vector."""

    encoder: Encoder
    label: str = "encoding texts"

    @property
    def signature(self) -> str:
        return self.encoder.signature

    def compute(self, keys: Sequence[str]) -> Iterable[Encoded]:
        return self.encoder.encode(keys)

    def size(self, value: Encoded) -> int:
        return value.vectors.nbytes + value.sentence.nbytes + value.ids.nbytes

    def pack(self, value: Encoded) -> bytes:
        return pack(value)

    def unpack(self, data: bytes) -> Encoded:
        return unpack(data)


@dataclass(frozen=True)
class Judgment:
    """A pair of texts through a model: how likely the second is after the first, or which class the pair is of."""

    model: pair_models.PairModel

    @property
    def label(self) -> str:
        return self.model.label

    @property
    def signature(self) -> str:
        return self.model.signature

    def compute(self, keys: Sequence[tuple[str, str]]) -> Iterable[pair_models.Judgment]:
        return self.model.judge(keys)

    def size(self, value: pair_models.Judgment) -> int:
        return 8 * (len(value.values) + 3)

    def pack(self, value: pair_models.Judgment) -> bytes:
        return pair_models.pack(value)

    def unpack(self, data: bytes) -> pair_models.Judgment:
        return pair_models.unpack(data)


@dataclass(frozen=True)
class PairReading:
    """A source and a candidate as one model reads them together."""

    model: PairReader

    @property
    def label(self) -> str:
        return self.model.label

    @property
    def signature(self) -> str:
        return self.model.signature

    def compute(self, keys: Sequence[tuple[str, str]]) -> Iterable[Reading]:
        return self.model.read(keys)

    def size(self, value: Reading) -> int:
        return 56 + 24 * len(value.marks)

    def pack(self, value: Reading) -> bytes:
        return pair_readings.pack(value)

    def unpack(self, data: bytes) -> Reading:
        return pair_readings.unpack(data)


@dataclass(frozen=True)
class Unknown:
    """What the unknown tokens of a text stand for."""

    encoder: Encoder

    @property
    def signature(self) -> str:
        return f"unknown:{self.encoder.signature}"

    def compute(self, keys: Sequence[str]) -> Iterable[list[str]]:
        return self.encoder.unknown(keys)


def spell(encoder: Encoder, texts: Sequence[str], encoded: Sequence[Encoded], work: Workspace) -> list[Spelled]:
    """Where the unknown tokens of each text are, and what they stand for; a text that has none is not read again."""
    some = [text for text, found in zip(texts, encoded, strict=True) if found.unknown]
    known = dict(zip(some, work.get(Unknown(encoder), some), strict=True))
    result = []
    for text, found in zip(texts, encoded, strict=True):
        places = np.flatnonzero(found.ids == encoder.unknown_id) if found.unknown else np.empty(0, np.intp)
        # what is cut off is at the end, so the first of them are those that are left
        result.append(Spelled(places, np.array(known.get(text, [])[: len(places)], dtype=np.str_)))
    return result


def encode(encoder: Encoder, texts: Sequence[str], work: Workspace) -> list[Encoded]:
    """The texts through the encoder, each once; counts in the workspace what was cut off or unknown to it."""
    found = work.get(Encoding(encoder), texts)
    for text, encoded in dict(zip(texts, found, strict=True)).items():
        if encoded.unknown or encoded.truncated:
            work.marked[encoder.signature, text] = (encoded.unknown, encoded.truncated)
        if work.is_new(encoder.signature, text):
            tokens = max(len(encoded.ids) - 2, 0)  # without the two special tokens
            work.notices.add(NoticeKind.UNKNOWN_TOKENS, encoder.name, encoded.unknown, tokens)
            work.notices.add(NoticeKind.TRUNCATED, encoder.name, encoded.truncated > 0)
    return found


@dataclass(frozen=True)
class Matching:
    """How well the tokens of two texts match: precision, recall and F, whichever of them a metric asks for."""

    encoder: Encoder
    encoded: Mapping[str, Encoded]  # the texts of all pairs
    spelled: Mapping[str, Spelled] | None = None  # where unknown tokens match by their text only

    @property
    def signature(self) -> str:
        return f"matching:{'token' if self.spelled is None else 'surface'}:{self.encoder.signature}"

    def compute(self, keys: Sequence[tuple[str, str]]) -> Iterable[tuple[float, ...]]:
        one, other = ([self.encoded[pair[side]] for pair in keys] for side in (0, 1))
        spelled = None
        if self.spelled is not None:
            spelled = [self.spelled[text] for text, _ in keys], [self.spelled[text] for _, text in keys]
        return map(tuple, match_pairs(one, other, self.encoder.special_ids, spelled=spelled).tolist())


def judge(
    model: pair_models.PairModel, pairs: Sequence[tuple[str, str]], work: Workspace
) -> list[tuple[float, ...] | None]:
    """The pairs through the model, each once; None where a text is empty. Counts what was cut off or unknown to it."""
    whole = [pair for pair in pairs if all(map(str.strip, pair))]
    found = dict(zip(whole, work.get(Judgment(model), whole), strict=True))
    _count(model, found, work)
    return [found[pair].values if pair in found else None for pair in pairs]


def read_together(model: PairReader, pairs: Sequence[tuple[str, str]], work: Workspace) -> list[Reading]:
    """The pairs as the model reads them, each once; counts what was cut off or unknown to it. No text is empty."""
    found = dict(zip(pairs, work.get(PairReading(model), pairs), strict=True))
    _count(model, found, work)
    return [found[pair] for pair in pairs]


def _count(
    model: pair_models.PairModel | PairReader,
    found: Mapping[tuple[str, str], pair_models.Judgment | Reading],
    work: Workspace,
) -> None:
    for pair, read in found.items():
        if work.is_new(model.signature, "\0".join(pair)):
            work.notices.add(NoticeKind.UNKNOWN_TOKENS, model.name, read.unknown, read.tokens)
            work.notices.add(NoticeKind.TRUNCATED_PAIRS, model.name, read.truncated > 0)


@dataclass(frozen=True)
class LogLikelihood:
    """A text through a language model: the log-probability of each token."""

    model: LanguageModel
    label: str = "reading texts"

    @property
    def signature(self) -> str:
        return self.model.signature

    def compute(self, keys: Sequence[str]) -> Iterable[Likelihood]:
        return self.model.read(keys)

    def size(self, value: Likelihood) -> int:
        return value.ids.nbytes + value.log_probabilities.nbytes

    def pack(self, value: Likelihood) -> bytes:
        return reading.pack(value)

    def unpack(self, data: bytes) -> Likelihood:
        return reading.unpack(data)


@dataclass(frozen=True)
class _Table:
    """Numbers from a language model."""

    model: LanguageModel
    label: str = "reading texts"

    def size(self, value: NDArray[np.float32]) -> int:
        return value.nbytes

    def pack(self, value: NDArray[np.float32]) -> bytes:
        return value.astype("<f4", copy=False).tobytes()

    def unpack(self, data: bytes) -> NDArray[np.float32]:
        return np.frombuffer(data, "<f4")


@dataclass(frozen=True)
class Expectation(_Table):
    """What a language model expects on average along a text: log-probability of each token of the vocabulary."""

    @property
    def signature(self) -> str:
        return f"expectation|{self.model.signature}"

    def compute(self, keys: Sequence[str]) -> Iterable[NDArray[np.float32]]:
        return map(self.model.predict, keys)


@dataclass(frozen=True)
class Answer(_Table):
    """The log-probabilities that a language model replies to a message with each of some answers."""

    answers: tuple[str, ...] = ("Yes", "No")

    @property
    def signature(self) -> str:
        return f"answer:{'/'.join(self.answers)}|{self.model.signature}"

    def compute(self, keys: Sequence[str]) -> Iterable[NDArray[np.float32]]:
        return self.model.answer(keys, self.answers)


def read(model: LanguageModel, texts: Sequence[str], work: Workspace) -> list[Likelihood]:
    """The texts through the language model, each once; counts in the workspace those that were cut off."""
    found = work.get(LogLikelihood(model), texts)
    for text, likelihood in dict(zip(texts, found, strict=True)).items():
        if work.is_new(model.signature, text):
            work.notices.add(NoticeKind.TRUNCATED, model.name, likelihood.truncated > 0)
    return found
