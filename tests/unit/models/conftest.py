"""Small random models of every architecture, and the same models computed slowly and plainly."""

import importlib.util
import json
import math
import string
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from safetensors.numpy import load_file, save_file

from paragauge.models.convert.encoder import ARCHITECTURES

TORCH = importlib.util.find_spec("torch") is not None and importlib.util.find_spec("transformers") is not None
needs_torch = pytest.mark.skipif(not TORCH, reason="torch and transformers are not installed")

LAYERS, HEADS, WIDTH, INNER, POSITIONS = 3, 2, 16, 24, 40


@pytest.fixture
def small_model(tmp_path: Path) -> Callable[..., Path]:
    """Makes a model folder with random weights; a word is split into its characters."""
    return lambda kind, **changes: make_model(tmp_path / f"small-{kind}", kind, **changes)


def make_model(
    folder: Path, kind: str, prefix: str = "", seed: int = 0, alphabet: str = string.ascii_lowercase, **changes: Any
) -> Path:
    architecture = ARCHITECTURES[kind]
    padded = architecture.padded_positions
    begin, end, unknown, padding = ("<s>", "</s>", "<unk>", "<pad>") if padded else ("[CLS]", "[SEP]", "[UNK]", "[PAD]")
    letters = [*alphabet, *(f"##{letter}" for letter in alphabet), "."]
    words = [begin, padding, end, unknown, *letters] if padded else [padding, unknown, begin, end, *letters]
    vocabulary = {word: number for number, word in enumerate(words)}
    config: dict[str, Any] = {"model_type": kind, "vocab_size": len(words), "max_position_embeddings": POSITIONS}
    if kind == "distilbert":
        config |= {"n_layers": LAYERS, "n_heads": HEADS, "dim": WIDTH, "hidden_dim": INNER, "activation": "gelu"}
    else:
        config |= {"num_hidden_layers": LAYERS, "num_attention_heads": HEADS, "hidden_size": WIDTH}
        config |= {"intermediate_size": INNER, "hidden_act": "gelu", "layer_norm_eps": 1e-5, "type_vocab_size": 2}
    config |= {"pad_token_id": vocabulary[padding], **changes}
    if kind == "mpnet":
        config |= {"relative_attention_num_buckets": 32}
    folder.mkdir(parents=True, exist_ok=True)
    weights = {prefix + name: value for name, value in random_weights(kind, len(words), seed).items()}
    save_file(weights, folder / "model.safetensors")
    (folder / "config.json").write_text(json.dumps(config))
    (folder / "tokenizer.json").write_text(json.dumps(_tokenizer(vocabulary, begin, end, unknown)))
    return folder


def random_weights(kind: str, vocabulary: int, seed: int) -> dict[str, np.ndarray]:
    architecture = ARCHITECTURES[kind]
    random = np.random.default_rng(seed)

    def table(*shape: int) -> np.ndarray:
        return random.normal(0, 0.5, shape).astype(np.float32)

    def norm(name: str) -> dict[str, np.ndarray]:
        return {f"{name}.weight": 1 + table(WIDTH) / 5, f"{name}.bias": table(WIDTH)}

    def linear(name: str, wide: int, narrow: int) -> dict[str, np.ndarray]:
        return {f"{name}.weight": table(wide, narrow), f"{name}.bias": table(wide)}

    weights = {
        "embeddings.word_embeddings.weight": table(vocabulary, WIDTH),
        "embeddings.position_embeddings.weight": table(POSITIONS, WIDTH),
        **norm("embeddings.LayerNorm"),
    }
    if architecture.token_types:
        weights["embeddings.token_type_embeddings.weight"] = table(2, WIDTH)
    if architecture.relative:
        weights["encoder.relative_attention_bias.weight"] = table(32, HEADS)
    for number in range(LAYERS):
        for part in (architecture.query, architecture.key, architecture.value, architecture.attention):
            weights |= linear(part.format(number), WIDTH, WIDTH)
        weights |= linear(architecture.inner.format(number), INNER, WIDTH)
        weights |= linear(architecture.outer.format(number), WIDTH, INNER)
        weights |= norm(architecture.attention_norm.format(number)) | norm(architecture.outer_norm.format(number))
    return weights


