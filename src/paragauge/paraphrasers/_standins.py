"""Common words that stand in for names and numbers which a model would break, and the way back."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from ._restoring import _START as SENTENCE
from ._words import with_case

# What stands in, by kind, in the order in which it is taken.
_POOLS = {
    "name": ("Batman", "Jack", "David", "Paris", "Chicago", "Bob", "Facebook", "London", "Peter", "Boston"),
    "place": ("Chicago", "Tokyo", "Boston", "Canada", "London", "Paris", "Batman", "Jack", "David", "Bob"),
    "word": ("milk", "piano", "coffee", "guitar"),
    "number": ("24", "30", "50", "15", "40", "12", "18", "25", "20", "100", "60", "16"),
    "year": ("2000", "1990", "2008", "2016", "2014", "2012", "1947"),
    "ordinal": ("20th", "10th", "19th", "18th", "12th", "16th"),
    "decade": ("90s", "1980s", "60s", "20s"),
}
_PIECES = {"name": 2, "word": 4, "address": 4}  # from how many pieces on a word is replaced; numbers always are
_PLACE = frozenset("in at from to near of".split())  # before a name that is taken for a place
_TRIMMED = re.compile(r"^[^\w\s]*(.*?)(?:['’]s?)?[^\w\s]*$", re.DOTALL | re.IGNORECASE)
_CHUNK = re.compile(r"\S+")
_LETTERS = re.compile(r"[^\W\d_]+")
_ADDRESS = re.compile(r"://|^www\.|\w@\w|\w_\w|\w\.[a-z]{2}")
_NUMBER = re.compile(r"\d+(?:[.,:/\-–]\d+)*")
_YEAR = re.compile(r"1[1-9]\d\d|20\d\d")
_ORDINAL = re.compile(r"\d+(?:st|nd|rd|th)", re.IGNORECASE)
_DECADE = re.compile(r"\d*\d0['’]?s", re.IGNORECASE)
_COMPOUND = re.compile(r"(?:\d+|[a-z]{2,})(?:-(?:\d+|[a-z]{2,}))+")  # 125-year-old


class StandIn(NamedTuple):
    """A word of a source, or a name of several, and what the model reads in its place."""

    word: str
    read: str
    kind: str  # name or number
    count: int  # how often the source has it


class Protected(NamedTuple):
    """A source as the model reads it."""

    text: str
    stand_ins: tuple[StandIn, ...] = ()


class _Found(NamedTuple):
    start: int
    end: int
    kind: str  # of the pools
    capital: bool


def protected(source: str, pieces: Callable[[str], int], literal: Iterable[str] = ()) -> Protected:
    """A source in which stand-ins have the places of words that are cut into too many pieces.

    `pieces` says into how many a model cuts a word, and a large number where it cannot write it. Words of the
    `literal` phrases are neither replaced nor used.
    """
    kept = {word.lower() for phrase in literal for word in phrase.split()}
    kept |= {word.lower() for phrase in literal for word in re.findall(r"\w+", phrase)}
    found = [one for one in _broken(source, pieces) if not kept & _words(source[one.start : one.end])]
    if not found:
        return Protected(source)
    taken = kept | {word.lower() for word in re.findall(r"\w+", source)}
    rest = "".join(source[end:start] for end, start in _gaps(source, found))
    chosen: dict[str, str] = {}
    kinds: dict[str, str] = {}
    parts, end = [], 0
    for one in found:
        word = source[one.start : one.end]
        if word not in chosen:
            pool = (read for read in _POOLS[one.kind] if read.lower() not in taken and pieces(read) == 1)
            read = next(pool, None)
            if read is None:
                continue
            taken.add(read.lower())
            chosen[word] = read.upper() if rest.isupper() else with_case(read.lower(), word)
            kinds[word] = "name" if one.kind in ("name", "place", "word") else "number"
        parts += [source[end : one.start], chosen[word]]
        end = one.end
    text = "".join([*parts, source[end:]])
    return Protected(
        text, tuple(StandIn(word, read, kinds[word], len(_places(read, text))) for word, read in chosen.items())
    )


def put_back(text: str, stand_ins: Sequence[StandIn]) -> tuple[str, list[str], list[str]]:
    """A text with the words of its source again; the words that it lost, and those that it has too often."""
    counts: Counter[str] = Counter()
    starts = {found.start(1) for found in SENTENCE.finditer(text)}
    by_read = {one.read.lower(): one for one in stand_ins}

    def word(found: re.Match[str]) -> str:
        one = by_read[found[0].lower()]
        counts[one.word] += 1
        plain = one.word[0].islower() and one.word.isalpha() and one.word.islower()
        return one.word.capitalize() if found.start() in starts and found[0][0].isupper() and plain else one.word

    if stand_ins:
        text = re.sub("|".join(_pattern(one.read) for one in stand_ins), word, text, flags=re.IGNORECASE)
    lost = [one.word for one in stand_ins if counts[one.word] < one.count]
    return text, lost, [one.word for one in stand_ins if counts[one.word] > one.count]


def _pattern(read: str) -> str:
    """A stand-in that is no part of another word or number."""
    return rf"(?<!\w)(?<!\d[.,:/]){re.escape(read)}(?!\w)(?![.,:/]\d)"


def _places(read: str, text: str) -> list[str]:
    return re.findall(_pattern(read), text, re.IGNORECASE)


def _words(text: str) -> set[str]:
    return {text.lower(), *(word.lower() for word in re.findall(r"\w+", text))}


def _gaps(source: str, found: Sequence[_Found]) -> Iterator[tuple[int, int]]:
    end = 0
    for one in found:
        yield end, one.start
        end = one.end
    yield end, len(source)


def _broken(source: str, pieces: Callable[[str], int]) -> list[_Found]:
    """The words that are replaced, names of several words as one."""
    first = {found.start(1) for found in SENTENCE.finditer(source)}
    words = _LETTERS.findall(source)
    capitals = sum(word[0].isupper() for word in words)
    cased = 2 * capitals <= len(words) or len(words) < 4  # else capitals say nothing
    found: list[_Found] = []
    before = ""
    for chunk in _CHUNK.finditer(source):
        for one in _of_chunk(source, chunk, pieces, first, cased):
            kind = "place" if one.kind == "name" and before.lower() in _PLACE else one.kind
            if found and one.capital and found[-1].capital and source[found[-1].end : one.start] == " ":
                found[-1] = found[-1]._replace(end=one.end)
            else:
                found.append(one._replace(kind=kind))
        before = chunk[0]
    return found


def _of_chunk(
    source: str, chunk: re.Match[str], pieces: Callable[[str], int], first: set[int], cased: bool
) -> Iterator[_Found]:
    trimmed = _TRIMMED.match(chunk[0])
    if trimmed is None or not trimmed[1]:
        return
    start, end = chunk.start() + trimmed.start(1), chunk.start() + trimmed.end(1)
    text = trimmed[1]
    if _ADDRESS.search(text):
        if pieces(text) >= _PIECES["address"]:
            yield _Found(start, end, "name", False)
        return
    if any(map(str.isdigit, text)) and not _COMPOUND.fullmatch(text):
        # a sign that the model cannot write belongs to its number
        while start > chunk.start() and pieces(source[start - 1]) > 1:
            start -= 1
        while end < chunk.end() and pieces(source[end]) > 1:
            end += 1
        text = source[start:end]
        if text != "1":
            yield _Found(start, end, _number_kind(text), text[0].isupper())
        return
    for part in re.finditer(r"\d+|[^\W\d_]+", text):
        place = start + part.start()
        if part[0].isdigit():
            if part[0] != "1":
                yield _Found(place, start + part.end(), "number", False)
            continue
        capital = cased and part[0] != part[0].lower() and place not in first
        if pieces(part[0]) >= _PIECES["name" if capital else "word"]:
            yield _Found(place, start + part.end(), "name" if capital else "word", capital)


def _number_kind(text: str) -> str:
    for kind, pattern in (("year", _YEAR), ("ordinal", _ORDINAL), ("decade", _DECADE)):
        if pattern.fullmatch(text):
            return kind
    return "number" if not text[0].isalpha() else "name"
