"""What can be wrong with a request: errors that say it in one sentence, what to do, and the nearest known name."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from difflib import get_close_matches
from functools import partial
from operator import index
from typing import Any, SupportsIndex

from .printable import printable


class Hint(str):
    """Advice that names arguments; a caller by other means, such as the command line, writes them its own way.

    In the template `{name}` is an argument with its value, or without one where that is None; `{0}` is any text.

    >>> print(Hint("use {test}", test="bootstrap"))
    use test='bootstrap'
    """

    _parts: tuple[str, tuple[object, ...], dict[str, Any]]

    def __new__(cls, template: str, /, *texts: object, **arguments: Any) -> Hint:
        found = super().__new__(cls, _filled(template, texts, arguments, _argument))
        found._parts = template, texts, arguments
        return found

    def written(self, argument: Callable[[str, Any], str]) -> str:
        """The same with each argument as this function of its name and value writes it."""
        return _filled(*self._parts, argument)

    def __reduce__(self) -> tuple[Any, ...]:
        template, texts, arguments = self._parts
        return partial(Hint, template, *texts, **arguments), ()


def _filled(
    template: str, texts: tuple[object, ...], arguments: dict[str, Any], argument: Callable[[str, Any], str]
) -> str:
    return template.format(*texts, **{name: argument(name, value) for name, value in arguments.items()})


def _argument(name: str, value: object) -> str:
    return name if value is None else f"{name}={value!r}"


class ParagaugeError(Exception):
    """Anything paragauge refuses, in one sentence fit to be shown to a person, and perhaps what to do about it."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message, self.hint = message, hint

    def __str__(self) -> str:
        sentence = f"{self.message}; {self.hint}" if self.hint else self.message
        return printable(sentence)  # it may quote a file, and Python shows an error as it is


class InputError(ParagaugeError, ValueError):
    """The data, a metric name or a parameter is not usable."""


class ExistingFileError(InputError):
    """An output file exists, and was not to be replaced."""

    def __init__(self, path: str) -> None:
        super().__init__(f"{path} already exists", Hint("{overwrite} replaces it", overwrite=True))


class WriteError(ParagaugeError):
    """A file could not be written: the disk is full, or its folder is gone."""


class EncodingError(InputError):
    """A file is not text in the encoding it is read by."""


class MissingColumnError(InputError):
    """A table lacks a column of numbers."""

    def __init__(self, message: str, column: str = "") -> None:
        super().__init__(message)
        self.column = column


class ModelError(ParagaugeError, RuntimeError):
    """A model is not available, could not be downloaded, or is not the one it claims to be."""


class MissingExtraError(ParagaugeError, ImportError):
    """An optional part is not installed; the message names the `pip install` line."""


def check_choice(argument: str, value: str, known: Iterable[str]) -> None:
    """Refuse a value that is not one of the known ones."""
    if value not in (names := list(known)):
        raise InputError(f"{argument}={value!r} is unknown{nearest(value, names)}")


def check_count(argument: str, value: object, least: int = 1) -> int:
    """A whole number; what is none, as True and False are here, and one that is too small are refused."""
    if isinstance(value, bool) or not isinstance(value, SupportsIndex):
        raise InputError(f"{argument}={value!r:.40}; expected a whole number")
    number = index(value)
    if number < least:
        raise InputError(f"{argument}={number}; expected at least {least}")
    return number


def nearest(word: str, known: Iterable[str]) -> str:
    """`; did you mean 'chrf'? known: bleu, chrf`: the tail of an unknown-name error.

    >>> nearest("chfr", ["bleu", "chrf"])
    "; did you mean 'chrf'? known: bleu, chrf"
    """
    names = sorted(set(known))
    lowered = {name.lower(): name for name in names}
    close = get_close_matches(word.lower(), lowered, n=1)
    hint = f"; did you mean '{lowered[close[0]]}'?" if close else ";"
    return f"{hint} known: {', '.join(names):.2000}"
