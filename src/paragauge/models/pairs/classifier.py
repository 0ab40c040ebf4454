"""Classifiers of a pair of texts, such as those of natural language inference: the probability of each class."""

from __future__ import annotations

import functools
from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...errors import InputError, ModelError, check_choice
from ..convert.encoder import convertible, position_limit
from ..convert.weights import Tensors, check_shape, friendly_errors, open_tensors, open_weights
from ..encoders.encoder import PRECISIONS
from ..encoders.tokenize import read_tokenizer
from ..engines import TorchModel, backend_tokenizer
from ..hub.locate import ModelFiles, open_model
from ..hub.registry import full_name
from .pair_model import Cutter, PairEncoder, PairModel, Prepared

Vectors = NDArray[np.float32]
Head = Callable[[Vectors], Vectors]  # states of the first token to logits


class _Layers(NamedTuple):
    """Where a family of models keeps the two layers on top of the encoder."""

    dense: str
    output: str
    activation: Callable[[Vectors], Vectors] = np.tanh


def _relu(states: Vectors) -> Vectors:
    return np.maximum(states, 0)


_ROBERTA = _Layers("classifier.dense", "classifier.out_proj")
_LAYERS: Mapping[str, _Layers] = {
    "bert": _Layers("bert.pooler.dense", "classifier"),
    "distilbert": _Layers("pre_classifier", "classifier", _relu),
    "roberta": _ROBERTA,
    "xlm-roberta": _ROBERTA,
    "camembert": _ROBERTA,
    "mpnet": _ROBERTA,
}


class PairClassifier(PairModel):
    """Probabilities of the classes, in the order of `classes`."""

    progress_label = "classifying pairs"
    batch = 2048  # ids and types: 1,024 tokens, as for an encoder

    def __init__(
        self, model: ModelFiles, tokenizer: Any, precision: str, backend: str, limit: int, workers: int
    ) -> None:
        signature = (
            f"classifier|sha256:{model.sha256[:16]}|files:{model.files[:16]}|precision:{precision}"
            f"|limit:{limit}|backend:{backend}"
        )
        super().__init__(model.name, model.sha256, signature, limit, workers)
        self.classes = _classes(model)
        self._cutter = Cutter(tokenizer, limit)

    def index(self, label: str | None) -> int:
        """The class of this name or number; without one, the class that is called `entail…`."""
        lowered = [name.lower() for name in self.classes]
        if label is None:
            found = [place for place, name in enumerate(lowered) if name.startswith("entail")]
            expected = "one that begins with 'entail'; say which by label="
        else:
            found = [place for place, name in enumerate(lowered) if label.lower() in (name, str(place))]
            expected = f"'{label}', by name or number"
        if len(found) != 1:
            listed = ", ".join(f"{place} {name}" for place, name in enumerate(self.classes))
            raise InputError(f"the classes of {self.name} are {listed}; expected {expected}")
        return found[0]

    @abstractmethod
    def logits(self, batch: Sequence[Prepared]) -> NDArray[np.float32]:
        """One row per pair, one column per class."""

    def prepare(self, pairs: Sequence[tuple[str, str]]) -> list[Prepared]:
        return [
            Prepared(cut.ids, cut.types, len(cut.ids), cut.unknown, int(cut.truncated))
            for cut in self._cutter.cut(pairs)
        ]

    def compute(self, batch: Sequence[Prepared]) -> list[tuple[float, ...]]:
        logits = self.logits(batch).astype(np.float64)
        shares = np.exp(logits - logits.max(axis=1, keepdims=True))
        return [tuple(row) for row in (shares / shares.sum(axis=1, keepdims=True)).tolist()]


class CTranslateClassifier(PairClassifier):
    """A converted encoder, and the layers on top of it in numpy."""

    def __init__(self, model: ModelFiles, precision: str) -> None:
        self._encoder = PairEncoder(model, model.name, precision)
        engine, limit = self._encoder.engine, model.limit(position_limit(model.config))
        super().__init__(model, read_tokenizer(model.folder), precision, engine.backend, limit, engine.workers)
        width = len(open_weights(model.weights)("embeddings.LayerNorm.weight"))
        self._head = _head(model, open_tensors(model.weights), len(self.classes), width)

    def logits(self, batch: Sequence[Prepared]) -> NDArray[np.float32]:
        return self._head(self._encoder.states([pair.first for pair in batch], [pair.second for pair in batch])[:, 0])


class TorchClassifier(PairClassifier):
    """A model of an architecture that CTranslate2 does not know."""

    def __init__(self, model: ModelFiles, precision: str) -> None:
        self._engine = TorchModel("AutoModelForSequenceClassification", model, precision)
        limit = model.limit(position_limit(model.config))
        super().__init__(model, backend_tokenizer(model), precision, self._engine.backend, limit, self._engine.workers)
        self._types = int(getattr(self._engine.model.config, "type_vocab_size", 0) or 0) > 1

    def logits(self, batch: Sequence[Prepared]) -> NDArray[np.float32]:
        ids = [pair.first for pair in batch]
        rows = {"input_ids": self._engine.padded(ids), "attention_mask": self._engine.mask(ids)}
        if self._types:
            rows["token_type_ids"] = self._engine.padded([pair.second for pair in batch], 0)
        return self._engine.array(self._engine.run(**rows).logits)


def load_classifier(name: str, precision: str = "float32") -> PairClassifier:
    """The model of a folder or hub id: by CTranslate2 where it can compute it, else by torch."""
    check_choice("precision", precision, PRECISIONS)
    return _load(full_name(name), precision)


@functools.cache
def _load(name: str, precision: str) -> PairClassifier:
    model = open_model(name)
    with friendly_errors(model.folder):
        ours = convertible(model.config) and model.config["model_type"] in _LAYERS
        return (CTranslateClassifier if ours else TorchClassifier)(model, precision)


def _classes(model: ModelFiles) -> tuple[str, ...]:
    named = model.config.get("id2label")
    if not isinstance(named, dict) or len(named) < 2:
        raise InputError(f"{model.name} names no two classes (id2label in its config.json); is it a classifier?")
    try:
        return tuple(str(named[str(number)]) for number in range(len(named)))
    except KeyError as error:
        raise ModelError(f"id2label of {model.name} lacks class {error}") from None


def _head(model: ModelFiles, tensors: Tensors, classes: int, width: int) -> Head:
    layers = _LAYERS[model.config["model_type"]]
    try:
        dense, bias = (tensors[f"{layers.dense}.{part}"]() for part in ("weight", "bias"))
        output, shift = (tensors[f"{layers.output}.{part}"]() for part in ("weight", "bias"))
    except KeyError as error:
        raise ModelError(f"the weights of {model.name} lack {error}; is it a classifier?") from None
    if len(output) != classes:
        raise ModelError(f"{model.name} names {classes} classes, its weights hold {len(output)}")
    check_shape(f"{layers.dense}.weight", dense, None, width)
    check_shape(f"{layers.dense}.bias", bias, len(dense))
    check_shape(f"{layers.output}.weight", output, classes, len(dense))
    check_shape(f"{layers.output}.bias", shift, classes)

    def head(states: Vectors) -> Vectors:
        logits: Vectors = layers.activation(states @ dense.T + bias) @ output.T + shift
        return logits

    return head
