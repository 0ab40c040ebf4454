"""GGUF files, written here byte by byte; and the default model's file against the gguf package."""

import json
import struct
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from safetensors.numpy import load_file

from paragauge.errors import ModelError
from paragauge.models import LanguageModel
from paragauge.models.convert.gguf import read_gguf
from paragauge.models.hub.registry import entry_named
from paragauge.models.hub.verify import present_folder


def text(value: str) -> bytes:
    return struct.pack("<Q", len(value.encode())) + value.encode()


def entry(key: str, value: Any) -> bytes:
    """Metadata of the kinds that occur: text, uint32, float32, bool, lists of text and of int32."""
    if isinstance(value, bool):
        return text(key) + struct.pack("<I?", 7, value)
    if isinstance(value, int):
        return text(key) + struct.pack("<II", 4, value)
    if isinstance(value, float):
        return text(key) + struct.pack("<If", 6, value)
    if isinstance(value, str):
        return text(key) + struct.pack("<I", 8) + text(value)
    if value and isinstance(value[0], str):
        return text(key) + struct.pack("<IIQ", 9, 8, len(value)) + b"".join(map(text, value))
    return text(key) + struct.pack(f"<IIQ{len(value)}i", 9, 5, len(value), *value)


def write_gguf(path: Path, metadata: dict[str, Any], tensors: dict[str, tuple[tuple[int, ...], int, bytes]]) -> Path:
    """`tensors`: name to shape, type and bytes; their data is aligned to 32 bytes, as the format asks."""
    header = b"GGUF" + struct.pack("<IQQ", 3, len(tensors), len(metadata))
    header += b"".join(entry(key, value) for key, value in metadata.items())
    data = b""
    for name, (shape, kind, raw) in tensors.items():
        header += text(name) + struct.pack(f"<I{len(shape)}QIQ", len(shape), *shape[::-1], kind, len(data))
        data += raw + b"\0" * (-len(raw) % 32)
    path.write_bytes(header + b"\0" * (-len(header) % 32) + data)
    return path


