"""Weights of known architectures to a CTranslate2 model of their first layers, with numpy alone."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ...errors import ModelError
from ..hub.locate import ModelFiles
from ..hub.verify import cached_conversion
from .weights import Shaped, Weight, check_heads, integer, open_weights, shaped, small

ACTIVATIONS = {
    "gelu": "GELU",
    "gelu_new": "GELUTanh",
    "gelu_pytorch_tanh": "GELUTanh",
    "relu": "RELU",
    "silu": "SWISH",
    "swish": "SWISH",
}


class Architecture(NamedTuple):
    """Where a family of models keeps its parts; `{}` stands for the number of the layer."""

    query: str
    key: str
    value: str
    attention: str
    attention_norm: str
    inner: str
    outer: str
    outer_norm: str
    token_types: bool = True
    padded_positions: bool = False  # positions begin behind the padding index
    relative: bool = False  # a position bias shared by all layers, as in T5


_BERT = Architecture(
    query="encoder.layer.{}.attention.self.query",
    key="encoder.layer.{}.attention.self.key",
    value="encoder.layer.{}.attention.self.value",
    attention="encoder.layer.{}.attention.output.dense",
    attention_norm="encoder.layer.{}.attention.output.LayerNorm",
    inner="encoder.layer.{}.intermediate.dense",
    outer="encoder.layer.{}.output.dense",
    outer_norm="encoder.layer.{}.output.LayerNorm",
)
_ROBERTA = _BERT._replace(padded_positions=True)
ARCHITECTURES: Mapping[str, Architecture] = {
    "bert": _BERT,
    "roberta": _ROBERTA,
    "xlm-roberta": _ROBERTA,
    "camembert": _ROBERTA,
    "distilbert": Architecture(
        query="transformer.layer.{}.attention.q_lin",
        key="transformer.layer.{}.attention.k_lin",
        value="transformer.layer.{}.attention.v_lin",
        attention="transformer.layer.{}.attention.out_lin",
        attention_norm="transformer.layer.{}.sa_layer_norm",
        inner="transformer.layer.{}.ffn.lin1",
        outer="transformer.layer.{}.ffn.lin2",
        outer_norm="transformer.layer.{}.output_layer_norm",
        token_types=False,
    ),
    "mpnet": _ROBERTA._replace(
        query="encoder.layer.{}.attention.attn.q",
        key="encoder.layer.{}.attention.attn.k",
        value="encoder.layer.{}.attention.attn.v",
        attention="encoder.layer.{}.attention.attn.o",
        attention_norm="encoder.layer.{}.attention.LayerNorm",
        token_types=False,
        relative=True,
    ),
}


def position_limit(config: Mapping[str, Any]) -> int:
    """How many tokens the position table holds."""
    architecture = ARCHITECTURES.get(config["model_type"])
    reserved = _padding(config) + 1 if architecture and architecture.padded_positions else 0
    return integer(config, "max_position_embeddings", 512, low=reserved + 1) - reserved


def takes_types(config: Mapping[str, Any]) -> bool:
    """Whether the model tells the tokens of a second text from those of the first."""
    architecture = ARCHITECTURES[config["model_type"]]
    return architecture.token_types and integer(config, "type_vocab_size", 2) > 1


def _padding(config: Mapping[str, Any]) -> int:
    return integer(config, "pad_token_id", 1, low=0)


def convertible(config: Mapping[str, Any]) -> bool:
    """Whether CTranslate2 computes this model exactly."""
    return (
        config.get("model_type") in ARCHITECTURES
        and config.get("position_embedding_type", "absolute") == "absolute"
        and _activation(config) in ACTIVATIONS
        and not config.get("is_decoder", False)
        # CTranslate2 has T5's table, whose 32 buckets reach 128 tokens far; so has MPNet unless configured otherwise
        and config.get("relative_attention_num_buckets", 32) == 32
    )


def _activation(config: Mapping[str, Any]) -> str:
    return str(config.get("hidden_act", config.get("activation", "gelu")))


def converted(
    model: ModelFiles, layer: int, weights: Callable[[], Weight] | None = None, *, pairs: bool = False
) -> Path:
    """The folder of the converted encoder; for `pairs`, tokens of the second text may be of another type.

    `weights` are those of the model unless others, which its sha256 then names, are given.
    """
    make = weights or functools.partial(open_weights, model.weights)
    part = f"layer{layer}-pairs" if pairs else f"layer{layer}"
    return cached_conversion(
        model.config, model.sha256, part, lambda: _specification(model.config, layer, make(), pairs)
    )


def _specification(config: Mapping[str, Any], layer: int, weight: Weight, pairs: bool) -> Any:
    from ctranslate2.specs import common_spec, transformer_spec

    architecture = ARCHITECTURES[config["model_type"]]
    typed = pairs and takes_types(config)
    read = shaped(weight)
    words = read("embeddings.word_embeddings.weight", None, None)
    width = words.shape[1]
    heads = integer(config, "n_heads" if "n_heads" in config else "num_attention_heads")
    check_heads(width, heads)
    read(f"{architecture.outer_norm.format(layer - 1)}.weight", width)  # the last layer is there: none is made in vain
    encoder = transformer_spec.TransformerEncoderSpec(
        layer,
        heads,
        pre_norm=False,
        activation=getattr(common_spec.Activation, ACTIVATIONS[_activation(config)]),
        layernorm_embedding=True,
        num_source_embeddings=2 if architecture.relative or typed else 1,
        embeddings_merge=common_spec.EmbeddingsMerge.ADD,
        relative_attention_bias=architecture.relative,
    )
    encoder.scale_embeddings = False
    encoder.embeddings[0].weight = words
    positions = read("embeddings.position_embeddings.weight", None, width)
    if architecture.padded_positions:
        positions = positions[_padding(config) + 1 :]
    for key, table, expected in (
        ("vocab_size", words, integer(config, "vocab_size")),
        ("max_position_embeddings", positions, position_limit(config)),
    ):
        if len(table) < expected:  # CTranslate2 would read beyond the table
            raise ModelError(f"the configuration promises {key}={config.get(key)}, the weights hold fewer")
    if architecture.token_types:
        types = read("embeddings.token_type_embeddings.weight", None, width)
        if typed and len(types) < integer(config, "type_vocab_size", 2):
            raise ModelError(
                f"the configuration promises type_vocab_size={config.get('type_vocab_size')}, not {len(types)}"
            )
        if typed:
            encoder.embeddings[1].weight = types
        else:  # every token is of type 0, so the type is part of the position
            positions = positions + types[0]
    if architecture.relative:
        # CTranslate2 leaves positions out where there is a relative bias. The table that BERT uses for token types
        # carries them instead; the encoder passes positions as token types.
        encoder.embeddings[1].weight = positions
    else:
        encoder.position_encodings.encodings = positions
    set_norm(encoder.layernorm_embedding, read, "embeddings.LayerNorm", width)
    for number, part in enumerate(encoder.layer):
        attention = part.self_attention
        inputs = [name.format(number) for name in (architecture.query, architecture.key, architecture.value)]
        set_linear(attention.linear[0], read, inputs, width, width)
        set_linear(attention.linear[1], read, [architecture.attention.format(number)], width, width)
        set_norm(attention.layer_norm, read, architecture.attention_norm.format(number), width)
        inner = set_linear(part.ffn.linear_0, read, [architecture.inner.format(number)], None, width)
        set_linear(part.ffn.linear_1, read, [architecture.outer.format(number)], width, inner)
        set_norm(part.ffn.layer_norm, read, architecture.outer_norm.format(number), width)
        if architecture.relative:
            attention.relative_attention_bias = read("encoder.relative_attention_bias.weight", 32, heads)
            attention.relative_attention_max_distance = np.int32(128)
    model = transformer_spec.TransformerEncoderModelSpec(encoder)
    # Texts come as ids, so the words of the vocabulary are never looked at; CTranslate2 checks how many there are.
    model.register_vocabulary([str(number) for number in range(len(words))])
    model.config.unk_token = "0"
    model.config.layer_norm_epsilon = small(config, "layer_norm_eps", 1e-12)
    model.validate()
    return model


def set_linear(
    part: Any, read: Shaped, names: Sequence[str], rows: int | None, columns: int, *, bias: bool = True
) -> int:
    """Put linear layers of so many rows, one below the other, in the place of one; returns the rows of all."""
    part.weight = np.concatenate([read(f"{name}.weight", rows, columns) for name in names])
    if bias:
        part.bias = np.concatenate([read(f"{name}.bias", len(part.weight) // len(names)) for name in names])
    return len(part.weight)


def set_norm(part: Any, read: Shaped, name: str, width: int) -> None:
    part.gamma = read(f"{name}.weight", width)
    part.beta = read(f"{name}.bias", width)
