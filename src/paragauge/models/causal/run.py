"""Language models as they run: texts to tokens, and predictions to likelihoods and answers."""

from __future__ import annotations

import dataclasses
import functools
import hashlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...errors import ModelError
from ..batching import blocks_of, in_order
from ..convert.gguf import read_gguf
from ..convert.llama import converted, convertible_decoder, gguf_config, gguf_tokenizer, gguf_weights
from ..convert.weights import friendly_errors, integer, open_weights
from ..encoders.tokenize import encoded, read_tokenizer
from ..engines import CTranslateModel, TorchModel, check_ids
from ..hub.locate import ModelFiles, identified, model_folder, read_json
from ..hub.verify import file_sha256
from .chat import chat_template
from .language_model import LanguageModel, Likelihood

Ids = NDArray[np.int32]
LogProbabilities = NDArray[np.float32]

# Tokens of a batch. Each brings a row as long as the vocabulary: 256 rows of 49,152 values are 50 MB.
_BATCH = 256
# Inputs among which equally long ones are looked for: bounds what is held back to keep the order.
_BLOCK = 1024
_SEPARATOR = "<|endoftext|>"


class Opened(NamedTuple):
    """The files of a language model, and how it is asked for."""

    model: ModelFiles
    tokenizer: Any
    precision: str
    limit: int
    template: str | None  # of a chat
    specials: dict[str, str]  # tokens that the template may name


class BatchedLanguageModel(ABC):
    """A LanguageModel, but for `predictions`, the model itself.

    A text begins with <|endoftext|> where the vocabulary has it, because that is what stood before every document
    that such a model was trained on; else with the declared beginning. SmolLM2-135M-Instruct declares <|im_start|>,
    which in training was always followed by a role: after it, "The cat sat on the mat." has a perplexity of 436, after
    <|endoftext|> one of 20.
    """

    def __init__(self, opened: Opened, workers: int, backend: str) -> None:
        model, self._tokenizer = opened.model, opened.tokenizer
        self.name, self.sha256, self.precision = model.name, model.sha256, opened.precision
        self.vocabulary = integer(model.config, "vocab_size")
        positions = "max_position_embeddings" if model.config.get("max_position_embeddings") else "n_positions"
        self.limit = min(opened.limit, integer(model.config, positions, opened.limit, low=2))
        separator = self._tokenizer.token_to_id(_SEPARATOR)
        declared = _beginning(model.config, self.vocabulary)
        begin = declared if separator is None else separator
        if begin is None:
            raise ModelError(f"{model.name} has no token for a text to begin with")
        self._begin = begin
        self.start = str(self._tokenizer.id_to_token(begin))
        self.signature = (
            f"language-model|sha256:{model.sha256[:16]}|files:{model.files[:16]}|limit:{self.limit}"
            f"|start:{self.start}|precision:{opened.precision}|backend:{backend}"
        )
        self._template = functools.partial(chat_template, opened.template, model.name, opened.specials)
        self._workers = workers

    @abstractmethod
    def predictions(self, inputs: Ids) -> LogProbabilities:
        """Log-probabilities [n, T, V] of what follows each token of n inputs; called from several threads."""

    def beam_engine(self) -> Any:
        """The generator of CTranslate2, which has a beam search of its own; None where another engine computes."""
        return None

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
        before, after = self._encoded(self._template(), specials=True)
        return before, after

    def special_ids(self) -> list[int]:
        """The tokens that are not text."""
        return [number for number, token in self._tokenizer.get_added_tokens_decoder().items() if token.special]

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
        check_ids(self.name, int(rows.max()), self.vocabulary)
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


class CTranslateLanguageModel(BatchedLanguageModel):
    """A converted model, without torch."""

    def __init__(self, opened: Opened, folder: Path) -> None:
        self._engine = CTranslateModel("Generator", opened.model.name, folder, opened.precision)
        super().__init__(opened, self._engine.workers, self._engine.backend)

    def beam_engine(self) -> Any:
        return self._engine.get()

    def predictions(self, inputs: Ids) -> LogProbabilities:
        return self._engine.array(self._engine.get().forward_batch(inputs.tolist(), return_log_probs=True))


