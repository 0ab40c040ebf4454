"""What no reader would call a difference goes; what spells another word stays."""

import sys
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paragauge.text.normalize import collapse_repeats, normalize

TEXT = st.text() | st.text(st.characters(categories=("L", "M", "N", "P", "S", "Z", "Cf")), max_size=30)
# (a text, the same to a reader)
SAME = {
    "case": ("The doctor's Straße", "THE DOCTOR'S STRASSE"),
    "dotless i": ("DIYARBAKIR", "dıyarbakır"),
    "final sigma": ("ὁδός", "ΟΔΟΣ"),
    "spaces at the ends": ("open", "  open \n"),
    "kinds of space": ("it is open", "it\u00a0is\u2003\t\r\nopen"),
    "zero width": ("open", "o\u200bp\u200ce\u200dn\ufeff"),
    "soft hyphen": ("open", "o\u00adpen"),
    "bidi": ("open", "\u202eopen\u202c\u200f\u2066"),
    "control": ("open", "o\x00p\x07e\x1bn\x7f"),
    "tags": ("open", "open" + "".join(chr(0xE0000 + ord(letter)) for letter in "hidden")),
    "variation selector": ("open", "o\ufe0fpen\U000e0101"),
    "fillers": ("open", "o\u3164p\u115fen\uffa0"),
    "stray accents": ("open", "o\u0301p\u0316e\u20ddn\u0336"),
    "composed accents": ("the cafe", "thé café"),
    "NFD": ("Zoë naïve 한국어 ガ", unicodedata.normalize("NFD", "Zoë naïve 한국어 ガ")),
    "full width": ("NLP 2,0!", "ＮＬＰ　２，０！"),
    "half width": ("ガラス", "ｶﾞﾗｽ"),
    "typeface": ("open", "𝐨𝓹𝔢𝚗"),
    "ligature": ("file", "ﬁle"),
    "look-alikes": ("open a case", "оpеn а саsе"),
    "quotes and dashes": ('"it\'s" - so...', "“it’s” – so…"),
    "punctuation set apart": ("Well, (he) said: no!", "Well , ( he ) said : no !"),
    "Chinese characters set apart": ("我爱NLP，你呢？", "我 爱 NLP ， 你 呢 ？"),
    "Arabic vowel points and stretching": ("مرحبا", "مَرْحَـــبًا"),
    "Hebrew points": ("שלום", "שָׁלוֹם"),
}
# what a reader would call another word or sign
DIFFERENT = [
    ("open", "pen"),
    ("days.", "days"),
    ("x²", "x2"),
    ("a = b", "a ≠ b"),
    ("a = b", "a =\u0338 b"),
    ("कल", "किल"),
    ("か", "が"),
    ("ไม", "ไม่"),
    ("🦄", "🍕"),
    ("therapist", "the rapist"),
    ("1.5", "15"),
    ("кот", "кит"),
]


@pytest.mark.parametrize("one,other", SAME.values(), ids=list(SAME))
def test_the_same_to_a_reader(one, other):
    assert normalize(one) == normalize(other)


@pytest.mark.parametrize("one,other", DIFFERENT)
def test_another_word_stays_another(one, other):
    assert normalize(one) != normalize(other)


def test_a_russian_text_keeps_its_letters():
    assert normalize("Какой у тебя возраст?") == "какои у тебя возраст?"
    assert normalize("сосна и NATO") == "сосна и nato"


@given(TEXT)
def test_idempotent(text):
    assert normalize(normalize(text)) == normalize(text)


@given(TEXT, st.sampled_from(("NFC", "NFD")))
def test_canonically_equal_texts_are_equal(text, form):
    assert normalize(unicodedata.normalize(form, text)) == normalize(text)


@given(TEXT)
def test_nothing_that_is_left_is_invisible(text):
    left = normalize(text)
    assert left == left.strip()
    assert "  " not in left
    assert not any(unicodedata.category(letter) in ("Cc", "Cf", "Cs", "Co") for letter in left)


@given(st.text(st.characters(max_codepoint=127)))
def test_ascii_by_the_short_way_and_by_the_long(text):
    assert normalize(text) == normalize(text + "\u200b")


def test_every_character_in_either_case():
    """Except the iota subscript: Greek writes it beside a capital, and as a stray mark it decorates."""
    for code in range(sys.maxunicode + 1):
        letter = chr(code)
        if letter.isupper() or letter.islower() or letter.istitle():
            found = {normalize(written) for written in (letter, letter.upper(), letter.lower())}
            assert len(found) == 1 or letter == "\u0345", (hex(code), found)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("SOOOOO Coooool!!!!", "SOO Cool!!!!"),
        ("Awwwwww yesss pleeease", "Aww yess pleease"),
        ("World War III, Louis XIII, page viii", "World War III, Louis XIII, page viii"),
        ("www.site.org, an AAA battery, 1000000", "www.site.org, an AAA battery, 1000000"),
        ("committee, Mississippi", "committee, Mississippi"),
    ],
)
def test_drawn_out_letters(text: str, expected: str) -> None:
    assert collapse_repeats(text) == expected


@given(TEXT)
def test_nothing_is_drawn_out_twice(text: str) -> None:
    assert collapse_repeats(collapse_repeats(text)) == collapse_repeats(text)
