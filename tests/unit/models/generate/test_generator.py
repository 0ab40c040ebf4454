"""Models that write: steps as in a plain computation, the engine's own search as ours, torch as CTranslate2."""

import json

import numpy as np
import pytest

from paragauge.errors import InputError, ModelError
from paragauge.models.generate.generator import load_generator
from paragauge.paraphrasers.decoding.beam import BeamSettings, beam_search

from ..conftest import needs_torch

KINDS = ("bart", "marian", "marian-apart", "t5", "t5-gated")
TEXTS = ["hello there", "a", "what is your name ?", "ok ."]


@pytest.fixture(scope="module")
def folders(small_models, tmp_path_factory):
    place = tmp_path_factory.mktemp("seq2seq")
    return {kind: small_models.make_seq2seq(place / kind, kind, seed=3) for kind in KINDS}


@pytest.mark.parametrize("kind", KINDS)
def test_steps_give_the_log_probabilities_of_a_plain_computation(kind, folders, small_models):
    model = load_generator(str(folders[kind]))
    source = model.words.sources(["hello there"])
    state = model.start(source)
    for token in (model.begin, 9, 4):
        values, state = model.step(state, np.array([token]))
    likelihoods = [
        small_models.plain_log_likelihoods(folders[kind], source[0], [9, 4, token])[-1]
        for token in range(model.vocabulary)
    ]
    expected = np.array(likelihoods)
    expected[model.suppressed] = -np.inf  # as in generation by transformers and CTranslate2
    expected -= np.log(np.exp(expected).sum())
    np.testing.assert_allclose(values[0], expected, atol=2e-5)  # float32 against float64


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("penalty", [1.0, 0.0, 0.5])
def test_the_engines_own_beam_search_finds_what_ours_finds(kind, penalty, folders):
    model = load_generator(str(folders[kind]))
    sources = model.words.sources(TEXTS)
    settings = BeamSettings(width=4, n=3, longest=9, penalty=penalty)
    ours = beam_search(model, sources, settings)
    theirs = model.beam(sources, width=4, n=3, longest=9, penalty=penalty)
    for one, other in zip(ours, theirs, strict=True):
        assert [found.tokens for found in one] == [found.tokens for found in other]
        np.testing.assert_allclose([found.score for found in one], [found.score for found in other], atol=1e-4)


@pytest.fixture(scope="module")
def brief(small_models, tmp_path_factory):
    """A model that often ends a text early."""
    from safetensors.numpy import load_file, save_file

    folder = small_models.make_seq2seq(tmp_path_factory.mktemp("brief"), "marian", seed=3)
    weights = load_file(folder / "model.safetensors")
    weights["final_logits_bias"] = weights["final_logits_bias"].copy()
    weights["final_logits_bias"][0, json.loads((folder / "config.json").read_text())["eos_token_id"]] += 7
    save_file(weights, folder / "model.safetensors")
    return str(folder)


@pytest.mark.parametrize("penalty", [1.0, 0.5])
def test_the_end_of_a_text_counts_in_its_length_as_the_engine_counts_it(brief, penalty):
    model = load_generator(brief)
    sources = model.words.sources(TEXTS)
    ours = beam_search(model, sources, BeamSettings(width=6, n=6, longest=5, penalty=penalty))
    theirs = model.beam(sources, width=6, n=6, longest=5, penalty=penalty)
    lengths = {len(found.tokens) for own in ours for found in own if found.ended}
    assert len(lengths) > 1  # where all have one length, any way to count it gives the same order
    for one, other in zip(ours, theirs, strict=True):
        assert [(found.tokens, found.ended) for found in one] == [(found.tokens, found.ended) for found in other]
        for field in ("score", "log_probability"):
            values = [[getattr(found, field) for found in own] for own in (one, other)]
            np.testing.assert_allclose(*values, atol=1e-4)


