"""The default encoder, for real: parity with transformers, order, odd texts, and no torch."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from paragauge.models import Encoder, load_encoder

from ..conftest import make_model

# transformers 5.22 on torch 2.13, AutoModel(output_hidden_states=True), "How old are you?":
# layer → first three values of the second token's vector and of the mean over tokens, both scaled to length 1
GOLDEN = {
    1: ([0.024388298, -0.004848438, 0.011453482], [0.031791214, 0.035323005, 0.035707667]),
    2: ([0.023608409, 0.038892668, -0.010172165], [0.042155225, 0.066279247, 0.034304325]),
    3: ([-0.014826647, 0.055648636, -0.010875301], [0.018468225, 0.048638139, 0.045751225]),
    4: ([-0.034497987, 0.070394211, 0.018826148], [-0.030750167, 0.056747280, 0.017021649]),
    5: ([0.001545057, 0.044562712, 0.002698956], [0.028227501, 0.039196428, 0.001020453]),
    6: ([0.042566363, 0.046760112, 0.019128431], [0.087969720, 0.022643643, 0.025798148]),
}


@pytest.mark.parametrize("layer", GOLDEN)
def test_every_layer_equals_transformers(encoder: Encoder, layer: int) -> None:
    (encoded,) = load_encoder("default", layer).encode(["How old are you?"])
    token, sentence = GOLDEN[layer]
    assert encoded.ids.tolist() == [101, 2129, 2214, 2024, 2017, 1029, 102]
    assert encoded.vectors[1, :3] == pytest.approx(token, abs=5e-7)  # some last bits of float32
    assert encoded.sentence[:3] == pytest.approx(sentence, abs=5e-7)
    assert encoder.layer == 6


def test_what_it_says_of_itself(encoder: Encoder) -> None:
    assert encoder.name == "all-MiniLM-L6-v2"
    assert encoder.sha256 == "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
    assert (encoder.layers, encoder.limit, encoder.precision) == (6, 512, "float32")
    assert encoder.special_ids == {101, 102}
    assert load_encoder("all-MiniLM-L6-v2", 6) is encoder  # loaded once


def test_odd_texts(encoder: Encoder) -> None:
    texts = ["", " ", "🙂👩‍👩‍👧", "漢字かな", "a" * 100_000, "word " * 20_000, "\u0000\u200b", "[SEP] [CLS] [PAD]"]
    encoded = list(encoder.encode(texts))
    assert [item.truncated for item in encoded] == [0, 0, 0, 0, 0, 20_002 - 512, 0, 0]
    assert encoded[0].ids.tolist() == encoded[1].ids.tolist() == [101, 102]
    assert encoded[4].unknown == 1  # one word of more than 100 letters is one unknown token
    assert len(encoded[5].ids) == 512
    assert encoded[5].ids[-1] == 102
    for item, ids in zip(encoded, encoder.ids(texts), strict=True):
        assert item.ids.tolist() == ids
        assert item.vectors.shape == (len(ids), 384)
        assert np.linalg.norm(item.vectors, axis=1) == pytest.approx(1, abs=1e-5)
        assert np.linalg.norm(item.sentence) == pytest.approx(1, abs=1e-5)
    assert list(encoder.encode([])) == []


def test_order_bits_and_company(encoder: Encoder) -> None:
    texts = [f"the fox number {number} " + "jumps " * (number * 7 % 23) for number in range(200)]
    first, second = list(encoder.encode(texts)), list(encoder.encode(texts))
    assert [item.ids.tolist() for item in first] == encoder.ids(texts)
    assert all(np.array_equal(one.vectors, two.vectors) for one, two in zip(first, second, strict=True))
    for item, text in zip(first[:60], texts, strict=False):
        (alone,) = encoder.encode([text])
        assert np.abs(alone.vectors - item.vectors).max() < 2e-6  # no more than rounding


def test_int8_is_near(encoder: Encoder) -> None:
    texts = ["How old are you?", "The cat sat on the mat."]
    quantised = load_encoder("default", precision="int8")
    assert quantised.signature != encoder.signature
    for exact, near in zip(encoder.encode(texts), quantised.encode(texts), strict=True):
        assert exact.sentence @ near.sentence > 0.98


@pytest.mark.parametrize("which", ["default", "new"])
def test_neither_torch_nor_transformers_is_touched(which: str, encoder: Encoder, tmp_path: Path) -> None:
    """With both made impossible to import, the default model runs, and a new one is converted."""
    environment = os.environ | {"PARAGAUGE_OFFLINE": "1"}
    name = which
    if which == "new":
        environment["PARAGAUGE_CACHE"] = str(tmp_path / "cache")
        name = str(make_model(tmp_path / "model", "bert"))
    program = (
        "import sys; sys.modules['torch'] = sys.modules['transformers'] = None\n"
        "from paragauge.models import load_encoder\n"
        "print(len(next(load_encoder(sys.argv[1]).encode(['fox'])).ids))"
    )
    command = [sys.executable, "-W", "error", "-c", program, name]
    finished = subprocess.run(command, capture_output=True, text=True, env=environment)
    assert (finished.stderr, finished.stdout) == ("", "3\n" if which == "default" else "5\n")
    assert encoder.name
