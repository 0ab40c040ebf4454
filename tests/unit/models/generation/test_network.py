"""Steps that keep what was read and written: the numbers of CTranslate2, which reads all of it again."""

from __future__ import annotations

import struct

import numpy as np
import pytest

from paragauge.errors import ModelError
from paragauge.models.formats import seq2seq as conversion
from paragauge.models.formats.variables import read_variables
from paragauge.models.formats.weights import open_tensors
from paragauge.models.generation import ctranslate
from paragauge.models.generation.generator import Written
from paragauge.models.generation.load import load_generator
from paragauge.models.generation.network import Network
from paragauge.models.hub.locate import identified
from paragauge.paraphrasers import parse
from paragauge.paraphrasers.decoding.beam import BeamSettings, beam_search
from paragauge.paraphrasers.decoding.sampling import sample

KINDS = ("bart", "marian", "marian-apart", "t5", "t5-gated")
TEXTS = ["hello there", "a", "what is your name ?", "ok ."]


@pytest.fixture(scope="module")
def folders(small_models, tmp_path_factory):
    place = tmp_path_factory.mktemp("network")
    return {kind: str(small_models.make_seq2seq(place / kind, kind, seed=5)) for kind in KINDS} | {
        "shipped": "default-paraphraser"
    }


@pytest.fixture
def rereading(folders, monkeypatch):
    """The same model, all of whose steps are CTranslate2's."""

    def made(kind):
        model = load_generator(folders[kind])
        monkeypatch.setitem(model.__dict__, "network", None)
        return model

    return made


def reread(model, sources, state):
    """Logits by CTranslate2 of what was written, and the log-probabilities they are."""
    memory = [list(map(str, source)) for source in sources]
    found = model.reread(Written(state.sources, state.tokens, memory, state.places)).astype(np.float64)
    found[:, model.suppressed] = -np.inf
    found -= found.max(axis=1, keepdims=True)
    return found - np.log(np.exp(found).sum(axis=1, keepdims=True))


@pytest.mark.parametrize("kind", [*KINDS, "shipped"])
def test_steps_give_the_numbers_of_reading_all_again(kind, folders):
    model = load_generator(folders[kind])
    assert model.network is not None
    # T5 tells distances of more than 16 tokens apart by their logarithm
    sources = model.words.sources([*TEXTS, "abcdefghij" * 15 if kind.startswith("t5") else "what ?"])
    random = np.random.default_rng(0)
    writable = [token for token in range(model.vocabulary) if token not in (*model.suppressed, model.end)]
    state, tokens = model.start(sources), np.full(len(sources), model.begin)
    for step in range(60 if kind.startswith("t5") else min(20, model.limit)):
        values, state = model.step(state, tokens)
        if step < 12 or step % 12 == 11:
            # sums of float32 in another order: 1e-5 was seen on numbers of up to 16
            np.testing.assert_allclose(values, reread(model, sources, state), atol=1e-4)
        state = state.take(random.integers(0, len(state.tokens), 7))  # rows go, and are taken several times
        tokens = random.choice(writable, 7)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("groups", [1, 2])
def test_searches_find_the_same_with_either_kind_of_steps(kind, groups, folders, rereading):
    model = load_generator(folders[kind])
    sources = model.words.sources(TEXTS)
    settings = BeamSettings(width=6, n=6, longest=8, groups=groups)
    constraints = {"required": [((9, 8),)] * 4, "banned": [((10,), (11, 7))] * 4} if groups == 1 else {}
    kept = beam_search(model, sources, settings, **constraints), sample(model, sources, 5, longest=8)
    again = rereading(kind)
    assert again.network is None
    other = beam_search(again, sources, settings, **constraints), sample(again, sources, 5, longest=8)
    for ours, theirs in zip(kept, other, strict=True):
        for one, two in zip(ours, theirs, strict=True):
            assert [found.tokens for found in one] == [found.tokens for found in two]
            np.testing.assert_allclose([found.score for found in one], [found.score for found in two], atol=1e-4)


