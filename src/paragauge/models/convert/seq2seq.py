"""Weights of BART, Marian and T5 models to a CTranslate2 translator, with numpy alone."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...errors import InputError, ModelError
from ..hub.locate import ModelFiles
from ..hub.verify import cached_conversion
from .encoder import ACTIVATIONS, set_linear, set_norm
from .weights import Shaped, Tensors, check_heads, check_shape, integer, open_tensors, shaped, small

_MOST_POSITIONS = 1 << 16  # Marian's are computed, so no table says how many there are
OFFSET = 2  # BART's learned positions begin at row 2 of their table
# their texts begin or end with the code of a language, which nothing here could tell
_MULTILINGUAL = ("mbart", "m2m_100", "nllb-moe", "plbart", "seamless_m4t", "seamless_m4t_v2")
_PROJECTIONS = ("q_proj", "k_proj", "v_proj", "out_proj")  # of BART and Marian


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
        and str(config.get("activation_function", "gelu")) in ACTIVATIONS
        and not config.get("normalize_before", False)
        and not config.get("add_final_layer_norm", False)
        and not (kind == "bart" and config.get("static_position_embeddings", False))
    )


def check_family(model: ModelFiles) -> None:
    """Refuse what is not a sequence-to-sequence model, or is one of several languages."""
    kind = model.config["model_type"]
    if kind in _MULTILINGUAL:
        raise InputError(f"{model.name} is a {kind} model, which asks for languages; expected BART, T5 or Marian")
    if not model.config.get("is_encoder_decoder", convertible(model.config)):
        raise InputError(f"{model.name} is a {kind} model; expected a sequence-to-sequence one: BART, T5 or Marian")


def converted(model: ModelFiles) -> Path:
    """The folder of the converted model, or that which the model brings along."""
    if model.is_converted:
        return model.weights[0].parent
    return cached_conversion(
        model.config, model.sha256, "seq2seq", lambda: specification(model.config, open_tensors(model.weights))
    )


def vocabulary(config: Mapping[str, Any]) -> Vocabulary:
    """The sizes of the vocabularies and the ids that begin and end a text, with the defaults of transformers."""
    kind = config["model_type"]
    size, padding, end = {"bart": (50265, 1, 2), "marian": (58101, 58100, 0)}.get(kind, (32128, 0, 1))
    source = integer(config, "vocab_size", size)
    target = source if config.get("share_encoder_decoder_embeddings", True) else integer(config, "decoder_vocab_size")
    if isinstance(config.get("eos_token_id"), list):
        raise ModelError(
            f"the configuration names several tokens that end a text ({config['eos_token_id']}); expected one"
        )
    end = integer(config, "eos_token_id", end, low=0, high=target)
    key = "decoder_start_token_id"
    if kind != "bart" and config.get(key) is None:
        key = "pad_token_id"
    return Vocabulary(source, target, integer(config, key, end if kind == "bart" else padding, low=0, high=target), end)


def position_limit(config: Mapping[str, Any]) -> int:
    """How many tokens the position tables hold; T5 has none, and BARTScore reads 1024 at most."""
    return integer(config, "max_position_embeddings", 1024, high=_MOST_POSITIONS)


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


def _bart(config: Mapping[str, Any], tensors: Tensors) -> Any:
    from ctranslate2.specs import common_spec, transformer_spec

    learned = config["model_type"] == "bart"  # Marian's positions are sinusoids, and its embeddings are not normalised
    prefix = "model." if "model.encoder.layers.0.fc1.weight" in tensors else ""

    read = shaped(lambda name: tensors[prefix + name]())
    width = integer(config, "d_model")
    options = {
        "pre_norm": False,
        "activation": getattr(common_spec.Activation, ACTIVATIONS[config.get("activation_function", "gelu")]),
        "layernorm_embedding": learned,
    }
    sizes = {}
    for side in ("encoder", "decoder"):
        layers, heads = integer(config, f"{side}_layers"), integer(config, f"{side}_attention_heads")
        check_heads(width, heads)
        read(f"{side}.layers.{layers - 1}.final_layer_norm.weight", width)  # the last is there: none is made in vain
        sizes[side] = layers, heads
    encoder = transformer_spec.TransformerEncoderSpec(*sizes["encoder"], **options)
    decoder = transformer_spec.TransformerDecoderSpec(*sizes["decoder"], **options)
    shared = config.get("share_encoder_decoder_embeddings", True)
    limit = position_limit(config)
    for side, part, embeddings in (
        ("encoder", encoder, encoder.embeddings[0]),
        ("decoder", decoder, decoder.embeddings),
    ):
        embeddings.weight = read("shared.weight" if shared else f"{side}.embed_tokens.weight", None, width)
        part.scale_embeddings = math.sqrt(width) if config.get("scale_embedding", False) else False
        if learned:
            positions = read(f"{side}.embed_positions.weight", None, width)[OFFSET:]
        else:
            positions = _sinusoids(limit, width)
        if len(positions) < limit:  # CTranslate2 would read beyond the table
            raise ModelError(f"the configuration promises max_position_embeddings={limit}, the weights hold fewer")
        part.position_encodings.encodings = positions
        if learned:
            set_norm(part.layernorm_embedding, read, f"{side}.layernorm_embedding", width)
        for number, layer in enumerate(part.layer):
            name = f"{side}.layers.{number}"
            _attention(layer.self_attention, read, f"{name}.self_attn", _PROJECTIONS, width, width)
            set_norm(layer.self_attention.layer_norm, read, f"{name}.self_attn_layer_norm", width)
            if side == "decoder":
                _attention(layer.attention, read, f"{name}.encoder_attn", _PROJECTIONS, width, width)
                set_norm(layer.attention.layer_norm, read, f"{name}.encoder_attn_layer_norm", width)
            inner = set_linear(layer.ffn.linear_0, read, [f"{name}.fc1"], None, width)
            set_linear(layer.ffn.linear_1, read, [f"{name}.fc2"], width, inner)
            set_norm(layer.ffn.layer_norm, read, f"{name}.final_layer_norm", width)
    tied = config.get("tie_word_embeddings", True)
    decoder.projection.weight = decoder.embeddings.weight
    if not tied:
        decoder.projection.weight = tensors["lm_head.weight"]()
        check_shape("lm_head.weight", decoder.projection.weight, len(decoder.embeddings.weight), width)
    bias = tensors["final_logits_bias"]().reshape(-1) if "final_logits_bias" in tensors else np.zeros(0, np.float32)
    if bias.any():
        check_shape("final_logits_bias", bias, len(decoder.projection.weight))
        decoder.projection.bias = bias
    model = transformer_spec.TransformerSpec(encoder, decoder)
    model.config.layer_norm_epsilon = 1e-5  # torch's default, which neither configuration can change
    return model


def _t5(config: Mapping[str, Any], tensors: Tensors) -> Any:
    from ctranslate2.specs import common_spec, transformer_spec

    read = shaped(lambda name: tensors[name]())
    activation, gated = _t5_activation(config)
    options = {
        "pre_norm": True,
        "activation": getattr(common_spec.Activation, ACTIVATIONS[activation]),
        "relative_attention_bias": True,
        "ffn_glu": gated,
        "rms_norm": True,
    }
    layers, heads = integer(config, "num_layers"), integer(config, "num_heads")
    depths = {"encoder": layers, "decoder": integer(config, "num_decoder_layers", layers)}
    words = read("shared.weight", None, None)
    width = words.shape[1]
    if width != integer(config, "d_model", width):
        raise ModelError(f"the configuration promises d_model={config['d_model']}, the weights have {width}")
    for side, depth in depths.items():
        read(f"{side}.block.{depth - 1}.layer.0.layer_norm.weight", width)  # the last is there: none is made in vain
    encoder = transformer_spec.TransformerEncoderSpec(depths["encoder"], heads, **options)
    decoder = transformer_spec.TransformerDecoderSpec(depths["decoder"], heads, **options)
    for side, part, embeddings in (
        ("encoder", encoder, encoder.embeddings[0]),
        ("decoder", decoder, decoder.embeddings),
    ):
        embeddings.weight = words
        part.scale_embeddings = False
        part.layer_norm.gamma = read(f"{side}.final_layer_norm.weight", width)
        bias = read(f"{side}.block.0.layer.0.SelfAttention.relative_attention_bias.weight", 32, heads)
        inner = len(read(f"{side}.block.0.layer.0.SelfAttention.q.weight", None, width))
        check_heads(inner, heads)
        for number, layer in enumerate(part.layer):
            name = f"{side}.block.{number}.layer"
            _attention(layer.self_attention, read, f"{name}.0.SelfAttention", ("q", "k", "v", "o"), inner, width)
            layer.self_attention.layer_norm.gamma = read(f"{name}.0.layer_norm.weight", width)
            layer.self_attention.queries_scale = 1.0  # T5 does not divide by the root of the width
            layer.self_attention.relative_attention_bias = bias
            layer.self_attention.relative_attention_max_distance = np.int32(128)
            last = 1
            if side == "decoder":
                _attention(layer.attention, read, f"{name}.1.EncDecAttention", ("q", "k", "v", "o"), inner, width)
                layer.attention.layer_norm.gamma = read(f"{name}.1.layer_norm.weight", width)
                layer.attention.queries_scale = 1.0
                last = 2
            dense = f"{name}.{last}.DenseReluDense"
            size = set_linear(
                layer.ffn.linear_0, read, [f"{dense}.wi_0" if gated else f"{dense}.wi"], None, width, bias=False
            )
            if gated:
                set_linear(layer.ffn.linear_0_noact, read, [f"{dense}.wi_1"], size, width, bias=False)
            set_linear(layer.ffn.linear_1, read, [f"{dense}.wo"], width, size, bias=False)
            layer.ffn.layer_norm.gamma = read(f"{name}.{last}.layer_norm.weight", width)
    tied = config.get("tie_word_embeddings", True)
    separate = not tied and "lm_head.weight" in tensors
    decoder.projection.weight = read("lm_head.weight", len(words), width) if separate else words
    if tied:
        decoder.scale_outputs = float(width) ** -0.5
    model = transformer_spec.TransformerSpec(encoder, decoder)
    model.config.layer_norm_epsilon = small(config, "layer_norm_epsilon", 1e-6)
    return model


def _t5_activation(config: Mapping[str, Any]) -> tuple[str, bool]:
    """The activation, and whether it gates a second product."""
    kind = str(config.get("feed_forward_proj", "gated-gelu" if config.get("model_type") == "mt5" else "relu"))
    gate, _, name = kind.rpartition("-")
    return "gelu_new" if kind == "gated-gelu" else name, gate == "gated"


def _attention(part: Any, read: Shaped, name: str, names: Sequence[str], inner: int, width: int) -> None:
    """Query, key and value in one product where all three read the same text, key and value where they do not."""
    *inputs, output = (f"{name}.{part}" for part in names)
    groups = [inputs, [output]] if len(part.linear) == 2 else [inputs[:1], inputs[1:], [output]]
    for linear, group in zip(part.linear, groups, strict=True):
        shape = (width, inner) if group == [output] else (inner, width)
        set_linear(linear, read, group, *shape, bias=names == _PROJECTIONS)  # T5 has no biases


def _sinusoids(positions: int, width: int) -> NDArray[np.float32]:
    """Marian's positions: all sines first, then all cosines."""
    angles = np.arange(positions)[:, None] / 10000 ** (2 * np.arange((width + 1) // 2) / width)
    return np.concatenate([np.sin(angles), np.cos(angles)], axis=1)[:, :width].astype(np.float32)
