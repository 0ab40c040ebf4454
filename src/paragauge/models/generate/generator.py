"""A model that writes texts, as searches ask it; how one is loaded, and runs: by CTranslate2, or by torch."""

from __future__ import annotations

import functools
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from ...errors import InputError, ModelError, check_choice
from ..convert.seq2seq import check_family, converted, convertible, position_limit, vocabulary
from ..convert.weights import friendly_errors, integer
from ..encoders.encoder import PRECISIONS
from ..engines import CTranslateModel, TorchModel, check_ids
from ..hub.locate import ModelFiles, identified, model_folder
from ..hub.registry import full_name
from .words import ModelTokenizer, words_of, words_sha256

LogProbabilities = NDArray[np.float32]  # [rows, vocabulary], natural logarithms
Ids = NDArray[np.intp]
KIND = "sequence-to-sequence model"
BACKENDS = ("auto", "ctranslate2", "torch")
ROWS = 640  # that are stepped together at most: as many as 64 beams of 10

_ROWS = 64  # of a batch


class Hypothesis(NamedTuple):
    """A sequence that a search found, its prefix included and the end token not."""

    tokens: tuple[int, ...]
    log_probability: float  # of the tokens behind the prefix and, where it is `ended`, of the end
    score: float  # the log-probability by length, as the search ranks
    ended: bool  # by the end token, and not by the limit of length


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


class CTranslateGenerator(Generator):
    """A converted model, by CTranslate2's own beam search, or step by step, which is slower.

    CTranslate2 keeps nothing between calls: each step reads the source and all that was written again.
    """

    bytes = 1 << 28  # of the numbers of one call, in which are those of every step before, unless one row has more

    def __init__(self, model: ModelFiles, precision: str) -> None:
        self._engine = CTranslateModel("Translator", model.name, converted(model), precision)
        super().__init__(model, precision, self._engine.backend)

    def read(self, sources: Sequence[Sequence[int]]) -> object:
        return [list(map(str, source)) for source in sources]

    def logits(self, state: DecoderState) -> NDArray[np.float32]:
        memory = cast("list[list[str]]", state.memory)
        written = [list(map(str, tokens[1:])) for tokens in state.tokens]
        longest = max(map(len, written), default=0) + 1
        found = np.empty((len(written), self.vocabulary), np.float32)
        rows = max(1, self.bytes // (longest * found.strides[0]))
        for first in range(0, len(written), rows):
            own = written[first : first + rows]
            results = self._translate(
                [memory[source] for source in state.sources[first : first + rows]],
                own,
                beam_size=1,
                max_decoding_length=longest,
                return_logits_vocab=True,
            )
            for row, (result, tokens) in enumerate(zip(results, own, strict=True), first):
                found[row] = self._engine.array(result.logits[0][len(tokens)])
        return found

    def beam(
        self,
        sources: Sequence[Sequence[int]],
        *,
        width: int,
        n: int,
        longest: int,
        penalty: float,
        prefixes: Sequence[Sequence[int]] | None = None,
    ) -> list[list[Hypothesis]]:
        """The n best by CTranslate2's own beam search: what `beam_search` finds without groups and constraints."""
        self.check(sources)
        results = self._translate(
            [list(map(str, source)) for source in sources],
            None if prefixes is None else [list(map(str, prefix)) for prefix in prefixes],
            beam_size=width,
            num_hypotheses=n,
            length_penalty=penalty,
            max_decoding_length=longest,
            return_scores=True,
            return_end_token=True,
            suppress_sequences=[[str(token)] for token in self.suppressed] or None,
        )
        pairs = (zip(result.hypotheses, result.scores, strict=True) for result in results)
        return [[self._found(tokens, score, penalty) for tokens, score in own] for own in pairs]

    def _found(self, written: Sequence[str], score: float, penalty: float) -> Hypothesis:
        tokens = tuple(map(int, written))
        ended = tokens[-1:] == (self.end,)
        return Hypothesis(tokens[:-1] if ended else tokens, score * len(tokens) ** penalty, score, ended)

    def _translate(self, sources: Sequence[Sequence[str]], prefixes: Any, **options: Any) -> Any:
        if not sources:
            return []
        return self._engine.get().translate_batch(
            sources,
            target_prefix=prefixes,
            max_batch_size=_ROWS,
            max_input_length=0,
            min_decoding_length=0,
            **options,
        )


class _Memory(NamedTuple):
    """What the encoder made of the sources."""

    states: Any  # [sources, length, width]
    mask: Any


class TorchGenerator(Generator):
    """A model in torch; each step reads all that was written, the sources only once."""

    def __init__(self, model: ModelFiles, precision: str) -> None:
        self._engine = TorchModel("AutoModelForSeq2SeqLM", model, precision)
        super().__init__(model, precision, self._engine.backend)

    def read(self, sources: Sequence[Sequence[int]]) -> object:
        if not sources:
            return None
        ids, mask = self._engine.padded(sources), self._engine.mask(sources)
        with self._engine.torch.inference_mode():
            return _Memory(self._engine.model.get_encoder()(input_ids=ids, attention_mask=mask).last_hidden_state, mask)

    def logits(self, state: DecoderState) -> NDArray[np.float32]:
        memory = cast(_Memory, state.memory)
        rows = self._engine.tensor(state.sources)
        found = self._engine.run(
            encoder_outputs=(memory.states[rows],),
            attention_mask=memory.mask[rows],
            decoder_input_ids=self._engine.tensor(state.tokens),
            use_cache=False,
        )
        return self._engine.array(found.logits[:, -1])
