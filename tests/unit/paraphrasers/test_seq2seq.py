"""Decodings of small random models: what each promises."""

from __future__ import annotations

import importlib.util
import json
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from paragauge.errors import InputError
from paragauge.models.generation.load import load_generator
from paragauge.paraphraser import Candidate
from paragauge.paraphrasers import parse
from paragauge.paraphrasers.beam import Beam
from paragauge.paraphrasers.constrained import Constrained, content_words
from paragauge.paraphrasers.decoding.beam import BeamSettings, beam_search
from paragauge.paraphrasers.diverse_beam import DiverseBeam
from paragauge.paraphrasers.reranked import Reranked
from paragauge.paraphrasers.round_trip import RoundTrip
from paragauge.paraphrasers.sampled import Sampled
from paragauge_research.paraphrasers import output_specific
from paragauge_research.paraphrasers._codes import code_tokens
from paragauge_research.paraphrasers._trees import open_tree_vectors
from paragauge_research.paraphrasers.codes import Codes
from paragauge_research.paraphrasers.output_specific import OutputSpecific, unrewarded

COMMON = "the n-grams that the outputs have in common and the source lacks"
SOURCES = ["hello there", "what is it ?"]


@pytest.fixture(scope="module")
def marian(small_models, tmp_path_factory):
    return str(small_models.make_seq2seq(tmp_path_factory.mktemp("marian") / "there", "marian", seed=1))


@pytest.fixture(scope="module")
def back(small_models, tmp_path_factory):
    return str(small_models.make_seq2seq(tmp_path_factory.mktemp("marian") / "back", "marian", seed=2))


@pytest.fixture(scope="module")
def uncased(small_models, tmp_path_factory):
    """A model whose texts get their case from their sources, and whose pieces are put together again."""
    folder = tmp_path_factory.mktemp("uncased") / "marian"
    small_models.make_seq2seq(folder, "marian", seed=1, paragauge_case="source")
    tokenizer = json.loads((folder / "tokenizer.json").read_text())
    tokenizer["decoder"] = {"type": "WordPiece", "prefix": "##", "cleanup": False}
    tokenizer["normalizer"] = {"type": "Lowercase"}
    (folder / "tokenizer.json").write_text(json.dumps(tokenizer))
    return str(folder)


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


def test_each_code_gives_one_candidate(coded_model):
    (found,) = Codes(model=str(coded_model), longest=6).generate(["hello"], 5)
    codes = [one.provenance["code"] for one in found]
    assert len(set(codes)) == len(found)
    probabilities = [one.provenance["code_log_probability"] for one in found]
    assert probabilities == sorted(probabilities, reverse=True)
    assert not any(one.text.startswith("<cl_") for one in found)
    drawn = [
        [one.provenance["code"] for one in own]
        for own in Codes(model=str(coded_model), longest=6, choice="random").generate(["hello", "you", "we"], 4)
    ]
    assert len({tuple(own) for own in drawn}) > 1


def test_codes_lead_to_what_a_search_behind_each_finds(coded_model):
    model = load_generator(str(coded_model))
    tokens = code_tokens(model)
    (found,) = Codes(model=str(coded_model), longest=6, width=4).decode(["hello"], 4)
    settings = BeamSettings(width=4, n=1, longest=6)
    assert len(found) == 4
    for one in found:
        prefixes = [[tokens[one.provenance["code"]]]]
        ((best,),) = beam_search(model, model.words.sources(["hello"]), settings, prefixes=prefixes)
        assert one.text == model.words.text(best.tokens[1:])


def test_no_more_candidates_than_codes_can_be_asked_for(coded_model, marian):
    assert Codes(model=str(coded_model)).supply == 10
    assert Beam(model=marian).supply is None


def test_codes_are_what_the_method_says(coded_model, marian):
    assert parse(f"semantic:model={coded_model}").codes()
    with pytest.raises(InputError, match="are semantic; expected syntactic"):
        parse(f"syntactic:model={coded_model}").codes()
    with pytest.raises(InputError, match="has no codes"):
        Codes(model=marian).codes()
    with pytest.raises(InputError, match="n=11, and the model has 10 codes"):
        list(Codes(model=str(coded_model)).generate(["hello"], 11))


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


def test_outputs_give_constraints(marian, tmp_path):
    assert unrewarded("a b c", ["a x y c", "a x y", "b x y"], 0.75, 3) == ["x y"]
    assert unrewarded("a b c", ["a b", "c"], 0.75, 3) == []
    assert unrewarded("a b", ["a b .", "a b ."], 0.75, 3) == ["a b ."]
    table = tmp_path / "outputs.csv"
    table.write_text("source,candidate\nhello there,hello zu\nhello there,a zu\n")
    method = OutputSpecific(model=marian, longest=8, outputs=str(table), order=1)
    one, two = method.generate(["hello there", "other"], 2)
    assert [candidate.provenance["constraint"] for candidate in one] == ["zu"]
    assert "z ##u" in one[0].text
    assert two.reason == "there is no output for the source"
    with pytest.raises(InputError, match="needs outputs=FILE"):
        list(OutputSpecific(model=marian).generate(["a"], 1))


