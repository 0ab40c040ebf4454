"""Decodings of small random models: what each promises."""

import importlib.util
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from paragauge.errors import InputError
from paragauge.models.generate.generator import load_generator
from paragauge.paraphraser import Candidate
from paragauge.paraphrasers.beam import Beam
from paragauge.paraphrasers.constrained import Constrained, content_words
from paragauge.paraphrasers.diverse_beam import DiverseBeam
from paragauge.paraphrasers.reranked import Reranked
from paragauge.paraphrasers.round_trip import RoundTrip
from paragauge.paraphrasers.sampled import Sampled

SOURCES = ["hello there", "what is it ?"]


@pytest.fixture(scope="module")
def back(small_models, tmp_path_factory):
    return str(small_models.make_seq2seq(tmp_path_factory.mktemp("marian") / "back", "marian", seed=2))


def test_beam_is_the_n_best_whichever_search_finds_them(marian):
    found = list(Beam(model=marian, longest=6).generate(SOURCES, 3))
    assert all(len(own) == 3 for own in found)
    for own in found:
        assert [one.score for one in own] == sorted((one.score for one in own), reverse=True)
    model = load_generator(marian)
    ids = model.words.sources(SOURCES)
    native = model.beam(ids, width=5, n=3, longest=6, penalty=1.0)
    assert [[one.text for one in own] for own in found] == [
        [model.words.text(one.tokens) for one in own] for own in native
    ]


def test_sampling_depends_on_its_seed(marian):
    one, two, three = (
        [[c.text for c in own] for own in Sampled(model=marian, longest=6, seed=seed).generate(SOURCES, 3)]
        for seed in (0, 0, 1)
    )
    assert one == two != three


def test_groups_differ_more_than_one_beam(marian):
    diverse = list(DiverseBeam(model=marian, longest=6, diversity=50.0, group_width=1).generate(SOURCES, 4))
    assert all(len({one.text.split()[0] for one in own}) == 4 for own in diverse)


@pytest.mark.parametrize("diversity", [0.0, 0.1])
@pytest.mark.parametrize("group_width", [1, 2])
def test_groups_that_come_to_the_same_text_are_filled_up(marian, diversity, group_width):
    method = DiverseBeam(model=marian, longest=6, diversity=diversity, group_width=group_width)
    found = list(method.generate(SOURCES, 6))
    assert [len({one.text for one in own}) for own in found] == [6, 6]
    assert any(one.provenance.get("refill") == "beam" for own in found for one in own)
    (alone,) = method.generate(SOURCES[1:], 6)
    assert [one.text for one in alone] == [one.text for one in found[1]]


def test_the_texts_of_groups_that_differ_are_not_touched(marian):
    method = DiverseBeam(model=marian, longest=6, diversity=50.0, group_width=1)
    assert not any("refill" in one.provenance for own in method.generate(SOURCES, 4) for one in own)


def test_constraints_are_in_every_candidate(marian):
    method = Constrained(model=marian, longest=12, require="zu; q", avoid="a;e", width=4)
    for own in method.generate(SOURCES, 3):
        assert own
        for one in own:
            letters = one.text.split()
            assert any(pair == ("z", "##u") for pair in pairwise(letters))
            assert "q" in letters
            assert not {"a", "e", "A", "E"} & set(letters)


def test_the_words_of_the_source_can_be_avoided(marian):
    assert content_words("The old Bob saw 3 Big dogs in Paris.") == ["old", "saw", "dogs"]
    method = Constrained(model=marian, longest=8, avoid_source=True)
    assert method.variants(["ox"])[0] == tuple(load_generator(marian).words.phrase("ox"))
    assert all(own for own in method.generate(["bxz qw"], 2))
    with pytest.raises(InputError, match="needs a constraint"):
        list(Constrained(model=marian).generate(["a"], 1))


def test_a_constraint_that_cannot_fit_is_refused_before_decoding(marian):
    with pytest.raises(InputError, match="20 tokens, and a text may have 6"):
        list(Constrained(model=marian, longest=6, require="abcdefghij;klmnopqrst").generate(["a"], 1))


@pytest.mark.parametrize(
    ("constraints", "said"),
    [
        ({"require": "so; the ☃"}, "contain 'the ☃', which is required: the model does not know '☃'"),
        ({"require": "</s>"}, "contain '</s>', which is required: the model never writes one of its tokens"),
        ({"require": "cat", "avoid": "dog;cat"}, "contain 'cat', which is required, and avoid 'cat'"),
        ({"require": "new york", "avoid": "york"}, "contain 'new york', which is required, and avoid 'york'"),
    ],
)
def test_what_no_text_can_meet_is_refused_before_decoding(marian, constraints, said, monkeypatch):
    monkeypatch.setattr(Constrained, "search", None)
    with pytest.raises(InputError, match=f"no candidate can {said}"):
        list(Constrained(model=marian, longest=12, **constraints).generate(["a"], 1))


def test_a_word_of_the_source_that_is_required_is_not_avoided(marian):
    method = Constrained(model=marian, longest=12, require="qw", avoid="zu;☃", avoid_source=True, width=4)
    (found,) = method.generate(["bxz qw"], 2)
    assert found
    for one in found:
        assert "q ##w" in one.text
        assert "z ##u" not in one.text
        assert "b ##x ##z" not in one.text


