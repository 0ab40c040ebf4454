"""Training, for some steps of a tiny network: resumed equals undisturbed, and what is exported is what was trained."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from paragauge.errors import InputError
from paragauge_research.training.paraphraser.configuration import (
    CodeSettings,
    Configuration,
    DataSet,
    NetworkSettings,
    Schedule,
    Selection,
    VocabularySettings,
)
from paragauge_research.training.paraphraser.prepared import prepare

SCHEDULE = {"steps": 12, "tokens": 128, "evaluate": 4, "checkpoint": 5, "warm_up": 2, "threads": 1}
WORDS = {"big": "large", "dog": "hound", "runs": "sprints", "small": "little", "house": "home", "sees": "spots"}


@pytest.fixture(scope="module", autouse=True)
def torch() -> Any:
    pytest.importorskip("transformers", reason="training needs transformers")
    return pytest.importorskip("torch", reason="training needs torch")


def write_pairs(folder: Path) -> Path:
    """Sentences, and the same with six words replaced."""
    nouns, verbs = ("dog", "house", "cat", "man"), ("runs", "sees", "is")
    texts = [f"the {a} {n} {v} {m}" for a in ("big", "small") for n in nouns for v in verbs for m in nouns]
    changed = [" ".join(WORDS.get(word, word) for word in text.split()) for text in texts]
    (folder / "a.txt").write_text("".join(text + "\n" for text in texts))
    (folder / "b.txt").write_text("".join(text + "\n" for text in changed))
    return folder


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write_pairs(tmp_path)


def configured(folder: Path, schedule: dict[str, Any] | None = None, **changes: Any) -> Configuration:
    settings: dict[str, Any] = {
        "selection": Selection(dev=8),
        "vocabulary": VocabularySettings("bpe", 60),
        "network": NetworkSettings(encoder_layers=1, decoder_layers=1, width=32, heads=2, inner=64),
        "training": Schedule(**(SCHEDULE | (schedule or {}))),
    }
    sets = {"one": DataSet("parallel", ("a.txt", "b.txt"), "none", both=False)}
    return Configuration(folder, sets, **(settings | changes))


def train(configuration: Configuration, output: Path, stop: int | None = None) -> tuple[Any, list[Any]]:
    """The prepared data and the looks; with `stop`, an interruption at that step."""
    from paragauge_research.training.paraphraser import loop

    output.mkdir(exist_ok=True)
    prepared = prepare(configuration, output / "data", lambda _: None)
    with pytest.MonkeyPatch.context() as patch:
        if stop is not None:
            calls, step = iter(range(stop)), loop._step

            def interrupted(*arguments: Any) -> float:
                if next(calls, None) is None:
                    raise KeyboardInterrupt
                return step(*arguments)

            patch.setattr(loop, "_step", interrupted)
        return prepared, loop.run_training(configuration, prepared, output, resume=True, progress=lambda _: None)


@pytest.mark.parametrize(("stop", "schedule"), [(3, {"copying": 4}), (7, {}), (11, {"precision": "bfloat16"})])
def test_a_run_that_was_stopped_has_the_same_curve_and_weights(folder, stop, schedule, torch):
    configuration = configured(folder, schedule)
    _, looks = train(configuration, folder / "whole")
    with pytest.raises(KeyboardInterrupt):
        train(configuration, folder / "stopped", stop)
    _, again = train(configuration, folder / "stopped")
    assert looks == again
    one, two = ((folder / name / "log.jsonl").read_text() for name in ("whole", "stopped"))
    assert one == two
    one, two = (
        torch.load(folder / name / "checkpoint-0000012.pt", weights_only=True)["network"]
        for name in ("whole", "stopped")
    )
    assert all(torch.equal(value, two[name]) for name, value in one.items())


def test_bfloat16_rounds_products_alone(folder, torch):
    """The loss is near that of float32, and what is trained and kept has its 24 bits."""
    from paragauge_research.training.paraphraser.batches import in_order
    from paragauge_research.training.paraphraser.loop import forward_loss
    from paragauge_research.training.paraphraser.network import make_network

    configuration = configured(folder, {"precision": "bfloat16"})
    prepared, looks = train(configuration, folder / "run")
    network = make_network(configuration, prepared.vocabulary).eval()
    batch = next(in_order(prepared.dev, prepared.vocabulary, 128))
    rounded, exact = (forward_loss(network, batch, 0.1, "cpu", precision=one) for one in ("bfloat16", "float32"))
    assert rounded.dtype == torch.float32
    assert rounded.item() != exact.item()
    assert rounded.item() == pytest.approx(exact.item(), rel=2**-7)  # numbers of 8 bits, and some products in a row
    kept = torch.load(folder / "run" / "checkpoint-0000012.pt", weights_only=True)["network"]
    assert all(value.dtype == torch.float32 for value in kept.values())
    assert any((value != value.bfloat16().float()).any() for value in kept.values())
    assert looks != train(configured(folder), folder / "exact")[1]


def test_a_checkpoint_of_other_settings_is_not_resumed(folder):
    _, looks = train(configured(folder), folder / "run")
    _, other = train(configured(folder, {"rate": 1e-2}), folder / "run")
    assert looks != other
    assert [look.step for look in other] == [4, 8, 12]


def test_it_ends_when_the_dev_part_gets_no_better():
    from paragauge_research.training.paraphraser.loop import Look, best_looks, is_over, rate_at

    looks = [Look(3.0, 1), Look(2.0, 2), Look(2.5, 3), Look(2.1, 4)]
    assert is_over(looks, 2)
    assert not is_over(looks, 3)
    assert not is_over([], 1)
    assert [look.step for look in best_looks(looks, 2)] == [2, 4]
    schedule = Schedule(steps=100, warm_up=10)
    assert [rate_at(step, schedule) for step in (0, 9, 99)] == [0.1, 1.0, 1 / 90]
    root = replace(schedule, schedule="inverse-root")
    assert rate_at(39, root) == pytest.approx(0.5)


@pytest.fixture(scope="module")
def learned(tmp_path_factory) -> Path:
    """A model that has learned to replace six words."""
    folder = write_pairs(tmp_path_factory.mktemp("learned"))
    configuration = configured(
        folder,
        {"steps": 300, "rate": 5e-3, "evaluate": 100, "warm_up": 30, "average": 2},
        codes=CodeSettings("random", 2),
    )
    from paragauge_research.training.paraphraser.export import export
    from paragauge_research.training.paraphraser.loop import best_looks

    prepared, looks = train(configuration, folder / "run")
    assert looks[-1].loss < 0.8  # a code is one bit that cannot be guessed: ln 2 of about 6 pieces
    export(configuration, prepared, best_looks(looks, 2), folder / "run")
    return folder / "run"


def test_the_loss_falls(learned):
    lines = [json.loads(line) for line in (learned / "log.jsonl").read_text().splitlines()]
    losses = [line["loss"] for line in lines if "loss" in line]
    assert losses[-1] < losses[0] / 2


def test_what_was_learned_is_written(learned):
    from paragauge_research.paraphrasers.codes import Codes

    for name in ("model", "int8"):
        method = Codes(model=str(learned / name), kind="random", choice="random")
        (found,) = method.generate(["the small dog sees man"], 2)
        assert "the little hound spots man" in {one.text for one in found}


def test_exported_weights_are_those_that_were_trained(learned):
    """CTranslate2 in float32 against transformers, and int8 near both."""
    from paragauge.models.generate.generator import load_generator

    ours, theirs, small = (
        load_generator(str(learned / name), backend=backend)
        for name, backend in (("model", "ctranslate2"), ("model", "torch"), ("int8", "ctranslate2"))
    )
    ids = ours.words.sources(["the big house is cat"])
    values = [model.step(model.start(ids), np.array([model.begin]))[0] for model in (ours, theirs, small)]
    finite = np.isfinite(values[0])
    np.testing.assert_allclose(values[0][finite], values[1][finite], atol=1e-4)  # float32
    assert np.abs(values[0][finite] - values[2][finite]).max() < 0.5  # int8: 1/127 of each row's largest
    with pytest.raises(InputError, match="for CTranslate2 alone"):
        load_generator(str(learned / "int8"), backend="torch")


def test_a_pretrained_encoder_is_taken_over(folder, torch):
    """With the layers of an encoder, BART's encoder gives what the encoder itself gives."""
    from paragauge.models.encoders.encoder import load_encoder
    from paragauge_research.training.paraphraser.network import make_network, parameter_groups

    base = bert(folder / "bert")
    network = NetworkSettings(str(base), encoder_layers=2, decoder_layers=1, decoder_from=(1,), positions=32)
    configuration = configured(folder, network=network, vocabulary=VocabularySettings("encoder", 300))
    prepared = prepare(configuration, folder / "data", lambda _: None)
    made = make_network(configuration, prepared.vocabulary).eval()
    ids = prepared.vocabulary.tokenizer.encode("the big dog").ids
    with torch.no_grad():
        states = made.model.encoder(torch.tensor([ids])).last_hidden_state[0].numpy()
    encoder = load_encoder(str(base))
    (wanted,) = encoder.encode(["the big dog"])
    states /= np.linalg.norm(states, axis=1, keepdims=True)
    np.testing.assert_allclose(states, wanted.vectors, atol=1e-4)  # the epsilon of layer norms differs
    layer = made.model.decoder.layers[0]
    for own, reading in zip(layer.self_attn.parameters(), layer.encoder_attn.parameters(), strict=True):
        assert torch.equal(own, reading)  # where it reads the source, a layer begins as where it reads itself
    assert len(parameter_groups(made, configuration)) == 2
    frozen = replace(configuration, network=replace(network, frozen=True))
    names = [
        name for name, value in make_network(frozen, prepared.vocabulary).named_parameters() if value.requires_grad
    ]
    assert names
    assert all(name.startswith("model.decoder.") for name in names)


