"""Small random encoders, sequence-to-sequence models and classifiers as folders, and the same computed slowly, plainly.

The fixture `small_models` hands this module to a test.
"""

import functools
import importlib.util
import json
import math
import string
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
from safetensors.numpy import load_file, save_file

WIDTH, HEADS, INNER, POSITIONS, LAYERS = 16, 2, 24, 40, (2, 3)
KINDS = ("bart", "marian", "marian-apart", "t5", "t5-gated", "mt5")
CLASSIFIERS = ("bert", "distilbert", "roberta", "mpnet")
CLASSES = ("contradiction", "entailment", "neutral")
LETTERS = [*string.ascii_lowercase, *(f"##{letter}" for letter in string.ascii_lowercase), ".", "?"]


def make_seq2seq(folder: Path, kind: str = "bart", seed: int = 0, **changes: Any) -> Path:
    """A model folder as transformers keeps it; a word is split into its letters."""
    family = kind.partition("-")[0]
    random = np.random.default_rng(seed)
    if family == "bart":
        words = ["<s>", "<pad>", "</s>", "<unk>", *LETTERS]
    elif family == "marian":
        words = ["</s>", "<unk>", *LETTERS, "<pad>"]
    else:
        words = ["<pad>", "</s>", "<unk>", *LETTERS]
    vocabulary = {word: number for number, word in enumerate(words)}
    config = _config(family, kind, vocabulary) | changes
    folder.mkdir(parents=True, exist_ok=True)
    weights = (_bart_weights if family in ("bart", "marian") else _t5_weights)(config, random)
    save_file(weights, folder / "model.safetensors")
    (folder / "config.json").write_text(json.dumps(config))
    begin = ["<s>"] if family == "bart" else []
    (folder / "tokenizer.json").write_text(json.dumps(_tokenizer(vocabulary, begin, ["</s>"], "<unk>")))
    return folder


def _config(family: str, kind: str, vocabulary: dict[str, int]) -> dict[str, Any]:
    config: dict[str, Any] = {
        "model_type": family, "vocab_size": len(vocabulary), "d_model": WIDTH, "is_encoder_decoder": True,
        "pad_token_id": vocabulary["<pad>"], "eos_token_id": vocabulary["</s>"],
    }  # fmt: skip
    if family in ("t5", "mt5"):
        return config | {
            "num_layers": LAYERS[0], "num_decoder_layers": LAYERS[1], "num_heads": HEADS, "d_ff": INNER,
            "d_kv": 6,  # not WIDTH / HEADS, as in T5 1.1 and mT5
            "decoder_start_token_id": vocabulary["<pad>"],
            "feed_forward_proj": "relu" if kind == "t5" else "gated-gelu",
            "tie_word_embeddings": family == "t5", "layer_norm_epsilon": 1e-6,
        }  # fmt: skip
    start = "</s>" if family == "bart" else "<pad>"
    return config | {
        "encoder_layers": LAYERS[0], "decoder_layers": LAYERS[1], "max_position_embeddings": POSITIONS,
        "encoder_attention_heads": HEADS, "decoder_attention_heads": 2 * HEADS,
        "encoder_ffn_dim": INNER, "decoder_ffn_dim": INNER + 4,
        "decoder_start_token_id": vocabulary[start], "scale_embedding": family == "marian",
        "activation_function": "gelu" if family == "bart" else "swish",
        "forced_eos_token_id": vocabulary["</s>"], "bos_token_id": 0,
        "share_encoder_decoder_embeddings": kind != "marian-apart",
    } | ({"decoder_vocab_size": len(vocabulary)} if kind == "marian-apart" else {})  # fmt: skip


class _Maker:
    def __init__(self, random: np.random.Generator) -> None:
        self.random = random
        self.weights: dict[str, np.ndarray] = {}

    def table(self, name: str, *shape: int, size: float = 0.4) -> None:
        self.weights[name] = self.random.normal(0, size, shape).astype(np.float32)

    def linear(self, name: str, wide: int, narrow: int, bias: bool = True, size: float = 0.4) -> None:
        self.table(f"{name}.weight", wide, narrow, size=size)
        if bias:
            self.table(f"{name}.bias", wide)

    def norm(self, name: str, bias: bool = True) -> None:
        self.table(f"{name}.weight", WIDTH, size=0.1)
        self.weights[f"{name}.weight"] += 1
        if bias:
            self.table(f"{name}.bias", WIDTH)


