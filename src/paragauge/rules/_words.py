"""Words of a text with their places, as the rules read them."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple


def vocabulary(listed: str) -> frozenset[str]:
    """The words of a text, as a set."""
    return frozenset(listed.split())


# what carries no meaning of its own: articles, pronouns, auxiliaries, prepositions, conjunctions
FUNCTION = vocabulary(
    """a an the this that these those some any each every such it its he him his she her hers they them their theirs
    we us our ours you your yours i me my mine who whom whose which what there here is are was were be been being
    am do does did done doing have has had having will would shall of in on at to for from by with about into onto
    over under up down out off as than then and or but so if while when where because though although also too
    just very really quite still even only own same other s t d ll re ve m not no can could should may might must"""
)
_WORD = re.compile(r"\w+(?:['’]\w+)*")
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


def stem(word: str) -> str:
    """A word without its ending: crude, and the same for the forms of nearly all words."""
    word = word.removesuffix("'s")
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            word = word[: -len(ending)]
            break
    if len(word) > 3 and word[-1] == word[-2]:  # stopp, plann
        word = word[:-1]
    return word[:-1] + "i" if len(word) > 2 and word[-1] == "y" else word


def is_content(word: str) -> bool:
    """Does it carry meaning of its own?"""
    return word not in FUNCTION and word.partition("'")[0] not in FUNCTION
