"""What a paraphrase must not lose, and what makes it a copy: by the letters alone."""

from __future__ import annotations

import re
from collections import Counter

_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_NAME = re.compile(r"(?<=[\w,;] )[A-Z]\w+")  # a capital that no sentence begins with


def same_numbers(one: str, other: str) -> bool:
    """Have both texts the same numbers?

    >>> same_numbers("1,000 of 3", "3 in 1,000"), same_numbers("1,000 of 3", "1,000")
    (True, False)
    """
    return Counter(_NUMBER.findall(one)) == Counter(_NUMBER.findall(other))


def same_names(one: str, other: str) -> bool:
    """Is each name of either text in the other?

    >>> same_names("Does Tom like Boston?", "Is Tom fond of Boston?"), same_names("I met Tom.", "I met Ann.")
    (True, False)
    """
    return has_names(one, other) and has_names(other, one)


def has_names(source: str, candidate: str) -> bool:
    """Is each name of the source in the candidate?"""
    lowered = candidate.lower()
    return all(name.lower() in lowered for name in _NAME.findall(source))


def letters(text: str) -> str:
    """What is left of a text without case, punctuation and white space: equal for copies.

    >>> letters("It's raining!") == letters("its RAINING")
    True
    """
    return "".join(character for character in text.lower() if character.isalnum()) or text