class TorchLanguageModel(BatchedLanguageModel):
    """A model of an architecture that CTranslate2 does not know."""

    def __init__(self, opened: Opened) -> None:
        self._engine = TorchModel("AutoModelForCausalLM", opened.model, opened.precision)
        super().__init__(opened, self._engine.workers, self._engine.backend)

    def predictions(self, inputs: Ids) -> LogProbabilities:
        torch, ids = self._engine.torch, self._engine.tensor(inputs.astype(np.int64))
        logits = self._engine.run(input_ids=ids, attention_mask=torch.ones_like(ids), use_cache=False).logits
        return self._engine.array(torch.log_softmax(logits.float(), dim=-1))


def _beginning(config: Any, vocabulary: int) -> int | None:
    """The token that the configuration declares to begin a text, or else to end one."""
    begin = config.get("bos_token_id")
    begin = config.get("eos_token_id") if begin is None else begin
    begin = begin[0] if isinstance(begin, list) and begin else begin
    return None if begin is None else integer({"bos_token_id": begin}, "bos_token_id", low=0, high=vocabulary)


@functools.cache
def open_language_model(name: str, precision: str, limit: int) -> LanguageModel:
    """The language model of a full name; see `load_language_model`."""
    own, folder = model_folder(name, "language model")
    files = sorted(folder.glob("*.gguf"))
    with friendly_errors(folder):
        if not files or (folder / "config.json").is_file():
            return _from_folder(own, folder, precision, limit)
        if len(files) > 1:
            raise ModelError(f"{folder} holds {len(files)} GGUF files; expected one, or a config.json and its weights")
        return _from_gguf(own, files[0], precision, limit)


def _from_gguf(name: str, file: Path, precision: str, limit: int) -> LanguageModel:
    gguf = read_gguf(file)
    config = gguf_config(gguf)
    sha256 = file_sha256(file)
    model = ModelFiles(name, file.parent, config, (file,), sha256, sha256)
    words = gguf.metadata["tokenizer.ggml.tokens"]
    specials = {
        key: words[config[f"{key}_id"]] for key in ("bos_token", "eos_token") if config[f"{key}_id"] is not None
    }
    template = gguf.metadata.get("tokenizer.chat_template")
    folder = converted(model, functools.partial(gguf_weights, gguf, config))
    return CTranslateLanguageModel(Opened(model, gguf_tokenizer(gguf), precision, limit, template, specials), folder)


def _from_folder(name: str, folder: Path, precision: str, limit: int) -> LanguageModel:
    model = identified(name, folder)
    template, specials = _chat(folder)
    files = hashlib.sha256(f"{model.files}\n{template}".encode()).hexdigest()
    model = dataclasses.replace(model, files=files)
    opened = Opened(model, read_tokenizer(folder), precision, limit, template, specials)
    if not convertible_decoder(model.config):
        return TorchLanguageModel(opened)
    return CTranslateLanguageModel(opened, converted(model, functools.partial(open_weights, model.weights)))


def _chat(folder: Path) -> tuple[str | None, dict[str, str]]:
    """The chat template of a folder, and the special tokens that it may name."""
    said = read_json(folder / "tokenizer_config.json", absent={})
    template = said.get("chat_template")
    if (folder / "chat_template.jinja").is_file():
        template = (folder / "chat_template.jinja").read_text(encoding="utf-8")
    if isinstance(template, list):  # several by name
        template = next((one["template"] for one in template if one.get("name") == "default"), None)
    tokens = {key: said.get(key) for key in ("bos_token", "eos_token")}
    return template, {
        key: str(token["content"] if isinstance(token, dict) else token) for key, token in tokens.items() if token
    }
