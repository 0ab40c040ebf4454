"""A number that became another one."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from .finding import Finding, Span

KIND = "number"
ENGLISH = False
_UNITS = {
    "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10, "eleven": 11,
    "twelve": 12, "dozen": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15, "sixteen": 16, "seventeen": 17,
    "eighteen": 18, "nineteen": 19,
}  # fmt: skip
_TENS = {
    "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90,
}  # fmt: skip
_SCALES = {"hundred": 1e2, "thousand": 1e3, "million": 1e6, "billion": 1e9, "trillion": 1e12, "bn": 1e9, "mn": 1e6}
_WORDS = "|".join([*_UNITS, *_TENS])
_NUMBER = re.compile(
    rf"(?<![\w.])(?:(?P<digits>\d+(?:[.,]\d+)*)|(?P<tens>{'|'.join(_TENS)})[- ](?P<unit>{'|'.join(_UNITS)})\b"
    rf"|(?P<word>{_WORDS})\b)(?:[ -](?P<scale>{'|'.join(_SCALES)})\b)?",
    re.IGNORECASE,
)


def find(source: str, candidate: str) -> list[Finding]:
    """Numbers of the source and of the candidate that the other does not have, pair by pair in their order."""
    ours, theirs = list(_numbers(source)), list(_numbers(candidate))
    lost, new = _without(ours, theirs), _without(theirs, ours)
    return [
        Finding(KIND, before, after)
        for (value, before), (other, after) in zip(lost, new, strict=False)
        if not _rounded(value, other)
    ]


def _numbers(text: str) -> Iterator[tuple[float, Span]]:
    for found in _NUMBER.finditer(text):
        if found["digits"]:
            value = _value(found["digits"])
        elif found["tens"]:
            value = float(_TENS[found["tens"].lower()] + _UNITS[found["unit"].lower()])
        else:
            value = float((_UNITS | _TENS)[found["word"].lower()])
        yield value * _SCALES.get((found["scale"] or "").lower(), 1), Span(*found.span())


def _value(digits: str) -> float:
    """1,000 and 1.000 are a thousand, 2.5 and 2,5 are two and a half; of 1.2.3 only the digits count."""
    plain = re.sub(r"[.,](?=\d{3}(?!\d))", "", digits).replace(",", ".")
    return float(plain if plain.count(".") < 2 else plain.replace(".", ""))


def _without(ours: list[tuple[float, Span]], theirs: list[tuple[float, Span]]) -> list[tuple[float, Span]]:
    left = Counter(value for value, _ in theirs)
    found = []
    for value, span in ours:
        if left[value]:
            left[value] -= 1
        else:
            found.append((value, span))
    return found


def _rounded(one: float, other: float) -> bool:
    """Is it the same number, said more or less exactly?"""
    low, high = sorted((one, other))
    close = high - low <= 0.01 * high and high > 2100  # years differ by less
    return close or (low != high and round(low) == round(high) and one % 1 != other % 1)
