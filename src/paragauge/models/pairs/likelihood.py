"""Sequence-to-sequence models: how likely one text is after another."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from ...errors import ModelError, check_choice
from ..convert.seq2seq import check_family, converted, convertible, position_limit, vocabulary
from ..convert.weights import friendly_errors
from ..encoders.encoder import PRECISIONS
from ..encoders.tokenize import read_tokenizer
from ..engines import CTranslateModel, TorchModel, own_tokenizer
from ..hub.locate import ModelFiles, open_model
from ..hub.registry import full_name
from .pair_model import Cutter, PairModel, Prepared, check_rows

Cut = Callable[[Sequence[str]], list[tuple[list[int], int, bool]]]  # ids, unknown ones, cut off?


class Seq2Seq(PairModel):
    """Mean log-likelihood of the second text's tokens after the first, special tokens included.

    Those are the tokens that the model's tokenizer gives for the text: of BART <s> … </s>, of T5 and Marian … </s>.
    """

    progress_label = "computing likelihoods"
    # Measured on two cores, 6 + 6 layers of 512 and 50,265 words: the fewest processor seconds between 128 and 2,048.
    batch = 256

    def __init__(self, model: ModelFiles, precision: str, backend: str, limit: int, workers: int) -> None:
        signature = (
            f"seq2seq|sha256:{model.sha256[:16]}|files:{model.files[:16]}|precision:{precision}"
            f"|limit:{limit}|backend:{backend}"
        )
        super().__init__(model.name, model.sha256, signature, limit, workers)
        self._source, self._target = _cutters(model, limit)

    def log_likelihoods(self, pairs: Sequence[tuple[str, str]]) -> NDArray[np.float64]:
        """The mean log-likelihood of the second text of each pair, given the first."""
        return np.array([judged.values[0] for judged in self.judge(pairs)], dtype=np.float64)

    def prepare(self, pairs: Sequence[tuple[str, str]]) -> list[Prepared]:
        sources = self._source([source for source, _ in pairs])
        targets = self._target([target for _, target in pairs])
        return [
            Prepared(
                source, target, len(source) + len(target), unknown + also_unknown, int(truncated) + int(also_truncated)
            )
            for (source, unknown, truncated), (target, also_unknown, also_truncated) in zip(
                sources, targets, strict=True
            )
        ]


class CTranslateSeq2Seq(Seq2Seq):
    """A converted model, without torch."""

    def __init__(self, model: ModelFiles, precision: str) -> None:
        self._engine = CTranslateModel("Translator", model.name, converted(model), precision)
        super().__init__(
            model, precision, self._engine.backend, model.limit(position_limit(model.config)), self._engine.workers
        )
        self._vocabulary = vocabulary(model.config)

    def compute(self, batch: Sequence[Prepared]) -> list[tuple[float, ...]]:
        sources, targets = [pair.first for pair in batch], [pair.second for pair in batch]
        check_rows(self.name, sources, self._vocabulary.source)
        check_rows(self.name, targets, self._vocabulary.target)
        if any(target[-1] != self._vocabulary.end for target in targets):
            raise ModelError(f"the tokenizer of {self.name} does not end a text with id {self._vocabulary.end}")
        # CTranslate2 puts the decoder's start before the target and the end behind it, and scores all but the start
        results = self._engine.get().score_batch(
            [list(map(str, source)) for source in sources],
            [list(map(str, target[:-1])) for target in targets],
            max_input_length=0,
        )
        scored = [result.log_probs for result in results]
        if [len(values) for values in scored] != [len(target) for target in targets]:
            raise ModelError(f"CTranslate2 did not score every token for {self.name}")
        return [(sum(values) / len(values),) for values in scored]


class TorchSeq2Seq(Seq2Seq):
    """A model of an architecture that CTranslate2 does not know."""

    def __init__(self, model: ModelFiles, precision: str) -> None:
        self._engine = TorchModel("AutoModelForSeq2SeqLM", model, precision)
        limit = model.limit(int(model.config.get("max_position_embeddings") or 1024))
        super().__init__(model, precision, self._engine.backend, limit, self._engine.workers)

    def compute(self, batch: Sequence[Prepared]) -> list[tuple[float, ...]]:
        sources = [pair.first for pair in batch]
        # -100: transformers' mark of a label that is none; it shifts the labels to get the decoder's input
        labels = self._engine.padded([pair.second for pair in batch], -100)
        ids, mask = self._engine.padded(sources), self._engine.mask(sources)
        logits = self._engine.run(input_ids=ids, attention_mask=mask, labels=labels).logits.float()
        with self._engine.torch.inference_mode():
            chosen = logits.log_softmax(-1).gather(-1, labels.clamp(min=0)[..., None])[..., 0].double()
            kept = labels >= 0
            means = (chosen * kept).sum(1) / kept.sum(1)
        return [(value,) for value in means.tolist()]


def load_seq2seq(name: str, precision: str = "float32") -> Seq2Seq:
    """The model of a folder or hub id: by CTranslate2 where it can compute it, else by torch."""
    check_choice("precision", precision, PRECISIONS)
    return _load(full_name(name), precision)


@functools.cache
def _load(name: str, precision: str) -> Seq2Seq:
    model = open_model(name)
    with friendly_errors(model.folder):
        check_family(model)
        return (CTranslateSeq2Seq if convertible(model.config) else TorchSeq2Seq)(model, precision)


def _cutters(model: ModelFiles, limit: int) -> tuple[Cut, Cut]:
    """How a source and how a target become ids; of a Marian model without tokenizer.json each has its own way."""
    if (model.folder / "tokenizer.json").is_file():
        cutter = Cutter(read_tokenizer(model.folder), limit)

        def cut(texts: Sequence[str]) -> list[tuple[list[int], int, bool]]:
            return [(found.ids, found.unknown, found.truncated) for found in cutter.cut(texts)]

        return cut, cut
    tokenizer = own_tokenizer(model)

    def cut_as(argument: str, texts: Sequence[str]) -> list[tuple[list[int], int, bool]]:
        rows: list[list[int]] = tokenizer(**{argument: list(texts)}, truncation=False, verbose=False)["input_ids"]
        cut = tokenizer(**{argument: list(texts)}, truncation=True, max_length=limit, verbose=False)["input_ids"]
        unknown = tokenizer.unk_token_id
        return [(short, short.count(unknown), len(short) < len(row)) for short, row in zip(cut, rows, strict=True)]

    return functools.partial(cut_as, "text"), functools.partial(cut_as, "text_target")
