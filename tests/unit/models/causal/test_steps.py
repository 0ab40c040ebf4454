"""A chat model step by step: as the model predicts, as its engine searches, and as all answers that there are."""

import numpy as np
import pytest
from safetensors.numpy import load_file, save_file

from paragauge.models.causal.chat import ChatWriter
from paragauge.models.causal.language_model import load_language_model
from paragauge.paraphrasers.decoding.beam import BeamSettings, beam_search
from paragauge.paraphrasers.decoding.step import score_of

TEXTS = ["the end", "a", "what is the matter ?", "the the the"]


@pytest.fixture(scope="module", params=[0, 1])
def writer(request, small_llama):
    """A small model that often ends an answer: the row that writes the end is made large."""
    folder = small_llama(request.param, tie_word_embeddings=False)
    weights = load_file(folder / "model.safetensors")
    weights["lm_head.weight"] = weights["lm_head.weight"].copy()
    weights["lm_head.weight"][2] *= 2.5
    save_file(weights, folder / "model.safetensors", {"format": "pt"})
    return ChatWriter(load_language_model(str(folder)))


def test_a_step_gives_what_the_model_predicts_without_what_is_suppressed(writer):
    sources = writer.messages(TEXTS)
    state = writer.start(sources)
    tokens = np.array([writer.begin] * len(sources))
    written: list[tuple[int, ...]] = [()] * len(sources)
    for _ in range(3):
        values, state = writer.step(state, tokens)
        for source, own, found in zip(sources, written, values, strict=True):
            expected = writer.model.predictions(np.array([[*source, *own]], np.int32))[0, -1].astype(np.float64)
            expected[writer.suppressed] = -np.inf
            expected -= np.log(np.exp(expected).sum())
            np.testing.assert_allclose(found, expected, atol=2e-5)  # float32, in batches of another size
        tokens = values.argmax(axis=1)
        written = [(*own, token) for own, token in zip(written, tokens.tolist(), strict=True)]
        order = np.array([1, 0, 3, 2])
        state, tokens = state.select_rows(order), tokens[order]
        sources, written = ([own[place] for place in order] for own in (sources, written))


@pytest.mark.parametrize("width, n", [(1, 1), (4, 3), (6, 6)])
@pytest.mark.parametrize("penalty", [1.0, 0.0])
def test_our_search_finds_what_the_search_of_the_engine_finds(writer, width, n, penalty):
    assert writer.native
    sources = writer.messages(TEXTS)
    ours = beam_search(writer, sources, BeamSettings(width=width, n=n, longest=7, penalty=penalty))
    theirs = writer.beam(sources, width=width, n=n, longest=7, penalty=penalty)
    for one, other in zip(ours, theirs, strict=True):
        assert [found.tokens for found in one] == [tokens for tokens, _ in other]
        np.testing.assert_allclose([found.score for found in one], [score for _, score in other], atol=1e-4)
    if width > 1:
        assert len({len(found.tokens) for own in ours for found in own if found.ended}) > 1


def test_a_wide_beam_finds_the_best_of_all_answers(writer):
    (source,) = writer.messages(TEXTS[:1])
    allowed = [token for token in range(writer.vocabulary) if token not in writer.suppressed]
    going_on = [token for token in allowed if token != writer.end]

    def predicted(rows):
        values = np.concatenate(
            [writer.model.predictions(np.array(rows[at : at + 32], np.int32))[:, -1] for at in range(0, len(rows), 32)]
        ).astype(np.float64)
        values[:, writer.suppressed] = -np.inf
        return values - np.log(np.exp(values).sum(axis=1, keepdims=True))

    (first,) = predicted([source])
    second = predicted([[*source, token] for token in going_on])
    every = [((), first[writer.end], True)]
    for row, one in enumerate(going_on):
        every += [
            ((one,) if two == writer.end else (one, two), first[one] + second[row, two], two == writer.end)
            for two in allowed
        ]
    ranked = sorted(
        ((score_of(total, len(tokens) + ended, 1.0), tokens) for tokens, total, ended in every),
        reverse=True,
    )
    (found,) = beam_search(writer, [source], BeamSettings(width=writer.vocabulary, n=5, longest=2))
    assert [one.tokens for one in found] == [tokens for _, tokens in ranked[:5]]
    np.testing.assert_allclose([one.score for one in found], [score for score, _ in ranked[:5]], atol=1e-4)
