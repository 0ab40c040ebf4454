"""A text without what no reader would call a difference: case, accents, white space, width, what does not show."""

from __future__ import annotations

import re
import unicodedata
from itertools import chain

_NOT_SHOWN = frozenset(
    chain(  # Unicode's default ignorable code points that are letters, marks or unassigned (the rest are of class Cf)
        (0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x3164, 0xFFA0, 0xFFFD),  # U+FFFD stands for no character at all
        range(0x180B, 0x1810),
        range(0xFE00, 0xFE10),
        range(0xE0000, 0xE1000),
    )
)
_LATER = (range(0x1F000, 0x20000), range(0x20000, 0x40000))  # new emoji and Chinese characters are assigned here
_EMOJI = range(0x1F000, 0x20000)
_PICTURES = (range(0x2190, 0x2460), range(0x2500, 0x2800), range(0x2B00, 0x2C00))  # arrows, signs, shapes, dingbats
# Decompositions to the same character in another width, typeface or position; not superscripts: x² is not x2.
_SAME = ("<wide>", "<narrow>", "<font>", "<noBreak>", "<vertical>", "<initial>", "<medial>", "<final>", "<isolated>")
_TYPOGRAPHIC = str.maketrans(
    dict.fromkeys("‘’‚‛ʼ`´′", "'")
    | dict.fromkeys("“”„‟″", '"')
    | dict.fromkeys("‐‑‒–—―−", "-")
    | {"…": "...", "\u0640": "", "ɑ": "a", "ɡ": "g"}  # U+0640 only stretches Arabic words
)
# Cyrillic letters (and the Greek o) that look like Latin ones, small or capital, in lower case.
_LOOK_ALIKE = str.maketrans("авеһнкіјӏмоԁрԛсѕтухԝο", "abehhkijlmodpqcstyxwo")
_NOT_LATIN = re.compile(r"[\u0370-\u03ff\u0400-\u052f]")
_LATIN = re.compile("[a-z]")
_WORD, _ALONE = re.compile(r"[^\W\d_]+"), re.compile(r"(.)\1*", re.IGNORECASE)
_STRETCHED = re.compile(r"([^\W\d_ixcmw])\1{2,}|([ixcmw])\2{3,}", re.IGNORECASE)
_UNSEEN_ASCII = str.maketrans(dict.fromkeys(map(chr, (*range(9), *range(14, 28), 127)), ""))
_LOOSE = {f" {mark}": mark for mark in ",.;:!?)]}"} | {f"{mark} ": mark for mark in "([{"}
# Between Chinese or Japanese characters, and at their border with other scripts, a space is layout.
_CHINESE = r"[\u3001-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]"
_LAYOUT = re.compile(f"(?<={_CHINESE}) | (?={_CHINESE})")


def normalize(text: str) -> str:
    """NFC and case folded, without accents, invisible characters, look-alikes, needless spaces and curly quotes.

    Idempotent. Of the marks, those go that decorate a letter or are optional (accents, Hebrew and Arabic points) and
    that uncased encoders do not see either; those that spell a word (vowel signs of India and Thailand, the voicing
    of kana) stay.

    >>> normalize("  THE Café\\u200b\\u00a0is\\tope\\u0301n . ")
    'the cafe is open.'
    >>> normalize("ＮＬＰ 很 有 趣！")
    'nlp很有趣!'
    """
    if text.isascii():
        if not text.isprintable():
            text = text.translate(_UNSEEN_ASCII)
        return _tight(" ".join(text.lower().replace("`", "'").split()))
    text = unicodedata.normalize("NFC", text).translate(_FOLDED)
    # a letter may meet a mark that it composes with, now that nothing stands between them
    text = " ".join(unicodedata.normalize("NFC", text).split())
    foreign = set(_NOT_LATIN.findall(text))
    if foreign and all(ord(letter) in _LOOK_ALIKE for letter in foreign) and _LATIN.search(text):
        text = text.translate(_LOOK_ALIKE)  # a Latin text in disguise: a Cyrillic word would have others too
    return _tight(_LAYOUT.sub("", text))


def words_only(text: str) -> str:
    """The normalized text without punctuation: its words, or itself where it has none.

    >>> words_only("Well-known: it's  THE café!")
    'well known its the cafe'
    >>> words_only("?!")
    '?!'
    """
    text = normalize(text)
    return " ".join(text.translate(_BARE).split()) or text


def alphanumeric(text: str) -> str:
    """What is left of a text without case, punctuation and white space: equal for copies.

    >>> alphanumeric("It's raining!") == alphanumeric("its RAINING")
    True
    """
    return "".join(character for character in text.lower() if character.isalnum()) or text


