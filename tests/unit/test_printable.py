"""Text made fit to be shown."""

import json
import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from paragauge.printable import printable, printable_json, printable_lines

ANY = st.text(alphabet=st.characters(exclude_categories=()))  # halves of surrogate pairs too
DIRECTIONS = {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}


def harmless(mark: str) -> bool:
    return (
        unicodedata.category(mark) not in ("Cc", "Cs", "Zl", "Zp") and unicodedata.bidirectional(mark) not in DIRECTIONS
    )


def test_every_character_that_is_not_harmless_is_spelled_and_no_other():
    for code in range(0x110000):
        mark = chr(code)
        if mark != "\n":
            assert (printable(f"a{mark}b") == f"a{mark}b") == harmless(mark), hex(code)


@given(ANY)
def test_twice_is_once_and_all_is_on_one_line(text):
    once = printable(text)
    assert all(map(harmless, once))
    assert printable(once) == once
    assert all(harmless(mark) or mark in "\n\t" for mark in printable_lines(text))


@given(st.lists(st.dictionaries(ANY, ANY, max_size=2), max_size=2))
def test_json_means_the_same(value):
    text = printable_json(json.dumps(value, ensure_ascii=False, indent=1))
    assert all(harmless(mark) or mark == "\n" for mark in text)
    # two halves that follow each other become one character when JSON is read
    joined = json.loads(json.dumps(value))
    assert json.loads(text) == joined


def test_line_breaks_become_spaces():
    assert printable("one\ntwo\r\n\r\nthree\n") == "one two three"
    assert printable("tab\there, return\rthere") == r"tab\there, return\rthere"
