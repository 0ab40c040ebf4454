"""Parsers by name: texts to trees, from spaCy, from Link Grammar, or from another package."""

from __future__ import annotations

import functools
import re
import shutil
import subprocess
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Protocol

from paragauge.errors import InputError, ModelError
from paragauge.models.batching import in_order
from paragauge.process.extras import require
from paragauge.process.limits import threads
from paragauge.registry import Registry

from .trees import Tree, bottom_up, read_tree

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


def open_spacy() -> Parser:
    """spaCy with the small English pipeline, downloaded if need be."""
    from paragauge.models.hub.fetch import ensure
    from paragauge.models.hub.registry import entry_named

    spacy = require("spacy", "spacy", "the parser 'spacy' needs spaCy")
    folder = ensure(entry_named(SPACY_MODEL))
    pipeline = spacy.load(folder, exclude=["ner", "lemmatizer", "senter"])
    return SpacyParser(pipeline, f"spacy-{spacy.__version__}-{SPACY_MODEL}-{pipeline.meta['version']}-dependencies")


def open_link_grammar() -> Parser:
    """The program of this machine."""
    program = shutil.which("link-parser")
    if program is None:
        raise ModelError("the parser 'link-grammar' needs the program link-parser; `apt-get install link-grammar`")
    said = subprocess.run([program, "--version"], capture_output=True, text=True)
    version = re.search(r"link-grammar-([\d.]+)", said.stdout + said.stderr)
    return LinkGrammarParser(program, f"link-grammar-{version[1] if version else 'unknown'}-constituents")


class Opener(Protocol):
    """What gives a parser: a function, or a class."""

    def __call__(self) -> Parser: ...


PARSERS = Registry[Opener](Callable, "parser", group="paragauge.parsers")  # type: ignore[arg-type]
parser_names = PARSERS.names


@functools.cache
def load_parser(name: str) -> Parser:
    """The parser of this name, loaded once per process."""
    made = PARSERS.load(name)()
    if not (hasattr(made, "signature") and hasattr(made, "parse")):
        raise InputError(
            f"the plug-in '{name}' ({PARSERS.plugins[name].value}) is not a parser: it lacks signature or parse"
        )
    return made
