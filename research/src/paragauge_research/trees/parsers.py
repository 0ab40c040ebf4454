"""Parsers by name: texts to trees, from a file of parses, from spaCy, from Link Grammar, or from a plug-in."""

from __future__ import annotations

import functools
import re
import shutil
import subprocess
from collections.abc import Callable, Iterable, Iterator, Sequence
from importlib.metadata import entry_points
from typing import Any, Protocol

from ...errors import InputError, ModelError, nearest
from ...process.cores import threads
from ...process.extras import require
from ...text.trees import Tree, bottom_up, read_tree
from ..batching import in_order

ENTRY_POINTS = "paragauge.parsers"
SPACY_MODEL = "en_core_web_sm"


class Parser(Protocol):
    """Texts to trees; equal signatures mean equal trees."""

    @property
    def signature(self) -> str: ...

    def parse(self, texts: Sequence[str]) -> Iterable[Tree | None]:
        """One tree per text, in order; None where there is none."""
        ...


class SpacyParser:
    """Dependency trees from spaCy, written as phrases: not the constituents that DS-tree was published with.

    A token becomes a node labelled with its dependency relation. Below it stand, in the order of the text, its
    dependents and its own part of speech (universal tag) over the word. Several sentences stand under one `TEXT`.
    """

    def __init__(self, pipeline: Any, signature: str) -> None:
        self.pipeline = pipeline
        self.signature = signature

    def parse(self, texts: Sequence[str]) -> Iterator[Tree | None]:
        # spaCy refuses more than a million characters, so a longer text has no tree
        short = (text if len(text) <= self.pipeline.max_length else "" for text in texts)
        return map(_dependencies, self.pipeline.pipe(short))


def _dependencies(document: Any) -> Tree | None:
    below: dict[int, list[Any]] = {token.i: [] for token in document}
    roots = [token for token in document if token.head.i == token.i]
    for token in document:
        if token.head.i != token.i:
            below[token.head.i].append(token)
    order = list(roots)
    for token in order:  # grows while it is read, so that heads come before their dependents
        order.extend(below[token.i])
    made: dict[int, Tree | None] = {}
    for token in reversed(order):
        parts = [made[child.i] for child in below[token.i] if child.i < token.i]
        parts += [] if token.is_space else [Tree(token.pos_, (token.text,))]
        parts += [made[child.i] for child in below[token.i] if child.i > token.i]
        found = tuple(part for part in parts if part is not None)
        made[token.i] = Tree(token.dep_, found) if found else None
    sentences = tuple(tree for token in roots if (tree := made[token.i]) is not None)
    if len(sentences) < 2:
        return sentences[0] if sentences else None
    return Tree("TEXT", sentences)


class LinkGrammarParser:
    """Constituents from the program `link-parser` (Debian: link-grammar), its first linkage.

    One process per text, about a third of a second each: the program reads its dictionary anew, but a text that it
    refuses (beyond 254 words) or runs out of time for cannot shift the answers of the others. What it writes behind a
    word (`fox.n`) becomes the word's tag.
    """

    def __init__(self, program: str, signature: str, seconds: int = 10) -> None:
        self.program = program
        self.signature = signature
        self.seconds = seconds

    def parse(self, texts: Sequence[str]) -> Iterator[Tree | None]:
        return in_order(
            [texts], lambda batch: list(map(self._parse, batch)), shape=lambda _: (1,), size=1, workers=threads()
        )

    def _parse(self, text: str) -> Tree | None:
        # a line that begins so is a command, a comment or a mark to the program
        line = " ".join(text.replace("\0", " ").split()).lstrip("!%*:# ")
        if not line:
            return None
        command = [self.program, "en", "-constituents=1", "-graphics=0", f"-timeout={self.seconds}"]
        said = subprocess.run(command, input=f"{line}\n", capture_output=True, encoding="utf-8", errors="replace")
        found = re.search(r"^\(.*?(?=\n\n|\Z)", said.stdout, re.MULTILINE | re.DOTALL)
        tree = read_tree(found[0]) if found else None
        return _tagged(tree) if tree is not None else None


def _tagged(tree: Tree) -> Tree:
    """Words with their mark as tag: `fox.n` to (n fox), `the` to (- the)."""
    made: dict[int, Tree] = {}
    for node in bottom_up(tree):
        children = []
        for child in node.children:
            if isinstance(child, Tree):
                children.append(made[id(child)])
                continue
            mark = re.search(r"\.([a-z](?:-[a-z0-9]+)?)$", child)
            children.append(Tree(mark[1], (child[: mark.start()],)) if mark else Tree("-", (child,)))
        made[id(node)] = Tree(node.label, tuple(children))
    return made[id(tree)]


def _spacy() -> Parser:
    from ..hub.fetch import obtain
    from ..hub.registry import entry_named

    spacy = require("spacy", "spacy", "the parser 'spacy' needs spaCy")
    folder = obtain(entry_named(SPACY_MODEL))
    pipeline = spacy.load(folder, exclude=["ner", "lemmatizer", "senter"])
    return SpacyParser(pipeline, f"spacy-{spacy.__version__}-{SPACY_MODEL}-{pipeline.meta['version']}-dependencies")


def _link_grammar() -> Parser:
    program = shutil.which("link-parser")
    if program is None:
        raise ModelError("the parser 'link-grammar' needs the program link-parser; `apt-get install link-grammar`")
    said = subprocess.run([program, "--version"], capture_output=True, text=True)
    version = re.search(r"link-grammar-([\d.]+)", said.stdout + said.stderr)
    return LinkGrammarParser(program, f"link-grammar-{version[1] if version else 'unknown'}-constituents")


PARSERS: dict[str, Callable[[], Parser]] = {"spacy": _spacy, "link-grammar": _link_grammar}


def parser_names() -> list[str]:
    """Parsers that can be named, those of plug-ins (entry point group `paragauge.parsers`) included."""
    return [*PARSERS, *(point.name for point in entry_points(group=ENTRY_POINTS) if point.name not in PARSERS)]


@functools.cache
def load_parser(name: str) -> Parser:
    """The parser of this name, loaded once per process."""
    if name in PARSERS:
        return PARSERS[name]()
    for point in entry_points(group=ENTRY_POINTS):
        if point.name == name:
            made = point.load()()
            if not (hasattr(made, "signature") and hasattr(made, "parse")):
                raise InputError(f"the plug-in '{name}' ({point.value}) is no parser: it lacks signature or parse")
            loaded: Parser = made
            return loaded
    raise InputError(f"no parser named '{name}'{nearest(name, parser_names())}")
