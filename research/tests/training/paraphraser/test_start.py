"""Training that begins from a trained model, for some steps of a tiny network."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from paragauge.errors import InputError
from paragauge_research.training.paraphraser.configuration import Configuration, read_configuration
from paragauge_research.training.paraphraser.prepared import prepare
from paragauge_research.training.paraphraser.start import bart_tensors, read_variables

from .test_loop import bert, curve, train, write_pairs

PLAIN = """[sets.two]
form = "parallel"
files = ["a.txt", "b.txt"]
licence = "none"
both = false
[sets.one]
form = "parallel"
files = ["b.txt", "a.txt"]
licence = "none"
[selection]
dev = 8
[vocabulary]
size = 60
[network]
encoder_layers = 1
decoder_layers = 1
width = 32
heads = 2
inner = 64
[training]
steps = 12
tokens = 128
evaluate = 4
checkpoint = 5
warm_up = 2
threads = 1
"""
CODES = """[codes]
kind = "random"
number = 4
[training]
steps = 6
evaluate = 3
checkpoint = 2
"""


@pytest.fixture(scope="module", autouse=True)
def torch() -> Any:
    pytest.importorskip("transformers", reason="training needs transformers")
    return pytest.importorskip("torch", reason="training needs torch")


@pytest.fixture(scope="module", autouse=True)
def _data_beside_the_configuration() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("PARAGAUGE_DATA", raising=False)
        yield


@pytest.fixture(scope="module")
def trained(tmp_path_factory) -> Path:
    """The output folder of a training without codes."""
    from paragauge_research.training.paraphraser import train_paraphraser

    folder = write_pairs(tmp_path_factory.mktemp("data"))
    (folder / "plain.toml").write_text(PLAIN)
    (folder / "codes.toml").write_text(CODES)
    train_paraphraser(folder / "plain.toml", folder / "trained")
    return folder / "trained"


def begun(trained: Path, **network: Any) -> Configuration:
    found = read_configuration(trained.parent / "codes.toml", trained)
    return replace(found, network=replace(found.network, **network))


def tensors(model: Path) -> dict[str, Any]:
    from safetensors.numpy import load_file

    return load_file(model / "model.safetensors")


def test_weights_and_vocabulary_are_those_of_the_start(trained, tmp_path):
    from paragauge_research.training.paraphraser.network import make_network

    configuration = begun(trained)
    vocabulary = prepare(configuration, tmp_path / "data", lambda _: None).vocabulary
    before = json.loads((trained / "data" / "tokenizer.json").read_text())["model"]["vocab"]
    found = vocabulary.tokenizer.get_vocab()
    assert {piece: found[piece] for piece in before} == before
    assert sorted(found[f"<cl_{code}>"] for code in range(4)) == list(range(len(before), len(before) + 4))
    network = make_network(configuration, vocabulary)
    state = {name: value.detach().numpy() for name, value in network.named_parameters()}
    for name, value in tensors(trained / "model").items():
        if name in state:
            np.testing.assert_array_equal(state[name][: len(value)], value)
    rows = state["model.shared.weight"][len(before) :]
    assert len(np.unique(rows, axis=0)) == 4
    assert 0.5 < rows.std() / state["model.shared.weight"][: len(before)].std() < 2
    assert network.lm_head.weight is network.model.shared.weight


def test_the_pairs_of_the_start_are_taken_where_the_selection_is_the_same(trained, tmp_path, monkeypatch):
    from paragauge_research.training.paraphraser import prepared

    selected, select = [], prepared.select

    def counted(*given: Any) -> Any:
        selected.append(given)
        return select(*given)

    monkeypatch.setattr(prepared, "select", counted)
    prepare(begun(trained), tmp_path / "same", lambda _: None)
    assert not selected
    for name in ("train.jsonl", "dev.jsonl"):
        assert (tmp_path / "same" / name).read_bytes() == (trained / "data" / name).read_bytes()
    prepare(replace(begun(trained), seed=2), tmp_path / "other", lambda _: None)
    assert len(selected) == 1


def test_a_run_from_a_start_that_was_stopped_has_the_same_curve_and_weights(trained, tmp_path, torch):
    configuration = begun(trained)
    train(configuration, tmp_path / "whole")
    with pytest.raises(KeyboardInterrupt):
        train(configuration, tmp_path / "stopped", 3)
    train(configuration, tmp_path / "stopped")
    assert curve(tmp_path / "whole") == curve(tmp_path / "stopped")
    one, two = (
        torch.load(tmp_path / name / "checkpoint-0000006.pt", weights_only=True)["network"]
        for name in ("whole", "stopped")
    )
    assert all(torch.equal(value, two[name]) for name, value in one.items())


def test_what_it_began_from_is_recorded_and_codes_are_generated_from(trained, tmp_path):
    from paragauge_research.paraphrasers.codes import Codes
    from paragauge_research.training.paraphraser import train_paraphraser

    whole, small = train_paraphraser(trained.parent / "codes.toml", tmp_path / "out", start=trained)
    start = begun(trained).start
    assert start is not None
    assert json.loads((small / "training.json").read_text())["start"] == start.sha256
    for choice in ("probable", "random"):
        (found,) = Codes(model=str(small), choice=choice, longest=8).generate(["the big dog runs man"], 4)
        assert {one.provenance["code"] for one in found} <= set(range(4))  # a text that two codes give counts once
        assert found
    (trained.parent / "none.toml").write_text('[codes]\nkind = "none"')
    with pytest.raises(InputError, match="has more codes than the 0 that are configured"):
        train_paraphraser(trained.parent / "none.toml", tmp_path / "fewer", start=whole)


def test_the_model_for_ctranslate2_is_a_start_as_well(trained, tmp_path):
    """Its weights are those of `model` up to the rounding to int8: half of 1/127 of the greatest of a row."""
    from paragauge_research.training.paraphraser.network import make_network

    small = read_configuration(trained.parent / "codes.toml", trained / "int8")
    vocabulary = prepare(small, tmp_path / "data", lambda _: None).vocabulary
    state = {name: value.detach().numpy() for name, value in make_network(small, vocabulary).named_parameters()}
    for name, value in tensors(trained / "model").items():
        found = state.get(name, value)[: len(value)]
        step = np.abs(value).max(axis=-1, keepdims=True) / 127 if value.ndim == 2 else 0
        assert (np.abs(found - value) <= 0.501 * step).all()


def test_the_model_of_the_package_is_a_start_by_its_name(tmp_path):
    (tmp_path / "a.toml").write_text('start = "default-paraphraser"\n' + CODES)
    found = read_configuration(tmp_path / "a.toml")
    assert found.start is not None
    assert found.start.folder.name == "shipped"
    assert (found.network.encoder_layers, found.codes.number, found.training.steps) == (4, 4, 6)
    (tmp_path / "b.toml").write_text(CODES)
    assert found == read_configuration(tmp_path / "b.toml", Path("default-paraphraser"))


@pytest.mark.parametrize(
    ("network", "message"),
    [
        ({"width": 16}, r"of the shape \[\d+, 32\]; the configuration asks for \[\d+, 16\]"),
        ({"decoder_layers": 2}, r"has no model\.decoder\.layers\.1\."),
        ({"encoder_layers": 0}, r"has model\.encoder\.layers\.0\..*a network without it"),
    ],
)
def test_a_start_of_another_shape_is_refused(trained, tmp_path, network, message):
    from paragauge_research.training.paraphraser.network import make_network

    configuration = begun(trained, **network)
    vocabulary = prepare(configuration, tmp_path / "data", lambda _: None).vocabulary
    with pytest.raises(InputError, match=message):
        make_network(configuration, vocabulary)


def test_a_start_around_a_pretrained_encoder(tmp_path):
    """Its word pieces stay, and so do the special tokens around a source."""
    from paragauge_research.training.paraphraser import train_paraphraser

    folder = write_pairs(tmp_path)
    network = f'[network]\nencoder = "{bert(folder / "bert")}"\nencoder_layers = 2\ndecoder_layers = 1\n'
    plain = PLAIN.split("[network]")[0].replace("size = 60", 'kind = "encoder"\nsize = 300')
    (folder / "c.toml").write_text(
        plain + network + "positions = 48\n[training]\nsteps = 2\ntokens = 64\nevaluate = 2\nthreads = 1\n"
    )
    (folder / "codes.toml").write_text(CODES.replace("steps = 6", "steps = 1"))
    train_paraphraser(folder / "c.toml", folder / "one")
    whole, _ = train_paraphraser(folder / "codes.toml", folder / "two", start=folder / "one")
    read = bart_tensors(read_variables(folder / "one" / "int8" / "ctranslate2" / "model.bin"))
    assert read.keys() == {name for name in tensors(folder / "one" / "model") if name != "final_logits_bias"}
    one, two = (tensors(place)["model.shared.weight"] for place in (folder / "one" / "model", whole))
    assert len(two) == len(one) + 4
    assert json.loads((whole / "config.json").read_text())["paragauge_codes"] == "random"