def plain_states(
    folder: Path, ids: list[int], layer: int, types: list[int] | None = None, prefix: str = ""
) -> np.ndarray:
    """Hidden states after `layer` layers of a model that `make_model` made, in float64; types are 0 if unsaid."""
    config = json.loads((folder / "config.json").read_text())
    weights = {
        name.removeprefix(prefix): value.astype(np.float64)
        for name, value in load_file(folder / "model.safetensors").items()
    }
    architecture = ARCHITECTURES[config["model_type"]]
    epsilon = config.get("layer_norm_eps", 1e-12)

    def linear(states: np.ndarray, name: str) -> np.ndarray:
        return states @ weights[f"{name}.weight"].T + weights[f"{name}.bias"]

    def norm(states: np.ndarray, name: str) -> np.ndarray:
        centred = states - states.mean(-1, keepdims=True)
        scaled = centred / np.sqrt((centred**2).mean(-1, keepdims=True) + epsilon)
        return scaled * weights[f"{name}.weight"] + weights[f"{name}.bias"]

    first = config["pad_token_id"] + 1 if architecture.padded_positions else 0
    states = weights["embeddings.word_embeddings.weight"][ids]
    states = states + weights["embeddings.position_embeddings.weight"][first : first + len(ids)]
    if architecture.token_types:
        states = states + weights["embeddings.token_type_embeddings.weight"][types or 0]
    states = norm(states, "embeddings.LayerNorm")
    bias = np.zeros((HEADS, len(ids), len(ids)))
    if architecture.relative:
        table = weights["encoder.relative_attention_bias.weight"]
        for row in range(len(ids)):
            for column in range(len(ids)):
                bias[:, row, column] = table[bucket(column - row)]
    for number in range(layer):

        def heads(name: str, states: np.ndarray = states, number: int = number) -> np.ndarray:
            return linear(states, name.format(number)).reshape(len(ids), HEADS, -1).transpose(1, 0, 2)

        query, key, value = heads(architecture.query), heads(architecture.key), heads(architecture.value)
        scores = np.exp(query @ key.transpose(0, 2, 1) / math.sqrt(WIDTH / HEADS) + bias)
        mixed = (scores / scores.sum(-1, keepdims=True) @ value).transpose(1, 0, 2).reshape(len(ids), WIDTH)
        attended = linear(mixed, architecture.attention.format(number)) + states
        states = norm(attended, architecture.attention_norm.format(number))
        inner = linear(states, architecture.inner.format(number))
        gelu = inner * (1 + np.vectorize(math.erf)(inner / math.sqrt(2))) / 2
        states = norm(linear(gelu, architecture.outer.format(number)) + states, architecture.outer_norm.format(number))
    return states


def bucket(distance: int) -> int:
    """MPNet's (and T5's) bucket of a distance: exact below 8, then logarithmic up to 128."""
    side, size = (16 if distance > 0 else 0), abs(distance)
    if size < 8:
        return side + size
    return side + min(15, 8 + int(math.log(size / 8) / math.log(128 / 8) * 8))


def _tokenizer(vocabulary: dict[str, int], begin: str, end: str, unknown: str) -> dict[str, Any]:
    around = {"type": "BertProcessing", "sep": [end, vocabulary[end]], "cls": [begin, vocabulary[begin]]}
    return word_pieces(vocabulary, (begin, end, unknown), unknown, "[PAD]", around)


def word_pieces(
    vocabulary: dict[str, int], special: Iterable[str], unknown: str, padding: str, around: dict[str, Any]
) -> dict[str, Any]:
    """A tokenizer.json of lower-cased word pieces; `around` puts the special tokens in place."""
    return {
        "version": "1.0",
        # settings that must not be taken over: both would change what the model sees
        "truncation": {"max_length": 5, "stride": 0, "strategy": "LongestFirst", "direction": "Right"},
        "padding": {
            "strategy": {"Fixed": 12}, "direction": "Right", "pad_to_multiple_of": None,
            "pad_id": 0, "pad_type_id": 0, "pad_token": padding,
        },
        "added_tokens": [
            {"id": vocabulary[word], "content": word, "special": True}
            | dict.fromkeys(("single_word", "lstrip", "rstrip", "normalized"), False)
            for word in special
        ],
        "normalizer": {"type": "Lowercase"},
        "pre_tokenizer": {"type": "BertPreTokenizer"},
        "post_processor": around,
        "decoder": None,
        "model": {
            "type": "WordPiece", "unk_token": unknown, "continuing_subword_prefix": "##",
            "max_input_chars_per_word": 100, "vocab": vocabulary,
        },
    }  # fmt: skip
