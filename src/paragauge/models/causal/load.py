"""A name to a language model, once per process."""

from __future__ import annotations

import functools
import hashlib
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...errors import InputError, ModelError, check_choice
from ..hub.registry import full_name
from .language_model import LanguageModel

if TYPE_CHECKING:
    from .batched import LanguageModelIdentity

PRECISIONS = ("float32", "int8")


def load_language_model(name: str = "default-lm", precision: str = "float32", limit: int = 1024) -> LanguageModel:
    """The language model of a registered name, a folder (transformers' layout, or one GGUF file) or a hub id.

    `limit` is the longest input in tokens, or what the model itself can take if that is less. In int8 the default model
    loses 0.24 of mean log-probability per token (21 sentences, standard deviation 0.21), so no metric offers it.
    """
    check_choice("precision", precision, PRECISIONS)
    if limit < 2:
        raise InputError(f"limit={limit} leaves no room for a text; expected at least 2")
    return _load(full_name(name), precision, limit)


# The rest of this package is imported when a language model is first asked for, so that listing metrics stays quick.
@functools.cache
def _load(name: str, precision: str, limit: int) -> LanguageModel:
    from ..convert.checks import friendly_errors
    from ..hub.locate import model_folder

    own, folder = model_folder(name, "language model")
    files = sorted(folder.glob("*.gguf"))
    with friendly_errors(folder):
        if not files or (folder / "config.json").is_file():
            return _from_folder(own, folder, precision, limit)
        if len(files) > 1:
            raise ModelError(f"{folder} holds {len(files)} GGUF files; expected one, or a config.json and its weights")
        return _from_gguf(own, files[0], precision, limit)


def _from_gguf(name: str, file: Path, precision: str, limit: int) -> LanguageModel:
    from ..convert.encoder import keep
    from ..convert.gguf import read_gguf
    from ..convert.llama import gguf_config, gguf_tokenizer, gguf_weights, specification
    from ..hub.checksum import file_sha256
    from .engines import CTranslateLanguageModel

    opened = read_gguf(file)
    config = gguf_config(opened)
    sha256 = file_sha256(file)
    words = opened.metadata["tokenizer.ggml.tokens"]
    specials = {
        key: words[config[f"{key}_id"]] for key in ("bos_token", "eos_token") if config[f"{key}_id"] is not None
    }
    identity = _identity(
        name, sha256, sha256, precision, config, limit, opened.metadata.get("tokenizer.chat_template"), specials
    )
    weights = functools.partial(gguf_weights, opened, config)
    layers = config["num_hidden_layers"]
    folder = keep(config, sha256, f"layer{layers}", lambda: specification(config, layers, weights()))
    return CTranslateLanguageModel(identity, gguf_tokenizer(opened), folder)


def _from_folder(name: str, folder: Path, precision: str, limit: int) -> LanguageModel:
    from ..convert.checks import check_sizes
    from ..convert.encoder import keep
    from ..convert.llama import convertible_decoder, specification
    from ..convert.weights import open_weights, shapes
    from ..encoders.tokenize import read_tokenizer
    from ..hub.locate import identified
    from .engines import CTranslateLanguageModel, TorchLanguageModel

    model = identified(name, folder)
    template, specials = _chat(folder)
    identity = _identity(
        name,
        model.sha256,
        hashlib.sha256(f"{model.files}\n{template}".encode()).hexdigest(),
        precision,
        model.config,
        limit,
        template,
        specials,
    )
    tokenizer = read_tokenizer(folder)
    if not convertible_decoder(model.config):
        check_sizes(model.config, shapes(model.weights))
        return TorchLanguageModel(identity, tokenizer, model)
    weights = functools.partial(open_weights, model.weights)
    return CTranslateLanguageModel(
        identity,
        tokenizer,
        keep(
            model.config,
            model.sha256,
            f"layer{model.layers()}",
            lambda: specification(model.config, model.layers(), weights()),
        ),
    )


def _chat(folder: Path) -> tuple[str | None, dict[str, str]]:
    """The chat template of a folder, and the special tokens that it may name."""
    from ..hub.locate import read_json

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


def _identity(
    name: str,
    sha256: str,
    files: str,
    precision: str,
    config: Any,
    limit: int,
    template: str | None,
    specials: dict[str, str],
) -> LanguageModelIdentity:
    from ..convert.checks import integer
    from .batched import LanguageModelIdentity
    from .chat import chat_template

    vocabulary = integer(config, "vocab_size")
    begin = config.get("bos_token_id")
    begin = config.get("eos_token_id") if begin is None else begin
    begin = begin[0] if isinstance(begin, list) and begin else begin
    if begin is not None:
        begin = integer({"bos_token_id": begin}, "bos_token_id", low=0, high=vocabulary)
    own = integer(
        config, "max_position_embeddings" if config.get("max_position_embeddings") else "n_positions", limit, low=2
    )
    return LanguageModelIdentity(
        name=name,
        sha256=sha256,
        files=files,
        precision=precision,
        vocabulary=vocabulary,
        limit=min(limit, own),
        begin=begin,
        around=functools.partial(chat_template, template, name, specials),
    )
