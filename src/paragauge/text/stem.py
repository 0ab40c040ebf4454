"""English word stems: Porter's algorithm with the extensions that nltk's PorterStemmer applies by default."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache

# nltk's table of irregular forms
_IRREGULAR = {
    "sky": "sky", "skies": "sky", "dying": "die", "lying": "lie", "tying": "tie", "news": "news",
    "innings": "inning", "inning": "inning", "outings": "outing", "outing": "outing", "cannings": "canning",
    "canning": "canning", "howe": "howe", "proceed": "proceed", "exceed": "exceed", "succeed": "succeed",
}  # fmt: skip


def _rules(written: str) -> tuple[tuple[str, str], ...]:
    """Each suffix with what takes its place; the first that fits decides, whether or not its condition then holds."""
    return tuple((suffix, replacement) for suffix, _, replacement in (rule.partition("=") for rule in written.split()))


_STEP_2 = _rules(
    """
    ational=ate tional=tion enci=ence anci=ance izer=ize bli=ble alli=al entli=ent eli=e ousli=ous ization=ize
    ation=ate ator=ate alism=al iveness=ive fulness=ful ousness=ous aliti=al iviti=ive biliti=ble fulli=ful
    """
)
_STEP_3 = _rules("icate=ic ative= alize=al iciti=ic ical=ic ful= ness=")
_STEP_4 = _rules("al ance ence er ic able ible ant ement ment ent ion ou ism ate iti ous ive ize")


@lru_cache(maxsize=1 << 17)
def stem(word: str) -> str:
    """The stem of a lower-case word; words of one or two letters are their own.

    >>> [stem(word) for word in ("running", "relational", "happily", "flies", "dies", "news")]
    ['run', 'relat', 'happili', 'fli', 'die', 'news']
    """
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    if len(word) <= 2:
        return word
    word = _without_y(_without_past(_without_plural(word)))
    word = _step_2(word)
    word = _replaced(word, _STEP_3, lambda start: _measure(start) > 0)
    word = _step_4(word)
    return _without_end(word)


def _pattern(word: str) -> str:
    """v for each vowel and c for each consonant; y is a consonant at the start and after a vowel."""
    if "y" not in word:
        return "".join(["v" if letter in "aeiou" else "c" for letter in word])
    kinds: list[str] = []
    for letter in word:
        after_consonant = bool(kinds) and kinds[-1] == "c"
        kinds.append("v" if letter in "aeiou" or (letter == "y" and after_consonant) else "c")
    return "".join(kinds)


def _measure(word: str) -> int:
    """How often a consonant follows a vowel: Porter's m."""
    return _pattern(word).count("vc")


def _ends_short(word: str) -> bool:
    """Porter's *o (consonant, vowel, consonant other than w, x, y); nltk adds two letters, vowel and consonant."""
    kinds = _pattern(word)
    return (kinds[-3:] == "cvc" and word[-1] not in "wxy") or kinds == "vc"


def _ends_double(word: str) -> bool:
    return len(word) > 1 and word[-1] == word[-2] and _pattern(word)[-1] == "c"


def _replaced(word: str, rules: Sequence[tuple[str, str]], condition: Callable[[str], bool]) -> str:
    for suffix, replacement in rules:
        if word.endswith(suffix):
            start = word[: -len(suffix)]
            return start + replacement if condition(start) else word
    return word


def _without_plural(word: str) -> str:
    if not word.endswith("s") or word.endswith("ss"):
        return word
    if word.endswith("sses"):
        return word[:-2]
    if word.endswith("ies"):  # nltk: dies to die, flies to fli
        return word[:-1] if len(word) == 4 else word[:-2]
    return word[:-1]


def _without_past(word: str) -> str:
    if word.endswith("ied"):  # nltk: died to die, spied to spi
        return word[:-1] if len(word) == 4 else word[:-2]
    if word.endswith("eed"):
        return word[:-1] if _measure(word[:-3]) > 0 else word
    for suffix in ("ed", "ing"):
        start = word.removesuffix(suffix)
        if start == word or "v" not in _pattern(start):
            continue
        if start.endswith(("at", "bl", "iz")):
            return start + "e"
        if _ends_double(start):
            return start if start[-1] in "lsz" else start[:-1]
        if start.endswith("*d"):  # nltk writes its rule for double consonants as this suffix, so it is one too
            return start[:-2] + "d"
        return start + "e" if _measure(start) == 1 and _ends_short(start) else start
    return word


def _without_y(word: str) -> str:
    """nltk: after a consonant that does not begin the word, y becomes i, so that try and tried meet."""
    return word[:-1] + "i" if word.endswith("y") and len(word) > 2 and _pattern(word)[-2] == "c" else word


def _step_2(word: str) -> str:
    while word.endswith("alli") and _measure(word[:-4]) > 0:  # nltk: first, and then the step once more
        word = word[:-2]
    if word.endswith("logi"):  # nltk: the l counts as part of the stem, so that geo is long enough
        return word[:-1] if _measure(word[:-3]) > 0 else word
    return _replaced(word, _STEP_2, lambda start: _measure(start) > 0)


def _step_4(word: str) -> str:
    shorter = _replaced(word, _STEP_4, lambda start: _measure(start) > 1)
    if word.endswith("ion") and shorter != word and shorter[-1] not in "st":
        return word
    return shorter


def _without_end(word: str) -> str:
    if word.endswith("e"):
        start = word[:-1]
        measure = _measure(start)
        if measure > 1 or (measure == 1 and not _ends_short(start)):
            word = start
    if word.endswith("ll") and _measure(word[:-1]) > 1:
        word = word[:-1]
    return word
