"""The case and the spaces of a text that was written in lower-case pieces, as its source and the language have them."""

from __future__ import annotations

import functools
import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from ..errors import ModelError
from ..text.stopwords import is_stop_word
from ._words import article

CASE = "case.json"  # in the model folder: words that are seldom written in lower case, and how they are written
KEY = "paragauge_case"  # in the configuration: `source` where the model writes in lower case
WORD = re.compile(r"\w+(?:\.\w+)*")  # U.S is one
_CLITIC = re.compile(r"(?<=\w['’])(?:s|t|m|re|ve|d|ll)\b", re.IGNORECASE)
_START = re.compile(r"(?:^|(?<!\b\w)[.!?]\s+)[\"'“‘(]*(\w)")  # of a sentence; the point of an initial ends none
_LETTERS = re.compile(r"[^\W\d_]{2}")  # "I." and initials do not show that a text is in capitals
_ARTICLE = re.compile(r"(?<![\w'’.-])(an?) (?=([^\W\d_]{2,})(?!\w|\.\w))")
_MARK = re.compile(r"([.,;:?!])(?:\s*\1)+")  # written twice
_QUOTE = re.compile(r"\s*\"\s*")
_NOTHING = re.compile(r"\"[\s.,;:]*\"")  # in quotes


@functools.lru_cache(maxsize=4)
def read_case(folder: Path) -> Mapping[str, str]:
    """The table of a model folder; empty where there is none."""
    try:
        content = json.loads((folder / CASE).read_text("utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:
        raise ModelError(f"{folder / CASE} cannot be read: {error}") from None
    if not isinstance(content, dict) or not all(isinstance(form, str) for form in content.values()):
        raise ModelError(f"{folder / CASE} is not a table of words")
    return content


def truecased(text: str, source: str, table: Mapping[str, str], phrases: Sequence[str] = ()) -> str:
    """The pieces of a text, separated by spaces, as a person would write them.

    A word that the source has is written as there, unless only its place made it a capital; another one as the table
    says; `phrases` as they are given. A sentence begins with a capital where the source does, and all letters are
    capitals where all of the source are. `a` and `an` are as the next word asks for, and the text ends with a mark
    where the source does.

    >>> truecased("what ' s the u . s . rate , 1 , 000 $ ( or so ) ?", "Is the U.S. rate 1,000 $?", {})
    "What's the U.S. rate, 1,000 $ (or so)?"
    """
    given = " ".join([source, *phrases])
    text = _marked(_quoted(_spaced(text, source), given), source, given)
    if source.isupper() and _LETTERS.search(source):
        return text.upper()
    forms = _forms(source)
    clitics = {found.start() for found in _CLITIC.finditer(text)}

    def form(found: re.Match[str]) -> str:
        word = found[0]
        return word if found.start() in clitics else forms.get(word, table.get(word, word))

    words = _agreed(WORD.sub(form, text), given)
    for phrase in phrases:
        words = _pattern(phrase).sub(lambda _, phrase=phrase: phrase, words)  # type: ignore[misc]
    if not source[:1].islower():
        words = _START.sub(lambda found: found[0][:-1] + _capital(words, found.start(1)), words)
    return words


def sentence_starts(text: str) -> set[int]:
    """Where the first letters of sentences stand."""
    return {found.start(1) for found in _START.finditer(text)}


def _pattern(phrase: str) -> re.Pattern[str]:
    """A phrase in any case, with or without spaces around its punctuation."""
    words = (r"\s*".join(map(re.escape, re.findall(r"[^\W_]+|[^\w\s]|_", word))) for word in phrase.split())
    return re.compile(r"(?<!\w)" + r"\s+".join(words) + r"(?!\w)", re.IGNORECASE)


def _capital(text: str, start: int) -> str:
    """The letter that begins a sentence: a capital, unless the word has one further on, as iPhone has."""
    word = WORD.match(text, start)
    return text[start] if word is not None and word[0][1:] != word[0][1:].lower() else text[start].upper()


def _forms(source: str) -> dict[str, str]:
    """How the source writes its words; of one that begins a sentence nothing is known."""
    first = sentence_starts(source)
    forms: dict[str, str] = {}
    clitics = {found.start() for found in _CLITIC.finditer(source)}
    for found in WORD.finditer(source):
        word = found[0]
        if found.start() in clitics:
            continue
        if found.start() not in first or word[1:] != word[1:].lower():
            forms.setdefault(word.lower(), word)
    return forms


def _agreed(text: str, given: str) -> str:
    """`a` or `an` by the word behind it, unless both are given so, it is spelled by letters, or `a` may be one."""
    lowered = given.lower()

    def right(found: re.Match[str]) -> str:
        before, word = found.groups()
        known = re.search(rf"\b{before.lower()} {re.escape(word.lower())}\b", lowered)
        spelled = word[1:] != word[1:].lower() or not re.search("[aeiouy]", word, re.IGNORECASE)
        return found[0] if known or spelled or is_stop_word(word) else f"{article(before, word)} "

    return _ARTICLE.sub(right, text)


def _marked(text: str, source: str, given: str) -> str:
    """Punctuation is not doubled unless it is given so, and the last mark of the source is not missing."""
    if not _MARK.search(given):
        text = _MARK.sub(r"\1", text)
    last = source.rstrip()[-1:]
    return text + last if text[-1:].isalnum() and last in (".", "?", "!") else text


def _spaced(text: str, source: str) -> str:
    """What the source writes together is together; else punctuation stands as English has it."""
    lowered = source.lower()
    for joined in sorted(set(re.findall(r"\S*\w[^\w\s]\S*", lowered)), key=len, reverse=True):
        apart = " ".join(re.findall(r"\w+|[^\w\s]", joined))
        if apart != joined:
            text = re.sub(rf"(?<!\S){re.escape(apart)}(?!\S)", lambda _, joined=joined: joined, text)  # type: ignore[misc]
    text = re.sub(r"(\w) (['’]) (s|t|m|re|ve|d|ll)\b", r"\1\2\3", text)
    text = re.sub(r"(\d) ([.,]) (?=\d)", r"\1\2", text)
    text = re.sub(r" ([.,?!:;)\]}%”])", r"\1", text)
    text = re.sub(r"([(\[{“]) ", r"\1", text)
    return re.sub(r"(\w) ([-–/]) (?=\w)", r"\1\2", text)


def _quoted(text: str, given: str) -> str:
    """Straight quotes open and close in turn; left out is one that has no other, unless such a one is given.

    So are quotes around nothing.
    """
    if re.search(r'\d"', given):  # inches
        return text
    if not _NOTHING.search(given):
        text = _NOTHING.sub("", text).strip()
    pieces = _QUOTE.split(text)
    if len(pieces) % 2 == 0 and given.count('"') % 2 == 0:
        pieces[-2:] = [re.sub(r" (?=[.,?!:;)\]}])", "", f"{pieces[-2]} {pieces[-1]}").strip()]
    made = pieces[0]
    for place, piece in enumerate(pieces[1:], 1):
        if place % 2:
            made += f'{"" if not made or made[-1] in "([{" else " "}"{piece}'
        else:
            made += f'"{"" if not piece or piece[0] in ".,?!:;)]}" else " "}{piece}'
    return made
