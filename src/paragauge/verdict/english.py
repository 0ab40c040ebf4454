"""The words of a text with their places, crude stems of English ones, and lists of them (words.toml)."""

from __future__ import annotations

import re
import tomllib
from functools import cache, lru_cache
from pathlib import Path
from typing import NamedTuple


def vocabulary(listed: str) -> frozenset[str]:
    """The words of a text, as a set."""
    return frozenset(listed.split())


@cache
def _sections() -> dict[str, dict[str, str]]:
    return tomllib.loads(Path(__file__).with_name("words.toml").read_text(encoding="utf-8"))


def lists(section: str) -> dict[str, str]:
    """The lists of a section of words.toml, as they stand there."""
    return _sections()[section]


def synonyms(listed: str) -> dict[str, str]:
    """Each further word of some groups, to the first of its group."""
    groups = [group.split() for group in listed.replace("\n", ";").split(";") if group]
    return {word: group[0] for group in groups for word in group[1:]}


_WORD = re.compile(r"\w+(?:['’]\w+)*")
FUNCTION = vocabulary(lists("english")["function"])
_IRREGULAR = synonyms(lists("english")["irregular"])
_ENDINGS = ("edly", "ings", "ing", "ed", "es", "ly", "s", "e")  # the longest first


class Word(NamedTuple):
    """A word, in lower case and as it stands."""

    lower: str
    start: int
    end: int


@lru_cache(maxsize=1024)
def words(text: str) -> tuple[Word, ...]:
    """The words of a text, in order; several rules ask for the same text."""
    return tuple(
        Word(found.group().lower().replace("’", "'"), found.start(), found.end()) for found in _WORD.finditer(text)
    )


@lru_cache(maxsize=1 << 14)
def stem(word: str) -> str:
    """A word without its ending: crude, and the same for the forms of nearly all words."""
    word = word.removesuffix("'s")
    word = _IRREGULAR.get(word, word)
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            word = word[: -len(ending)]
            break
    if len(word) > 3 and word[-1] == word[-2] and word[-1].isalpha():  # stopp, plann
        word = word[:-1]
    return word[:-1] + "i" if len(word) > 2 and word[-1] == "y" else word


def is_content(word: str) -> bool:
    """Does it carry meaning of its own?"""
    return word not in FUNCTION and word.partition("'")[0] not in FUNCTION