@pytest.mark.parametrize("kind", ["bart", "t5"])
def test_a_row_is_the_same_alone_and_among_others(kind, folders):
    model = load_generator(folders[kind])
    sources = model.words.sources(TEXTS)
    together = model.start(sources)
    for token in (model.begin, 9, 10):
        values, together = model.step(together, np.full(len(sources), token))
    for place, source in enumerate(sources):
        alone = model.start([source])
        for token in (model.begin, 9, 10):
            value, alone = model.step(alone, np.array([token]))
        np.testing.assert_allclose(value[0], values[place], atol=1e-5)  # products of other sizes round otherwise


def test_weights_in_int8_are_those_that_ctranslate2_makes(folders, tmp_path):
    model = identified("bart", load_generator(folders["bart"]).folder)
    for name in ("float32", "int8"):
        made = conversion.specification(model.config, open_tensors(model.weights))
        made.optimize(name)
        (tmp_path / name).mkdir()
        made.save(str(tmp_path / name))
    rounded = read_variables(tmp_path / "float32" / "model.bin", "int8")
    whole, stored = (read_variables(tmp_path / name / "model.bin") for name in ("float32", "int8"))
    assert rounded.keys() == stored.keys() == whole.keys()
    for name, values in stored.items():
        np.testing.assert_allclose(rounded[name], values, atol=1e-6)
    name = "decoder/layer_0/ffn/linear_0/weight"
    assert np.abs(whole[name] - stored[name]).max() > 1e-4
    assert np.array_equal(stored["decoder/projection/weight"], stored["decoder/embeddings/weight"])  # an alias


def test_what_it_does_not_know_is_left_to_ctranslate2(folders, monkeypatch):
    model = load_generator(folders["bart"])
    variables = dict(read_variables(model._folder / "model.bin"))
    with pytest.raises(ModelError, match="has decoder/alibi, which"):
        Network(variables | {"decoder/alibi": np.array(1, np.int8)}, 1e-5)
    with pytest.raises(ModelError, match="has the activation 6"):
        Network(variables | {"encoder/activation": np.array(6, np.int8)}, 1e-5)
    Network(variables, 1e-5)
    monkeypatch.delitem(model.__dict__, "network", raising=False)
    sources = model.words.sources(TEXTS)
    expected, _ = model.step(model.start(sources), np.full(4, model.begin))
    monkeypatch.delitem(model.__dict__, "network")
    monkeypatch.setattr(model, "_device", "cuda")  # only whether to ask CTranslate2: its own model is where it was
    assert model.network is None
    values, state = model.step(model.start(sources), np.full(4, model.begin))
    assert state.kept is None
    np.testing.assert_allclose(values, expected, atol=1e-4)


def test_a_file_of_another_layout_is_refused(tmp_path):
    (tmp_path / "model.bin").write_bytes(struct.pack("<I", 99))
    with pytest.raises(ModelError, match="version 99 of CTranslate2's layout; expected 6"):
        read_variables(tmp_path / "model.bin")


def test_what_is_kept_is_bounded(folders, monkeypatch):
    model = load_generator(folders["bart"])
    sources = model.words.sources(TEXTS)
    _, state = model.step(model.start(sources), np.full(4, model.begin))
    assert state.kept.nbytes == 4 * model.network.kept
    monkeypatch.setattr(ctranslate, "_KEPT", 7 * 8 * model.network.kept)
    assert model.rows(8) == 7
    method = parse(f"constrained:model={folders['bart']},avoid=a,width=3,longest=8")
    assert [(part.start, part.stop) for part in method.parts(5, 3)] == [(0, 2), (2, 4), (4, 6)]
    assert len(method.parts(3, 100)) == 3  # one source at a time, where not even that fits
    largest, step = [], model.step
    monkeypatch.setattr(model, "step", lambda *now: largest.append(len(now[1])) or step(*now))
    found = list(method.generate(TEXTS, 3))
    assert max(largest) == 6
    monkeypatch.undo()
    assert [[one.text for one in own] for own in found] == [
        [one.text for one in own] for own in method.generate(TEXTS, 3)
    ]
