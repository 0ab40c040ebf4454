"""Texts to sentences, and sentences to groups within a limit."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paragauge.text.sentences import packed, sentences


@pytest.mark.parametrize(
    "text, expected",
    [
        ("One. Two! Three? Four", ["One.", "Two!", "Three?", "Four"]),
        ("Dr. Smith met Mr. J. Doe. They left.", ["Dr. Smith met Mr. J. Doe.", "They left."]),
        ("It cost 3.5 euros, e.g. in May. Then more.", ["It cost 3.5 euros, e.g. in May.", "Then more."]),
        ('He said "no." She left.', ['He said "no."', "She left."]),
        ("Wait... what? ok.", ["Wait... what? ok."]),
        ("first line\nsecond line", ["first line", "second line"]),
        ("你好。我很好！再见", ["你好。", "我很好！", "再见"]),
        ("  ", []),
    ],
)
def test_where_sentences_end(text, expected):
    assert sentences(text) == expected


@given(st.text(alphabet="Ab .!?\n\"'。", max_size=80))
def test_no_character_is_lost(text):
    assert "".join("".join(sentences(text)).split()) == "".join(text.split())


@given(st.lists(st.integers(0, 30), max_size=20), st.integers(1, 40))
def test_groups_are_within_the_limit_and_have_every_sentence(lengths, limit):
    groups = packed(lengths, limit)
    assert [place for group in groups for place in group] == list(range(len(lengths)))
    assert all(len(group) == 1 or sum(lengths[place] for place in group) <= limit for group in groups)
    for one, two in pairwise(groups):  # none could have taken the first of the next
        assert sum(lengths[place] for place in one) + lengths[two[0]] > limit
