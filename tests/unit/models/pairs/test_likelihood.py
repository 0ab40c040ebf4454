"""Likelihoods equal a plain computation of the models, whatever stands next to a pair; what does not fit is refused."""

import json
import random
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from safetensors.numpy import load_file, save_file

from paragauge.compute.features import judge
from paragauge.compute.workspace import Workspace
from paragauge.errors import InputError, ModelError
from paragauge.models.convert.seq2seq import convertible, vocabulary
from paragauge.models.encoders.tokenize import read_tokenizer
from paragauge.models.pairs.likelihood import load_seq2seq
from paragauge.models.pairs.pair_model import Cutter, PairOutput
from paragauge.tables.notices import NoticeKind

KINDS = ["bart", "marian", "marian-apart", "t5", "t5-gated", "mt5"]
PAIRS = [
    ("a quick fox", "the lazy dog?"),
    ("how old are you", "what is your age"),
    ("z", "a rather long text that follows"),
    ("a rather long text that is followed", "z"),
    ("same", "same"),
    ("ünknown", "ß"),
    ("a b c d " * 40, "e f " * 60),  # beyond BART's and Marian's 40 positions, and beyond T5's first 128 distances
]
# float32 against float64, with weights far larger than trained ones; log-likelihoods are around -6
WITHIN = 1e-5

pytestmark = pytest.mark.usefixtures("empty_cache")


@pytest.fixture
def make(small_models: ModuleType, tmp_path: Path) -> Callable[..., Path]:
    return lambda kind="bart", name="model", **changes: small_models.make_seq2seq(
        tmp_path / f"{name}-{kind}", kind, **changes
    )


@pytest.mark.parametrize("kind", KINDS)
def test_every_family_equals_the_plain_computation(kind: str, make, small_models: ModuleType) -> None:
    folder = make(kind)
    model = load_seq2seq(str(folder))
    prepared = model.prepare(PAIRS)
    expected = [small_models.plain_log_likelihoods(folder, pair.first, pair.second).mean() for pair in prepared]
    np.testing.assert_allclose(model.log_likelihoods(PAIRS), expected, rtol=0, atol=WITHIN)


def test_every_token_counts_the_special_ones_too(make, small_models: ModuleType) -> None:
    """BART: <s> a b </s> is four tokens, predicted from </s> <s> a b; the mean is over four."""
    folder = make("bart")
    model = load_seq2seq(str(folder))
    (pair,) = model.prepare([("x", "ab")])
    assert pair.second == [0, 4, 4 + 26 + 1, 2]
    each = small_models.plain_log_likelihoods(folder, pair.first, pair.second)
    assert len(each) == 4
    assert model.log_likelihoods([("x", "ab")])[0] == pytest.approx(each.sum() / 4, abs=WITHIN)
    (marian,) = load_seq2seq(str(make("marian"))).prepare([("x", "ab")])
    assert marian.second == [2, 2 + 26 + 1, 0]


def test_a_pair_does_not_depend_on_its_neighbours(make) -> None:
    model = load_seq2seq(str(make()))
    words = random.Random(0)
    pairs = [tuple(" ".join(words.choices("abcdefgh", k=words.randint(1, 30))) for _ in "12") for _ in range(300)]
    together = model.log_likelihoods(pairs)
    alone = [model.log_likelihoods([pair])[0] for pair in pairs[:40]]
    # padding and batches of another size change the last bits of float32
    np.testing.assert_allclose(together[:40], alone, rtol=0, atol=5e-6)
    shuffled = words.sample(range(len(pairs)), len(pairs))
    again = model.log_likelihoods([pairs[place] for place in shuffled])
    np.testing.assert_allclose(again, together[shuffled], rtol=0, atol=5e-6)


def test_what_is_kept_on_disk_comes_back_exactly() -> None:
    for judged in (PairOutput((-1 / 3,), 7, 0, 2), PairOutput((0.1, 0.2, 0.7), 3, 1, 0)):
        assert PairOutput.unpack(judged.pack()) == judged


@pytest.mark.parametrize("limit", [5, 6, 7, 8, 13, 40])
def test_cutting_equals_the_tokenizers_library(limit: int, make) -> None:
    folder = make()
    letters = random.Random(limit)
    texts = [letters.choice(["a", "ab", "a b c", "abcdefgh", "a b " * 9, "abc " * 20]) for _ in range(60)]
    pairs = list(zip(texts[::2], texts[1::2], strict=True))
    theirs = read_tokenizer(folder)
    theirs.no_padding()
    theirs.enable_truncation(limit)
    cutter = Cutter(read_tokenizer(folder), limit)
    for inputs in (texts, pairs):
        for encoding, found in zip(theirs.encode_batch(inputs), cutter.cut(inputs), strict=True):
            assert found.ids == encoding.ids
            assert found.types == encoding.type_ids
            assert found.truncated == bool(encoding.overflowing)


