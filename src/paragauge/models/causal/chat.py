"""Messages to a chat model: the form in which it was taught to meet them, and its answers, token by token."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ...errors import InputError, ModelError
from ...process.extras import require

if TYPE_CHECKING:
    from .run import BatchedLanguageModel

# Models differ in the line that stands for the user, so the template itself says what is around the message. Templates
# are programs for jinja2; these, by their sha256, are known without it.
_KNOWN = {
    "872be49dbb638044ad01b60388f48d469ff2980e5f0dccdc22ec907db54d0788": (
        "<|im_start|>system\nYou are a helpful AI assistant named SmolLM, trained by Hugging Face<|im_end|>\n"
        "<|im_start|>user\n",
        "<|im_end|>\n<|im_start|>assistant\n",
    ),
}
_ROWS = 4  # inputs of a batch: each brings a row of the vocabulary for each of its tokens
_MESSAGE = "\u2402message\u2403"  # nothing that a template would look for


def chat_template(template: str | None, model: str, specials: dict[str, str]) -> tuple[str, str]:
    """What stands before and behind the user's message, up to where the reply begins."""
    if template is None:
        raise InputError(f"{model} has no chat template, so it cannot be asked; use an instruct model")
    known = _KNOWN.get(hashlib.sha256(template.encode()).hexdigest())
    return known if known is not None else rendered(template, model, specials)


def rendered(template: str, model: str, specials: dict[str, str]) -> tuple[str, str]:
    """The same by jinja2, in a sandbox, as transformers does it."""
    sandbox = require("jinja2.sandbox", "lm", f"the chat template of {model} needs jinja2")

    def refuse(sentence: str) -> None:
        raise ModelError(sentence)

    environment: Any = sandbox.ImmutableSandboxedEnvironment(trim_blocks=True, lstrip_blocks=True)
    environment.globals["raise_exception"] = refuse
    try:
        text = environment.from_string(template).render(
            messages=[{"role": "user", "content": _MESSAGE}], add_generation_prompt=True, **specials
        )
    except Exception as error:  # a template may fail in any way
        raise ModelError(f"the chat template of {model} cannot be used: {error}") from None
    before, found, after = text.partition(_MESSAGE)
    if not found:
        raise ModelError(f"the chat template of {model} leaves out the user's message")
    return before, after


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
        specials = model.special_ids()
        end = next((token for token in self._after if token in specials), None)
        if end is None:
            raise InputError(f"the chat template of {model.name} has no token that ends a message")
        self.end = end
        self.begin = self._after[-1]  # the last token of every message is the first that a step reads
        self.suppressed = [token for token in specials if token != end]

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
        return self.model.beam_engine() is not None

    def beam(
        self, sources: Sequence[Sequence[int]], *, width: int, n: int, longest: int, penalty: float
    ) -> list[list[tuple[tuple[int, ...], float]]]:
        """The n best answers and their scores by CTranslate2's beam search, one message at a time."""
        found: list[list[tuple[tuple[int, ...], float]]] = []
        for source in sources:  # messages of other lengths in one batch would be read token by token
            (result,) = self.model.beam_engine().generate_batch(
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
            pairs = zip(result.sequences_ids, result.scores, strict=True)
            found.append([(tuple(ids), float(score)) for ids, score in pairs])
        return found
