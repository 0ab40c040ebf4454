"""What every language model does alike: texts to tokens, and predictions to likelihoods and answers."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...errors import ModelError
from ..batching import blocks_of, in_order
from ..encoders.tokenize import encoded
from .language_model import Likelihood

Ids = NDArray[np.int32]
LogProbabilities = NDArray[np.float32]

# Tokens of a batch. Each brings a row as long as the vocabulary: 256 rows of 49,152 values are 50 MB.
_BATCH = 256
# Inputs among which equally long ones are looked for: bounds what is held back to keep the order.
_BLOCK = 1024
_SEPARATOR = "<|endoftext|>"


class LanguageModelIdentity(NamedTuple):
    """What a language model is, apart from how it computes."""

    name: str
    sha256: str  # of the weights
    files: str  # of all files together
    precision: str
    vocabulary: int
    limit: int
    begin: int | None  # the token that the configuration declares to begin a text
    around: Callable[[], tuple[str, str]]  # what a chat puts before and behind a message


class BatchedLanguageModel(ABC):
    """A LanguageModel, but for `predictions`, the model itself.

    A text begins with <|endoftext|> where the vocabulary has it, because that is what stood before every document
    that such a model was trained on; else with the declared beginning. SmolLM2-135M-Instruct declares <|im_start|>,
    which in training was always followed by a role: after it, "The cat sat on the mat." has a perplexity of 436, after
    <|endoftext|> one of 20.
    """

    def __init__(self, identity: LanguageModelIdentity, tokenizer: Any, workers: int, backend: str) -> None:
        self.name, self.sha256, self.precision = identity.name, identity.sha256, identity.precision
        self.vocabulary, self.limit = identity.vocabulary, identity.limit
        tokenizer.no_padding()  # settings that a tokenizer.json may bring along
        tokenizer.no_truncation()
        self._tokenizer = tokenizer
        separator = tokenizer.token_to_id(_SEPARATOR)
        begin = identity.begin if separator is None else separator
        if begin is None:
            raise ModelError(f"{identity.name} has no token for a text to begin with")
        self._begin = begin
        self.start = str(tokenizer.id_to_token(begin))
        self.signature = (
            f"language-model|sha256:{identity.sha256[:16]}|files:{identity.files[:16]}|limit:{identity.limit}"
            f"|start:{self.start}|precision:{identity.precision}|backend:{backend}"
        )
        self._around = identity.around
        self._workers = workers

    @abstractmethod
    def predictions(self, inputs: Ids) -> LogProbabilities:
        """Log-probabilities [n, T, V] of what follows each token of n inputs; called from several threads."""

    def ids(self, texts: Sequence[str]) -> list[list[int]]:
        # else a candidate could end the conversation with <|im_end|> and give the answer itself
        return self._encoded([text.strip() for text in texts], specials=False)

    def read(self, texts: Sequence[str]) -> Iterator[Likelihood]:
        whole = self.ids(texts)
        inputs = [[self._begin, *ids][: self.limit] for ids in whole]
        for ids, kept, found in zip(whole, inputs, self._in_order(inputs, self._likelihoods), strict=True):
            yield Likelihood(np.array(kept[1:], np.int32), found, len(ids) + 1 - len(kept))

    def predict(self, text: str) -> LogProbabilities:
        inputs = [[self._begin, *ids[: self.limit - 1]][:-1] for ids in self.ids(text.splitlines()) if ids]
        total = np.zeros(self.vocabulary)
        for expected in self._in_order(inputs, lambda rows: np.exp(self._checked(rows)).sum(axis=1, dtype=np.float64)):
            total += expected
        result: LogProbabilities = np.log(total / sum(map(len, inputs))).astype(np.float32)
        return result

    def answer(self, messages: Sequence[str], answers: Sequence[str]) -> Iterator[LogProbabilities]:
        before, after = self.template_ids()
        chosen = [ids[0] for ids in self.ids(answers)]
        if len(set(chosen)) < len(answers):
            raise ModelError(f"the answers {', '.join(answers)} begin with the same token of {self.name}")
        prompts = [[*before, *ids, *after] for ids in self.ids(messages)]
        fitting = [ids for ids in prompts if len(ids) <= self.limit]
        found = self._in_order(fitting, lambda rows: self._checked(rows)[:, -1, chosen])
        for ids in prompts:
            yield next(found) if len(ids) <= self.limit else np.full(len(answers), np.nan, np.float32)

    def template_ids(self) -> tuple[list[int], list[int]]:
        """What a chat puts before and behind a message, as ids."""
        before, after = self._encoded(self._around(), specials=True)
        return before, after

    def special_ids(self) -> list[int]:
        """The tokens that are no text."""
        return [number for number, token in self._tokenizer.get_added_tokens_decoder().items() if token.special]

    def ends(self) -> int | None:
        """The token that ends a message of a chat, as its template has it; None where there is none."""
        _, after = self.template_ids()
        return next((number for number in after if number in self.special_ids()), None)

    def text(self, ids: Sequence[int]) -> str:
        """What the ids say; special tokens are left out."""
        return str(self._tokenizer.decode(list(ids), skip_special_tokens=True))

    def _encoded(self, texts: Sequence[str], *, specials: bool) -> list[list[int]]:
        self._tokenizer.encode_special_tokens = not specials
        return [found.ids for found in encoded(self._tokenizer, texts, add_special_tokens=False)]

    def _likelihoods(self, rows: Ids) -> LogProbabilities:
        if rows.shape[1] == 1:
            return np.empty((len(rows), 0), np.float32)
        expected = self._checked(rows[:, :-1])
        return np.take_along_axis(expected, rows[:, 1:, None].astype(np.intp), axis=2)[:, :, 0]

    def _checked(self, rows: Ids) -> LogProbabilities:
        if rows.max() >= self.vocabulary:  # CTranslate2 would read beyond the table
            raise ModelError(f"the tokenizer of {self.name} gives ids that its vocabulary of {self.vocabulary} lacks")
        return self.predictions(rows)

    def _in_order(
        self, inputs: Sequence[Sequence[int]], compute: Callable[[Ids], NDArray[Any]]
    ) -> Iterator[NDArray[Any]]:
        """What `compute` makes of each input; those of a batch are equally long."""

        def computed(rows: Sequence[Sequence[int]]) -> NDArray[Any]:
            results = compute(np.array(rows, np.int32))
            if not np.isfinite(results).all():
                raise ModelError(f"{self.name} gives numbers that are not finite; are its weights damaged?")
            return results

        return in_order(
            blocks_of(inputs, _BLOCK), computed, shape=lambda ids: (len(ids),), size=_BATCH, workers=self._workers
        )
