"""JSON objects as records: one a line (jsonl), or the items of one array (json)."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from ...errors import InputError
from .content import Content
from .records import Record

_SPACE = re.compile(r"[ \t\r\n]*")
_EXAMPLE = '{"source": "…", "candidate": "…"}'


def jsonl_records(content: Content) -> Iterator[Record]:
    """One JSON object per line; blank lines are passed over."""
    decode = _decoder().decode
    for number, line in enumerate(content.lines(), 1):
        if not line.strip():
            continue
        try:
            found = decode(line)
        except json.JSONDecodeError as error:
            raise InputError(
                f"{content.name}: line {number}, column {error.colno}: not valid JSON: {error.msg}"
            ) from error
        except (ValueError, RecursionError) as error:
            raise InputError(f"{content.name}: line {number}: {error}") from error
        if not isinstance(found, dict):
            raise InputError(f"{content.name}: line {number}: is {_kind(found)}; expected an object such as {_EXAMPLE}")
        yield number, tuple(found), list(found.values())


def array_records(content: Content) -> Iterator[Record]:
    """The objects of one JSON array, which is held in memory; a file of one object a line is read as jsonl."""
    text = "".join(content.lines())
    place = _after_space(text, 0)
    if text.startswith("{", place):
        if not _stands_alone(text[place:].partition("\n")[0]):
            raise InputError(f"{content.name}: is one object; expected an array of objects: [{_EXAMPLE}, …]")
        yield from jsonl_records(content)
        return
    if place == len(text):
        return
    if not text.startswith("[", place):
        raise InputError(
            f"{content.name}: begins with {text[place : place + 20]!r}; expected an array: [{_EXAMPLE}, …]"
        )
    decoder = _decoder()
    place = _after_space(text, place + 1)
    row = 0
    while row or not text.startswith("]", place):
        row += 1
        try:
            found, place = decoder.raw_decode(text, place)
            place = _after_space(text, place)
            if not text.startswith((",", "]"), place):
                raise json.JSONDecodeError("Expecting ',' or ']'", text, place)
        except json.JSONDecodeError as error:
            where = f"line {error.lineno}, column {error.colno}"
            raise InputError(f"{content.name}: row {row} ({where}): not valid JSON: {error.msg}") from error
        except (ValueError, RecursionError) as error:
            raise InputError(f"{content.name}: row {row}: {error}") from error
        if not isinstance(found, dict):
            raise InputError(f"{content.name}: row {row}: is {_kind(found)}; expected an object such as {_EXAMPLE}")
        yield row, tuple(found), list(found.values())
        if text.startswith("]", place):
            break
        place = _after_space(text, place + 1)
    end = _after_space(text, place + 1)
    if end < len(text):
        raise InputError(f"{content.name}: extra data after the end of the array: {text[end : end + 20]!r}")


def _decoder() -> json.JSONDecoder:
    return json.JSONDecoder(object_pairs_hook=_without_repeats)


def _after_space(text: str, place: int) -> int:
    found = _SPACE.match(text, place)
    return place if found is None else found.end()


def _stands_alone(line: str) -> bool:
    try:
        json.loads(line)
    except (ValueError, RecursionError) as error:
        return "Extra data" in str(error)  # which jsonl_records tells better
    return True


def _without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"the name {twice!r:.60} stands twice in one object")
    return found


def _kind(value: object) -> str:
    kinds = {list: "a list", str: "a string", bool: "true or false", type(None): "null"}
    return kinds.get(type(value), "a number")
