"""Parsers by name, each where it is installed, and files of parses."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys

import pytest

from paragauge.errors import InputError, MissingExtraError
from paragauge.models.hub.registry import entry_named
from paragauge.models.hub.verify import present_folder
from paragauge_research.trees.parsers import SPACY_MODEL, load_parser, open_parses, parser_names
from paragauge_research.trees.trees import bottom_up, words, written

FOX = "The quick brown fox jumped over the lazy dog."
ODD = ["", " \n", "!help", "% x", "\0", "a (b) [c] {d}", "👩‍👩‍👧 🎉", "你今年多大年纪了？", "one\ntwo", "word " * 300]


def test_an_unknown_parser():
    with pytest.raises(InputError, match="no parser named 'spaci'; did you mean 'spacy'"):
        load_parser("spaci")


def test_spacy_is_an_extra():
    code = """
import sys
sys.modules["spacy"] = None  # as if it were not installed
from paragauge_research.trees.parsers import load_parser
load_parser("spacy")
"""
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=os.environ)
    assert (
        f"{MissingExtraError.__name__}: the parser 'spacy' needs spaCy: pip install \"paragauge[spacy]\""
        in ended.stderr
    )


def test_a_parser_of_another_package(tmp_path):
    (tmp_path / "flat_parser.py").write_text(
        "from paragauge_research.trees.trees import Tree\n\n"
        "class Flat:\n"
        "    signature = 'flat'\n"
        "    def parse(self, texts):\n"
        "        return [Tree('S', tuple(text.split())) for text in texts]\n"
    )
    record = tmp_path / "flat_parser-1.0.dist-info"
    record.mkdir()
    (record / "METADATA").write_text("Metadata-Version: 2.1\nName: flat-parser\nVersion: 1.0\n")
    (record / "entry_points.txt").write_text("[paragauge.parsers]\nflat = flat_parser:Flat\nwrong = builtins:dict\n")
    code = """
from paragauge import score
from paragauge_research.trees.parsers import load_parser, parser_names
found = score(["x", "x"], ["a b", "a c"], metrics=["ds-tree:parser=flat,words=kept"])
print(parser_names(), found["ds-tree:parser=flat,words=kept"].tolist())
try:
    load_parser("wrong")
except ValueError as error:
    print(error)