def test_outputs_of_a_source_beyond_the_limit_are_those_of_the_whole(marian, tmp_path):
    """Each n-gram goes to the part that stands where the outputs have it; the part without one stays as it is."""
    first, second = "Hello there you all of you.", "What is it now?"
    source = f"{first} {second}"
    table = tmp_path / "outputs.csv"
    rows = [(f"{first} What zu it now?", "A"), (f"{first} It zu now?", "B"), (source, "C")]
    table.write_text("source,candidate,system\n" + "".join(f"{source},{text},{system}\n" for text, system in rows))
    method = OutputSpecific(model=marian, longest=8, outputs=str(table), order=1, share=0.5)
    assert method.lengths([source])[0] > 25 > max(method.lengths([first, second]))
    short = Short(model=marian, longest=8, outputs=str(table), order=1, share=0.5)
    (found,) = short.generate([source], 2)
    assert [part.get("constraint") for part in found[0].provenance["parts"]] == [None, "zu"]
    assert found[0].text.startswith(first)
    assert "z ##u" in found[0].text
    assert found[0].provenance["parts"][1]["systems"] == ["A", "B"]
    (mixed, other) = short.generate([second, source], 2)
    assert mixed.reason == "there is no output for the source"
    assert other == found


@dataclass(frozen=True, kw_only=True)
class Short(OutputSpecific):
    """The same with a model that reads little."""

    @property
    def limit(self):
        return 25


@pytest.mark.parametrize(
    ("outputs", "reason"),
    [
        (["hello there", "there hello"], "the outputs have no n-gram in common that the source lacks"),
        (
            ["hello ☃", "so ☃"],
            f"the model cannot write {COMMON}",
        ),
        (["abcdefghij"], f"the model cannot write {COMMON}"),
    ],
)
def test_the_reason_for_no_paraphrase_near_the_outputs_is_the_true_one(marian, tmp_path, outputs, reason):
    table = tmp_path / "outputs.csv"
    table.write_text("source,candidate\n" + "".join(f"hello there,{text}\n" for text in outputs) + "☃,so\n")
    method = OutputSpecific(model=marian, longest=6, outputs=str(table), order=1)
    one, two = method.generate(["hello there", "☃"], 2)
    assert (one, one.reason) == ([], reason)
    assert (two, two.reason) == ([], "most words of the source are unknown to the model")


def test_a_search_that_finds_nothing_says_so(marian, tmp_path, monkeypatch):
    table = tmp_path / "outputs.csv"
    table.write_text("source,candidate\nhello there,hello zu\n")
    monkeypatch.setattr(OutputSpecific, "search", lambda _, ids, *__, **___: [[] for _ in ids])
    (found,) = OutputSpecific(model=marian, longest=6, outputs=str(table), order=1).generate(["hello there"], 2)
    assert found.reason == f"the search found no text with one of {COMMON}"


def test_outputs_name_the_systems_that_a_candidate_serves(coded_model, uncased, tmp_path, monkeypatch):
    table = tmp_path / "outputs.csv"
    table.write_text("source,candidate,system\nhello,hello Zu,B\nhello,a Zu,A\nhello,hello,C\n")
    method = OutputSpecific(model=uncased, longest=8, outputs=str(table), order=1, share=0.6)
    (found,) = method.generate(["hello"], 2)
    assert [(one.provenance["constraint"], one.provenance["systems"]) for one in found] == [("Zu", ["A", "B"])]
    assert "Zu" in found[0].text
    monkeypatch.setattr(
        output_specific, "nearest_codes", lambda _, texts: [4 if text == "a Zu" else 3 for text in texts]
    )
    (found,) = replace(method, model=str(coded_model), by="code").generate(["hello"], 2)
    assert found[0].provenance["code"] == 3
    assert found[0].provenance["systems"] == ["B", "C"]


def test_outputs_give_codes(coded_model, encoder, tmp_path):
    texts = [f"sentence number {number}" for number in range(10)]
    vectors = np.stack([one.sentence for one in encoder.encode(texts)])
    np.save(coded_model / "codes.npy", vectors)
    config = json.loads((coded_model / "config.json").read_text()) | {"paragauge_codes_encoder": "default"}
    (coded_model / "config.json").write_text(json.dumps(config))
    load_generator.__globals__["_load"].cache_clear()
    table = tmp_path / "outputs.csv"
    table.write_text("source,candidate\n" + "".join(f"hello,{texts[number]}\n" for number in (4, 7, 7)))
    method = OutputSpecific(model=str(coded_model), longest=6, outputs=str(table), by="code")
    (found,) = method.generate(["hello"], 2)
    assert found[0].provenance["code"] == 7  # two of three outputs have it


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


def test_outputs_give_syntactic_codes(coded_model, tmp_path):
    """With trees from a file, and an untrained encoder of trees: ten shapes, ten clusters."""
    import shutil

    model = Path(shutil.copytree(coded_model, tmp_path / "model"))
    labels = ["", *"ABCDEFGHIJ"]
    parses = tmp_path / "parses.tsv"
    parses.write_text("".join(f"text {label}\t({label} (X text) ({label} {label}))\n" for label in labels[1:]))
    random = np.random.default_rng(0)
    shapes = {
        "labels": (11, 8), "places": (10, 8), "word": (24, 8), "child": (24, 8), "bias": (24,),
        "forget_word": (8, 8), "forget_child": (8, 8), "forget_bias": (8,),
    }  # fmt: skip
    weights = {name: random.normal(size=shape).astype(np.float32) for name, shape in shapes.items()}
    np.savez(model / "trees.npz", names=np.array(labels), pruning=np.array([4, 10]), **weights)
    vectors = open_tree_vectors(model, f",{parses}")([f"text {label}" for label in labels[1:]])
    np.save(model / "codes.npy", vectors)
    config = json.loads((model / "config.json").read_text())
    config |= {"paragauge_codes": "syntactic", "paragauge_codes_parser": f",{parses}"}
    (model / "config.json").write_text(json.dumps(config))
    table = tmp_path / "outputs.csv"
    table.write_text("source,candidate\nhello,text C\nhello,text H\nhello,text H\n")
    method = OutputSpecific(model=str(model), longest=6, outputs=str(table), by="code")
    (found,) = method.generate(["hello"], 2)
    assert found[0].provenance["code"] == 7  # two of three outputs have its shape
