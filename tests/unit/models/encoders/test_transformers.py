"""Architectures that need torch: computed by it where it is installed, named where it is not."""

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import load_file

from paragauge.errors import InputError, ModelError
from paragauge.models import load_encoder

from ..conftest import needs_torch

pytestmark = pytest.mark.usefixtures("empty_cache")


@pytest.fixture
def unusual(small_model: Callable[..., Path]) -> Path:
    """A model folder that claims an architecture CTranslate2 does not know."""
    return small_model("bert", hidden_act="gelu_10")


@pytest.fixture
def pickled(small_model: Callable[..., Path]) -> Path:
    """A model folder whose weights are a torch file."""
    folder = small_model("bert")
    (folder / "pytorch_model.bin").write_bytes(b"not read without torch")
    (folder / "model.safetensors").rename(folder.parent / "weights.safetensors")
    return folder


@needs_torch
@pytest.mark.filterwarnings("ignore:.torch.jit.script. is deprecated:DeprecationWarning")  # transformers' own call
def test_another_architecture_equals_transformers(tmp_path: Path, small_model: Callable[..., Path]) -> None:
    import torch
    from transformers import AutoModel, DebertaV2Config

    folder = small_model("bert")
    config = DebertaV2Config(
        vocab_size=57, hidden_size=16, num_hidden_layers=2, num_attention_heads=2, intermediate_size=24,
        max_position_embeddings=40, relative_attention=True, pos_att_type=["p2c", "c2p"],
    )  # fmt: skip
    torch.manual_seed(0)
    model = AutoModel.from_config(config).eval()
    model.save_pretrained(tmp_path / "deberta")
    (tmp_path / "deberta" / "tokenizer.json").write_bytes((folder / "tokenizer.json").read_bytes())
    for layer in (1, 2):
        encoder = load_encoder(str(tmp_path / "deberta"), layer)
        assert "torch" in encoder.signature
        for encoded in encoder.encode(["the fox", "", "a lazy dog", "a b c " * 30]):
            with torch.no_grad():
                ids = torch.tensor(encoded.ids[None].astype(np.int64))
                states = model(ids, output_hidden_states=True).hidden_states[layer][0].numpy()
            expected = states / np.linalg.norm(states, axis=-1, keepdims=True)
            assert np.abs(encoded.vectors - expected).max() < 5e-6
    with pytest.raises(InputError, match="runs in float32"):
        load_encoder(str(tmp_path / "deberta"), precision="int8")


@needs_torch
def test_a_torch_file_is_converted_and_a_pickle_with_code_is_refused(pickled: Path) -> None:
    import torch

    weights = load_file(pickled.parent / "weights.safetensors")
    torch.save({name: torch.from_numpy(value) for name, value in weights.items()}, pickled / "pytorch_model.bin")
    encoder = load_encoder(str(pickled))
    assert "ctranslate2" in encoder.signature
    assert len(next(encoder.encode(["fox"])).ids) == 5
    other = pickled.parent / "other"
    pickled.rename(other)
    torch.save({"embeddings.word_embeddings.weight": Path("x")}, other / "pytorch_model.bin")
    with pytest.raises(ModelError, match="damaged or holds more than weights"):
        load_encoder(str(other))


@needs_torch
def test_code_of_a_model_is_never_run(small_model: Callable[..., Path]) -> None:
    folder = small_model("bert")
    config = json.loads((folder / "config.json").read_text())
    config |= {"model_type": "strange", "auto_map": {"AutoModel": "code.Model", "AutoConfig": "code.Config"}}
    (folder / "config.json").write_text(json.dumps(config))
    (folder / "code.py").write_text("raise SystemExit('run')")
    with pytest.raises(ModelError, match="transformers cannot load"):
        load_encoder(str(folder))
