"""Tokens of a text, by the conventions of the field and one of our own that no script defeats."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cache
from itertools import chain, compress
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from ..errors import InputError, nearest

Tokenizer = Callable[[str], list[str]]

# Scripts written without spaces between words. Their characters are tokens of their own, as in sacrebleu's 'zh';
# without that, a Chinese or Thai sentence is one long word, and every overlap is 0 or 1.
_SPACELESS = "".join(
    rf"\p{{Script={script}}}"
    for script in ("Han", "Hiragana", "Katakana", "Thai", "Lao", "Khmer", "Myanmar", "Tibetan")
)
_ASCII_WORDS = re.compile(r"[a-z0-9]+")
_AFTER_NO_DIGIT = re.compile(r"([^0-9])([\.,])")
_BEFORE_NO_DIGIT = re.compile(r"([\.,])([^0-9])")
_APART = {".": " . ", ",": " , "}
_DIGIT_DASH = re.compile(r"([0-9])-")
_SET_APART = '!"#$%&()*+:;<=>?@[\\]^_`{|}~/'
_ONLY_ASCII_WORDS = {code: " " for code in range(128) if not chr(code).isalnum() and chr(code) != "\n"}
_PUNCTUATION = frozenset("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~")


@cache
def _pattern(written: str) -> Any:
    import regex  # knows scripts and marks, which re does not; imported late, as most texts never need it

    return regex.compile(written)


def spaceless(text: str) -> bool:
    """Has it characters of a script without spaces?"""
    return not text.isascii() and _pattern(rf"[{_SPACELESS}]").search(text) is not None


def split_spaceless(text: str) -> str:
    """Put spaces around each character of a script that has none.

    >>> split_spaceless("我爱NLP").split()
    ['我', '爱', 'NLP']
    """
    return _pattern(rf"[{_SPACELESS}]\p{{M}}*").sub(r" \g<0> ", text) if spaceless(text) else text


def pieces(text: str) -> list[str]:
    """The whole text cut into words, runs of spaces and single other characters; joined, they are the text again.

    >>> pieces("Don't go, 我爱 it")
    ["Don't", ' ', 'go', ',', ' ', '我', '爱', ' ', 'it']
    """
    word = r"[\p{L}\p{M}\p{N}]"
    spaceless_mark = rf"[{_SPACELESS}]\p{{M}}*"
    written = rf"{spaceless_mark}|(?:(?![{_SPACELESS}]){word})+(?:['’](?:(?![{_SPACELESS}]){word})+)*|\s+|."
    return cast(list[str], _pattern(rf"(?s){written}").findall(text))


def _sacrebleu(name: str) -> Tokenizer:
    from sacrebleu.metrics.bleu import BLEU

    # the undecorated function: our workspace remembers tokens, and two caches cost more than one
    instance = BLEU(tokenize=name).tokenizer
    call = getattr(type(instance).__call__, "__wrapped__", type(instance).__call__)
    return lambda text: call(instance, text.rstrip()).split()


def _mteval13a(text: str) -> list[str]:
    """sacrebleu's 13a to the token, with the regular expressions left out where nothing in the text needs them."""
    text = text.rstrip().replace("<skipped>", "").replace("-\n", "").replace("\n", " ")
    return _set_apart(f" {text} ").split()


def _set_apart(text: str) -> str:
    """13a without its treatment of line breaks: spaces between the tokens of a text that has one at either end."""
    if "&" in text:
        for escaped, character in (("&quot;", '"'), ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">")):
            text = text.replace(escaped, character)
    for mark in _SET_APART:
        text = text.replace(mark, f" {mark} ")
    if "." in text or "," in text:
        # split and join, as a substitution calls Python for every match before Python 3.12
        parts = _AFTER_NO_DIGIT.split(text)
        parts[2::3] = [_APART[mark] for mark in parts[2::3]]
        parts = _BEFORE_NO_DIGIT.split("".join(parts))
        parts[1::3] = [_APART[mark] for mark in parts[1::3]]
        text = "".join(parts)
    if "-" in text:
        text = _DIGIT_DASH.sub(r"\1 - ", text)
    return text


def _auto() -> Tokenizer:
    western, chinese = tokenizer("13a"), tokenizer("zh")

    def tokenize(text: str) -> list[str]:
        return western(text) if text.isascii() or not spaceless(text) else chinese(split_spaceless(text))

    return tokenize


def _words() -> Tokenizer:
    def tokenize(text: str) -> list[str]:
        text = text.lower()
        if text.isascii():
            return _ASCII_WORDS.findall(text)
        return cast(list[str], _pattern(r"[\p{L}\p{M}\p{N}]+").findall(split_spaceless(text)))

    return tokenize


def _chrf(text: str) -> list[str]:
    """chrF++'s words: one punctuation mark cut off, at the end or else at the start (so '(hi)' gives '(hi' and ')')."""
    tokens: list[str] = []
    for word in text.split():
        if len(word) > 1 and word[-1] in _PUNCTUATION:
            tokens += (word[:-1], word[-1])
        elif len(word) > 1 and word[0] in _PUNCTUATION:
            tokens += (word[0], word[1:])
        else:
            tokens.append(word)
    return tokens