def bert(folder: Path) -> Path:
    """A small encoder with the special tokens of BERT."""
    import torch
    from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, processors
    from transformers import BertConfig, BertModel

    letters = "abcdefghijklmnopqrstuvwxyz"
    pieces = [
        "[PAD]",
        "[UNK]",
        "[CLS]",
        "[SEP]",
        "[MASK]",
        *letters,
        *(f"##{one}" for one in letters),
        "the",
        "big",
        "dog",
    ]
    torch.manual_seed(1)
    sizes = {"hidden_size": 16, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 32}
    config = BertConfig(vocab_size=len(pieces), max_position_embeddings=64, **sizes)
    BertModel(config, add_pooling_layer=False).save_pretrained(folder)
    tokenizer = Tokenizer(models.WordPiece({piece: place for place, piece in enumerate(pieces)}, unk_token="[UNK]"))
    tokenizer.add_special_tokens(pieces[:5])
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.decoder = decoders.WordPiece()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    tokenizer.save(str(folder / "tokenizer.json"))
    return folder


def test_the_model_of_a_pretrained_encoder_writes_with_the_case_of_its_source(folder):
    from paragauge.paraphrasers.beam import Beam
    from paragauge_research.training.paraphraser.export import export

    network = NetworkSettings(str(bert(folder / "bert")), 2, 1, positions=48)
    configuration = configured(folder, network=network, vocabulary=VocabularySettings("encoder", 300))
    prepared, looks = train(configuration, folder / "run")
    whole, small = export(configuration, prepared, [min(looks)], folder / "run")
    for model in (whole, small):
        assert json.loads((model / "config.json").read_text())["paragauge_case"] == "source"
        (found,) = Beam(model=str(model), longest=6).generate(["The dog"], 2)
        assert all(one.text[:1] == one.text[:1].upper() for one in found)


