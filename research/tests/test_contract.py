"""The contract, as another package runs it, on the metrics and paraphrasers that this one adds."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence
from importlib.metadata import EntryPoint

import pytest

from paragauge import metrics
from paragauge.paraphraser import Paraphraser
from paragauge.testing import check_metric
from paragauge.testing.paraphrasers import SOURCES, check_paraphraser
from paragauge_research.metrics.ds_tree import DsTree
from paragauge_research.metrics.meteor15 import Meteor15
from paragauge_research.paraphrasers.codes import Codes
from paragauge_research.paraphrasers.output_specific import OutputSpecific
from paragauge_research.trees.parsers import PARSERS
from paragauge_research.trees.trees import Tree


class Halving:
    """Splits a text in two until each part is a word, and labels the parts by their lengths."""

    signature = "halving"

    def parse(self, texts: Sequence[str]) -> Iterator[Tree | None]:
        return map(self.halve, map(str.split, texts))

    def halve(self, words: list[str]) -> Tree | None:
        if len(words) < 2:
            return Tree("S", (Tree(f"W{len(words[0])}", (words[0],)),)) if words else None
        middle = len(words) // 2
        return Tree(f"P{len(words)}", (self.halve(words[:middle]), self.halve(words[middle:])))


@pytest.fixture(scope="session")
def parser() -> Iterator[str]:
    """The name of a parser that is there while the tests run."""
    PARSERS.plugins["halving"] = EntryPoint("halving", f"{__name__}:Halving", "paragauge.parsers")
    yield "halving"
    del PARSERS.plugins["halving"]


def test_ds_tree(parser):
    check_metric(DsTree(parser=parser), {"parser": [None], "parses": ["parses.tsv"], "texts": ["texts.txt"]})


@pytest.mark.thorough
@pytest.mark.usefixtures("meteor_jar")
@pytest.mark.parametrize("free", [False, True])
def test_meteor(free):
    check_metric(Meteor15(free=free))


def test_a_typed_free_is_the_free_parameter():
    assert metrics.parse("meteor15.free") == dataclasses.replace(Meteor15(), free=True)


@pytest.fixture
def marian(small_models, tmp_path) -> str:
    return str(small_models.make_seq2seq(tmp_path / "marian", "marian", seed=1, max_position_embeddings=120))


def test_codes(coded_model, monkeypatch):
    monkeypatch.setenv("PARAGAUGE_OFFLINE", "1")
    check_paraphraser(Codes(model=str(coded_model), longest=6))


def test_output_specific(marian, tmp_path, monkeypatch):
    monkeypatch.setenv("PARAGAUGE_OFFLINE", "1")
    table = tmp_path / "outputs.csv"
    rows = [f'"{source}","zu {source} na"' for source in SOURCES[:4]]
    table.write_text("\n".join(["source,candidate", *rows, ""]))
    method: Paraphraser = OutputSpecific(model=marian, outputs=str(table), order=1, width=2, longest=6)
    check_paraphraser(method)