def strip_emoji(one: str, other: str) -> tuple[str, str]:
    """Two texts without emoji and the like, where these were only added or only taken away; else as they are.

    >>> strip_emoji("well done", "well done 👍🏽")
    ('well done', 'well done')
    >>> strip_emoji("I love 🦄", "I love 🍕")
    ('I love 🦄', 'I love 🍕')
    """
    here, there = _pictures(one), _pictures(other)
    if here | there and (here <= there or there <= here):
        return _unpictured(one, here), _unpictured(other, there)
    return one, other


def collapse_repeats(text: str) -> str:
    """The text with letters that are drawn out within a word written twice, nearer to how an encoder knows the word.

    Not what may be meant: Roman numerals, www, a letter alone (AAA).

    >>> collapse_repeats("sooooo goooood, World War III, AAA, www.1000.com")
    'soo good, World War III, AAA, www.1000.com'
    """
    if not _STRETCHED.search(text):
        return text
    return _WORD.sub(lambda word: _shortened(word[0]), text)


def same_words(one: str, other: str) -> bool:
    """Are two texts the same but for case, accents, punctuation, and emoji that only one of them has?

    >>> same_words("Well done!", "well done 👍🏽"), same_words("I love 🦄", "I love 🍕"), same_words("done", "did")
    (True, False, False)
    """
    here, there = strip_emoji(words_only(one), words_only(other))
    return here == there


def _shortened(word: str) -> str:
    return word if _ALONE.fullmatch(word) else _STRETCHED.sub(lambda run: run[0][:2], word)


def _pictures(text: str) -> set[str]:
    return set() if text.isascii() else set(filter(_is_picture, text))


def _unpictured(text: str, pictures: set[str]) -> str:
    return " ".join(text.translate(dict.fromkeys(map(ord, pictures), " ")).split()) or text


def _tight(text: str) -> str:
    """Punctuation marks where a writer puts them, not set apart as tokenizers do."""
    for loose, mark in _LOOSE.items():
        if loose in text:
            text = text.replace(loose, mark)
    return text


class _Bare(dict[int, str]):
    """A space for every punctuation mark; what is left of an apostrophe is nothing, as in "its" for "it's"."""

    def __missing__(self, code: int) -> str:
        character = chr(code)
        self[code] = " " if unicodedata.category(character)[0] == "P" else character
        return self[code]


_BARE = _Bare({ord("'"): ""})


def _is_picture(character: str) -> bool:
    """An emoji, a star, a tick, ©; not what stands for a word or a unit: +, $, °, ㎏, Ⓐ, Braille."""
    code, category = ord(character), unicodedata.category(character)
    if code in _EMOJI:  # with the colours of skin (Sk), and those that are newer than Python's table (Cn)
        return category in ("So", "Sk", "Cn")
    return category == "So" and (character in "©®™" or any(code in block for block in _PICTURES))


class _Folded(dict[int, str]):
    """What each character becomes, found when it is first asked for; a table for `str.translate`."""

    def __missing__(self, code: int) -> str:
        self[code] = _fold(chr(code))
        return self[code]


_FOLDED = _Folded()


def _fold(character: str) -> str:
    if _unseen(character):
        return ""
    if character.isspace() or character == "\u2800":  # the braille pattern without dots
        return " "
    if unicodedata.decomposition(character).startswith(_SAME):
        return "".join(map(_fold, unicodedata.normalize("NFKC", character)))
    if unicodedata.category(character)[0] not in "LN":  # ≠ is not = with an accent
        return character.casefold().translate(_TYPOGRAPHIC)
    # upper case first: ı and ſ fold as I and S do
    letters = unicodedata.normalize("NFD", character.upper().casefold())
    bare = "".join(letter for letter in letters if not _decorates(letter))
    return unicodedata.normalize("NFC", bare.translate(_TYPOGRAPHIC))


def _unseen(character: str) -> bool:
    code, category = ord(character), unicodedata.category(character)
    if category == "Cn":
        return not any(code in later for later in _LATER) or code & 0xFFFE == 0xFFFE
    return code in _NOT_SHOWN or (category[0] == "C" and not character.isspace()) or _decorates(character)


def _decorates(mark: str) -> bool:
    """Is it an accent or a point? By its canonical combining class: those that spell words have others."""
    place = unicodedata.combining(mark)
    return place == 1 or 10 <= place <= 36 or place >= 200 or unicodedata.category(mark) == "Me"
