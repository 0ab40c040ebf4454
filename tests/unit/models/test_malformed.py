"""Malformed model files: each is refused in a sentence or still works, in bounded time and memory."""

import json
import os
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from tests.cli.program import run_file

from paragauge.errors import MissingExtraError, ModelError
from paragauge.models.causal.language_model import load_language_model
from paragauge.models.encoders.encoder import load_encoder
from paragauge.models.pairs.classifier import load_classifier
from paragauge.models.pairs.likelihood import load_seq2seq

from .conftest import TORCH

PROGRAM = Path(__file__).parents[2] / "malformed.py"
# how often here; thousands were run once: `python tests/malformed.py bert 1000 0 FOLDER`
COUNTS = {"bert": 100, "mpnet": 40, "bart": 60, "t5": 60, "classifier": 60, "llama": 60, "gguf": 200, "vectors": 200}
if not os.environ.get("PARAGAUGE_THOROUGH"):
    COUNTS = {kind: count // 3 for kind, count in COUNTS.items()}

pytestmark = pytest.mark.usefixtures("empty_cache")


@pytest.mark.parametrize("kind", COUNTS)
def test_damage_at_random_never_crashes(kind: str, tmp_path: Path) -> None:
    result = run_file(PROGRAM, kind, COUNTS[kind], 0, tmp_path)
    assert result.returncode == 0, f"{result.returncode} at {(tmp_path / 'now').read_text()}: {result.stderr[-2000:]}"
    refused, worked = map(int, result.stdout.split())
    assert refused + worked == COUNTS[kind]
    assert refused > worked // 2


def changed(folder: Path, **values: Any) -> str:
    file = folder / "config.json"
    file.write_text(json.dumps(json.loads(file.read_text()) | values))
    return str(folder)


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ({"num_attention_heads": 0}, "num_attention_heads=0; expected a whole number from 1"),
        ({"num_attention_heads": -2}, "num_attention_heads=-2; expected a whole number from 1"),
        ({"num_attention_heads": 3}, "3 attention heads, which do not split 16 into equal heads"),
        ({"num_attention_heads": "two"}, "num_attention_heads='two'; expected a whole number from 1"),
        ({"num_hidden_layers": 10**9}, "the weights lack '.*encoder.layer.999999999"),
        ({"num_hidden_layers": 0}, "num_hidden_layers=0; expected at least 1"),
        ({"vocab_size": 10**9}, "promises vocab_size=1000000000, the weights hold fewer"),
        ({"max_position_embeddings": 10**9}, "promises max_position_embeddings=1000000000, the weights hold fewer"),
        ({"max_position_embeddings": 2}, "the model takes 2 tokens, and its tokenizer puts 2 around every text"),
        ({"layer_norm_eps": -1}, "layer_norm_eps=-1; expected a number from 0 to 1"),
        ({"model_type": ["bert"]}, "names no model_type"),
    ],
)
def test_a_configuration_that_its_tensors_do_not_bear_out(
    values: dict[str, Any], sentence: str, small_model: Callable[..., Path]
) -> None:
    with pytest.raises(ModelError, match=sentence):
        load_encoder(changed(small_model("bert"), **values))


def test_every_kind_of_model_is_checked(
    tmp_path: Path, small_models: ModuleType, small_llama: Callable[..., Path]
) -> None:
    for kind, values in (
        ("bart", {"encoder_attention_heads": 0}),
        ("bart", {"decoder_layers": 10**9}),
        ("marian", {"max_position_embeddings": 10**9}),
        ("t5", {"num_heads": 0}),
        ("t5", {"num_layers": 10**9}),
        ("bart", {"eos_token_id": 10**6}),
    ):
        folder = small_models.make_seq2seq(tmp_path / f"{kind} {values}", kind)
        with pytest.raises(ModelError, match=r"the configuration says|the weights lack"):
            load_seq2seq(changed(folder, **values))
    for values in ({"num_attention_heads": 0}, {"num_hidden_layers": 10**9}):
        with pytest.raises(ModelError, match=r"the configuration says|the weights lack"):
            load_classifier(changed(small_models.make_classifier(tmp_path / f"classifier {values}"), **values))
    for values in ({"num_attention_heads": 0}, {"num_key_value_heads": 3}, {"num_hidden_layers": 10**9}):
        with pytest.raises(ModelError, match=r"the configuration says|the weights lack"):
            load_language_model(changed(small_llama(), **values))


@pytest.mark.skipif(TORCH, reason="torch and transformers are installed")
def test_the_missing_extra_is_named(
    tmp_path: Path, small_model: Callable[..., Path], small_models: ModuleType, small_llama: Callable[..., Path]
) -> None:
    pickled, without = small_model("roberta"), small_models.make_seq2seq(tmp_path / "without")
    (pickled / "model.safetensors").rename(pickled / "pytorch_model.bin")  # not read without torch
    (without / "tokenizer.json").unlink()
    for load, folder in (
        (load_encoder, small_model("bert", hidden_act="gelu_10")),
        (load_encoder, pickled),
        (load_classifier, small_models.make_classifier(tmp_path / "classifier", hidden_act="gelu_10")),
        (load_seq2seq, small_models.make_seq2seq(tmp_path / "bart", activation_function="gelu_10")),
        (load_seq2seq, without),
        (load_language_model, small_llama(attention_bias=True)),
    ):
        with pytest.raises(MissingExtraError, match=r'pip install "paragauge\[torch\]"'):
            load(str(folder))
