"""Weights of BART, Marian and T5 models to a CTranslate2 translator, with numpy alone."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...errors import ModelError
from .encoders import ACTIVATIONS, set_linear, set_norm
from .weights import Tensors, Weight

_OFFSET = 2  # BART's learned positions begin at row 2 of their table


class Vocabulary(NamedTuple):
    """What a translator has to know of its token ids."""

    source: int
    target: int
    start: int  # the decoder's first input
    end: int  # the last token of every text


def convertible(config: Mapping[str, Any]) -> bool:
    """Whether CTranslate2 computes this model exactly."""
    kind = config.get("model_type")
    if kind in ("t5", "mt5"):
        return (
            _t5_activation(config)[0] in ACTIVATIONS
            and config.get("relative_attention_num_buckets", 32) == 32
            and config.get("relative_attention_max_distance", 128) == 128
        )
    return (
        kind in ("bart", "marian")
        and config.get("activation_function", "gelu") in ACTIVATIONS
        and not config.get("normalize_before", False)
        and not config.get("add_final_layer_norm", False)
        and not (kind == "bart" and config.get("static_position_embeddings", False))
    )


def vocabulary(config: Mapping[str, Any]) -> Vocabulary:
    """The sizes of the vocabularies and the ids that begin and end a text, with the defaults of transformers."""
    kind = config["model_type"]
    size, padding, end = {"bart": (50265, 1, 2), "marian": (58101, 58100, 0)}.get(kind, (32128, 0, 1))
    source = int(_said(config, "vocab_size", size))
    target = source if config.get("share_encoder_decoder_embeddings", True) else int(config["decoder_vocab_size"])
    end = _said(config, "eos_token_id", end)
    if not isinstance(end, int):
        raise ModelError(f"the configuration names several tokens that end a text ({end}); expected one")
    start = _said(config, "decoder_start_token_id", end if kind == "bart" else _said(config, "pad_token_id", padding))
    return Vocabulary(source, target, int(start), end)


def position_limit(config: Mapping[str, Any]) -> int:
    """How many tokens the position tables hold; T5 has none, and BARTScore reads 1024 at most."""
    return int(_said(config, "max_position_embeddings", 1024))


def specification(config: Mapping[str, Any], tensors: Tensors) -> Any:
    """The CTranslate2 model; its tokens are called by their numbers."""
    model = _t5(config, tensors) if config["model_type"] in ("t5", "mt5") else _bart(config, tensors)
    ids = vocabulary(config)
    for key, table, expected in (
        ("vocab_size", model.encoder.embeddings[0].weight, ids.source),
        ("vocab_size", model.decoder.embeddings.weight, ids.target),
    ):
        if len(table) != expected:
            raise ModelError(f"the configuration promises {key}={expected}, the weights hold {len(table)}")
    model.register_source_vocabulary([str(number) for number in range(ids.source)])
    model.register_target_vocabulary([str(number) for number in range(ids.target)])
    model.config.unk_token = "0"  # never looked at: ids are checked
    model.config.bos_token = str(ids.start)
    model.config.eos_token = str(ids.end)
    model.config.decoder_start_token = str(ids.start)
    model.validate()
    return model


def _said(config: Mapping[str, Any], key: str, default: Any) -> Any:
    value = config.get(key)
    return default if value is None else value


def _bart(config: Mapping[str, Any], tensors: Tensors) -> Any:
    from ctranslate2.specs import common_spec, transformer_spec

    learned = config["model_type"] == "bart"  # Marian's positions are sinusoids, and its embeddings are not normalised
    prefix = "model." if "model.encoder.layers.0.fc1.weight" in tensors else ""

    def weight(name: str) -> NDArray[np.float32]:
        return tensors[prefix + name]()

    options = {
        "pre_norm": False,
        "activation": getattr(common_spec.Activation, ACTIVATIONS[config.get("activation_function", "gelu")]),
        "layernorm_embedding": learned,
    }
    encoder = transformer_spec.TransformerEncoderSpec(
        int(config["encoder_layers"]), int(config["encoder_attention_heads"]), **options
    )
    decoder = transformer_spec.TransformerDecoderSpec(
        int(config["decoder_layers"]), int(config["decoder_attention_heads"]), **options
    )
    shared = config.get("share_encoder_decoder_embeddings", True)
    limit, width = position_limit(config), int(config["d_model"])
    for side, part, embeddings in (
        ("encoder", encoder, encoder.embeddings[0]),
        ("decoder", decoder, decoder.embeddings),
    ):
        embeddings.weight = weight("shared.weight" if shared else f"{side}.embed_tokens.weight")
        part.scale_embeddings = math.sqrt(width) if config.get("scale_embedding", False) else False
        positions = weight(f"{side}.embed_positions.weight")[_OFFSET:] if learned else _sinusoids(limit, width)
        if len(positions) < limit:  # CTranslate2 would read beyond the table
            raise ModelError(f"the configuration promises max_position_embeddings={limit}, the weights hold fewer")
        part.position_encodings.encodings = positions
        if learned:
            set_norm(part.layernorm_embedding, weight, f"{side}.layernorm_embedding")
        for number, layer in enumerate(part.layer):
            name = f"{side}.layers.{number}"
            _attention(layer.self_attention, weight, f"{name}.self_attn", ("q_proj", "k_proj", "v_proj", "out_proj"))
            set_norm(layer.self_attention.layer_norm, weight, f"{name}.self_attn_layer_norm")
            if side == "decoder":
                _attention(layer.attention, weight, f"{name}.encoder_attn", ("q_proj", "k_proj", "v_proj", "out_proj"))
                set_norm(layer.attention.layer_norm, weight, f"{name}.encoder_attn_layer_norm")
            set_linear(layer.ffn.linear_0, weight, f"{name}.fc1")
            set_linear(layer.ffn.linear_1, weight, f"{name}.fc2")
            set_norm(layer.ffn.layer_norm, weight, f"{name}.final_layer_norm")
    tied = config.get("tie_word_embeddings", True)
    decoder.projection.weight = decoder.embeddings.weight if tied else tensors["lm_head.weight"]()
    bias = tensors["final_logits_bias"]().reshape(-1) if "final_logits_bias" in tensors else np.zeros(0, np.float32)
    if bias.any():
        decoder.projection.bias = bias
    model = transformer_spec.TransformerSpec(encoder, decoder)
    model.config.layer_norm_epsilon = 1e-5  # torch's default, which neither configuration can change
    return model


def _t5(config: Mapping[str, Any], tensors: Tensors) -> Any:
    from ctranslate2.specs import common_spec, transformer_spec

    def weight(name: str) -> NDArray[np.float32]:
        return tensors[name]()

    activation, gated = _t5_activation(config)
    options = {
        "pre_norm": True,
        "activation": getattr(common_spec.Activation, ACTIVATIONS[activation]),
        "relative_attention_bias": True,
        "ffn_glu": gated,
        "rms_norm": True,
    }
    layers, heads = int(config["num_layers"]), int(config["num_heads"])
    encoder = transformer_spec.TransformerEncoderSpec(layers, heads, **options)
    decoder = transformer_spec.TransformerDecoderSpec(
        int(_said(config, "num_decoder_layers", layers)), heads, **options
    )
    for side, part, embeddings in (
        ("encoder", encoder, encoder.embeddings[0]),
        ("decoder", decoder, decoder.embeddings),
    ):
        embeddings.weight = weight("shared.weight")
        part.scale_embeddings = False
        part.layer_norm.gamma = weight(f"{side}.final_layer_norm.weight")
        bias = weight(f"{side}.block.0.layer.0.SelfAttention.relative_attention_bias.weight")
        for number, layer in enumerate(part.layer):
            name = f"{side}.block.{number}.layer"
            _attention(layer.self_attention, weight, f"{name}.0.SelfAttention", ("q", "k", "v", "o"))
            layer.self_attention.layer_norm.gamma = weight(f"{name}.0.layer_norm.weight")
            layer.self_attention.queries_scale = 1.0  # T5 does not divide by the root of the width
            layer.self_attention.relative_attention_bias = bias
            layer.self_attention.relative_attention_max_distance = np.int32(128)
            last = 1
            if side == "decoder":
                _attention(layer.attention, weight, f"{name}.1.EncDecAttention", ("q", "k", "v", "o"))
                layer.attention.layer_norm.gamma = weight(f"{name}.1.layer_norm.weight")
                layer.attention.queries_scale = 1.0
                last = 2
            dense = f"{name}.{last}.DenseReluDense"
            layer.ffn.linear_0.weight = weight(f"{dense}.wi_0.weight" if gated else f"{dense}.wi.weight")
            if gated:
                layer.ffn.linear_0_noact.weight = weight(f"{dense}.wi_1.weight")
            layer.ffn.linear_1.weight = weight(f"{dense}.wo.weight")
            layer.ffn.layer_norm.gamma = weight(f"{name}.{last}.layer_norm.weight")
    tied = config.get("tie_word_embeddings", True)
    separate = not tied and "lm_head.weight" in tensors
    decoder.projection.weight = weight("lm_head.weight") if separate else decoder.embeddings.weight
    if tied:
        decoder.scale_outputs = float(config["d_model"]) ** -0.5
    model = transformer_spec.TransformerSpec(encoder, decoder)
    model.config.layer_norm_epsilon = float(config.get("layer_norm_epsilon", 1e-6))
    return model


def _t5_activation(config: Mapping[str, Any]) -> tuple[str, bool]:
    """The activation, and whether it gates a second product."""
    kind = str(config.get("feed_forward_proj", "gated-gelu" if config.get("model_type") == "mt5" else "relu"))
    gate, _, name = kind.rpartition("-")
    return "gelu_new" if kind == "gated-gelu" else name, gate == "gated"


def _attention(part: Any, weight: Weight, name: str, names: Sequence[str]) -> None:
    """Query, key and value in one product where all three read the same text, key and value where they do not."""
    *inputs, output = (f"{name}.{part}" for part in names)
    groups = [inputs, [output]] if len(part.linear) == 2 else [inputs[:1], inputs[1:], [output]]
    for linear, group in zip(part.linear, groups, strict=True):
        linear.weight = np.concatenate([weight(f"{name}.weight") for name in group])
        if names[0] == "q_proj":  # T5 has no biases
            linear.bias = np.concatenate([weight(f"{name}.bias") for name in group])


def _sinusoids(positions: int, width: int) -> NDArray[np.float32]:
    """Marian's positions: all sines first, then all cosines."""
    angles = np.arange(positions)[:, None] / 10000 ** (2 * np.arange((width + 1) // 2) / width)
    return np.concatenate([np.sin(angles), np.cos(angles)], axis=1)[:, :width].astype(np.float32)
