"""What the library says of arguments, said of the options of the command line."""

from __future__ import annotations

import re
import shlex
import sys
from collections.abc import Mapping
from typing import Any

from ...errors import Hint, ParagaugeError
from ...printable import say

# the options whose name is not that of the argument
OPTIONS = {
    "columns": "--column",
    "extras": "--extra",
    "folder": "--data",
    "format": "--input-format",
    "header": "--columns",
    "metrics": "-m",
    "pairs": "--pair",
    "scores": "--score",
}
SETTINGS = ("encoder", "lang", "layer", "normalize", "precision")  # parameters of metrics: --set NAME=VALUE


def as_options(text: str) -> str:
    """A note or a hint as the command line says it."""
    return text.written(option) if isinstance(text, Hint) else text


def note(text: str) -> None:
    """Tell the user what the library found worth knowing, after what was printed before."""
    sys.stdout.flush()
    say(f"note: {as_options(text)}")


def sentence(error: ParagaugeError) -> str:
    """What is wrong, and which option would mend it."""
    return f"{error.message}; {as_options(error.hint)}" if error.hint else error.message


def option(name: str, value: Any = None) -> str:
    """`--column source=question` for the argument columns={"source": "question"}."""
    if name in SETTINGS:
        return f"--set {name}={'…' if value is None else _quoted(str(value))}"
    named = OPTIONS.get(name, f"--{name.replace('_', '-')}")
    if value is None or value is True:
        return named
    if isinstance(value, Mapping):
        return " ".join(f"{named} {_quoted(f'{key}={item}')}" for key, item in value.items())
    return f"{named} {_quoted(','.join(value) if isinstance(value, (list, tuple)) else str(value))}"


def _quoted(word: str) -> str:
    """As a shell takes it for one word; letters of any language and the … of an example need no quotes."""
    return word if re.fullmatch(r"[\w@%+=:,./…-]+", word) else shlex.quote(word)
