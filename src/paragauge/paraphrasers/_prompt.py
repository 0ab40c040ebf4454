"""The message that an instruct model is asked with, and the paraphrase in its answer."""

from __future__ import annotations

import functools
import hashlib
import re
from pathlib import Path

from ..errors import InputError

DEFAULT = Path(__file__).with_name("prompt.txt")
_PLACE = "{source}"
_LABEL = re.compile(
    r"^(?:\d+[.)]\s+|[-*•]\s+|(?:sure[^:]*|here[^:]*|paraphrased?[^:]{0,40}|answer)\s*:\s*)", re.IGNORECASE
)
_QUOTES = ('""', "''", "“”", "‘’", "«»", "``")


@functools.lru_cache(maxsize=16)
def _read(path: Path, stamp: int) -> str:  # noqa: ARG001 - a file that changed is read again
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise InputError(f"the prompt {path} cannot be read: {error.strerror or error}") from None
    except UnicodeDecodeError as error:
        raise InputError(f"the prompt {path} is not UTF-8 text (byte {error.start})") from None
    if text.count(_PLACE) != 1:
        raise InputError(f"the prompt {path} has {_PLACE} {text.count(_PLACE)} times; expected once, for the source")
    return text.strip()


def read_prompt(name: str) -> str:
    """The prompt of a file, or the default one; `{source}` in it stands for the source."""
    path = DEFAULT if name == "default" else Path(name).expanduser()
    return _read(path, path.stat().st_mtime_ns if path.is_file() else 0)


def prompt_sha256(name: str) -> str:
    return hashlib.sha256(read_prompt(name).encode()).hexdigest()


def asked(prompt: str, source: str) -> str:
    """The message about one source."""
    return prompt.replace(_PLACE, source)


def answered(answer: str) -> str:
    """The paraphrase in an answer: its first line that says something, without a label, a number or quotes around it.

    >>> answered('Here is a paraphrase:\\n\\n1. "He left."\\nI changed the verb.')
    'He left.'
    """
    for line in answer.splitlines():
        text = line.strip()
        while (shorter := _LABEL.sub("", text, count=1).strip()) != text:
            text = shorter
        if len(text) > 1 and text[0] + text[-1] in _QUOTES:
            text = text[1:-1].strip()
        if text:
            return text
    return ""
