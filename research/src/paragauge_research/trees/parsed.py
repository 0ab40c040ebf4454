"""A file of parses as a parser: what was parsed before, found by the text."""

from __future__ import annotations

import functools
import hashlib
import json
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from paragauge.errors import InputError

from .trees import Tree, read_tree


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