@pytest.mark.parametrize("kind", KINDS)
def test_so_it_does_behind_a_prefix(kind, folders):
    model = load_generator(str(folders[kind]))
    sources = model.words.sources(TEXTS)
    prefixes = [[7], [8], [9], [10]]
    ours = beam_search(model, sources, BeamSettings(width=4, n=2, longest=8), prefixes=prefixes)
    theirs = model.beam(sources, width=4, n=2, longest=8, penalty=1.0, prefixes=prefixes)
    for one, other, prefix in zip(ours, theirs, prefixes, strict=True):
        assert [found.tokens for found in one] == [found.tokens for found in other]
        assert all(list(found.tokens[:1]) == prefix for found in one)
        np.testing.assert_allclose([found.score for found in one], [found.score for found in other], atol=1e-4)


def test_a_batch_of_one_equals_a_batch_of_many(folders):
    model = load_generator(str(folders["bart"]))
    sources = model.words.sources(TEXTS)
    options = {"width": 3, "n": 2, "longest": 8, "penalty": 1.0}
    together = model.beam(sources, **options)
    for source, own in zip(sources, together, strict=True):
        (alone,) = model.beam([source], **options)
        assert [found.tokens for found in alone] == [found.tokens for found in own]
    assert model.beam([], **options) == []


@pytest.mark.parametrize("kind", ["bart", "t5"])
def test_steps_of_a_row_are_the_same_alone_and_among_others(kind, folders, monkeypatch):
    model = load_generator(str(folders[kind]))
    sources = model.words.sources(TEXTS)

    def stepped(sources):
        state = model.start(sources)
        for token in (model.begin, 9, 10):
            values, state = model.step(state, np.full(len(sources), token))
        return values

    together = stepped(sources)
    for place, source in enumerate(sources):
        np.testing.assert_allclose(stepped([source])[0], together[place], atol=1e-5)  # other sizes round otherwise
    monkeypatch.setattr(model, "bytes", 1)  # a call for each row: what bounds the memory of many
    np.testing.assert_allclose(stepped(sources), together, atol=1e-5)


def test_rows_that_are_alike_are_computed_once(folders, monkeypatch):
    model = load_generator(str(folders["bart"]))
    state = model.start(model.words.sources(TEXTS[:2])).select_rows(np.array([0, 0, 1, 0]))
    whole = [
        model.step(state.select_rows(np.array([row])), np.array([token]))[0][0]
        for row, token in enumerate((7, 8, 7, 7))
    ]
    asked, logits = [], model.logits
    monkeypatch.setattr(model, "logits", lambda own: asked.append(len(own.tokens)) or logits(own))
    values, grown = model.step(state, np.array([7, 8, 7, 7]))
    assert asked == [3]
    assert len(grown.tokens) == 4
    np.testing.assert_allclose(values, whole, atol=1e-5)  # batches of another size round otherwise


def test_texts_go_to_ids_and_back(folders):
    model = load_generator(str(folders["marian"]))
    (ids,) = model.words.sources(["hello there"])
    assert ids[-1] == model.end
    assert model.words.text(ids) == "h ##e ##l ##l ##o t ##h ##e ##r ##e"  # the small tokenizer has no decoder
    assert model.words.phrase("hello") == ids[:5]
    assert model.words.code("<cl_0>") is None


def test_ids_that_the_vocabulary_lacks_are_refused(folders):
    model = load_generator(str(folders["bart"]))
    with pytest.raises(ModelError, match="lacks"):
        model.start([[5, 4000]])


def test_a_model_that_writes_nothing_is_refused(tmp_path, small_models):
    folder = small_models.make_classifier(tmp_path / "classifier", "bert")
    with pytest.raises(InputError, match="expected a sequence-to-sequence one"):
        load_generator(str(folder))


@needs_torch
@pytest.mark.parametrize("kind", ["bart", "marian", "t5", "t5-gated"])
def test_torch_and_ctranslate2_find_the_same(kind, folders):
    ours, theirs = (load_generator(str(folders[kind]), backend=backend) for backend in ("ctranslate2", "torch"))
    sources = ours.words.sources(TEXTS)
    settings = BeamSettings(width=4, n=4, longest=8)
    for one, other in zip(beam_search(ours, sources, settings), beam_search(theirs, sources, settings), strict=True):
        assert [found.tokens for found in one] == [found.tokens for found in other]
        np.testing.assert_allclose([found.score for found in one], [found.score for found in other], atol=1e-4)
