"""JSON objects as records: one a line (jsonl), or the items of one array (json)."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from ..errors import InputError
from .content import LONGEST, Content
from .csv import Record

_SPACE = re.compile(r"[ \t\r\n]*")
_WORD = 16  # the longest token but a text, -Infinity or the escape of a surrogate pair, is shorter
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
    """The objects of one JSON array, read piece by piece; a file of one object a line is read as jsonl."""
    array = _Array(content)
    first = array.mark()
    if first == "{":
        if not _stands_alone(next(line for line in content.lines() if line.strip())):
            raise InputError(f"{content.name}: is one object; expected an array of objects: [{_EXAMPLE}, …]")
        yield from jsonl_records(content)
        return
    if not first:
        return
    if first != "[":
        raise InputError(f"{content.name}: begins with {array.ahead()!r}; expected an array: [{_EXAMPLE}, …]")
    array.place += 1
    row = 0
    while row or array.mark() != "]":
        row += 1
        found = array.item(row)
        if not isinstance(found, dict):
            raise InputError(f"{content.name}: row {row}: is {_kind(found)}; expected an object such as {_EXAMPLE}")
        yield row, tuple(found), list(found.values())
        if array.mark() == "]":
            break
        array.place += 1
    array.place += 1
    if array.mark():
        raise InputError(f"{content.name}: extra data after the end of the array: {array.ahead()!r}")


class _Array:
    """The text of an array, of which one item and what was read with it are in memory."""

    def __init__(self, content: Content) -> None:
        self.place = 0  # up to which it was read
        self._content = content
        self._blocks = content.blocks()
        self._text = ""
        self._lines = self._columns = 0  # before the text: whole lines, and the characters of the last one
        self._decode = _decoder().raw_decode

    def mark(self) -> str:
        """The next character that is not a space; empty at the end."""
        while (place := _after_space(self._text, self.place)) == len(self._text):
            self.place = place
            if not self._grow():
                return ""
        self.place = place
        return self._text[place]

    def ahead(self) -> str:
        return self._text[self.place : self.place + 20]

    def item(self, row: int) -> Any:
        """The value that comes next; behind it stands a comma or the end of the array."""
        self.mark()
        while True:
            try:
                found, end = self._decode(self._text, self.place)
                end = _after_space(self._text, end)
                if not self._text.startswith((",", "]"), end):
                    raise json.JSONDecodeError("Expecting ',' or ']'", self._text, end)
            except json.JSONDecodeError as error:
                # where the text read so far breaks off, more of it may mend it: a text or a word cut in two
                cut = error.msg.startswith("Unterminated string") or error.pos > len(self._text) - _WORD
                if cut and len(self._text) - self.place > LONGEST:
                    raise self._content.too_long(f"row {row}") from error
                if cut and self._grow():
                    continue
                column = error.colno + (self._columns if error.lineno == 1 else 0)
                where = f"line {self._lines + error.lineno}, column {column}"
                raise InputError(f"{self._content.name}: row {row} ({where}): not valid JSON: {error.msg}") from error
            except (ValueError, RecursionError) as error:
                raise InputError(f"{self._content.name}: row {row}: {error}") from error
            self.place = end
            return found

    def _grow(self) -> bool:
        """Read on, at least as much as is there, and let go of what comes before the place; False at the end."""
        passed, rest = self._text[: self.place], self._text[self.place :]
        size, pieces = 0, []
        for block in self._blocks:
            pieces.append(block)
            if (size := size + len(block)) >= len(rest):
                break
        if not pieces:
            return False
        lines = passed.count("\n")
        self._columns = len(passed) - passed.rindex("\n") - 1 if lines else self._columns + len(passed)
        self._lines += lines
        self._text, self.place = "".join([rest, *pieces]), 0
        return True


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
