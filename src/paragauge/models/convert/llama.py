"""Language models of the Llama family: from a GGUF file or a transformers folder to a CTranslate2 decoder."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...errors import ModelError
from ..hub.locate import ModelFiles
from ..hub.verify import cached_conversion
from .gguf import Gguf
from .weights import Weight, check_heads, integer, shaped, small

_NAMES = {  # of a tensor in GGUF, by its name in transformers; `{}` stands for the number of the layer
    "model.embed_tokens.weight": "token_embd.weight",
    "model.norm.weight": "output_norm.weight",
    "lm_head.weight": "output.weight",
    "model.layers.{}.input_layernorm.weight": "blk.{}.attn_norm.weight",
    "model.layers.{}.self_attn.q_proj.weight": "blk.{}.attn_q.weight",
    "model.layers.{}.self_attn.k_proj.weight": "blk.{}.attn_k.weight",
    "model.layers.{}.self_attn.v_proj.weight": "blk.{}.attn_v.weight",
    "model.layers.{}.self_attn.o_proj.weight": "blk.{}.attn_output.weight",
    "model.layers.{}.post_attention_layernorm.weight": "blk.{}.ffn_norm.weight",
    "model.layers.{}.mlp.gate_proj.weight": "blk.{}.ffn_gate.weight",
    "model.layers.{}.mlp.up_proj.weight": "blk.{}.ffn_up.weight",
    "model.layers.{}.mlp.down_proj.weight": "blk.{}.ffn_down.weight",
}


def gguf_config(file: Gguf) -> dict[str, Any]:
    """The configuration that transformers would have for the model of a GGUF file."""
    said = file.metadata
    kind = said.get("general.architecture")
    if kind != "llama" or any(key.startswith("llama.rope.scaling") for key in said):
        raise ModelError(f"the GGUF file holds a {kind} model; expected a llama model without scaled positions")
    return {
        "model_type": "llama",
        "hidden_act": "silu",
        "hidden_size": said["llama.embedding_length"],
        "intermediate_size": said["llama.feed_forward_length"],
        "num_hidden_layers": said["llama.block_count"],
        "num_attention_heads": said["llama.attention.head_count"],
        "num_key_value_heads": said.get("llama.attention.head_count_kv", said["llama.attention.head_count"]),
        "max_position_embeddings": said["llama.context_length"],
        "rms_norm_eps": float(np.float32(said["llama.attention.layer_norm_rms_epsilon"])),
        "rope_theta": float(said.get("llama.rope.freq_base", 10_000.0)),
        "vocab_size": len(said["tokenizer.ggml.tokens"]),
        "bos_token_id": said.get("tokenizer.ggml.bos_token_id"),
        "eos_token_id": said.get("tokenizer.ggml.eos_token_id"),
        "tie_word_embeddings": "output.weight" not in file.tensors,
    }


def gguf_weights(file: Gguf, config: Mapping[str, Any]) -> Weight:
    """The tensors under the names, and in the order, that transformers gives them."""
    heads = {
        "q_proj": integer(config, "num_attention_heads"),
        "k_proj": integer(config, "num_key_value_heads"),
    }

    def weight(name: str) -> NDArray[np.float32]:
        number = next((part for part in name.split(".") if part.isdecimal()), "")
        stored = _NAMES[name.replace(f".{number}.", ".{}.") if number else name]
        values = file.tensors[stored.format(number)]()
        part = name.split(".")[-2]
        return _halves_apart(values, heads[part]) if part in heads else values

    return weight


def _halves_apart(values: NDArray[np.float32], heads: int) -> NDArray[np.float32]:
    """GGUF has the two coordinates that the rotary embedding turns side by side; transformers half a head apart."""
    rows, columns = values.shape
    return values.reshape(heads, rows // heads // 2, 2, columns).swapaxes(1, 2).reshape(rows, columns)


def rotary_base(config: Mapping[str, Any]) -> float:
    """The base of the rotary embedding, wherever this version of transformers wrote it."""
    base = (config.get("rope_parameters") or config).get("rope_theta", 10_000.0)
    if type(base) not in (int, float) or not 1 <= base < 1e30:
        raise ModelError(f"the configuration says rope_theta={base!r:.40}; expected a number from 1")
    return float(base)


def convertible_decoder(config: Mapping[str, Any]) -> bool:
    """Whether `specification` describes this model exactly."""
    scaling = config.get("rope_parameters") or config.get("rope_scaling") or {}
    width = config.get("hidden_size", 0) // max(1, config.get("num_attention_heads", 1))
    return (
        config.get("model_type") == "llama"
        and config.get("hidden_act", "silu") == "silu"
        and scaling.get("rope_type", scaling.get("type", "default")) == "default"
        and not config.get("attention_bias", False)
        and not config.get("mlp_bias", False)
        and (config.get("head_dim") or width) == width
        and "quantization_config" not in config
    )


def converted(model: ModelFiles, weights: Callable[[], Weight]) -> Path:
    """The folder of the converted decoder."""
    layers = model.layers()
    return cached_conversion(
        model.config, model.sha256, f"layer{layers}", lambda: specification(model.config, layers, weights())
    )


def specification(config: Mapping[str, Any], layers: int, weight: Weight) -> Any:
    """The CTranslate2 model of a configuration for which `convertible_decoder` holds."""
    from ctranslate2.specs import common_spec, transformer_spec

    read = shaped(weight)
    embeddings = read("model.embed_tokens.weight", None, None)
    width = embeddings.shape[1]
    heads = integer(config, "num_attention_heads")
    shared = integer(config, "num_key_value_heads", heads)
    size = check_heads(width, heads, even=True)
    if heads % shared:
        raise ModelError(
            f"the configuration says {heads} attention heads, which {shared} keys and values do not divide"
        )
    read(f"model.layers.{layers - 1}.input_layernorm.weight", width)  # the last layer is there: none is made in vain
    model = transformer_spec.TransformerDecoderModelSpec.from_config(
        layers,
        heads,
        activation=common_spec.Activation.SWISH,
        pre_norm=True,
        ffn_glu=True,
        rms_norm=True,
        rotary_dim=0,  # all of a head
        rotary_interleave=False,
        rotary_base=rotary_base(config),
        num_heads_kv=None if shared == heads else shared,
    )
    decoder = model.decoder
    decoder.scale_embeddings = False
    if len(embeddings) < integer(config, "vocab_size"):  # CTranslate2 would read beyond the table
        raise ModelError(f"the configuration promises vocab_size={config['vocab_size']}, the weights hold fewer")
    decoder.embeddings.weight = embeddings
    tied = config.get("tie_word_embeddings", False)
    decoder.projection.weight = embeddings if tied else read("lm_head.weight", len(embeddings), width)
    decoder.layer_norm.gamma = read("model.norm.weight", width)
    for number, part in enumerate(decoder.layer):
        prefix = f"model.layers.{number}"
        attention = part.self_attention
        attention.layer_norm.gamma = read(f"{prefix}.input_layernorm.weight", width)
        attention.linear[0].weight = np.concatenate(
            [
                read(f"{prefix}.self_attn.{name}_proj.weight", rows, width)
                for name, rows in (("q", width), ("k", shared * size), ("v", shared * size))
            ]
        )
        attention.linear[1].weight = read(f"{prefix}.self_attn.o_proj.weight", width, width)
        part.ffn.layer_norm.gamma = read(f"{prefix}.post_attention_layernorm.weight", width)
        part.ffn.linear_0.weight = read(f"{prefix}.mlp.gate_proj.weight", None, width)
        inner = len(part.ffn.linear_0.weight)
        part.ffn.linear_0_noact.weight = read(f"{prefix}.mlp.up_proj.weight", inner, width)
        part.ffn.linear_1.weight = read(f"{prefix}.mlp.down_proj.weight", width, inner)
    # Texts come as ids, which are their own words here.
    model.register_vocabulary([str(number) for number in range(len(embeddings))])
    model.config.unk_token = model.config.bos_token = model.config.eos_token = "0"
    model.config.layer_norm_epsilon = small(config, "rms_norm_eps", 1e-6)
    model.validate()
    model.optimize()  # embeddings that are the output table too are kept once
    return model


def gguf_tokenizer(file: Gguf) -> Any:
    """The byte-level BPE tokenizer that a GGUF file carries."""
    from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers

    said = file.metadata
    kind, split = said.get("tokenizer.ggml.model"), said.get("tokenizer.ggml.pre")
    if kind != "gpt2" or split not in ("smollm", "gpt-2"):
        raise ModelError(f"the GGUF file has a {kind} tokenizer that splits as {split}; known: gpt2 as smollm or gpt-2")
    words = said["tokenizer.ggml.tokens"]
    merges = [tuple(pair.split(" ")) for pair in said["tokenizer.ggml.merges"]]
    tokenizer = Tokenizer(models.BPE({word: number for number, word in enumerate(words)}, merges))
    bytes_of_words = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=True)
    tokenizer.pre_tokenizer = (
        pre_tokenizers.Sequence([pre_tokenizers.Digits(individual_digits=True), bytes_of_words])
        if split == "smollm"
        else bytes_of_words
    )
    tokenizer.decoder = decoders.ByteLevel()
    control = 3  # the type of tokens that stand for no text
    kinds = zip(words, said["tokenizer.ggml.token_type"], strict=True)
    tokenizer.add_special_tokens(
        [AddedToken(word, special=True, normalized=False) for word, kind in kinds if kind == control]
    )
    return tokenizer
