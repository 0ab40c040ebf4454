"""ds-tree: sets of candidates with their parses."""

from __future__ import annotations

import importlib.util

import numpy as np
import pytest

import paragauge as pg
from paragauge.errors import InputError, MissingExtraError

PARSES = {
    "It rains.": "( (S (NP (PRP It)) (VP (VBZ rains)) (. .)) )",
    "It pours.": "( (S (NP (PRP It)) (VP (VBZ pours)) (. .)) )",
    "Rain falls.": "( (S (NP (NN Rain)) (VP (VBZ falls)) (. .)) )",
    "Hm.": "(())",
}


@pytest.fixture
def parses(tmp_path):
    file = tmp_path / "parses.tsv"
    file.write_text("".join(f"{text}\t{parse}\n" for text, parse in PARSES.items()))
    return str(file)


def test_by_hand(parses):
    # Words removed, λ = 1/2. It rains: NP → PRP 1/2, VP → VBZ 1/2, S → NP VP . 1/2 · 3/2 · 3/2 = 9/8: K = 17/8.
    # Rain falls has NP → NN instead; shared: VP 1/2, S with NP cut off 1/2 · 3/2 = 3/4: K = 5/4, over √(17/8 · 17/8).
    metric = pg.metrics.DsTree(parses=parses)
    other = 1 - (5 / 4) / (17 / 8)
    found = metric.score(sources=["a"] * 3, candidates=["It rains.", "It pours.", "Rain falls."])
    assert found == pytest.approx([2 * other / 3] * 3, abs=1e-15)
    assert metric.score(sources=["a"] * 2, candidates=["It rains.", "It pours."]).tolist() == [0, 0]
    # λ = 1: NP 1, VP 1, S 4: K = 6; shared: VP 1, S 2: 3/6
    sharper = pg.metrics.DsTree(parses=parses, decay=1.0)
    assert sharper.score(sources=["a"] * 2, candidates=["It rains.", "Rain falls."]) == pytest.approx(
        [0.5] * 2, abs=1e-15
    )


def test_sets_are_of_one_system_and_source(parses):
    found = pg.metrics.DsTree(parses=parses).score(
        sources=["a", "b", "a", "b"],
        candidates=["It rains.", "It rains.", "Rain falls.", "It pours."],
        systems=["x", "x", "x", "y"],
    )
    assert np.isnan(found).tolist() == [False, True, False, True]


def test_missing_parses(parses):
    scores = pg.score(
        ["a", "a", "a", "b", "b", "c", "c"],
        ["It rains.", "Hm.", "It pours.", "It rains.", "unknown", "", "It rains."],
        metrics=[f"ds-tree:parses={parses}"],
    )
    column = next(iter(scores.columns.values()))
    assert column.scores[:3].tolist() == [0, 0, 0]  # the pair that has both parses
    assert np.isnan(column.scores[3:]).all()
    assert column.reasons[4] == "fewer than two candidates of this system for this source have a parse"
    assert column.reasons[5] == "the candidate is empty"


def test_the_corpus_score_counts_each_set_once(parses):
    samples = pg.Samples.of(["a"] * 3 + ["b"] * 2, ["It rains."] * 3 + ["It rains.", "Rain falls."])
    # sets: 0 and 1 − 10/17 = 7/17
    assert pg.metrics.DsTree(parses=parses).corpus(samples) == pytest.approx(7 / 34, abs=1e-15)


@pytest.mark.parametrize(
    "given, found",
    [
        ({"parses": "p.tsv", "parser": "spacy"}, "found parses and parser"),
        ({"texts": "t.txt", "parser": "spacy"}, "found texts and parser"),
    ],
)
def test_what_to_give(given, found):
    with pytest.raises(InputError, match=rf"ds-tree needs parses: give parses=FILE .* parser=spacy.*; {found}"):
        pg.metrics.DsTree(**given).score(sources=["a"], candidates=["b"])


def test_the_signature_names_the_parses_by_content(parses, tmp_path):
    copy = tmp_path / "copy.tsv"
    copy.write_bytes((tmp_path / "parses.tsv").read_bytes())
    own, same = pg.metrics.DsTree(parses=parses).signature(), pg.metrics.DsTree(parses=str(copy)).signature()
    assert own == same
    assert "|parser:parses-" in own
    copy.write_text("a\t(N a)\n")
    assert pg.metrics.DsTree(parses=str(copy)).signature() != own


SAMPLES = pg.Samples.of(["It rains."] * 2, ["It is raining.", "Rain is falling on us."])
SPACY = importlib.util.find_spec("spacy") is not None


@pytest.mark.skipif(SPACY, reason="spaCy is installed")
def test_without_parses_and_spacy_it_says_what_to_do():
    with pytest.raises(MissingExtraError, match=r'pip install "paragauge\[spacy\]".*or give ds-tree parses=FILE'):
        pg.metrics.DsTree().score(SAMPLES)


@pytest.mark.skipif(not SPACY, reason="needs spaCy")
def test_without_parses_the_default_is_spacy_and_says_so():
    assert (pg.metrics.DsTree().score(SAMPLES) == pg.metrics.DsTree(parser="spacy").score(SAMPLES)).all()
    assert "(default)" in pg.metrics.DsTree().signature()
