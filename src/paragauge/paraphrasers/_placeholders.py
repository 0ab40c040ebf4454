"""Common words that stand in for names, numbers and rare words which a model would break, and the way back."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from ..text.stopwords import is_stop_word
from ._truecase import sentence_starts
from ._words import article, with_case

# By kind, in the order in which they are taken: of the words tried on training data, those that came out most often.
_POOLS = {
    "name": ("Batman", "Jack", "David", "Paris", "Chicago", "Bob", "Facebook", "London", "Peter", "Boston"),
    "place": ("Chicago", "Tokyo", "Boston", "Canada", "London", "Paris", "Batman", "Jack", "David", "Bob"),
    "word": ("milk", "piano", "coffee", "guitar", "football", "table", "paper"),
    "number": ("24", "30", "50", "15", "40", "12", "18", "25", "20", "100", "60", "16"),
    "year": ("2000", "1990", "2008", "2016", "2014", "2012", "1947"),
    "date": ("Monday", "Sunday", "Friday", "Saturday"),
    "ordinal": ("20th", "10th", "19th", "18th", "12th", "16th"),
    "decade": ("90s", "1980s", "60s", "20s"),
}
_PIECES = {"name": 2, "word": 3, "address": 4}  # from how many pieces on a word is replaced; every number but 1 is
_PLACE = frozenset(("in", "at", "from", "to", "near", "of"))  # words before a name that is taken for a place
_TITLES = ("Dr.", "Mr.", "Mrs.", "Ms.", "St.", "Prof.")  # that end no sentence
_CHUNK = re.compile(r"\S+")
_INNER = re.compile(r"[@#]?\w.*\w[+#]*|[@#]?\w[+#]*", re.DOTALL)  # of a chunk, without what stands around it
_POSSESSIVE = re.compile(r"['’]s$", re.IGNORECASE)
_ADDRESS = re.compile(r"://|^www\.|\w@\w|\w_\w|\w\.[a-z]{2}|^[@#][^\W\d]")
_COMPOUND = re.compile(r"(?=.*[a-z])(?:\d+|[a-z]{2,})(?:-(?:\d+|[a-z]{2,}))+")  # 125-year-old
_PART = re.compile(r"\d+|[^\W\d_]+")
_SIGNS = "$£€¥₹#"  # belong to the number behind them
_HOUR = re.compile(r" [ap](?:\.m\.(?=[\s,;])|m\b(?!\.\w)|\.m\b)", re.IGNORECASE)  # belongs to the number before it
_NUMBERS = (
    ("year", re.compile(r"1[1-9]\d\d|20\d\d")),
    ("date", re.compile(r"\d{1,4}([./-])\d{1,2}\1\d{1,4}")),
    ("ordinal", re.compile(r"\d+(?:st|nd|rd|th)", re.IGNORECASE)),
    ("decade", re.compile(r"\d*\d0['’]?s", re.IGNORECASE)),
    ("number", re.compile(r"\W*\d.*", re.DOTALL)),
)
_KINDS = {"name": "name", "place": "name", "word": "word"}  # what is said to be lost; all others are numbers


class Placeholder(NamedTuple):
    """A word of a source, or a name of several, and what the model reads in its place."""

    word: str
    read: str
    kind: str  # name, number or word
    times: int  # that it stands in the source
    articles: tuple[str, ...] = ()  # a or an, where the source has one before it


class Protected(NamedTuple):
    """A source as the model reads it."""

    text: str
    placeholders: tuple[Placeholder, ...] = ()


class Restored(NamedTuple):
    """A text with the words of its source again, and of what kind those are that it lost, or has too often."""

    text: str
    lost: tuple[str, ...]
    doubled: tuple[str, ...]


class _Broken(NamedTuple):
    start: int
    end: int
    kind: str  # of the pools
    name: bool = False  # written with a capital that no sentence asks for


def protected(source: str, pieces: Callable[[str], int], literal: Iterable[str] = ()) -> Protected:
    """A source in which others stand in for its numbers and for what is cut into too many pieces.

    `pieces` says into how many a model cuts a word: more than any word has where it cannot write it. Words of the
    `literal` phrases are neither replaced nor do they stand in. What finds no stand-in is left alone, and all of a
    source of which `restore` would not make the same again.

    >>> protected("Did Mahatma Gandhi pay $1,299.50?", lambda word: 1 + (len(word) > 6)).text
    'Did Batman Gandhi pay 24?'
    """
    own = _words(" ".join(literal))
    found = [one for one in _broken(source, pieces) if not own & _words(source[one.start : one.end])]
    if not found:
        return Protected(source)
    taken = own | _words(source)
    edges = [0, *(edge for one in found for edge in (one.start, one.end)), len(source)]
    shouted = "".join(source[start:end] for start, end in zip(edges[::2], edges[1::2], strict=True)).isupper()
    chosen: dict[str, Placeholder] = {}
    parts, end = [], 0
    for one in found:
        word = source[one.start : one.end]
        if word not in chosen:
            free = (read for read in _POOLS[one.kind] if read.lower() not in taken and pieces(read) == 1)
            if (read := next(free, None)) is None:
                continue
            taken.add(read.lower())
            read = read.upper() if shouted else with_case(read.lower(), word)
            chosen[word] = Placeholder(word, read, _KINDS.get(one.kind, "number"), 0)
        known = chosen[word]
        said = tuple(re.findall(r"(?<!\w)an?(?= $)", source[: one.start].lower()))
        chosen[word] = known._replace(times=known.times + 1, articles=known.articles + said)
        parts += [source[end : one.start], chosen[word].read]
        end = one.end
    made = Protected("".join([*parts, source[end:]]), tuple(chosen.values()))
    return made if restore(*made) == (source, (), ()) else Protected(source)


def restore(text: str, placeholders: Sequence[Placeholder]) -> Restored:
    """The words of the source where a text has their stand-ins, which are not parts of other words or numbers.

    >>> restore("A Tom is Tom's friend, not Tommy's.", [Placeholder("Iago", "Tom", "name", 1)])
    Restored(text="An Iago is Iago's friend, not Tommy's.", lost=(), doubled=('name',))
    """
    if not placeholders:
        return Restored(text, (), ())
    by_read = {one.read.lower(): one for one in placeholders}
    counts: Counter[str] = Counter()
    starts, shouted = sentence_starts(text), text.isupper()

    def word(found: re.Match[str]) -> str:
        before, gap, read = found.groups()
        one = by_read[read.lower()]
        counts[one.word] += 1
        begins = found.start(3) in starts and one.read.islower() and read[0].isupper() and one.word.isalpha()
        written = one.word[0].upper() + one.word[1:] if begins else one.word
        return written if before is None else _agreeing(before, one, shouted) + gap + written

    reads = "|".join(re.escape(one.read) for one in placeholders)
    pattern = rf"(?:\b(an?)( ))?(?<!\w)(?<!\d[.,:/])({reads})(?!\w)(?![.,:/]\d)"
    text = re.sub(pattern, word, text, flags=re.IGNORECASE)
    lost = dict.fromkeys(one.kind for one in placeholders if counts[one.word] < one.times)
    doubled = dict.fromkeys(one.kind for one in placeholders if counts[one.word] > one.times)
    return Restored(text, tuple(lost), tuple(doubled))


def _agreeing(before: str, one: Placeholder, shouted: bool) -> str:
    """The article as the source has it before the word, else as the word asks for."""
    if before.lower() in one.articles:
        return before
    right = before[0] + one.articles[0][1:] if one.articles else article(before, one.word)
    return right.upper() if shouted else right


def _words(text: str) -> set[str]:
    return set(re.findall(r"\w+", text.lower()))


def _broken(source: str, pieces: Callable[[str], int]) -> list[_Broken]:
    """What is replaced, in order: names side by side as one."""
    content = [word for word in _PART.findall(source) if word.isalpha() and not is_stop_word(word)]
    cased = len(content) < 4 or not all(word[0].isupper() for word in content)  # else capitals say nothing
    first = {start for start in sentence_starts(source) if not source[:start].rstrip().endswith(_TITLES)}
    found: list[_Broken] = []
    before = ""
    for chunk in _CHUNK.finditer(source):
        behind = source[chunk.end() : chunk.end() + 2].lstrip()
        for one in _of_chunk(chunk, pieces, first if cased else None, behind):
            if found and one.name and found[-1].name and source[found[-1].end : one.start] == " ":
                found[-1] = found[-1]._replace(end=one.end)
            else:
                place = one.kind == "name" and before.lower() in _PLACE
                hour = _HOUR.match(source, one.end) if one.kind == "number" else None
                found.append(one._replace(kind="place" if place else one.kind, end=hour.end() if hour else one.end))
        before = chunk[0]
    return found


def _of_chunk(
    chunk: re.Match[str], pieces: Callable[[str], int], first: set[int] | None, behind: str
) -> Iterator[_Broken]:
    """What is replaced of the letters between two spaces; `first` words of sentences, None where no capital counts."""
    inner = _INNER.search(chunk[0])
    if inner is None:
        return
    text = _POSSESSIVE.sub("", inner[0])
    start = chunk.start() + inner.start()
    if _ADDRESS.search(text):
        if pieces(text) >= _PIECES["address"] or text[0] in "@#":
            yield _Broken(start, start + len(text), "name")
    elif any(map(str.isdigit, text)) and not _COMPOUND.fullmatch(text):
        before, after = chunk[0][: inner.start()], chunk[0][inner.start() + len(text) :]
        # a sign that the model cannot write belongs to its number too
        left = len(before) - len(before.rstrip(_SIGNS)) or (before != "" and pieces(before[-1]) > 1)
        right = after != "" and after[0] not in "'’" and pieces(after[0]) > 1
        if text != "1" or left or right:
            kind = next((kind for kind, form in _NUMBERS if form.fullmatch(text)), "name")
            yield _Broken(start - left, start + len(text) + right, kind, kind == "name" and not text.islower())
    else:
        for part in _PART.finditer(text):
            yield from _of_part(start + part.start(), part[0], pieces, first, text != inner[0] or behind.istitle())


def _of_part(
    start: int, word: str, pieces: Callable[[str], int], first: set[int] | None, follows: bool
) -> Iterator[_Broken]:
    if word[0].isdigit():
        if word != "1":
            yield _Broken(start, start + len(word), "number")
        return
    # the first word of a sentence is taken for a name where a possessive or a name follows: Mahatma Gandhi
    name = first is not None and word != word.lower() and (start not in first or follows)
    if pieces(word) >= _PIECES["name" if name else "word"]:
        yield _Broken(start, start + len(word), "name" if name else "word", name)
