"""A chat model asked to write: its steps for our searches, and the beam search of CTranslate2 where it runs by that."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...errors import InputError
from .batched import BatchedLanguageModel
from .engines import CTranslateLanguageModel

_ROWS = 4  # inputs of a batch: each brings a row of the vocabulary for each of its tokens


@dataclass(frozen=True)
class ChatState:
    """The message of each row, and what was written behind it."""

    rows: list[tuple[int, ...]]

    def select_rows(self, rows: NDArray[np.intp]) -> ChatState:
        return ChatState([self.rows[row] for row in rows.tolist()])


class ChatWriter:
    """Answers to messages, token by token. A message is the source of a search, and its tokens those of the chat."""

    def __init__(self, model: BatchedLanguageModel) -> None:
        self.model = model
        self.vocabulary = model.vocabulary
        self._before, self._after = model.template_ids()
        end = model.ends()
        if end is None:
            raise InputError(f"the chat template of {model.name} has no token that ends a message")
        self.end = end
        self.begin = self._after[-1]  # the last token of every message is the first that a step reads
        self.suppressed = [token for token in model.special_ids() if token != end]

    def messages(self, texts: Sequence[str]) -> list[list[int]]:
        """Ids of the chat up to where the answer begins."""
        return [[*self._before, *ids, *self._after] for ids in self.model.ids(texts)]

    def text(self, ids: Sequence[int]) -> str:
        return self.model.text(ids)

    def start(self, sources: Sequence[Sequence[int]]) -> ChatState:
        return ChatState([tuple(source[:-1]) for source in sources])

    def step(self, state: ChatState, tokens: NDArray[np.intp]) -> tuple[NDArray[np.float32], ChatState]:
        rows = [(*before, token) for before, token in zip(state.rows, tokens.tolist(), strict=True)]
        found = np.empty((len(rows), self.vocabulary), np.float32)
        places: dict[int, list[int]] = {}
        for place, row in enumerate(rows):
            places.setdefault(len(row), []).append(place)
        for alike in places.values():
            for start in range(0, len(alike), _ROWS):
                part = alike[start : start + _ROWS]
                found[part] = self.model.predictions(np.array([rows[place] for place in part], np.int32))[:, -1]
        found[:, self.suppressed] = -np.inf
        found -= np.log(np.exp(found.astype(np.float64)).sum(axis=1, keepdims=True)).astype(np.float32)
        return found, ChatState(rows)

    @property
    def native(self) -> bool:
        """Has it a beam search of its engine?"""
        return isinstance(self.model, CTranslateLanguageModel)

    def beam(
        self, sources: Sequence[Sequence[int]], *, width: int, n: int, longest: int, penalty: float
    ) -> list[list[tuple[tuple[int, ...], float]]]:
        """The n best answers and their scores by CTranslate2's beam search, one message at a time."""
        assert isinstance(self.model, CTranslateLanguageModel)
        found: list[list[tuple[tuple[int, ...], float]]] = []
        for source in sources:  # messages of other lengths in one batch would be read token by token
            (result,) = self._generated(source, width, n, longest, penalty)
            pairs = zip(result.sequences_ids, result.scores, strict=True)
            found.append([(tuple(ids), float(score)) for ids, score in pairs])
        return found

    def _generated(self, source: Sequence[int], width: int, n: int, longest: int, penalty: float) -> Any:
        assert isinstance(self.model, CTranslateLanguageModel)
        return self.model.engine().generate_batch(
            [list(map(str, source))],
            beam_size=width,
            num_hypotheses=n,
            max_length=longest,
            length_penalty=penalty,
            end_token=[self.end],
            include_prompt_in_result=False,
            return_scores=True,
            suppress_sequences=[[str(token)] for token in self.suppressed] or None,
        )