def test_required_phrases_keep_their_case(uncased):
    for method in (
        Constrained(model=uncased, longest=16, require="New York; iPhone", width=4),
        Constrained(model=uncased, longest=16, require="iPhone;New York", width=4),
    ):
        (found,) = method.generate(["hello there"], 2)
        assert found
        assert all("New York" in one.text and "iPhone" in one.text for one in found)


@pytest.mark.parametrize("source", ["Почему небо голубое?", "☃", "a Почему небо голубое"])
def test_a_source_that_the_model_cannot_read_has_a_reason(marian, small_models, tmp_path, source):
    encoder = str(small_models.make_encoder(tmp_path / "encoder"))
    for method in (
        Beam(model=marian, longest=6),
        Sampled(model=marian, longest=6),
        DiverseBeam(model=marian, longest=6),
        Constrained(model=marian, longest=6, require="a"),
        Reranked(model=marian, longest=6, encoder=encoder),
    ):
        one, two, three = method.generate(["hello there", source, "what ☃ is it"], 1)
        assert one
        assert (two, two.reason) == ([], "most words of the source are unknown to the model")
        assert three
        (alone,) = method.generate(["hello there"], 1)
        assert alone[0].text == one[0].text


def test_a_round_trip_is_both_beams_without_doubles(marian, back):
    method = RoundTrip(there=marian, back=back, longest=5)
    (found,) = method.generate(["hello there"], 3)
    there, home = load_generator(marian), load_generator(back)
    pivots = {
        there.words.text(one.tokens): one.score
        for one in there.beam(there.words.sources(["hello there"]), width=4, n=3, longest=5, penalty=1.0)[0]
    }
    every = {}
    for pivot, first in pivots.items():
        for one in home.beam(home.words.sources([pivot]), width=4, n=3, longest=5, penalty=1.0)[0]:
            text = home.words.text(one.tokens)
            every[text] = max(every.get(text, -np.inf), first + one.score)
    expected = sorted(every, key=lambda text: -every[text])[:3]
    assert [one.text for one in found] == expected
    assert all(one.provenance["pivot"] in pivots for one in found)
    np.testing.assert_allclose([one.score for one in found], [every[text] for text in expected], atol=1e-4)


def test_a_round_trip_is_made_sentence_by_sentence(marian, back):
    method = RoundTrip(there=marian, back=back, longest=5)
    source = "Hello there. Hello you."
    (found,) = method.generate([source], 2)
    one, other = method.generate(["Hello there.", "Hello you."], 2)
    assert [own.text for own in found] == [
        " ".join([first.text, second.text]) for first, second in zip(one, other, strict=True)
    ]
    (together,) = RoundTrip(there=marian, back=back, longest=5, split=False).generate([source], 2)
    assert all("parts" not in own.provenance for own in together)


@pytest.mark.skipif(
    importlib.util.find_spec("torch") is None or importlib.util.find_spec("transformers") is None,
    reason="needs torch and transformers",
)
def test_torch_gives_the_same_paraphrases(marian, back):
    for method in (
        RoundTrip(there=marian, back=back, longest=5),
        Beam(model=marian, longest=6),
        Sampled(model=marian, longest=6),
        Constrained(model=marian, longest=8, require="zu"),
    ):
        ours, theirs = (
            [[one.text for one in own] for own in replace(method, backend=backend).generate(SOURCES, 3)]
            for backend in ("ctranslate2", "torch")
        )
        assert ours == theirs


def test_a_beam_is_reranked_by_meaning_without_copies(marian, small_models, tmp_path, monkeypatch):
    encoder = str(small_models.make_encoder(tmp_path / "encoder"))
    method = Reranked(model=marian, longest=6, encoder=encoder, width=6)
    (found,) = method.generate(["hello there"], 3)
    scores = [one.score for one in found]
    assert len(found) == 3
    assert scores == sorted(scores, reverse=True)
    (beam,) = Beam(model=marian, longest=6, width=6).generate(["hello there"], 6)
    assert {one.text for one in found} <= {one.text for one in beam}
    assert all(one.provenance["beam_score"] in {other.score for other in beam} for one in found)
    lost, kept = Candidate("is Bonn there?", -1.0), Candidate("In Bonn are 5, it says?", -2.0)
    ranked = method._ranked("Is 5 in Bonn?", [lost, kept])
    assert [one.text for one in ranked] == [kept.text, lost.text]
    assert ranked[1].provenance["lost"] == ["number"]
    assert "lost" not in ranked[0].provenance
    near, broken = Candidate("The laptop costs $1,299.50 now.", -2.0), Candidate("The laptop is at $ 1,30,50.", 0.0)
    ranked = method._ranked("The laptop costs $1,299.50.", [broken, near])  # one is near a copy, the other is worse
    assert [one.text for one in ranked] == [near.text, broken.text]
    assert ranked[0].score < ranked[1].score
    monkeypatch.setattr(Reranked, "decode", lambda *arguments: [[Candidate("Hello THERE!")] for _ in arguments[1]])
    (copies,) = method.generate(["hello there"], 3)
    assert copies.reason == "every sequence of the beam is a copy of the source"
