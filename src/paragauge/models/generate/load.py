"""A name to a model that writes texts, once per process."""

from __future__ import annotations

import functools

from ...errors import InputError, check_choice
from ..encoders.load import PRECISIONS
from ..hub.locate import identified, model_folder
from ..hub.registry import full_name
from .generator import Generator

KIND = "sequence-to-sequence model"
# their texts begin or end with the code of a language, which nothing here could tell
_MULTILINGUAL = ("mbart", "m2m_100", "nllb-moe", "plbart", "seamless_m4t", "seamless_m4t_v2")
BACKENDS = ("auto", "ctranslate2", "torch")


def load_generator(name: str, precision: str = "float32", backend: str = "auto") -> Generator:
    """The model of a registered name, a folder or a hub id: by CTranslate2 where it can compute it, else by torch."""
    check_choice("precision", precision, PRECISIONS)
    check_choice("backend", backend, BACKENDS)
    return _load(full_name(name), precision, backend)


@functools.cache
def _load(name: str, precision: str, backend: str) -> Generator:
    from ..convert.checks import check_sizes, friendly_errors
    from ..convert.seq2seq import convertible
    from ..convert.weights import shapes

    model = identified(*model_folder(name, KIND))
    kind = model.config["model_type"]
    if kind in _MULTILINGUAL:
        raise InputError(f"{model.name} is a {kind} model, which asks for languages; expected BART, T5 or Marian")
    with friendly_errors(model.folder):
        if not model.config.get("is_encoder_decoder", convertible(model.config)):
            raise InputError(f"{model.name} is a {kind} model; expected a sequence-to-sequence one: BART, T5 or Marian")
        if backend != "torch" and convertible(model.config):
            from .ctranslate import CTranslateGenerator

            return CTranslateGenerator(model, precision)
        if model.is_converted:
            raise InputError(f"{model.name} has weights for CTranslate2 alone; expected backend=ctranslate2")
        if backend == "ctranslate2":
            raise InputError(
                f"{model.name} is a {kind} model that CTranslate2 is not given here; expected backend=torch"
            )
        from .transformers import TorchGenerator

        check_sizes(model.config, shapes(model.weights))
        return TorchGenerator(model, precision)
