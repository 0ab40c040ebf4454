"""Classes equal a plain computation of the models; the class of entailment is found or asked for."""

import json
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from safetensors.numpy import load_file, save_file

from paragauge.errors import InputError, ModelError
from paragauge.models.pairs.classifier import load_classifier

from ..conftest import needs_torch

PAIRS = [
    ("a quick fox", "the lazy dog"),
    ("the lazy dog", "a quick fox"),
    ("z", "a rather long text"),
    ("a rather long text", "z"),
    ("a b c d " * 40, "e f " * 60),  # both are cut, to 40 tokens in all
    ("x", "e f " * 60),
]
WITHIN = 2e-6  # float32 against float64, of a probability

pytestmark = pytest.mark.usefixtures("empty_cache")


@pytest.fixture
def make(small_models: ModuleType, tmp_path: Path) -> Callable[..., Path]:
    return lambda kind="bert", name="model", **changes: small_models.make_classifier(
        tmp_path / f"{name}-{kind}", kind, **changes
    )


@pytest.mark.parametrize("kind", ["bert", "distilbert", "roberta", "mpnet"])
def test_every_family_equals_the_plain_computation(kind: str, make, small_models: ModuleType) -> None:
    folder = make(kind)
    model = load_classifier(str(folder))
    expected = [small_models.plain_probabilities(folder, pair.first, pair.second) for pair in model.prepare(PAIRS)]
    np.testing.assert_allclose([judged.values for judged in model.judge(PAIRS)], expected, rtol=0, atol=WITHIN)
    assert [judged.truncated for judged in model.judge(PAIRS)] == [0, 0, 0, 0, 1, 1]


def test_the_second_text_is_of_another_type_to_bert(make, small_models: ModuleType) -> None:
    folder = make("bert")
    (pair,) = load_classifier(str(folder)).prepare([("a", "b")])
    assert pair.first == [2, 4, 3, 5, 3]  # [CLS] a [SEP] b [SEP]
    assert pair.second == [0, 0, 0, 1, 1]
    typed, untyped = (small_models.plain_probabilities(folder, pair.first, types) for types in (pair.second, [0] * 5))
    (judged,) = load_classifier(str(folder)).judge([("a", "b")])
    assert np.abs(np.array(judged.values) - typed).max() < WITHIN < 1e-3 < np.abs(typed - untyped).max()


@pytest.mark.parametrize(
    ("classes", "label", "found"),
    [
        (("CONTRADICTION", "NEUTRAL", "ENTAILMENT"), None, 2),
        (("entailment", "not_entailment"), None, 0),
        (("no", "yes"), "Yes", 1),
        (("LABEL_0", "LABEL_1", "LABEL_2"), "2", 2),
        (("neutral", "entailment", "contradiction"), "neutral", 0),
        (("LABEL_0", "LABEL_1"), None, "0 LABEL_0, 1 LABEL_1; expected one that begins with 'entail'; say which by"),
        (("entailed", "entails"), None, "expected one that begins with 'entail'"),
        (("entailment", "neutral"), "3", "expected '3', by name or number"),
    ],
)
def test_the_class_that_counts(classes: tuple[str, ...], label: str | None, found: int | str, make) -> None:
    model = load_classifier(str(make(classes=classes)))
    if isinstance(found, int):
        assert model.index(label) == found
    else:
        with pytest.raises(InputError, match=found):
            model.index(label)


def test_models_that_do_not_fit_are_refused(make) -> None:
    folder = make()
    weights = load_file(folder / "model.safetensors")
    save_file(
        {name: value for name, value in weights.items() if not name.startswith("classifier")},
        folder / "model.safetensors",
    )
    with pytest.raises(ModelError, match=r"lack 'classifier\.weight'; is it a classifier\?"):
        load_classifier(str(folder))
    other = make(name="other")
    config = json.loads((other / "config.json").read_text())
    (other / "config.json").write_text(json.dumps(config | {"id2label": {"0": "entailment", "1": "not"}}))
    with pytest.raises(ModelError, match="names 2 classes, its weights hold 3"):
        load_classifier(str(other))
    one = make(name="one", classes=("score",))
    with pytest.raises(InputError, match="names no two classes"):
        load_classifier(str(one))


@needs_torch
@pytest.mark.filterwarnings("ignore")  # transformers' own deprecations
@pytest.mark.parametrize("kind", ["deberta", "bart"])
def test_other_architectures_equal_transformers(kind: str, make, small_models: ModuleType, tmp_path: Path) -> None:
    import torch
    from transformers import AutoModelForSequenceClassification, BartConfig, DebertaV2Config

    named = dict(enumerate(small_models.CLASSES))
    if kind == "deberta":
        tokenizer = make() / "tokenizer.json"
        config = DebertaV2Config(
            vocab_size=57, hidden_size=16, num_hidden_layers=2, num_attention_heads=2, intermediate_size=24,
            max_position_embeddings=40, relative_attention=True, pos_att_type=["p2c", "c2p"], id2label=named,
        )  # fmt: skip
    else:
        tokenizer = small_models.make_seq2seq(tmp_path / "tokenizer") / "tokenizer.json"
        config = BartConfig(
            vocab_size=58, d_model=16, encoder_layers=1, decoder_layers=1, encoder_attention_heads=2,
            decoder_attention_heads=2, encoder_ffn_dim=24, decoder_ffn_dim=24, max_position_embeddings=40,
            id2label=named,
        )  # fmt: skip
    torch.manual_seed(0)
    reference = AutoModelForSequenceClassification.from_config(config).eval()
    reference.save_pretrained(tmp_path / kind)
    (tmp_path / kind / "tokenizer.json").write_bytes(tokenizer.read_bytes())
    model = load_classifier(str(tmp_path / kind))
    assert "torch" in model.signature
    found = [judged.values for judged in model.judge(PAIRS)]
    for pair, values in zip(model.prepare(PAIRS), found, strict=True):
        with torch.no_grad():
            expected = reference(input_ids=torch.tensor([pair.first])).logits.softmax(-1)[0].numpy()
        np.testing.assert_allclose(values, expected, rtol=0, atol=WITHIN)
    with pytest.raises(InputError, match="runs in float32"):
        load_classifier(str(tmp_path / kind), "int8")


@needs_torch
def test_a_head_of_random_weights_is_refused(make) -> None:
    """transformers fills what a folder lacks with random numbers, and only warns."""
    folder = make(hidden_act="gelu_10")
    weights = load_file(folder / "model.safetensors")
    del weights["classifier.weight"]
    save_file(weights, folder / "model.safetensors")
    with pytest.raises(ModelError, match="lack"):
        load_classifier(str(folder))
