"""Stems against nltk's PorterStemmer, on the vocabulary of WordNet and on words that nobody wrote."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from nltk.stem.porter import PorterStemmer

from paragauge.text.stem import _STEP_2, _STEP_3, _STEP_4, stem

THEIRS = PorterStemmer()
ENDINGS = [suffix for suffix, _ in (*_STEP_2, *_STEP_3, *_STEP_4)]
ENDINGS += ["", "s", "es", "ies", "sses", "ss", "ed", "eed", "ied", "ing", "y", "ly", "e", "ll", "lle", "logy", "logi"]


@pytest.mark.parametrize("step", [11, pytest.param(1, marks=pytest.mark.thorough)])
def test_the_vocabulary_of_wordnet(lexicon: Any, step: int) -> None:
    vocabulary = {
        line.split(" ", 1)[0]
        for part in ("noun", "verb", "adj", "adv")
        for line in (lexicon.place / f"index.{part}").read_text().splitlines()
        if not line.startswith(" ")
    }
    assert len(vocabulary) > 140_000
    words = sorted(vocabulary)[::step]
    assert {word: stem(word) for word in words} == {word: THEIRS.stem(word) for word in words}


@given(st.text("abeilostxyz", max_size=6), st.lists(st.sampled_from(ENDINGS), max_size=3))
def test_invented_words(start: str, endings: list[str]) -> None:
    word = start + "".join(endings)
    assert stem(word) == THEIRS.stem(word)


@given(st.text(max_size=8).map(str.lower), st.sampled_from(ENDINGS))
def test_any_characters(start: str, ending: str) -> None:
    assert stem(start + ending) == THEIRS.stem(start + ending)


def test_the_rule_that_nltk_writes_as_a_suffix() -> None:
    assert stem("a*ding") == THEIRS.stem("a*ding") == "ad"