"""
    paths = os.pathsep.join([str(tmp_path), *filter(None, sys.path)])
    ended = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env={**os.environ, "PYTHONPATH": paths}
    )
    assert ended.stdout.splitlines() == [
        "['flat', 'link-grammar', 'spacy', 'wrong'] [1.0, 1.0]",
        "the plug-in 'wrong' (builtins:dict) is not a parser: it lacks signature or parse",
    ], ended.stderr


@pytest.fixture(scope="module")
def spacy():
    pytest.importorskip("spacy", reason="needs spaCy")
    if present_folder(entry_named(SPACY_MODEL)) is None:
        pytest.skip(f"needs the model {SPACY_MODEL}: `paragauge models get {SPACY_MODEL}`")
    return load_parser("spacy")


def test_spacy_trees(spacy):
    (tree,) = spacy.parse([FOX])
    assert written(tree) == (
        "(ROOT (nsubj (det (DET The)) (amod (ADJ quick)) (amod (ADJ brown)) (NOUN fox)) (VERB jumped) "
        "(prep (ADP over) (pobj (det (DET the)) (amod (ADJ lazy)) (NOUN dog))) (punct (PUNCT .)))"
    )
    (two,) = spacy.parse(["It rains. It pours."])
    assert two.label == "TEXT"
    assert [sentence.label for sentence in two.children] == ["ROOT", "ROOT"]
    assert spacy.signature.startswith("spacy-3.")
    assert spacy.signature.endswith("-dependencies")


def test_spacy_keeps_every_word(spacy):
    texts = [FOX, *ODD, " a  b ", "x" * 1_000_001]
    trees = list(spacy.parse(texts))
    assert [tree is None for tree in trees] == [not text.strip() or len(text) > 1_000_000 for text in texts]
    for text, tree in zip(texts, trees, strict=True):
        if tree is not None:
            assert "".join(words(tree)) == "".join(text.split())
            assert all(node.children for node in bottom_up(tree))


@pytest.fixture(scope="module")
def link_grammar():
    if shutil.which("link-parser") is None:
        pytest.skip("needs the program link-parser: `apt-get install link-grammar`")
    return load_parser("link-grammar")


def test_link_grammar_trees(link_grammar):
    """As `link-parser en -constituents=1` of version 5.12 prints it, with its marks as tags."""
    (tree,) = link_grammar.parse([FOX])
    assert written(tree) == (
        "(S (NP (- the) (a quick) (a brown) (n fox)) (VP (v-d jumped) "
        "(PP (- over) (NP (- the) (a lazy) (n dog)))) (- .))"
    )


def test_link_grammar_answers_each_text_by_itself(link_grammar):
    trees = list(link_grammar.parse([*ODD, FOX]))
    assert len(trees) == len(ODD) + 1
    found = dict(zip(ODD, trees, strict=False))
    assert found[""] is found[" \n"] is found["\0"] is None
    assert found["word " * 300] is None  # beyond its 254 words
    assert list(words(found["!help"])) == ["help"]  # as a command it would print pages
    assert trees[-1].label == "S"


def test_a_table_of_parses(tmp_path):
    file = tmp_path / "parses.tsv"
    file.write_text("It rains.\t(S (N It) (V rains) (. .))\nIt pours.\t(())\n\t(S x)\n", encoding="utf-8")
    parses = open_parses(str(file))
    found = list(parses.parse([" It  rains.\n", "It pours.", "It snows.", ""]))
    assert written(found[0]) == "(S (N It) (V rains) (. .))"
    assert found[1:] == [None, None, None]
    lines = [{"text": "It rains.", "parse": "(S (N It) (V rains) (. .))"}, {"text": "It pours.", "parse": None}]
    (tmp_path / "parses.jsonl").write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    assert list(open_parses(str(tmp_path / "parses.jsonl")).parse(["It rains.", "It pours."])) == found[:2]


def test_parses_aligned_with_texts(tmp_path):
    (tmp_path / "a.parse").write_text("( (N a) )\r\n(())\r\n")
    (tmp_path / "a.txt").write_text("a\nb\n")
    parses = open_parses(str(tmp_path / "a.parse"), str(tmp_path / "a.txt"))
    assert [tree and written(tree) for tree in parses.parse(["b", "a"])] == [None, "(N a)"]
    (tmp_path / "c.txt").write_text("a\nc\n")
    assert open_parses(str(tmp_path / "a.parse"), str(tmp_path / "c.txt")).signature != parses.signature
    (tmp_path / "b.txt").write_text("a\n")
    with pytest.raises(InputError, match=r"a\.parse has 2 lines but .*b\.txt has 1"):
        open_parses(str(tmp_path / "a.parse"), str(tmp_path / "b.txt"))


@pytest.mark.parametrize(
    "name, content, fault",
    [
        ("x.tsv", "(N a)\n", "line 1: expected a text, a tab and its parse.*texts=FILE"),
        ("x.tsv", "a\t(N a)\nb\t(N b\n", "line 2: not a bracketed parse: a '\\(' that is never closed"),
        ("x.tsv", "a\t(N a)\na\t(V a)\n", "line 2: 'a' has another parse than before"),
        ("x.jsonl", '{"text": 1, "parse": "(N a)"}\n', "line 1: expected"),
        ("x.jsonl", "a\t(N a)\n", "line 1: expected"),
    ],
)
def test_a_file_that_is_none(tmp_path, name, content, fault):
    (tmp_path / name).write_text(content)
    with pytest.raises(InputError, match=fault):
        open_parses(str(tmp_path / name))
    with pytest.raises(InputError, match="cannot be read"):
        open_parses(str(tmp_path / "missing.tsv"))


def test_names():
    assert {"spacy", "link-grammar"} <= set(parser_names())
