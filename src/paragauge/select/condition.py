"""Conditions on numbers, as in `meaning >= 0.8 and changed >= 0.35`: a small grammar, and no code is ever run."""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from ..errors import InputError

_TOKEN = re.compile(
    r"\s*(?:(?P<number>[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?(?![\w.]))|(?P<sign>>=|<=|==|!=|>|<|\(|\))"
    r"|`(?P<quoted>[^`]+)`|(?P<name>[^\W\d][\w.+-]*))"
)
_SIGNS: Mapping[str, Callable[[float, float], bool]] = {
    ">=": operator.ge, "<=": operator.le, ">": operator.gt, "<": operator.lt, "==": operator.eq, "!=": operator.ne,
}  # fmt: skip
_EXPECTED = "expected comparisons such as meaning >= 0.8, joined by and, or, not and brackets"
_DEEPEST = 50  # brackets within brackets
Truth = bool | None  # None where a number is undefined


class _Token(NamedTuple):
    kind: str  # number, sign, name or word
    text: str
    place: int  # where it begins


class _Node(NamedTuple):
    """A part of a condition: what it is called, and what it says of some numbers."""

    text: str
    names: tuple[str, ...]
    test: Callable[[Mapping[str, float]], Truth]


@dataclass(frozen=True)
class Condition:
    """A condition, cut at its outermost `and`s, so that it can say which part of it failed.

    >>> parse_condition("meaning >= 0.8 and changed > 0.3").failed({"meaning": 0.9, "changed": 0.1})
    'changed > 0.3'
    """

    text: str
    parts: tuple[_Node, ...]

    @property
    def names(self) -> list[str]:
        """The columns that it reads, in their order."""
        return list(dict.fromkeys(name for part in self.parts for name in part.names))

    def failed(self, values: Mapping[str, float]) -> str | None:
        """The first part that does not hold, or None where all do; a part of which a number is NaN does not hold."""
        for part in self.parts:
            truth = part.test(values)
            if truth is None:
                lacking = [name for name in part.names if math.isnan(values[name])]
                return f"{part.text} (undefined: {', '.join(lacking)})"
            if not truth:
                return part.text
        return None

    def __reduce__(self) -> tuple[object, ...]:
        return parse_condition, (self.text,)  # its functions cannot be pickled


def parse_condition(text: str) -> Condition:
    """A condition as it is written; a name with other characters than letters, digits, . + - _ stands in backquotes."""
    return Condition(text, _Parser(text).whole())


class _Parser:
    def __init__(self, text: str) -> None:
        self._text = text
        self._tokens = list(_tokens(text))
        self._place = 0
        self._depth = 0

    def whole(self) -> tuple[_Node, ...]:
        groups = self._groups()
        if self._place < len(self._tokens):
            raise self._wrong()
        return tuple(groups[0]) if len(groups) == 1 else (_any_of(groups),)

    def _groups(self) -> list[list[_Node]]:
        """What `or` joins, each as what `and` joins."""
        found = [[self._one()]]
        while True:
            if self._next("and"):
                found[-1].append(self._one())
            elif self._next("or"):
                found.append([self._one()])
            else:
                return found

    def _one(self) -> _Node:
        self._depth += 1
        if self._depth > _DEEPEST:
            raise InputError(f"the condition has more than {_DEEPEST} brackets and nots within each other")
        try:
            if self._next("not"):
                return _not(self._one())
            if self._next("("):
                inner = _any_of(self._groups())
                if not self._next(")"):
                    raise self._wrong()
                return inner._replace(text=f"({inner.text})")
            return self._comparison()
        finally:
            self._depth -= 1

    def _comparison(self) -> _Node:
        operands, signs = [self._operand()], []
        while (token := self._peek()) is not None and token.text in _SIGNS and token.kind == "sign":
            self._place += 1
            signs.append(token.text)
            operands.append(self._operand())
        if not signs:
            raise self._wrong()
        tail = (f"{sign} {one.text}" for sign, one in zip(signs, operands[1:], strict=True))
        written = " ".join([operands[0].text, *tail])
        names = tuple(dict.fromkeys(one.text for one in operands if one.kind == "name"))

        def test(values: Mapping[str, float]) -> Truth:
            numbers = [values[one.text] if one.kind == "name" else float(one.text) for one in operands]
            if any(map(math.isnan, numbers)):
                return None
            return all(_SIGNS[sign](*pair) for sign, pair in zip(signs, pairwise(numbers), strict=True))

        return _Node(written, names, test)

    def _operand(self) -> _Token:
        token = self._peek()
        if token is None or token.kind not in ("number", "name"):
            raise self._wrong()
        self._place += 1
        return token

    def _peek(self) -> _Token | None:
        return self._tokens[self._place] if self._place < len(self._tokens) else None

    def _next(self, text: str) -> bool:
        token = self._peek()
        if token is not None and token.text == text and token.kind in ("word", "sign"):
            self._place += 1
            return True
        return False

    def _wrong(self) -> InputError:
        token = self._peek()
        found = "ends too early" if token is None else f"has {token.text!r} at character {token.place + 1}"
        return InputError(f"the condition {self._text!r:.80} {found}; {_EXPECTED}")


def _tokens(text: str) -> list[_Token]:
    found, place = [], 0
    while text[place:].strip():
        token = _TOKEN.match(text, place)
        if token is None:
            place += len(text[place:]) - len(text[place:].lstrip())
            raise InputError(f"the condition {text!r:.80} has {text[place]!r} at character {place + 1}; {_EXPECTED}")
        kind = token.lastgroup or ""
        word = token[kind]
        if kind == "name" and word in ("and", "or", "not"):
            kind = "word"
        found.append(_Token("name" if kind == "quoted" else kind, word, token.start(token.lastgroup or 0)))
        place = token.end()
    return found


def _any_of(groups: list[list[_Node]]) -> _Node:
    return _combined([_combined(group, "and", False) for group in groups], "or", True)


def _combined(parts: list[_Node], word: str, decisive: bool) -> _Node:
    """Parts joined by a word, of which one that is False (and) or True (or) decides; else an undefined one does."""
    if len(parts) == 1:
        return parts[0]

    def test(values: Mapping[str, float]) -> Truth:
        truths = [part.test(values) for part in parts]
        return decisive if decisive in truths else None if None in truths else not decisive

    names = tuple(dict.fromkeys(name for part in parts for name in part.names))
    return _Node(f" {word} ".join(part.text for part in parts), names, test)


def _not(part: _Node) -> _Node:
    def test(values: Mapping[str, float]) -> Truth:
        truth = part.test(values)
        return None if truth is None else not truth

    return _Node(f"not {part.text}", part.names, test)
