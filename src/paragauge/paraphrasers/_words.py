"""A text as words and what stands between them, so that words can be replaced and the rest stays."""

from __future__ import annotations

import re

# A clitic (n't, 's) is not a word of its own here: it stays with whatever word comes before it.
_WORD = re.compile(r"\w+(?=n['’]t\b)|n['’]t\b|['’](?:s|re|ve|ll|d|m)\b|\w+(?:[-.]\w+)*|[^\w\s]", re.IGNORECASE)
_CLITIC = re.compile(r"n['’]t|['’]\w+", re.IGNORECASE)
# Words that are spoken with a vowel first: by the letter, but for the sounds of "use", "one" and a silent h.
_VOWEL = re.compile(r"hono|hour|honest|heir|(?!eu|ewe|(?:one|once)\b|uni(?!n|m)|u[bcfhjkqrst][aeiou]|usu|uri)[aeiou]")


def cut_words(text: str) -> tuple[list[str], list[str]]:
    """The words, punctuation marks and clitics of a text, and what stands before, between and behind them.

    >>> cut_words("Don't go, Bob!")
    (['Do', "n't", 'go', ',', 'Bob', '!'], ['', '', ' ', '', ' ', '', ''])
    """
    words, gaps, end = [], [], 0
    for found in _WORD.finditer(text):
        gaps.append(text[end : found.start()])
        words.append(found[0])
        end = found.end()
    return words, [*gaps, text[end:]]


def put_together(words: list[str], gaps: list[str]) -> str:
    """The inverse of `cut_words`; a word that is empty goes with the gap before it."""
    pairs = zip(words, gaps, strict=False)
    return ("".join(gap + word for word, gap in pairs if word) + gaps[-1]).strip()


def is_word(token: str) -> bool:
    """Has it a letter or a digit, and is it no clitic?"""
    return any(map(str.isalnum, token)) and not _CLITIC.fullmatch(token)


def with_case(word: str, like: str) -> str:
    """The word in capitals, or with a capital, where the other is.

    >>> with_case("feline", "Cat"), with_case("usa", "UK"), with_case("feline", "I")
    ('Feline', 'USA', 'Feline')
    """
    if len(like) > 1 and like.isupper():
        return word.upper()
    return word[:1].upper() + word[1:] if like[:1].isupper() else word


def article(before: str, word: str) -> str:
    """`a` or `an` as the word asks for, in the case of the one that stood there.

    >>> article("A", "old"), article("an", "university"), article("a", "hour"), article("A", "OWL")
    ('An', 'a', 'an', 'An')
    """
    right = "an" if _VOWEL.match(word.lower()) else "a"
    return before if before.lower() == right else with_case(right, before)
