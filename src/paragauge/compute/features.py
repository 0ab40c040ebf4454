"""What metrics ask of a text, computed once in a workspace, and what of it the reader of the scores sees."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ..models.causal.language_model import LanguageModel, Likelihood
from ..models.encoders.encoder import Encoded, Encoder
from ..models.encoders.matching import Spelled, match_pairs
from ..models.pairs.pair_model import PairModel, PairOutput
from ..models.pairs.reader import PairReader, Reading
from ..tables.notices import NoticeKind
from ..tables.samples import Samples
from ..text.normalize import normalize, words_only
from ..text.tokens import tokenize
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
        return map(words_only, keys)


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


class _ByModel:
    """What a model makes of a text or of a pair of texts: expensive, so it is kept on disk."""

    kind: ClassVar[Any]  # of the values, which know their bytes
    model: Any

    @property
    def signature(self) -> str:
        return str(self.model.signature)

    @property
    def progress_label(self) -> str:
        return str(self.model.progress_label)

    def size(self, value: Any) -> int:
        return int(value.nbytes)

    def pack(self, value: Any) -> bytes:
        packed: bytes = value.pack()
        return packed

    def unpack(self, data: bytes) -> Any:
        return self.kind.unpack(data)


@dataclass(frozen=True)
class Encoding(_ByModel):
    """A text through an encoder: token vectors and sentence vector."""

    kind = Encoded
    model: Encoder
    progress_label = "encoding texts"

    def compute(self, keys: Sequence[str]) -> Iterable[Encoded]:
        return self.model.encode(keys)


@dataclass(frozen=True)
class PairModelFeature(_ByModel):
    """A pair of texts through a model: how likely the second is after the first, or which class the pair is of."""

    kind = PairOutput
    model: PairModel

    def compute(self, keys: Sequence[tuple[str, str]]) -> Iterable[PairOutput]:
        return self.model.judge(keys)


@dataclass(frozen=True)
class PairReading(_ByModel):
    """A source and a candidate as one model reads them together."""

    kind = Reading
    model: PairReader

    def compute(self, keys: Sequence[tuple[str, str]]) -> Iterable[Reading]:
        return self.model.read(keys)


@dataclass(frozen=True)
class LogLikelihood(_ByModel):
    """A text through a language model: the log-probability of each token."""

    kind = Likelihood
    model: LanguageModel
    progress_label = "reading texts"

    def compute(self, keys: Sequence[str]) -> Iterable[Likelihood]:
        return self.model.read(keys)


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
            work.text_flags[encoder.signature, text] = (encoded.unknown, encoded.truncated)
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


def judge(model: PairModel, pairs: Sequence[tuple[str, str]], work: Workspace) -> list[tuple[float, ...] | None]:
    """The pairs through the model, each once; None where a text is empty. Counts what was cut off or unknown to it."""
    whole = [pair for pair in pairs if all(map(str.strip, pair))]
    found = dict(zip(whole, work.get(PairModelFeature(model), whole), strict=True))
    _count(model, found, work)
    return [found[pair].values if pair in found else None for pair in pairs]


def read_together(model: PairReader, pairs: Sequence[tuple[str, str]], work: Workspace) -> list[Reading]:
    """The pairs as the model reads them, each once; counts what was cut off or unknown to it. No text is empty."""
    found = dict(zip(pairs, work.get(PairReading(model), pairs), strict=True))
    _count(model, found, work)
    return [found[pair] for pair in pairs]


def _count(
    model: PairModel | PairReader,
    found: Mapping[tuple[str, str], PairOutput | Reading],
    work: Workspace,
) -> None:
    for pair, read in found.items():
        if work.is_new(model.signature, "\0".join(pair)):
            work.notices.add(NoticeKind.UNKNOWN_TOKENS, model.name, read.unknown, read.tokens)
            work.notices.add(NoticeKind.TRUNCATED_PAIRS, model.name, read.truncated > 0)


@dataclass(frozen=True)
class _ByLanguageModel(_ByModel):
    """Numbers from a language model."""

    model: LanguageModel
    progress_label = "reading texts"

    def pack(self, value: NDArray[np.float32]) -> bytes:
        return value.astype("<f4", copy=False).tobytes()

    def unpack(self, data: bytes) -> NDArray[np.float32]:
        return np.frombuffer(data, "<f4")


@dataclass(frozen=True)
class Expectation(_ByLanguageModel):
    """What a language model expects on average along a text: log-probability of each token of the vocabulary."""

    @property
    def signature(self) -> str:
        return f"expectation|{self.model.signature}"

    def compute(self, keys: Sequence[str]) -> Iterable[NDArray[np.float32]]:
        return map(self.model.predict, keys)


@dataclass(frozen=True)
class Answer(_ByLanguageModel):
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


def count_copies(samples: Samples, work: Workspace) -> None:
    """By system, as notices: candidates that are their source, and those that only normalizing shows to be."""
    pairs = zip(samples.sources, samples.candidates, strict=True)
    rows = [row for row, pair in enumerate(pairs) if _perhaps_copied(*pair)]
    chosen = samples.rows(rows)
    sources, candidates = (work.get(Normalized(), column) for column in (chosen.sources, chosen.candidates))
    for row, source, candidate in zip(rows, sources, candidates, strict=True):
        if candidate and candidate == source:
            exact = samples.sources[row] == samples.candidates[row]
            work.notices.add(NoticeKind.COPIES if exact else NoticeKind.EDITED_COPIES, samples.systems[row])


def _perhaps_copied(source: str, candidate: str) -> bool:
    """No, at a fraction of the cost of normalizing, for nearly all rewritten ASCII texts."""
    if source == candidate or not (_is_plain(source) and _is_plain(candidate)):
        return True
    return source.lower().replace(" ", "") == candidate.lower().replace(" ", "")


def _is_plain(text: str) -> bool:
    """Would normalizing only lower its letters and take spaces out?"""
    return text.isascii() and text.isprintable() and "`" not in text