def test_a_configuration_file_gives_models(folder, monkeypatch):
    from paragauge_research.training.paraphraser import train_paraphraser

    monkeypatch.delenv("PARAGAUGE_DATA", raising=False)
    said: list[str] = []
    (folder / "c.toml").write_text(
        """[sets.one]\nform = "parallel"\nfiles = ["a.txt", "b.txt"]\nlicence = "none"\n[selection]\ndev = 5
[vocabulary]\nsize = 60\n[network]\nencoder_layers = 1\ndecoder_layers = 1\nwidth = 16\nheads = 2\ninner = 16
[training]\nsteps = 3\ntokens = 64\nthreads = 1\nevaluate = 2\ncheckpoint = 2\n"""
    )
    whole, small = train_paraphraser(folder / "c.toml", folder / "out", progress=said.append)
    assert (small / "ctranslate2" / "model.bin").is_file()
    assert (whole / "model.safetensors").is_file()
    assert any("minutes left" in line for line in said)
    made = json.loads((small / "training.json").read_text())
    assert made["steps"] == [min((line["dev"], line["step"]) for line in curve(folder / "out") if "dev" in line)[1]]
    assert made["settings"]["sets"]["one"]["licence"] == "none"


def curve(output: Path) -> list[dict[str, float]]:
    return [json.loads(line) for line in (output / "log.jsonl").read_text().splitlines()]


def test_folders_of_others_are_left_alone(folder):
    (folder / "out" / "data").mkdir(parents=True)
    (folder / "out" / "data" / "mine.txt").write_text("mine")
    with pytest.raises(InputError, match=r"has no prepared\.json, so training has not made it"):
        train(configured(folder), folder / "out")
    assert (folder / "out" / "data" / "mine.txt").read_text() == "mine"
