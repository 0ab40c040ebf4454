"""Converted models compute what the architecture says, keep themselves whole, and refuse what does not fit."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import load_file, save_file

from paragauge.errors import InputError, ModelError
from paragauge.models import load_encoder
from paragauge.models.convert.encoder import ARCHITECTURES, convertible
from paragauge.models.hub.verify import converted_folders, is_complete

from ..conftest import LAYERS, make_model, plain_states

TEXTS = ["a", "the quick brown fox", "jumps. over a lazy dog", "é", ""]
MakeModel = Callable[..., Path]

pytestmark = pytest.mark.usefixtures("empty_cache")


def unit(states: np.ndarray) -> np.ndarray:
    return states / np.linalg.norm(states, axis=-1, keepdims=True)


@pytest.mark.parametrize("kind", ARCHITECTURES)
@pytest.mark.parametrize("layer", range(1, LAYERS + 1))
def test_every_layer_equals_the_plain_computation(kind: str, layer: int, small_model: MakeModel) -> None:
    folder = small_model(kind)
    encoder = load_encoder(str(folder), layer)
    assert (encoder.layer, encoder.layers, encoder.name) == (layer, LAYERS, folder.name)
    for encoded in encoder.encode(TEXTS):
        states = plain_states(folder, encoded.ids.tolist(), layer)
        # float32 against float64, through three layers with weights far larger than trained ones
        assert np.abs(encoded.vectors - unit(states)).max() < 2e-5
        assert np.abs(encoded.sentence - unit(states.mean(0))).max() < 2e-5


@pytest.mark.parametrize("kind", ["bert", "roberta", "xlm-roberta", "camembert", "distilbert", "mpnet"])
def test_every_architecture_equals_transformers(kind: str, small_model: MakeModel) -> None:
    torch = pytest.importorskip("torch")
    transformers = pytest.importorskip("transformers")
    folder = small_model(kind)
    model = transformers.AutoModel.from_pretrained(folder).eval()
    for layer in range(1, LAYERS + 1):
        for encoded in load_encoder(str(folder), layer).encode(TEXTS):
            with torch.no_grad():
                ids = torch.tensor(encoded.ids[None].astype(np.int64))
                states = model(ids, output_hidden_states=True).hidden_states[layer][0].numpy()
            assert np.abs(encoded.vectors - unit(states)).max() < 2e-5


@pytest.mark.parametrize("prefix", ["bert.", "0.auto_model.", "model.bert."])
def test_a_prefix_and_old_names_of_norms_make_no_difference(prefix: str, tmp_path: Path) -> None:
    plain = make_model(tmp_path / "plain", "bert")
    prefixed = make_model(tmp_path / "prefixed", "bert", prefix=prefix)
    weights = load_file(prefixed / "model.safetensors")
    old = {
        name.replace("LayerNorm.weight", "LayerNorm.gamma").replace("LayerNorm.bias", "LayerNorm.beta"): value
        for name, value in weights.items()
    }
    save_file(old, prefixed / "model.safetensors")
    first, second = (next(load_encoder(str(folder)).encode(["the fox"])) for folder in (plain, prefixed))
    assert np.array_equal(first.vectors, second.vectors)


def test_bfloat16_weights_are_read(tmp_path: Path) -> None:
    folder = make_model(tmp_path / "model", "bert")
    weights = load_file(folder / "model.safetensors")
    halves = {name: (value.view(np.uint32) >> 16).astype(np.uint16) for name, value in weights.items()}
    save_file(
        {name: (half.astype(np.uint32) << 16).view(np.float32) for name, half in halves.items()},
        folder / "model.safetensors",
    )
    expected = next(load_encoder(str(folder)).encode(["the fox"])).vectors
    twin = make_model(tmp_path / "twin", "bert")
    save_file(halves, twin / "model.safetensors")
    data = (twin / "model.safetensors").read_bytes()
    length = int.from_bytes(data[:8], "little")
    header = json.dumps({name: entry | {"dtype": "BF16"} for name, entry in json.loads(data[8 : 8 + length]).items()})
    (twin / "model.safetensors").write_bytes(len(header).to_bytes(8, "little") + header.encode() + data[8 + length :])
    assert np.array_equal(next(load_encoder(str(twin)).encode(["the fox"])).vectors, expected)


def test_other_configurations_are_left_to_torch() -> None:
    base = {"model_type": "bert", "hidden_act": "gelu"}
    assert convertible(base)
    for change in (
        {"model_type": "deberta-v2"},
        {"hidden_act": "gelu_10"},
        {"position_embedding_type": "relative_key"},
        {"is_decoder": True},
    ):
        assert not convertible(base | change)


@pytest.mark.parametrize("layer", [0, LAYERS + 1, -1])
def test_a_layer_that_does_not_exist_is_refused(layer: int, small_model: MakeModel) -> None:
    with pytest.raises(InputError, match=f"it has layers 1 to {LAYERS}"):
        load_encoder(str(small_model("bert")), layer)


@pytest.mark.parametrize("name", ["model.bin", "config.json", "vocabulary.json", "sha256.json"])
def test_a_damaged_conversion_is_made_anew(name: str, small_model: MakeModel) -> None:
    folder = small_model("bert")
    expected = next(load_encoder(str(folder)).encode(["the fox"])).vectors
    (converted,) = converted_folders()
    file = converted / name
    good = file.read_bytes()
    file.write_bytes(good[:-9] + b"!" + good[-8:])
    assert not is_complete(converted)
    # a sibling of equal bytes is another model to this process, and shares the conversion
    twin = make_model(folder.parent / "twin", "bert")
    assert np.array_equal(next(load_encoder(str(twin)).encode(["the fox"])).vectors, expected)
    assert is_complete(converted)
    assert [path.name for path in converted.parent.iterdir()] == [converted.name]


def test_two_processes_may_convert_at_once(small_model: MakeModel) -> None:
    folder = small_model("roberta")
    program = (
        "import sys; from paragauge.models import load_encoder\n"
        "sys.stdin.readline()\n"
        "print(next(load_encoder(sys.argv[1]).encode(['the fox'])).vectors.tobytes().hex())"
    )
    command = [sys.executable, "-c", program, str(folder)]
    started = [
        subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=dict(os.environ))
        for _ in range(4)
    ]
    for process in started:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
    said = [process.communicate(timeout=120)[0] for process in started]
    assert [process.returncode for process in started] == [0] * 4
    assert len(set(said)) == 1
    (converted,) = converted_folders()
    assert is_complete(converted)
    assert [path.name for path in converted.parent.iterdir()] == [converted.name]


@pytest.mark.parametrize(
    ("file", "damage", "message"),
    [
        ("config.json", b"{", "cannot be read"),
        ("config.json", b"[1]", "holds no JSON object"),
        ("config.json", b"{}", "names no model_type"),
        ("tokenizer.json", b'{"version": "1.0"', "cannot be read"),
        ("model.safetensors", b"\x00" * 50, "is damaged"),
        ("model.safetensors", b"", "is damaged"),
    ],
)
def test_a_damaged_folder_is_refused_in_one_sentence(
    file: str, damage: bytes, message: str, small_model: MakeModel
) -> None:
    folder = small_model("bert")
    (folder / file).write_bytes(damage)
    with pytest.raises(ModelError, match=message) as caught:
        load_encoder(str(folder))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("file", ["config.json", "model.safetensors", "tokenizer.json"])
def test_a_missing_file_is_named(file: str, small_model: MakeModel) -> None:
    folder = small_model("bert")
    (folder / file).unlink()
    with pytest.raises(ModelError, match=file):
        load_encoder(str(folder))


def test_ids_beyond_the_vocabulary_are_refused(small_model: MakeModel) -> None:
    encoder = load_encoder(str(small_model("bert", vocab_size=10)))
    with pytest.raises(ModelError, match="its vocabulary of 10 lacks"):
        list(encoder.encode(["z"]))


def test_other_weights_tokenizer_or_settings_are_another_signature(tmp_path: Path) -> None:
    folder = make_model(tmp_path / "model", "bert")
    signatures = [
        load_encoder(str(folder), *settings).signature
        for settings in [(1,), (2,), (3, "int8"), (3, "float32", "window")]
    ]
    signatures.append(load_encoder(str(make_model(tmp_path / "same", "bert"))).signature)
    signatures.append(load_encoder(str(make_model(tmp_path / "other", "bert", seed=1))).signature)
    changed = make_model(tmp_path / "changed", "bert")
    (changed / "tokenizer.json").write_text((changed / "tokenizer.json").read_text().replace("Lowercase", "NFC"))
    signatures.append(load_encoder(str(changed)).signature)
    assert len(set(signatures)) == len(signatures)
    assert load_encoder(str(folder)).signature == load_encoder(str(tmp_path / "same")).signature
