"""A name to an encoder, once per process."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

from ...errors import InputError, check_choice
from ..hub.registry import full_name
from .encoder import Encoder

if TYPE_CHECKING:
    from ..hub.locate import ModelFiles

PRECISIONS = ("float32", "int8")
POLICIES = ("truncate", "window")


def load_encoder(
    name: str = "default", layer: int | None = None, precision: str = "float32", long: str = "truncate"
) -> Encoder:
    """The encoder of a registered name, a model folder or a hub id; the default `layer` is the last."""
    check_choice("precision", precision, PRECISIONS)
    check_choice("long", long, POLICIES)
    name = full_name(name)
    return _load(name, _open(name).layers() if layer is None else layer, precision, long)


# The rest of this package is imported when an encoder is first asked for, so that listing metrics stays quick.
@functools.cache
def _open(name: str) -> ModelFiles:
    from ..hub.locate import open_model

    return open_model(name)


@functools.cache
def _load(name: str, layer: int, precision: str, long: str) -> Encoder:
    from ..convert.checks import check_sizes, friendly_errors, integer
    from ..convert.encoder import ARCHITECTURES, converted, convertible, position_limit
    from ..convert.weights import open_weights, shapes
    from .batching import EncoderIdentity
    from .ctranslate import CTranslateEncoder
    from .tokenize import Tokenize, read_tokenizer

    model = _open(name)
    with friendly_errors(model.folder):
        layers = model.layers()
        if not 1 <= layer <= layers:
            raise InputError(f"layer {layer} of {model.name} does not exist; it has layers 1 to {layers}")
        identity = EncoderIdentity(
            model.name, model.sha256, model.files, layer, layers, precision, long, backend="", pooling=model.pooling()
        )
        if not convertible(model.config):
            from .transformers import TorchEncoder

            check_sizes(model.config, shapes(model.weights))
            return TorchEncoder(identity, model)
        weights = functools.partial(open_weights, model.weights)
        return CTranslateEncoder(
            identity,
            Tokenize(read_tokenizer(model.folder), model.limit(position_limit(model.config)), windows=long == "window"),
            converted(model.config, model.sha256, layer, weights),
            vocabulary=integer(model.config, "vocab_size"),
            positions=ARCHITECTURES[model.config["model_type"]].relative,
        )
