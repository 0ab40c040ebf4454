"""Texts that a metric meets sooner or later."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence
from functools import cache

from ..tables.samples import Samples

# source, candidate, reference, additional reference
SCRIPTS = {
    "English": ("How old are you now?", "What is your age?", "Could you tell me your age?", "How old are you, then?"),
    "Chinese": ("你今年多大年纪了？", "请问你几岁了？", "你的年纪是多少？", "你现在多大了？"),
    "Japanese": ("あなたは今何歳ですか。", "年齢を教えてください。", "おいくつですか、今。", "何歳になりましたか。"),
    "Arabic": ("كم عمرك الآن يا صديقي؟", "ما هو عمرك اليوم؟", "هل تخبرني كم عمرك؟", "كم تبلغ من العمر الآن؟"),
    "Thai": ("ตอนนี้คุณอายุเท่าไหร่", "คุณอายุกี่ปีแล้ว", "ขอทราบอายุของคุณ", "คุณมีอายุเท่าไร"),
    "Devanagari": ("अब आपकी उम्र क्या है?", "आप कितने साल के हैं?", "कृपया अपनी उम्र बताइए", "आपकी आयु कितनी है?"),
    "Russian": ("Сколько тебе сейчас лет?", "Какой у тебя возраст?", "Скажи мне свой возраст", "Тебе сколько лет?"),
    "Korean": ("지금 나이가 어떻게 되세요?", "몇 살인지 알려 주세요", "나이를 말해 줄래요?", "지금 몇 살이에요?"),
    "Hebrew": ("בן כמה אתה היום?", "מה הגיל שלך עכשיו?", "תגיד לי בן כמה אתה", "מהו גילך היום?"),
    "Tamil": ("உங்கள் வயது என்ன இப்போது?", "உங்களுக்கு எத்தனை வயது?", "உங்கள் வயதை சொல்லுங்கள்", "வயது என்ன ஆகிறது?"),
}
ODD = {
    "empty": "",
    "whitespace": " \t\n\u3000 ",
    "punctuation": "?!… — ¿",
    "one letter": "a",
    "one word": "hello",
    "emoji": "👩‍👩‍👧 🎉🎉",
    "lone combining marks": "\u0301\u0302 \u0e31",
    "zero width": "\u200b\u200d",
    "control": "\x00\x07",
    "replacement": "\ufffd",
    "lines": "one\ntwo\r\nthree\u2028four",
    "entities": "&lt;b&gt; R&amp;D 3.5-4,0%",
    "unbroken": "x" * 700,
}
# Edits of a text that no reader would call a change of its wording.
TRIVIAL_EDITS: dict[str, Callable[[str], str]] = {
    "upper case": str.upper,
    "lower case": str.lower,
    "title case": str.title,
    "spaces at the end": lambda text: text + " " * len(text),
    "spaces and line ends between words": lambda text: text.replace(" ", " \t\n "),
    "no-break spaces": lambda text: text.replace(" ", "\u00a0\u2003"),
    "zero-width spaces": lambda text: "\u200b".join(text),
    "zero-width joiners": lambda text: "\u200d".join(text),
    "soft hyphens": lambda text: "\u00ad".join(text),
    "control characters": lambda text: "\x00\x07".join(text),
    "bidirectional marks": lambda text: f"\u202a{chr(0x200F).join(text)}\u202c",
    "variation selectors": lambda text: "".join(letter + "\ufe0f" for letter in text),
    "invisible letters": lambda text: "\u3164".join(text),
    "private characters": lambda text: "\ue000".join(text),
    "stray accents": lambda text: "".join(letter + "\u0301\u0316" for letter in text),
    "strokes through letters": lambda text: "".join(
        f"{letter}\u0336" if letter.isalnum() else letter for letter in text
    ),
    "NFD": lambda text: unicodedata.normalize("NFD", text),
    "NFC": lambda text: unicodedata.normalize("NFC", text),
    "full width": lambda text: "".join(chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else c for c in text),
    "mathematical bold": lambda text: "".join(chr(ord(c) + 0x1D3B9) if "a" <= c <= "z" else c for c in text),
    "Cyrillic letters that look Latin": lambda text: text.translate(str.maketrans("aeopcyx", "аеорсух")),
    "punctuation set apart": lambda text: re.sub(r"([.,?!，。？！])", r" \1", text),
    "Chinese characters set apart": lambda text: re.sub(r"([\u3040-\u30ff\u4e00-\u9fff])", r" \1 ", text),
}
LONG = "the quick brown fox " * 5_000  # 100,000 characters
LONG_CHANGED = "the quick brown dog " * 4_999 + "jumped"


@cache
def _odd() -> Samples:
    texts = [*ODD.values(), "How old are you?", SCRIPTS["Chinese"][0]]
    rows: list[tuple[str, str, Sequence[str]]] = [
        (source, candidate, [other]) for source in texts for candidate in texts for other in (source, "a plain one")
    ]
    rows += [(text, text, ()) for text in texts]  # no references
    rows += [(text, "a plain one", ("", " ")) for text in texts]  # references that are none
    rows += [
        (LONG, LONG_CHANGED, [LONG]),
        (LONG, "short", ["short too", LONG]),
        ("short", LONG, ["short too"]),
        (LONG, "", [LONG]),
    ]
    sources, candidates, references = zip(*rows, strict=True)
    return Samples.of(sources, candidates, references)


def plain_rows() -> Samples:
    """A fresh table of plain rows: two references each in many scripts, the last row a copy of its source."""
    guitar = "A man is playing a guitar."
    return Samples.of(
        [texts[0] for texts in SCRIPTS.values()] + [guitar] * 2,
        [texts[1] for texts in SCRIPTS.values()] + ["Someone plays the guitar on stage.", guitar],
        [texts[2:] for texts in SCRIPTS.values()] + [["A man plays guitar."], ["The guitar is being played by a man."]],
    )


def plain_sets() -> Samples:
    """A fresh table of plain sets: three candidates for a source in many scripts, and two equal ones in the last."""
    guitar = "A man is playing a guitar."
    return Samples.of(
        [texts[0] for texts in SCRIPTS.values() for _ in texts[1:]] + [guitar] * 2,
        [text for texts in SCRIPTS.values() for text in texts[1:]] + [guitar] * 2,
        [texts[2:] for texts in SCRIPTS.values() for _ in texts[1:]] + [["A man plays guitar."]] * 2,
    )


def odd_rows() -> Samples:
    """A fresh table of everything that is odd."""
    return _odd().rows(range(len(_odd())))
