"""Words marked as removed and added."""

from hypothesis import given
from hypothesis import strategies as st

from paragauge.text.diff import word_differences
from paragauge.text.tokens import pieces

TEXT = st.text(alphabet="ab我ñ '’,.\n\tש🦄", max_size=25)


@given(st.text(max_size=40))
def test_pieces_are_the_text(text):
    assert "".join(pieces(text)) == text


@given(TEXT, TEXT)
def test_the_pieces_make_up_both_texts(first, second):
    found = word_differences(first, second)
    for kind, text in (("added", first), ("removed", second)):
        joined = "".join(piece.text for piece in found if piece.kind != kind)
        assert "".join(joined.split()) == "".join(text.split())


@given(TEXT)
def test_a_text_does_not_differ_from_itself(text):
    assert {piece.kind for piece in word_differences(text, text)} <= {"same"}


def test_changed_words_stand_beside_each_other():
    found = word_differences("Could you mail me the file?", "Could you send me the file?")
    assert [tuple(piece) for piece in found] == [
        ("same", "Could you "),
        ("removed", "mail "),
        ("added", "send "),
        ("same", "me the file?"),
    ]


def test_chinese_is_compared_by_character():
    assert [tuple(piece) for piece in word_differences("我爱你", "我恨你")] == [
        ("same", "我"),
        ("removed", "爱"),
        ("added", "恨"),
        ("same", "你"),
    ]


def test_long_texts_are_compared_in_a_moment():
    text = " ".join(f"word{number % 97}" for number in range(2000))
    assert len(word_differences(text, text + " more")) == 2