def test_notices_count_each_pair_once(make) -> None:
    work = Workspace()
    model = load_seq2seq(str(make()))
    pairs = [("a b c d " * 40, "x"), ("a", "ß"), ("a", "ß"), ("", "a"), ("a", " ")]
    found = judge(model, pairs, work)
    assert [values is None for values in found] == [False, False, False, True, True]
    judge(model, pairs, work)
    assert work.notices[NoticeKind.TRUNCATED_PAIRS, model.name].count == 1
    found = work.notices[NoticeKind.UNKNOWN_TOKENS, model.name]
    assert (found.count, found.of) == (1, 40 + 3 + 3 + 3)


def test_int8_is_near(make) -> None:
    folder = str(make())
    exact, quick = (load_seq2seq(folder, precision).log_likelihoods(PAIRS) for precision in ("float32", "int8"))
    gap = np.abs(exact - quick).max()
    assert 0 < gap < 0.5  # weights in 8 bits, of models as small as this one, move a likelihood in the second digit
    assert load_seq2seq(folder).signature != load_seq2seq(folder, "int8").signature


def test_weights_without_a_prefix_and_untied_outputs(make) -> None:
    """facebook/bart-base keeps its tensors without `model.`; an untied output has its own table."""
    folder, bare = make(), make(name="bare")
    weights = load_file(bare / "model.safetensors")
    save_file({name.removeprefix("model."): value for name, value in weights.items()}, bare / "model.safetensors")
    expected = load_seq2seq(str(folder)).log_likelihoods(PAIRS)
    assert np.array_equal(load_seq2seq(str(bare)).log_likelihoods(PAIRS), expected)
    untied = make(name="untied", tie_word_embeddings=False)
    weights["lm_head.weight"] = weights["model.shared.weight"][::-1].copy()
    save_file(weights, untied / "model.safetensors")
    assert np.abs(load_seq2seq(str(untied)).log_likelihoods(PAIRS) - expected).min() > 1e-3


def test_other_configurations_are_left_to_torch() -> None:
    assert convertible({"model_type": "bart"})
    for other in (
        {"model_type": "pegasus"},
        {"model_type": "bart", "activation_function": "gelu_10"},
        {"model_type": "bart", "normalize_before": True},
        {"model_type": "bart", "static_position_embeddings": True},
        {"model_type": "t5", "relative_attention_num_buckets": 16},
        {"model_type": "t5", "feed_forward_proj": "gated-gelu_10"},
    ):
        assert not convertible(other)
    assert vocabulary({"model_type": "bart"})[2:] == (2, 2)
    assert vocabulary({"model_type": "t5"})[2:] == (0, 1)
    assert vocabulary({"model_type": "marian"})[2:] == (58100, 0)


def test_models_that_do_not_fit_are_refused(make, small_models: ModuleType, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="asks for languages"):
        load_seq2seq(str(make(name="mbart", model_type="mbart")))
    with pytest.raises(InputError, match="expected a sequence-to-sequence one"):
        load_seq2seq(str(small_models.make_classifier(tmp_path / "bert")))
    with pytest.raises(InputError, match="precision='int4' is unknown"):
        load_seq2seq(str(make()), "int4")
    with pytest.raises(ModelError, match="max_position_embeddings=4000, the weights hold fewer"):
        load_seq2seq(str(make(name="long", max_position_embeddings=4000)))
    folder = make(name="deep")
    config = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps(config | {"decoder_layers": 4}))
    with pytest.raises(ModelError, match=r"the weights lack 'model\.decoder\.layers\.3"):
        load_seq2seq(str(folder))
    with pytest.raises(ModelError, match="does not end a text with id 0"):
        load_seq2seq(str(make(name="endless", eos_token_id=0))).log_likelihoods([("a", "b")])


def test_ids_beyond_the_vocabulary_are_refused(make) -> None:
    folder = make()
    tokenizer = json.loads((folder / "tokenizer.json").read_text())
    tokenizer["model"]["vocab"]["&"] = 1000
    (folder / "tokenizer.json").write_text(json.dumps(tokenizer))
    with pytest.raises(ModelError, match="its vocabulary of 58 lacks"):
        load_seq2seq(str(folder)).log_likelihoods([("&", "b")])