def _bart_weights(config: dict[str, Any], random: np.random.Generator) -> dict[str, np.ndarray]:
    make = _Maker(random)
    words = config["vocab_size"]
    if config["share_encoder_decoder_embeddings"]:
        make.table("model.shared.weight", words, WIDTH)
    make.table("final_logits_bias", 1, words)
    for side in ("encoder", "decoder"):
        if not config["share_encoder_decoder_embeddings"]:
            make.table(f"model.{side}.embed_tokens.weight", words, WIDTH)
        if config["model_type"] == "bart":
            make.table(f"model.{side}.embed_positions.weight", POSITIONS + 2, WIDTH)
            make.norm(f"model.{side}.layernorm_embedding")
        for number in range(config[f"{side}_layers"]):
            name = f"model.{side}.layers.{number}"
            for attention in ("self_attn", "encoder_attn")[: 1 + (side == "decoder")]:
                for part in ("q_proj", "k_proj", "v_proj", "out_proj"):
                    make.linear(f"{name}.{attention}.{part}", WIDTH, WIDTH)
                make.norm(f"{name}.{attention}_layer_norm")
            make.linear(f"{name}.fc1", config[f"{side}_ffn_dim"], WIDTH)
            make.linear(f"{name}.fc2", WIDTH, config[f"{side}_ffn_dim"])
            make.norm(f"{name}.final_layer_norm")
    return make.weights


def _t5_weights(config: dict[str, Any], random: np.random.Generator) -> dict[str, np.ndarray]:
    make = _Maker(random)
    gated, inner = config["feed_forward_proj"].startswith("gated"), HEADS * config["d_kv"]
    make.table("shared.weight", config["vocab_size"], WIDTH)
    if not config["tie_word_embeddings"]:
        make.table("lm_head.weight", config["vocab_size"], WIDTH)
    for side, layers in (("encoder", config["num_layers"]), ("decoder", config["num_decoder_layers"])):
        make.norm(f"{side}.final_layer_norm", bias=False)
        make.table(f"{side}.block.0.layer.0.SelfAttention.relative_attention_bias.weight", 32, HEADS, size=1)
        for number in range(layers):
            name = f"{side}.block.{number}.layer"
            for place, attention in enumerate(("SelfAttention", "EncDecAttention")[: 1 + (side == "decoder")]):
                for part in "qkv":  # products are not divided by the root of the width
                    make.linear(f"{name}.{place}.{attention}.{part}", inner, WIDTH, bias=False, size=0.2)
                make.linear(f"{name}.{place}.{attention}.o", WIDTH, inner, bias=False)
                make.norm(f"{name}.{place}.layer_norm", bias=False)
            last = 2 if side == "decoder" else 1
            for part in ("wi_0", "wi_1") if gated else ("wi",):
                make.linear(f"{name}.{last}.DenseReluDense.{part}", INNER, WIDTH, bias=False)
            make.linear(f"{name}.{last}.DenseReluDense.wo", WIDTH, INNER, bias=False)
            make.norm(f"{name}.{last}.layer_norm", bias=False)
    return make.weights


def plain_log_likelihoods(folder: Path, source: list[int], target: list[int]) -> np.ndarray:
    """Log-likelihood of each target token, in float64, as the papers define the models."""
    config = json.loads((folder / "config.json").read_text())
    weights = {name: value.astype(np.float64) for name, value in load_file(folder / "model.safetensors").items()}
    inputs = [config["decoder_start_token_id"], *target[:-1]]
    states = (_plain_bart if config["model_type"] in ("bart", "marian") else _plain_t5)(config, weights, source, inputs)
    logits = states - states.max(-1, keepdims=True)
    logits -= np.log(np.exp(logits).sum(-1, keepdims=True))
    return logits[np.arange(len(target)), target]


def attend(query: np.ndarray, key: np.ndarray, value: np.ndarray, heads: int, bias: np.ndarray | float) -> np.ndarray:
    """Attention of [T, d] arrays; `bias` is added to the products, one table for all heads or one each."""
    split = [part.reshape(len(part), heads, -1).transpose(1, 0, 2) for part in (query, key, value)]
    products = split[0] @ split[1].transpose(0, 2, 1) + bias
    shares = np.exp(products - products.max(-1, keepdims=True))
    mixed = shares / shares.sum(-1, keepdims=True) @ split[2]
    return mixed.transpose(1, 0, 2).reshape(len(query), -1)


def _future(length: int) -> np.ndarray:
    """-inf where a token would see one behind it."""
    return np.triu(np.full((length, length), -np.inf), 1)


