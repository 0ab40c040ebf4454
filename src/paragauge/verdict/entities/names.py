"""The names of a text, and whether another text has them, in whatever form: Russia and Russian, New York and NYC."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import zip_longest
from typing import NamedTuple

from rapidfuzz.distance import Levenshtein, Prefix

from ...text.normalize import normalize
from ..english import Word, is_content, lists, synonyms, vocabulary, words

_ALIKE = 0.8  # share of the letters, of names of at least that many:
_LONG = 6
_COMMON = 0.55  # share of the letters of the longer that two words of at least that many begin with
WITHIN = (" ", "-")  # between the words of a name
_FEW = 3  # capitals that a short sentence may have: Where is New York?
_BEFORE = 40  # characters in which the end of the sentence before is looked for
_STEM = 3  # letters, or consonants, by which two forms are one name
_NOT_NAMES = vocabulary(lists("names")["none"])
_BEGINNINGS = vocabulary(lists("names")["beginnings"])
_NOT_NAMED = re.compile(r".*(?:ing|ly|tion|ness|ment|ity|ism|ance|ence|ed)")
_VERBS = vocabulary(lists("names")["verbs"])
_OF_ONE = vocabulary(lists("names")["of_one"])
_SAME = synonyms(lists("names")["same"])
_ENDINGS = (
    "ians", "lands", "eans", "land", "ese", "ish", "ian", "ean", "ans", "ine", "an", "ic", "is", "ia", "i",
    "a", "y", "e", "o", "n", "s",
)  # fmt: skip
_SILENT = re.compile(r"(?<![aeiou])h")
_CONSONANTS = str.maketrans({**dict.fromkeys("aeiouyw'-"), "c": "k", "q": "k", "z": "s"})
_COUNTRIES = {
    ("united", "states"): "us", ("united", "kingdom"): "uk", ("great", "britain"): "uk",
    ("united", "nations"): "un",
}  # fmt: skip
_COUNTRY = re.compile(r"\b(?:United (?:States|Kingdom|Nations)|Great Britain)\b")
_TITLE = re.compile(r"\b(?:Mr|Mrs|Ms|Dr|Prof|Sen|Gen|Gov|Rep|Sgt|Lt|Col|Capt|Rev|St|Mt)\.$")
_DOTTED = re.compile(r"\b[A-Z]\.[A-Z]\b")
_DOUBLED = re.compile(r"(.)\1+")


_CALENDAR = {form: (kind, form[:3]) for kind in ("days", "months") for form in lists("names")[kind].split()}


class Names(NamedTuple):
    """What a text has of names."""

    names: tuple[tuple[str, Word], ...]  # with their spelling
    capitalised: frozenset[str]  # every word that begins with a capital, at the start of a sentence too
    words: frozenset[str]
    initials: str  # of the capitalised words, in order
    dates: tuple[tuple[tuple[str, str], Word], ...]  # days of the week and months


@lru_cache(maxsize=1024)
def names_of(text: str) -> Names:
    """What a text has of names; of a headline, in which nearly every word has a capital, dates alone."""
    found = _joined(text)
    capitals = [word for word in found if text[word.start].isupper()]
    names = [] if _is_headline(found, [word for word in capitals if word.lower != "i"]) else _names(text, found)
    return Names(
        tuple((_spelled(word.lower), word) for word in names),
        frozenset(_spelled(word.lower) for word in capitals),
        frozenset(_spelled(word.lower) for word in found),
        "".join(word.lower[0] for word in capitals),
        tuple((_CALENDAR[word.lower], word) for word in capitals if word.lower in _CALENDAR),
    )


def _joined(text: str) -> Sequence[Word]:
    """The words, where U.S. is one, and United States."""
    if not _DOTTED.search(text) and not _COUNTRY.search(text):
        return words(text)
    found: list[Word] = []
    for word in words(text):
        last = found[-1] if found else None
        if (
            last is not None and word.end - word.start == 1 and text[last.end : word.start] == "."
            and text[word.start].isupper() and text[last.end - 1].isupper()
            and (last.end - last.start == 1 or "." in text[last.start : last.end])
        ):  # fmt: skip
            found[-1] = Word(last.lower + word.lower, last.start, word.end)
        elif last is not None and (last.lower, word.lower) in _COUNTRIES:
            found[-1] = Word(_COUNTRIES[last.lower, word.lower], last.start, word.end)
        else:
            found.append(word)
    return found


def _is_headline(found: Sequence[Word], capitals: Sequence[Word]) -> bool:
    """Is nearly every word in capitals that carries meaning?"""
    if 2 * len(capitals) <= len(found):
        return False
    if len(capitals) == len(found):  # not: Is Ann Reed Australian?
        return is_content(found[0].lower) or not all(is_content(word.lower) for word in found[1:])
    others = sum(is_content(word.lower) for word in found) - sum(is_content(word.lower) for word in capitals)
    return len(capitals) > _FEW and 5 * others < len(found)


def _names(text: str, found: Sequence[Word]) -> Iterator[Word]:
    """Capitalised words inside a sentence, and at its start where a verb follows that a bare noun has not."""
    for word, following in zip_longest(found, found[1:]):
        if not text[word.start].isupper() or len(word.lower) == 1 or word.lower in _NOT_NAMES:
            continue
        if not _begins(text, word) or _is_subject(word.lower, following.lower if following else ""):
            yield word


def _begins(text: str, word: Word) -> bool:
    if word.start > 1 and text[word.start - 1] == " " and text[word.start - 2].isalnum():  # nearly all
        return False
    before = text[max(word.start - _BEFORE, 0) : word.start].rstrip(" \"'“‘([«-–—")
    return not before or (before[-1] in ".!?:;…\n" and not _TITLE.search(before))


def _is_subject(word: str, following: str) -> bool:
    """Does it begin a sentence as no common noun does: before a verb, or with what it owns?"""
    name = word.removesuffix("'s")
    if not is_content(name) or name in _BEGINNINGS or _NOT_NAMED.fullmatch(name):
        return False
    verb = following in _VERBS or (following.endswith("ed") and len(following) > 3)
    # plural nouns stand bare too, but not before is
    return name != word or (verb and (not name.endswith("s") or following in _OF_ONE))


@lru_cache(maxsize=8192)
def _spelled(word: str) -> str:
    return normalize(word.removesuffix("'s"))


def is_known(name: str, other: Names) -> bool:
    """In another form or spelling too: Russia and Russian, Naples and Napoli, New York City and NYC."""
    forms = _forms(name)
    return (
        (len(name) > 1 and _SAME.get(name, name).rstrip("i12") in other.initials)
        or any(not forms.isdisjoint(_forms(word)) for word in other.words)
        or any(_alike(name, word) for word in other.capitalised)
    )


def has_names(source: str, candidate: str) -> bool:
    """Is each name of the source in the candidate, in whatever form, and each day of the week and month?

    >>> has_names("Does Tom like Boston?", "Is Tom fond of Boston?"), has_names("I met Tom.", "I met Ann.")
    (True, False)
    """
    ours, theirs = names_of(source), names_of(candidate)
    dates = {_CALENDAR.get(word) for word in theirs.words}
    return all(date in dates for date, _ in ours.dates) and all(is_known(name, theirs) for name, _ in ours.names)


@lru_cache(maxsize=8192)
def _forms(name: str) -> frozenset[str]:
    """The name, and what is left of it without an ending."""
    left = {name[: -len(ending)] for ending in _ENDINGS if name.endswith(ending) and len(name) - len(ending) >= _STEM}
    return frozenset({name, _SAME.get(name, name), *(part for part in left if len(part) > _STEM)})


def _alike(name: str, other: str) -> bool:
    if name[0] != other[0] and {name[0], other[0]} != {"c", "k"}:
        return False
    short, long = sorted((name, other), key=len)
    if len(short) >= _STEM and long.startswith(short):  # Sen. and Senator, Mike and Mikey
        return True
    if len(short) >= _LONG and Levenshtein.normalized_similarity(name, other) >= _ALIKE:
        return True
    same = Prefix.similarity(name, other)
    if (same >= _LONG and same >= _COMMON * len(long)) or sorted(name) == sorted(other):  # Culture, Cultural
        return True
    return not _skeletons(name).isdisjoint(_skeletons(other))


@lru_cache(maxsize=8192)
def _skeletons(name: str) -> frozenset[str]:
    """The consonants of each form, which another alphabet's spelling keeps."""
    found = {_DOUBLED.sub(r"\1", _SILENT.sub("", form).translate(_CONSONANTS)) for form in _forms(name)}
    return frozenset(one for one in found if len(one) >= _STEM)