def write_llama_gguf(folder: Path, path: Path) -> None:
    """What llama.cpp's converter would write: other names, and rows of q and k by turns from both halves of a head."""
    config = json.loads((folder / "config.json").read_text())
    tokenizer = json.loads((folder / "tokenizer.json").read_text())
    weights = load_file(folder / "model.safetensors")
    words = sorted(tokenizer["model"]["vocab"], key=tokenizer["model"]["vocab"].__getitem__)
    metadata = {
        "general.architecture": "llama",
        "llama.embedding_length": config["hidden_size"],
        "llama.feed_forward_length": config["intermediate_size"],
        "llama.block_count": config["num_hidden_layers"],
        "llama.attention.head_count": config["num_attention_heads"],
        "llama.attention.head_count_kv": config["num_key_value_heads"],
        "llama.context_length": config["max_position_embeddings"],
        "llama.attention.layer_norm_rms_epsilon": config["rms_norm_eps"],
        "llama.rope.freq_base": config["rope_theta"],
        "tokenizer.ggml.model": "gpt2",
        "tokenizer.ggml.pre": "gpt-2",
        "tokenizer.ggml.tokens": words,
        "tokenizer.ggml.token_type": [3] * 3 + [1] * (len(words) - 3),
        "tokenizer.ggml.merges": [" ".join(pair) for pair in tokenizer["model"]["merges"]],
        "tokenizer.ggml.bos_token_id": 1,
        "tokenizer.ggml.eos_token_id": 2,
        "tokenizer.chat_template": json.loads((folder / "tokenizer_config.json").read_text())["chat_template"],
    }
    parts = {
        "input_layernorm": "attn_norm", "post_attention_layernorm": "ffn_norm", "self_attn.q_proj": "attn_q",
        "self_attn.k_proj": "attn_k", "self_attn.v_proj": "attn_v", "self_attn.o_proj": "attn_output",
        "mlp.gate_proj": "ffn_gate", "mlp.up_proj": "ffn_up", "mlp.down_proj": "ffn_down",
    }  # fmt: skip
    names = {"model.embed_tokens.weight": "token_embd.weight", "model.norm.weight": "output_norm.weight"}
    for layer in range(config["num_hidden_layers"]):
        names |= {f"model.layers.{layer}.{own}.weight": f"blk.{layer}.{other}.weight" for own, other in parts.items()}
    size = config["hidden_size"] // config["num_attention_heads"]
    tensors = {}
    for name, stored in names.items():
        values = weights[name]
        if "q_proj" in name or "k_proj" in name:
            by_turns = [pair + half * size // 2 for pair in range(size // 2) for half in (0, 1)]
            order = [start + place for start in range(0, len(values), size) for place in by_turns]
            values = values[order]
        tensors[stored] = (values.shape, 0, values.tobytes())
    write_gguf(path, metadata, tensors)


def half(*values: float) -> bytes:
    return struct.pack(f"<{len(values)}e", *values)


NIBBLES = bytes(number % 16 | (15 - number % 16) << 4 for number in range(16))  # lower 0…15, upper 15…0
COUNT = [*range(16), *range(15, -1, -1)]


def test_every_type_by_hand(tmp_path: Path) -> None:
    path = write_gguf(
        tmp_path / "model.gguf",
        {"a": "ä", "b": 7, "c": 0.5, "d": True, "e": ["x", ""], "f": [-1, 2]},
        {
            "plain": ((2, 3), 0, struct.pack("<6f", 1, 2, 3, 4, 5, 6)),
            "half": ((2,), 1, half(1.5, -2)),
            "four": ((1, 32), 2, half(0.5) + NIBBLES),  # 0.5 · (n − 8)
            "four with an offset": ((1, 32), 3, half(0.25, -3) + NIBBLES),  # 0.25 · n − 3
            "eight": ((1, 32), 8, half(2) + struct.pack("<32b", *range(-16, 16))),  # 2 · n
            "strange": ((1,), 14, b"\0" * 32),
        },
    )
    file = read_gguf(path)
    assert file.metadata == {"a": "ä", "b": 7, "c": 0.5, "d": True, "e": ["x", ""], "f": [-1, 2]}
    assert file.tensors["plain"]().tolist() == [[1, 2, 3], [4, 5, 6]]
    assert file.tensors["half"]().tolist() == [1.5, -2]
    assert file.tensors["four"]()[0].tolist() == [0.5 * (number - 8) for number in COUNT]
    assert file.tensors["four with an offset"]()[0].tolist() == [0.25 * number - 3 for number in COUNT]
    assert file.tensors["eight"]()[0].tolist() == [2 * number for number in range(-16, 16)]
    with pytest.raises(ModelError, match=r"strange in .* is of GGUF type 14; known: F32"):
        file.tensors["strange"]()


def test_what_is_no_gguf_file(tmp_path: Path) -> None:
    path = write_gguf(tmp_path / "model.gguf", {"a": "b"}, {"plain": ((8,), 0, bytes(32))})
    whole = path.read_bytes()
    for damaged, said in (
        (b"", "cannot be read"),
        (b"PK\3\4" + whole[4:], "not a GGUF file"),
        (b"GGUF\1" + whole[5:], "version 1; known: 2, 3"),
        (whole[:30], "damaged"),
    ):
        path.write_bytes(damaged)
        with pytest.raises(ModelError, match=said):
            read_gguf(path)
    path.write_bytes(whole[:-16])
    with pytest.raises(ModelError, match="truncated: plain"):
        read_gguf(path).tensors["plain"]()


# python -c 'from gguf import *; r = GGUFReader("SmolLM2-135M-Instruct.Q4_1.gguf"); print({t.name:
# dequantize(t.data, t.tensor_type).ravel()[[0, 77, -1]].tolist() for t in r.tensors if t.name in (…)})', gguf 0.19.0
GOLDEN: dict[str, list[float]] = {
    "token_embd.weight": [-0.10654449462890625, 0.09298324584960938, -0.0417022705078125],
    "blk.0.attn_q.weight": [-0.0963134765625, 0.2718505859375, -0.255859375],
    "blk.29.ffn_down.weight": [-0.2733154296875, -0.181640625, 0.056640625],
    "output_norm.weight": [1.7578125, 1.828125, 1.984375],
}


def test_the_default_model_as_the_gguf_package_reads_it(language_model: LanguageModel) -> None:
    folder = present_folder(entry_named(language_model.name))
    assert folder is not None
    (path,) = folder.glob("*.gguf")
    file = read_gguf(path)
    for name, values in GOLDEN.items():
        assert file.tensors[name]().ravel()[[0, 77, -1]].tolist() == values  # the same operations, so the same bits
    assert len(file.metadata["tokenizer.ggml.tokens"]) == 49152
    gguf = pytest.importorskip("gguf", reason="gguf is not installed: compared with golden values only")
    for tensor in gguf.GGUFReader(path).tensors:
        expected = gguf.dequantize(tensor.data, tensor.tensor_type).reshape(tensor.shape[::-1])
        assert np.array_equal(file.tensors[tensor.name](), expected)
