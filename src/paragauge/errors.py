"""What can be wrong with a request: errors that say it in one sentence, and the nearest known name."""

from collections.abc import Iterable
from difflib import get_close_matches

from .visible import visible


class ParagaugeError(Exception):
    """Anything paragauge refuses, in one sentence fit to be shown to a person."""

    def __str__(self) -> str:
        return visible(super().__str__())  # it may quote a file, and Python shows an error as it is


class InputError(ParagaugeError, ValueError):
    """The data, a metric name or a parameter is not usable."""


class ExistingFileError(InputError):
    """An output file exists, and was not to be replaced."""

    def __init__(self, path: str) -> None:
        super().__init__(f"{path} exists and would be lost; overwrite=True replaces it")


class ModelError(ParagaugeError, RuntimeError):
    """A model cannot be had, or is not the one it claims to be."""


class MissingExtraError(ParagaugeError, ImportError):
    """An optional part is not installed; the message names the `pip install` line."""


def check_choice(argument: str, value: str, known: Iterable[str]) -> None:
    """Refuse a value that is none of the known ones."""
    if value not in (names := list(known)):
        raise InputError(f"{argument}={value!r} is unknown{nearest(value, names)}")


def nearest(word: str, known: Iterable[str]) -> str:
    """`; did you mean 'chrf'? known: bleu, chrf`: the tail of an unknown-name error.

    >>> nearest("chfr", ["bleu", "chrf"])
    "; did you mean 'chrf'? known: bleu, chrf"
    """
    names = sorted(known)
    lowered = {name.lower(): name for name in names}
    close = get_close_matches(word.lower(), lowered, n=1)
    hint = f"; did you mean '{lowered[close[0]]}'?" if close else ";"
    return f"{hint} known: {', '.join(names)}"
