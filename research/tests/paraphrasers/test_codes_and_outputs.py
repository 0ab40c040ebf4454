"""Codes and constraints by outputs, with small random models."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pytest

import paragauge as pg
from paragauge.errors import InputError
from paragauge.models.generate.generator import load_generator
from paragauge.paraphrasers import parse
from paragauge.paraphrasers.beam import Beam
from paragauge.paraphrasers.decoding.beam import BeamSettings, beam_search
from paragauge_research.paraphrasers import output_specific
from paragauge_research.paraphrasers._trees import open_tree_vectors
from paragauge_research.paraphrasers.codes import Codes, code_tokens
from paragauge_research.paraphrasers.output_specific import OutputSpecific, unrewarded

COMMON = "the n-grams that the outputs have in common and the source lacks"
SOURCES = ["hello there", "what is it ?"]


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
    assert Codes(model=str(coded_model)).max_candidates == 10
    assert Beam(model=marian).max_candidates is None


def test_codes_are_what_the_method_says(coded_model, marian):
    assert parse(f"semantic:model={coded_model}").codes()
    with pytest.raises(InputError, match="are semantic; expected syntactic"):
        parse(f"syntactic:model={coded_model}").codes()
    with pytest.raises(InputError, match="has no codes"):
        Codes(model=marian).codes()
    with pytest.raises(InputError, match="n=11, and the model has 10 codes"):
        list(Codes(model=str(coded_model)).generate(["hello"], 11))


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


@dataclass(frozen=True, kw_only=True)
class Short(OutputSpecific):
    """The same with a model that reads little."""

    @property
    def limit(self):
        return 25


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


@pytest.mark.parametrize(
    ("outputs", "reason"),
    [
        (["hello there", "there hello"], "the outputs have no n-gram in common that the source lacks"),
        (["hello ☃", "so ☃"], f"the model cannot write {COMMON}"),
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


def test_the_outputs_that_give_constraints_are_not_replaced(tmp_path):
    source = "Dr. Krzysztof Wiśniewski moved to Szczecin."
    table = tmp_path / "outputs.jsonl"
    table.write_text(json.dumps({"source": source, "candidate": "Dr. Krzysztof went to Szczecin."}), "utf-8")
    method = parse(f"output-specific:outputs={table},width=4")
    assert "Szczecin" in method.protected(source).text
    (found,) = method.generate([source], 3)
    assert found
    assert all(one.provenance["constraint"] in one.text for one in found)


@pytest.mark.parametrize("n", [4, 6, 10])
def test_a_condition_asks_for_no_more_candidates_than_the_method_can_give(coded_model, n):
    """Ten codes, of which each gives one candidate; the budget is four times n."""
    method = Codes(model=str(coded_model), longest=6)
    (every,) = pg.paraphrase(["hello"], method, 10)
    (found,) = pg.paraphrase(["hello"], method, n, where=f"score >= {min(one.score for one in every)}")
    assert {one.text for one in found} <= {one.text for one in every}
    (none,) = pg.paraphrase(["hello"], method, n, where="score > 0")
    assert none.reason == "no candidate met the condition"
    with pytest.raises(InputError, match="n=11, and the model has 10 codes"):
        pg.paraphrase(["hello"], method, 11, where="score > 0")