# at the end of a word of two characters or more, or at the start of one that does not end in another
_MARK = f"[{re.escape(''.join(sorted(_PUNCTUATION)))}]"
_CHRF_MARKS = re.compile(rf"(?<=\S){_MARK}(?=\s)|(?<=\s){_MARK}(?=\S*(?!{_MARK})\S\s)")


# ISO 639-1
_LANGUAGES = re.findall(
    r"\w+",
    "aa ab ae af ak am an ar as av ay az ba be bg bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de dv dz ee el en "
    "eo es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie ig ii ik io is it iu ja "
    "jv ka kg ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv mg mh mi mk ml mn mr ms mt my na nb "
    "nd ne ng nl nn no nr nv ny oc oj om or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg si sk sl sm sn so sq "
    "sr ss st su sv sw ta te tg th ti tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zh zu",
)

_OWN: dict[str, Callable[[], Tokenizer]] = {
    "auto": _auto,  # 13a; in a text with characters of a spaceless script, zh and each of them a token
    "words": _words,  # rouge-score's lower-cased alphanumeric runs, for letters of every script
    "rouge-score": lambda: lambda text: _ASCII_WORDS.findall(text.lower()),  # drops every letter that is not a to z
    "tercom": lambda: lambda text: text.lower().split(),
    "ter": lambda: lambda text: split_spaceless(text.lower()).split(),
    "chrf": lambda: _chrf,
    "13a": lambda: _mteval13a,
}
SACREBLEU = ("13a", "zh", "intl", "char", "none", "ja-mecab", "ko-mecab")
NAMES = tuple(dict.fromkeys((*_OWN, *SACREBLEU)))


@cache
def tokenizer(name: str) -> Tokenizer:
    """The tokenizer of this name, made once."""
    return _OWN[name]() if name in _OWN else _sacrebleu(name)


# How lines of ASCII, each with a space at either end, get spaces between their tokens and nowhere else: all at once,
# which costs a fraction of one at a time.
_OF_LINES: dict[str, Callable[[str], str]] = {
    **dict.fromkeys(("auto", "13a"), lambda lines: _set_apart(lines.replace("<skipped>", ""))),
    **dict.fromkeys(("words", "rouge-score"), lambda lines: lines.lower().translate(_ONLY_ASCII_WORDS)),
    **dict.fromkeys(("ter", "tercom"), str.lower),
    "chrf": lambda lines: _CHRF_MARKS.sub(lambda mark: f" {mark[0]} ", lines),
}
WORDWISE = frozenset(_OF_LINES)  # they see one word of a line at a time, a word being what is between white space
_IS_SPACE = np.array([code < 128 and chr(code).isspace() for code in range(256)])  # of the bytes of UTF-8


def tokenize(name: str, texts: Sequence[str]) -> tuple[list[str], NDArray[np.int64]]:
    """The tokens of all texts, end to end, by the tokenizer of this name, and how many each text has."""
    split, of_lines = tokenizer(name), _OF_LINES.get(name)
    if of_lines is None or not texts:
        lists = list(map(split, texts))
        return list(chain.from_iterable(lists)), np.fromiter(map(len, lists), np.int64, len(lists))
    plain = list(map(is_plain, texts))
    joined = " \n ".join(compress(texts, plain))
    lines = of_lines(f" {joined} ")  # spaces also at either end
    if not all(plain):
        following = iter(lines.split("\n"))
        whole = zip(texts, plain, strict=True)
        lines = "\n".join([next(following) if simple else f" {' '.join(split(text))} " for text, simple in whole])
    return split_lines(lines)


def is_plain(text: str) -> bool:
    """Is it one line of ASCII? The tokens of such texts are found many at a time."""
    return text.isascii() and "\n" not in text


def split_lines(lines: str) -> tuple[list[str], NDArray[np.int64]]:
    """What stands between white space, which is ASCII, in all lines, and how many of it each line has."""
    characters = np.frombuffer(f" {lines}\n".encode("utf-8", "surrogatepass"), np.uint8)
    space = _IS_SPACE[characters]
    begun = np.cumsum(space[:-1] > space[1:])
    return lines.split(), np.diff(begun[np.flatnonzero(characters == ord("\n")) - 1], prepend=0)


def for_language(language: str) -> str:
    """The BLEU tokenizer of a language, which is `auto` or an ISO 639-1 code, such as en, zh or zh-CN."""
    code = re.split("[-_]", language.lower())[0]
    if code != "auto" and code not in _LANGUAGES:
        raise InputError(f"no language '{language}'{nearest(language, ('auto', *_LANGUAGES))}")
    if code == "zh":
        return "zh"
    return "auto" if code in ("auto", "ja", "th", "lo", "km", "my", "bo") else "13a"
