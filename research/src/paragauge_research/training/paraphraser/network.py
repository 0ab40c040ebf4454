"""The network while it is trained: Marian's from nothing, or BART's around the layers of a pretrained encoder."""

from __future__ import annotations

from typing import Any

import numpy as np

from paragauge.errors import InputError

from .configuration import Configuration, NetworkSettings
from .start import EMBEDDINGS, load_start
from .vocabulary import Vocabulary, check_size

# parts of a layer of BERT, and where BART has them
_LAYER = {
    "attention.self.query": "self_attn.q_proj",
    "attention.self.key": "self_attn.k_proj",
    "attention.self.value": "self_attn.v_proj",
    "attention.output.dense": "self_attn.out_proj",
    "attention.output.LayerNorm": "self_attn_layer_norm",
    "intermediate.dense": "fc1",
    "output.dense": "fc2",
    "output.LayerNorm": "final_layer_norm",
}
# where a decoder's layer reads the source: it begins as the layer's own attention, whose heads find like and
# neighbouring words already; drawn at random, it takes hundreds of steps to find any
_READING = {theirs: ours.replace("self_attn", "encoder_attn") for theirs, ours in _LAYER.items() if "self_attn" in ours}
_OFFSET = 2  # rows of BART's tables of positions that are never read


def make_network(configuration: Configuration, vocabulary: Vocabulary) -> Any:
    """The network as it begins; the same seed gives the same one."""
    import torch

    torch.manual_seed(configuration.seed)
    made = _pretrained if configuration.network.encoder else _plain
    network = made(configuration.network, vocabulary)
    if configuration.start is not None:
        load_start(network, configuration.start)
    return network


def parameter_groups(network: Any, configuration: Configuration) -> list[dict[str, Any]]:
    """What is trained, with its rate: what is pretrained changes more slowly."""
    from_encoder = "model.encoder.", "model.shared."
    groups: dict[bool, list[Any]] = {True: [], False: []}
    for name, value in network.named_parameters():
        if value.requires_grad:
            pretrained = bool(configuration.network.encoder) and name.startswith(from_encoder)
            groups[pretrained].append(value)
    rates = {True: configuration.training.encoder_rate, False: configuration.training.rate}
    return [{"params": found, "peak": rates[pretrained]} for pretrained, found in groups.items() if found]


def _common(settings: NetworkSettings, vocabulary: Vocabulary) -> dict[str, Any]:
    return {
        "vocab_size": check_size(vocabulary),
        "max_position_embeddings": settings.positions,
        "encoder_layers": settings.encoder_layers,
        "decoder_layers": settings.decoder_layers,
        "dropout": settings.dropout,
        "attention_dropout": settings.dropout,
        "activation_dropout": 0.0,
        "pad_token_id": vocabulary.padding,
        "bos_token_id": vocabulary.begin,
        "eos_token_id": vocabulary.end,
        "forced_eos_token_id": None,
        "decoder_start_token_id": vocabulary.begin,
        "bad_words_ids": [[token] for token in vocabulary.never],
    }


def _plain(settings: NetworkSettings, vocabulary: Vocabulary) -> Any:
    import torch
    from transformers import MarianConfig, MarianMTModel

    if settings.width % settings.heads:
        raise InputError(f"a width of {settings.width} cannot be cut into {settings.heads} heads")
    common = _common(settings, vocabulary)
    sizes = {
        f"{side}_{name}": value
        for side in ("encoder", "decoder")
        for name, value in (("attention_heads", settings.heads), ("ffn_dim", settings.inner))
    }
    config = MarianConfig(
        **common, **sizes, d_model=settings.width, activation_function="relu", scale_embedding=True,
        init_std=settings.width**-0.5,
    )  # fmt: skip
    network = MarianMTModel(config)
    for part in network.modules():  # embeddings are scaled by the root of the width; matrices are not
        if isinstance(part, torch.nn.Linear) and part.weight is not network.model.shared.weight:
            torch.nn.init.xavier_uniform_(part.weight)
    return network


def _pretrained(settings: NetworkSettings, vocabulary: Vocabulary) -> Any:
    import torch
    from transformers import BartConfig, BartForConditionalGeneration

    from paragauge.models.convert.weights import open_weights
    from paragauge.models.hub.locate import open_model

    base = open_model(settings.encoder)
    if base.config["model_type"] != "bert" or vocabulary.rows is None:
        raise InputError(f"{base.name} is a {base.config['model_type']} model; expected an encoder as BERT is")
    if settings.encoder_layers > base.layers() or any(not 0 <= one < base.layers() for one in settings.decoder_from):
        raise InputError(f"{base.name} has {base.layers()} layers; the configuration asks for others")
    read = open_weights(base.weights)
    heads, inner = base.config["num_attention_heads"], base.config["intermediate_size"]
    positions = read("embeddings.position_embeddings.weight") + read("embeddings.token_type_embeddings.weight")[0]
    if settings.positions > len(positions):
        raise InputError(f"{base.name} has {len(positions)} positions; network.positions is {settings.positions}")
    config = BartConfig(
        **_common(settings, vocabulary), d_model=base.config["hidden_size"], encoder_attention_heads=heads,
        decoder_attention_heads=heads, encoder_ffn_dim=inner, decoder_ffn_dim=inner,
        activation_function=base.config.get("hidden_act", "gelu"), scale_embedding=False,
    )  # fmt: skip
    network = BartForConditionalGeneration(config)
    state: dict[str, Any] = {}
    words = read("embeddings.word_embeddings.weight")
    table = words[np.maximum(vocabulary.rows, 0)]
    table[vocabulary.rows < 0] = words.mean(axis=0)  # codes, told apart by what is added
    noise = np.random.default_rng(0).normal(0, 0.02, table.shape).astype(np.float32)
    state[EMBEDDINGS] = np.where(vocabulary.rows[:, None] < 0, table + noise, table)
    for side in ("encoder", "decoder"):
        rows = np.concatenate([positions[:_OFFSET], positions[: settings.positions]])
        state[f"model.{side}.embed_positions.weight"] = rows
        for kind in ("weight", "bias"):
            state[f"model.{side}.layernorm_embedding.{kind}"] = read(f"embeddings.LayerNorm.{kind}")
        sources = range(settings.encoder_layers) if side == "encoder" else settings.decoder_from
        for number, source in enumerate(sources):
            parts = [*_LAYER.items(), *(_READING.items() if side == "decoder" else ())]
            for theirs, ours in parts:
                for kind in ("weight", "bias"):
                    name = f"model.{side}.layers.{number}.{ours}.{kind}"
                    state[name] = read(f"encoder.layer.{source}.{theirs}.{kind}")
    tensors = {name: torch.from_numpy(np.array(value, np.float32)) for name, value in state.items()}
    unknown = network.load_state_dict(tensors, strict=False).unexpected_keys
    if unknown:
        raise RuntimeError(f"transformers no longer has {unknown[0]} in BART")
    network.tie_weights()
    if settings.frozen:
        network.model.encoder.requires_grad_(False)
        network.model.shared.requires_grad_(False)
    return network
