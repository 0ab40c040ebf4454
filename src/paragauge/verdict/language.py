"""The language of a text: by its script, or by the commonest words; and whether two texts have the same."""

from __future__ import annotations

import unicodedata
from collections import Counter
from functools import lru_cache

from ..text.normalize import normalize
from .english import lists, vocabulary, words

_FEWEST = 4  # letters that it takes to recognize a script
_SHARED = vocabulary(lists("language")["shared"])
_ENGLISH = vocabulary(lists("language")["English"])
# as texts are compared, without accents; för is not for
_LANGUAGES = {
    name: frozenset(
        normalize(word) for word in listed.split() if word == normalize(word) or normalize(word) not in _ENGLISH
    )
    for name, listed in lists("language").items()
    if name != "shared"
}


def differ(source: str, candidate: str) -> bool:
    """Are they clearly in different languages?"""
    source, candidate = normalize(source), normalize(candidate)
    scripts = _script_of(source), _script_of(candidate)
    if None in scripts or scripts[0] != scripts[1]:
        return None not in scripts
    if scripts[0] != "LATIN":
        return False
    here, there = _counts(source), _counts(candidate)
    one, other = (counts.most_common(1)[0][0] for counts in (here, there))
    if not all(_tells(text, name) for text, name in ((source, one), (candidate, other))):
        return False
    if here[one] >= max(2, 2 * here[other]) and there[other] >= max(3, 2 * there[one]):
        return True
    return bool(here[one]) and not here[other] and not there[one] and _is_short(source, candidate, other)


def _tells(text: str, name: str) -> bool:
    """Has it a word of the language that English has not?"""
    return name == "English" or any(word.lower in _LANGUAGES[name] - _SHARED for word in words(text))


def _is_short(source: str, candidate: str, other: str) -> bool:
    """Are two words of the other language a good part of a short text, which the source does not have?"""
    known = {word.lower for word in words(source)}
    found = [word.lower for word in words(candidate)]
    own = {word for word in found if word in _LANGUAGES[other]} - known
    return len(own) >= 2 and 3 * len(own) >= len(found)


def language(text: str) -> str | None:
    """The language of a Latin text, else the script; None where too little tells."""
    text = normalize(text)
    script = _script_of(text)
    if script != "LATIN":
        return script
    (best, most), (_, second) = _counts(text).most_common(2)
    return best if most >= 3 and most >= 2 * second else None


@lru_cache(maxsize=1024)
def _script_of(text: str) -> str | None:
    """The script that most letters are of; Japanese, which has several, by its syllables."""
    if text.isascii():
        return "LATIN" if sum(map(str.isalpha, text)) >= _FEWEST else None
    scripts = Counter(_script(letter) for letter in text if letter.isalpha())
    if scripts.total() < _FEWEST:
        return None
    kana = scripts["HIRAGANA"] + scripts["KATAKANA"]
    if 10 * kana > scripts.total() and 2 * (kana + scripts["CJK"]) > scripts.total():
        return "HIRAGANA"
    script, most = scripts.most_common(1)[0]
    return script if 2 * most > scripts.total() else None


@lru_cache(maxsize=4096)
def _script(letter: str) -> str:
    return unicodedata.name(letter, "?").partition(" ")[0]


@lru_cache(maxsize=1024)
def _counts(text: str) -> Counter[str]:
    """How many of its words are common ones of each language."""
    found = [word.lower for word in words(text)]
    if 2 * sum(len(word) == 1 for word in found) > len(found):  # letters set apart are not words
        found = []
    return Counter({name: sum(word in common for word in found) for name, common in _LANGUAGES.items()})