def _plain_bart(config: dict[str, Any], weights: dict[str, np.ndarray], source: list[int], inputs: list[int]):
    def linear(states: np.ndarray, name: str) -> np.ndarray:
        return states @ weights[f"{name}.weight"].T + weights[f"{name}.bias"]

    def norm(states: np.ndarray, name: str) -> np.ndarray:
        centred = states - states.mean(-1, keepdims=True)
        scaled = centred / np.sqrt((centred**2).mean(-1, keepdims=True) + 1e-5)
        return scaled * weights[f"{name}.weight"] + weights[f"{name}.bias"]

    def activation(values: np.ndarray) -> np.ndarray:
        if config["activation_function"] == "gelu":
            return values * (1 + np.vectorize(math.erf)(values / math.sqrt(2))) / 2
        return values / (1 + np.exp(-values))

    memory = np.empty(0)
    for side, ids in (("encoder", source), ("decoder", inputs)):
        table = weights.get("model.shared.weight", weights.get(f"model.{side}.embed_tokens.weight"))
        heads = config[f"{side}_attention_heads"]
        states = table[ids] * (math.sqrt(WIDTH) if config["scale_embedding"] else 1)
        if config["model_type"] == "bart":
            states = states + weights[f"model.{side}.embed_positions.weight"][2 : 2 + len(ids)]
            states = norm(states, f"model.{side}.layernorm_embedding")
        else:
            angles = [[place / 10000 ** (2 * (j // 2) / WIDTH) for j in range(WIDTH)] for place in range(len(ids))]
            sines, cosines = np.sin(np.array(angles)[:, 0::2]), np.cos(np.array(angles)[:, 1::2])
            states = states + np.concatenate([sines, cosines], axis=1)
        for number in range(config[f"{side}_layers"]):
            layer = f"model.{side}.layers.{number}"
            for attention in ("self_attn", "encoder_attn")[: 1 + (side == "decoder")]:
                name = f"{layer}.{attention}"
                other = memory if attention == "encoder_attn" else states
                masked = side == "decoder" and attention == "self_attn"
                query = linear(states, f"{name}.q_proj") / math.sqrt(WIDTH / heads)
                key, value = linear(other, f"{name}.k_proj"), linear(other, f"{name}.v_proj")
                mixed = attend(query, key, value, heads, _future(len(ids)) if masked else 0.0)
                states = norm(states + linear(mixed, f"{name}.out_proj"), f"{name}_layer_norm")
            inner = activation(linear(states, f"{layer}.fc1"))
            states = norm(states + linear(inner, f"{layer}.fc2"), f"{layer}.final_layer_norm")
        if side == "encoder":
            memory = states
    return states @ table.T + weights["final_logits_bias"]


def _plain_t5(config: dict[str, Any], weights: dict[str, np.ndarray], source: list[int], inputs: list[int]):
    def norm(states: np.ndarray, name: str) -> np.ndarray:
        return states / np.sqrt((states**2).mean(-1, keepdims=True) + 1e-6) * weights[f"{name}.weight"]

    def feed(states: np.ndarray, name: str) -> np.ndarray:
        if not config["feed_forward_proj"].startswith("gated"):
            return np.maximum(states @ weights[f"{name}.wi.weight"].T, 0) @ weights[f"{name}.wo.weight"].T
        gate, other = (states @ weights[f"{name}.{part}.weight"].T for part in ("wi_0", "wi_1"))
        gelu = gate * (1 + np.tanh(math.sqrt(2 / math.pi) * (gate + 0.044715 * gate**3))) / 2
        return gelu * other @ weights[f"{name}.wo.weight"].T

    memory = np.empty(0)
    for side, ids in (("encoder", source), ("decoder", inputs)):
        states = weights["shared.weight"][ids]
        table = weights[f"{side}.block.0.layer.0.SelfAttention.relative_attention_bias.weight"]
        places = np.arange(len(ids))
        buckets = [[bucket(int(key - query), side == "encoder") for key in places] for query in places]
        bias = table[np.array(buckets)].transpose(2, 0, 1) + (_future(len(ids)) if side == "decoder" else 0)
        layers = config["num_layers" if side == "encoder" else "num_decoder_layers"]
        for number in range(layers):
            layer = f"{side}.block.{number}.layer"
            for place, attention in enumerate(("SelfAttention", "EncDecAttention")[: 1 + (side == "decoder")]):
                name = f"{layer}.{place}.{attention}"
                normed = norm(states, f"{layer}.{place}.layer_norm")
                other = memory if attention == "EncDecAttention" else normed
                query, key, value = (
                    part @ weights[f"{name}.{letter}.weight"].T
                    for part, letter in zip((normed, other, other), "qkv", strict=True)
                )
                mixed = attend(query, key, value, HEADS, bias if attention == "SelfAttention" else 0.0)
                states = states + mixed @ weights[f"{name}.o.weight"].T
            last = 2 if side == "decoder" else 1
            states = states + feed(norm(states, f"{layer}.{last}.layer_norm"), f"{layer}.{last}.DenseReluDense")
        states = norm(states, f"{side}.final_layer_norm")
        if side == "encoder":
            memory = states
    if config["tie_word_embeddings"]:
        return states / math.sqrt(WIDTH) @ weights["shared.weight"].T
    return states @ weights["lm_head.weight"].T


def bucket(distance: int, both_sides: bool) -> int:
    """T5's bucket of a distance; the decoder looks back only."""
    buckets, side = 32, 0
    if both_sides:
        buckets, side = 16, 16 if distance > 0 else 0
        size = abs(distance)
    else:
        size = max(-distance, 0)
    exact = buckets // 2
    if size < exact:
        return side + size
    return side + min(buckets - 1, exact + int(math.log(size / exact) / math.log(128 / exact) * (buckets - exact)))


def make_encoder(folder: Path, seed: int = 0, alphabet: str = string.ascii_lowercase) -> Path:
    """A model folder of an encoder that knows these letters."""
    return _encoders().make_model(folder, "bert", seed=seed, alphabet=alphabet)


def make_classifier(
    folder: Path, kind: str = "bert", seed: int = 0, classes: tuple[str, ...] = CLASSES, **changes: Any
) -> Path:
    """A model folder of a classifier of pairs, with the small encoder of tests/unit/models below."""
    encoders = _encoders()
    prefix = f"{kind}."
    if kind == "roberta":
        changes = {"type_vocab_size": 1} | changes
    named = {"id2label": {str(number): name for number, name in enumerate(classes)}}
    encoders.make_model(folder, kind, prefix=prefix, seed=seed, **named, **changes)
    weights = load_file(folder / "model.safetensors")
    if kind == "roberta":
        types = f"{prefix}embeddings.token_type_embeddings.weight"
        weights[types] = weights[types][:1]
        tokenizer = json.loads((folder / "tokenizer.json").read_text())
        vocabulary = tokenizer["model"]["vocab"]
        tokenizer["post_processor"] = _tokenizer(vocabulary, ["<s>"], ["</s>"], "<unk>")["post_processor"]
        (folder / "tokenizer.json").write_text(json.dumps(tokenizer))
    make = _Maker(np.random.default_rng(seed + 1))
    dense, output = _head(kind)
    make.linear(dense, WIDTH, WIDTH)
    make.linear(output, len(classes), WIDTH)
    save_file(weights | make.weights, folder / "model.safetensors")
    return folder


def plain_probabilities(folder: Path, ids: list[int], types: list[int]) -> np.ndarray:
    """The probability of each class, in float64."""
    encoders = _encoders()
    config = json.loads((folder / "config.json").read_text())
    kind = config["model_type"]
    weights = {name: value.astype(np.float64) for name, value in load_file(folder / "model.safetensors").items()}
    state = encoders.plain_states(folder, ids, encoders.LAYERS, types=types, prefix=f"{kind}.")[0]
    dense, output = _head(kind)
    inner = weights[f"{dense}.weight"] @ state + weights[f"{dense}.bias"]
    inner = np.maximum(inner, 0) if kind == "distilbert" else np.tanh(inner)
    shares = np.exp(weights[f"{output}.weight"] @ inner + weights[f"{output}.bias"])
    return shares / shares.sum()


def _head(kind: str) -> tuple[str, str]:
    if kind == "bert":
        return "bert.pooler.dense", "classifier"
    if kind == "distilbert":
        return "pre_classifier", "classifier"
    return "classifier.dense", "classifier.out_proj"


@functools.cache
def _encoders() -> ModuleType:
    spec = importlib.util.spec_from_file_location(
        "small_encoders", Path(__file__).parent / "unit" / "models" / "conftest.py"
    )
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _tokenizer(vocabulary: dict[str, int], begin: list[str], end: list[str], unknown: str) -> dict[str, Any]:
    def special(words: list[str]) -> list[dict[str, Any]]:
        return [{"SpecialToken": {"id": word, "type_id": 0}} for word in words]

    first, second = ({"Sequence": {"id": letter, "type_id": 0}} for letter in "AB")
    around = {
        "type": "TemplateProcessing",
        "single": [*special(begin), first, *special(end)],
        "pair": [*special(begin), first, *special(end), *special(end), second, *special(end)],
        "special_tokens": {word: {"id": word, "ids": [vocabulary[word]], "tokens": [word]} for word in {*begin, *end}},
    }
    words = sorted({*begin, *end, unknown}, key=vocabulary.__getitem__)
    return _encoders().word_pieces(vocabulary, words, unknown, "<pad>", around)
