"""A name that became another one."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import zip_longest
from typing import NamedTuple

from rapidfuzz.distance import Levenshtein, Prefix

from ...text.normalize import normalize
from ..english import Word, is_content, vocabulary, words
from ..findings import Outcome, Places, Span

KIND = "name"
OUTCOME = Outcome.MEANING
ENGLISH = True
_ALIKE = 0.8  # share of the letters, of names of at least that many:
_LONG = 6
_COMMON = 0.55  # share of the letters of the longer that two words of at least that many begin with
_WITHIN = (" ", "-")  # between the words of a name
_FEW = 3  # capitals that a short sentence may have: Where is New York?
_BEFORE = 40  # characters in which the end of the sentence before is looked for
_STEM = 3  # letters, or consonants, by which two forms are one name
_NOT_NAMES = vocabulary(
    """i i'm i've i'd i'll mr mrs ms dr sir january february march april may june july august september october
    november december monday tuesday wednesday thursday friday saturday sunday jan feb mar apr jun jul aug sep
    sept oct nov dec mon tue wed thu fri sat sun am pm ceo cfo coo cto tv pc id ok dvd cd ai president senator
    sen gen rep gov prof general minister secretary judge justice professor doctor captain god internet
    mom mum mommy mummy dad daddy grandma grandpa first second third fourth fifth sixth seventh eighth ninth
    tenth eleventh twelfth government govt department ministry bureau police commission committee council hall room
    chair chairman chief leader director member members rs inc corp co ltd company plc"""
)
# what a sentence begins with, and no name stands so before a verb
_BEGINNINGS = vocabulary(
    """one most many few several both all half nobody someone everyone anyone everybody somebody anybody something
    everything nothing anything people another more less much none neither either police today tomorrow
    yesterday please yes no well first second third next last former late new old early meanwhile however never
    always often sometimes perhaps maybe now later soon again once since after before during until despite let
    let's how why two three four five six seven eight nine ten"""
)
_NOT_NAMED = re.compile(r".*(?:ing|ly|tion|ness|ment|ity|ism|ance|ence|ed)")
_VERBS = vocabulary(
    """is was has had will would can could may might must does did isn't wasn't hasn't won't can't couldn't doesn't
    didn't said says took takes went goes came comes made makes got gets gave gives found finds told tells thought
    thinks knew knows won wins lost loses beat beats bought buys sold sells built builds wrote writes began begins
    became becomes led leads left leaves met meets ran runs saw sees sent sends spoke speaks held holds kept keeps
    fell falls felt feels paid pays put set hit cut broke breaks brought brings chose chooses grew grows loves likes
    wants needs lives works plays moves sues also"""
)
_OF_ONE = vocabulary("is was has does isn't wasn't hasn't doesn't says goes takes makes")
# words of one country that no ending tells, other names of one place or person, abbreviations
_SAME = {
    form: forms[0]
    for forms in (
        ("us", "usa", "america", "american", "americans"), ("uk", "britain", "british", "briton", "england", "english"),
        ("netherlands", "dutch", "holland"), ("greece", "greek", "greeks"), ("denmark", "danish", "dane"),
        ("switzerland", "swiss"), ("ireland", "irish"), ("norway", "norwegian"), ("wales", "welsh"),
        ("eu", "europe", "european"), ("peru", "peruvian"), ("cyprus", "cypriot"), ("christmas", "xmas"),
        ("philippines", "philippine", "filipino", "filipinos"), ("mumbai", "bombay"), ("kolkata", "calcutta"),
        ("beijing", "peking"), ("myanmar", "burma", "burmese"), ("istanbul", "constantinople"), ("saint", "st"),
        ("mount", "mt"), ("fort", "ft"), ("ny", "nyc"), ("wwii", "ww2"), ("wwi", "ww1"), ("bc", "bce"), ("ad", "ce"),
        ("united", "utd"), ("middle", "mideast"), ("mallorca", "majorca"), ("qaeda", "qaida"),
        ("islamic", "isis", "isil"),
        ("robert", "bob", "bobby"), ("william", "bill", "billy"), ("elizabeth", "liz", "beth", "betty"),
        ("richard", "dick", "rick"), ("james", "jim", "jimmy"), ("edward", "ted"), ("anthony", "tony"),
        ("margaret", "peggy", "maggie"), ("charles", "chuck", "charlie"), ("michael", "mike"),
        ("katherine", "catherine", "kate", "kathy"),
    )
    for form in forms
}  # fmt: skip
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


_CALENDAR = {
    form: (kind, form[:3])
    for kind, forms in (
        ("day", "monday tuesday wednesday thursday friday saturday sunday mon tue tues wed thu thurs fri sat sun"),
        (
            "month",
            "january february april june july august september october november december jan feb apr jun jul aug sep "
            "sept oct nov dec",
        ),
    )
    for form in forms.split()
}


class _Text(NamedTuple):
    """What a text has of names."""

    names: tuple[tuple[str, Word], ...]  # with their spelling
    capitalised: frozenset[str]  # every word that begins with a capital, at the start of a sentence too
    words: frozenset[str]
    initials: str  # of the capitalised words, in order
    dates: tuple[
        tuple[tuple[str, str], Word], ...
    ]  # days of the week and months; not May and March, which are words too


def find(source: str, candidate: str) -> list[Places]:
    """The first name of each text that the other does not have, in any form."""
    ours, theirs = _read(source), _read(candidate)
    if ours.dates and theirs.dates and (found := _redated(ours.dates, theirs.dates)):
        return [found]
    if not ours.names or not theirs.names or abs(len(ours.names) - len(theirs.names)) > 2:
        return []
    # most names stand in both texts as they are: only what is left is looked for in other forms
    lost = [(name, word) for name, word in ours.names if name not in theirs.words]
    new = [(name, word) for name, word in theirs.names if name not in ours.words]
    if not lost or not new:
        return []
    before = _first(source, lost, theirs)
    after = _first(candidate, new, ours) if before else None
    return [(before, after)] if before and after else []


def _redated(
    ours: Sequence[tuple[tuple[str, str], Word]], theirs: Sequence[tuple[tuple[str, str], Word]]
) -> Places | None:
    """A day of the week or a month, where the other text has other ones alone."""
    for kind in ("day", "month"):
        here, there = ([(date, word) for date, word in side if date[0] == kind] for side in (ours, theirs))
        if here and there and {date for date, _ in here}.isdisjoint(date for date, _ in there):
            return (Span.of(here[0][1]), Span.of(there[0][1]))
    return None


def _first(text: str, names: Sequence[tuple[str, Word]], other: _Text) -> Span | None:
    """The first name that the other text does not have, with all its words: Alice Walker."""
    unknown = (word for name, word in names if not _known(name, other))
    first = last = next(unknown, None)
    if first is None or last is None:
        return None
    for word in unknown:
        if text[last.end : word.start] not in _WITHIN:
            break
        last = word
    return Span.of(first, last)


@lru_cache(maxsize=1024)
def _read(text: str) -> _Text:
    found = _joined(text)
    capitals = [word for word in found if text[word.start].isupper()]
    names = [] if _is_headline(found, [word for word in capitals if word.lower != "i"]) else _names(text, found)
    return _Text(
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


def _known(name: str, other: _Text) -> bool:
    """In another form or spelling too: Russia and Russian, Naples and Napoli, New York City and NYC."""
    forms = _forms(name)
    return (
        (len(name) > 1 and _SAME.get(name, name).rstrip("i12") in other.initials)
        or any(not forms.isdisjoint(_forms(word)) for word in other.words)
        or any(_alike(name, word) for word in other.capitalised)
    )


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
