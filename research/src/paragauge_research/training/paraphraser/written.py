"""Numbers and names by the letters alone: pairs for training are selected by them, and paraphrasers measured."""

from __future__ import annotations

import re
from collections import Counter

_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_THOUSANDS = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?")
_POINTS = re.compile(r"\d{1,3}(?:\.\d{3})+,\d+")  # 1.299,50; without a comma it could be a date or a version
_CURRENCIES = {
    "$": "dollars?|usd|bucks?",
    "€": "euros?|eur",
    "£": "pounds?|gbp|quid|lbs?",  # whether weight or money is said by neither text alone
    "¥": "yen|jpy",
    "₹": "rupees?|inr",
}
_UNITS = {
    unit: re.compile(
        rf"{re.escape(unit)}\s?\d|\d\s?{re.escape(unit)}|\b(?:{words})\s?\d|\d[\s-]?(?:{words})\b", re.IGNORECASE
    )
    for unit, words in (_CURRENCIES | {"%": "percent|per cent|pct"}).items()
}
_NAME = re.compile(r"(?<=[\w,;] )[A-Z]\w+")  # a capital that no sentence begins with


def same_digits(one: str, other: str) -> bool:
    """Have both texts the same numbers as they are written?

    >>> same_digits("1,000 of 3", "3 in 1,000"), same_digits("1,000 of 3", "1000 of 3")
    (True, False)
    """
    return Counter(_NUMBER.findall(one)) == Counter(_NUMBER.findall(other))


def same_numbers(one: str, other: str) -> bool:
    """Have both texts the same numbers, with or without separators of thousands, and the same currencies and percent?

    >>> same_numbers("1,000 of 3", "3 in 1,000"), same_numbers("1,000 of 3", "1,000")
    (True, False)
    >>> same_numbers("$1,299.50", "1299.50 dollars"), same_numbers("$1,299.50", "$ 1,30,50"), same_numbers("5%", "5")
    (True, False, False)
    """
    return _numbers(one) == _numbers(other) and _units(one) == _units(other)


def _numbers(text: str) -> Counter[str]:
    """Each number as it is written, without separators of thousands."""
    return Counter(map(_plain, _NUMBER.findall(text)))


def _plain(number: str) -> str:
    if _THOUSANDS.fullmatch(number):
        return number.replace(",", "")
    if _POINTS.fullmatch(number):
        return number.replace(".", "").replace(",", ".")
    return number


def _units(text: str) -> set[str]:
    """What the numbers of a text count; of "5 or 6%" only the second says it, so numbers are not asked one by one."""
    return {unit for unit, pattern in _UNITS.items() if pattern.search(text)}


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
