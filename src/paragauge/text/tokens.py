"""Tokens of a text, by the conventions of the field and one of our own that no script defeats."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache

import regex

Tokenizer = Callable[[str], list[str]]

# Scripts written without spaces between words. Their characters are tokens of their own, as in sacrebleu's 'zh';
# without that, a Chinese or Thai sentence is one long word, and every overlap is 0 or 1.
SPACELESS = regex.compile(
    r"[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}"
    r"\p{Script=Myanmar}\p{Script=Tibetan}]\p{M}*"
)
_WORDS = regex.compile(r"[\p{L}\p{M}\p{N}]+")
_ASCII_WORDS = re.compile(r"[a-z0-9]+")
_PUNCTUATION = frozenset("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~")


def split_spaceless(text: str) -> str:
    """Put spaces around each character of a script that has none.

    >>> split_spaceless("我爱NLP").split()
    ['我', '爱', 'NLP']
    """
    return text if text.isascii() else SPACELESS.sub(r" \g<0> ", text)


def _sacrebleu(name: str) -> Tokenizer:
    from sacrebleu.metrics import BLEU

    # the undecorated function: our workspace remembers tokens, and two caches cost more than one
    instance = BLEU(tokenize=name).tokenizer
    call = getattr(type(instance).__call__, "__wrapped__", type(instance).__call__)
    return lambda text: call(instance, text.rstrip()).split()


def _auto() -> Tokenizer:
    western, chinese = _sacrebleu("13a"), _sacrebleu("zh")

    def tokenize(text: str) -> list[str]:
        if text.isascii() or not SPACELESS.search(text):
            return western(text)
        return chinese(split_spaceless(text))

    return tokenize


def _words() -> Tokenizer:
    def tokenize(text: str) -> list[str]:
        text = text.lower()
        if text.isascii():
            return _ASCII_WORDS.findall(text)
        return _WORDS.findall(split_spaceless(text))

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


_OWN: dict[str, Callable[[], Tokenizer]] = {
    "auto": _auto,  # 13a; in a text with characters of a spaceless script, zh and each of them a token
    "words": _words,  # rouge-score's lower-cased alphanumeric runs, for letters of every script
    "rouge-score": lambda: lambda text: _ASCII_WORDS.findall(text.lower()),  # drops every letter that is not a to z
    "tercom": lambda: lambda text: text.lower().split(),
    "ter": lambda: lambda text: split_spaceless(text.lower()).split(),
    "chrf": lambda: _chrf,
}
SACREBLEU = ("13a", "zh", "intl", "char", "none", "ja-mecab", "ko-mecab")
NAMES = (*_OWN, *SACREBLEU)


@cache
def tokenizer(name: str) -> Tokenizer:
    """The tokenizer of this name, made once."""
    return _OWN[name]() if name in _OWN else _sacrebleu(name)


def for_language(language: str) -> str:
    """The BLEU tokenizer that `--lang` stands for."""
    code = language.lower().split("-")[0]
    if code == "zh":
        return "zh"
    return "auto" if code in ("auto", "ja", "th", "lo", "km", "my", "bo") else "13a"
