"""Texts to trees: by parsers by name (spaCy, Link Grammar, another package), or from files of parses."""

from __future__ import annotations

import functools
import hashlib
import json
import re
import shutil
import subprocess
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
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


class ParsedTexts:
    """Parses by text; a text counts as the same whatever its white space."""

    def __init__(self, parses: dict[str, str], signature: str) -> None:
        self.parses = parses
        self.signature = signature

    def parse(self, texts: Sequence[str]) -> Iterator[Tree | None]:
        return (read_tree(self.parses.get(_key(text), "")) for text in texts)


def open_parses(parses: str, texts: str | None = None) -> ParsedTexts:
    """Lines of parses aligned with the lines of `texts`; or, alone, lines of text, tab, parse or JSON objects of both.

    A line with `(())` or nothing where the parse should be is a text without a parse. A file is read once, and again
    when it has changed.
    """
    return _open(parses, texts, _stamp(parses), _stamp(texts) if texts is not None else None)


def _stamp(path: str) -> tuple[int, int] | None:
    try:
        state = Path(path).expanduser().stat()
    except OSError:
        return None  # reading it will say why
    return state.st_mtime_ns, state.st_size


@functools.lru_cache(maxsize=4)
def _open(parses: str, texts: str | None, *_: object) -> ParsedTexts:
    content = _read(parses)
    name = Path(parses).name
    if texts is not None:
        content += "\0" + (other := _read(texts))
        lines, own = _lines(content.partition("\0")[0]), _lines(other)
        if len(lines) != len(own):
            raise InputError(f"{parses} has {len(lines):,} lines but {texts} has {len(own):,}; every text needs a line")
        pairs: Iterable[tuple[str, str]] = zip(own, lines, strict=True)
    elif name.endswith((".jsonl", ".ndjson")):
        pairs = (_object(parses, number, line) for number, line in enumerate(_lines(content), 1))
    else:
        pairs = (_columns(parses, number, line) for number, line in enumerate(_lines(content), 1))
    found: dict[str, str] = {}
    for number, (text, parse) in enumerate(pairs, 1):
        key = _key(text)
        try:
            read_tree(parse)
        except InputError as error:
            raise InputError(f"{parses}, line {number}: {error}") from None
        if key and found.setdefault(key, parse.strip()) != parse.strip():
            raise InputError(f"{parses}, line {number}: {text!r:.60} has another parse than before")
    return ParsedTexts(found, f"parses-{hashlib.sha256(content.encode()).hexdigest()[:12]}")


def _key(text: str) -> str:
    return " ".join(text.split())


def _read(path: str) -> str:
    try:
        return Path(path).expanduser().read_text(encoding="utf-8-sig")
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise InputError(f"{path} is not UTF-8 text (byte {error.start})") from None


def _lines(content: str) -> list[str]:
    return content.removesuffix("\n").replace("\r\n", "\n").split("\n") if content else []


def _object(path: str, number: int, line: str) -> tuple[str, str]:
    try:
        row = json.loads(line)
        text, parse = row["text"], row["parse"] or ""
        if isinstance(text, str) and isinstance(parse, str):
            return text, parse
    except (ValueError, KeyError, TypeError):
        pass
    raise InputError(f'{path}, line {number}: expected {{"text": …, "parse": …}}, found {line!r:.60}')


def _columns(path: str, number: int, line: str) -> tuple[str, str]:
    text, tab, parse = line.partition("\t")
    if not tab:
        raise InputError(
            f"{path}, line {number}: expected a text, a tab and its parse, found {line!r:.60}; where the texts are in "
            "another file, line by line, name it with texts=FILE"
        )
    return text, parse
