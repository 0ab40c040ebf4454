"""The sentinels, by hand."""

import numpy as np
import pytest

from paragauge.metrics import parse
from paragauge.tables.samples import Samples

SAMPLES = Samples.of(
    ["How old are you?", "A man, a plan.", "我爱你", "?!", "x", "the cat"],
    ["you are how OLD", "A man", "我恨", "…", "", "The cat!"],
)


@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        ("source-only", [4, 4, 3, 0, 1, 2]),
        ("candidate-only", [4, 2, 2, 0, 0, 2]),
        # words: 4 and 4, 2 and 4, 2 and 3, 0 and 0, 0 and 1, 2 and 2
        ("length-ratio", [1, 2 / 4, 2 / 3, np.nan, 0, 1]),
        # characters: 15 and 16, 5 and 14, 2 and 3, 1 and 2, 0 and 1, 8 and 7
        ("length-ratio:level=character", [15 / 16, 5 / 14, 2 / 3, 1 / 2, 0, 7 / 8]),
        ("copy-rate", [1, 1, 1 / 2, np.nan, np.nan, 1]),
        ("copy-rate:count=whole", [0, 0, 0, np.nan, np.nan, 1]),
    ],
)
def test_by_hand(spec, expected):
    np.testing.assert_array_equal(parse(spec).score(SAMPLES), np.array(expected, dtype=np.float64))


def test_a_word_is_copied_no_more_often_than_it_stands_in_the_source():
    # a a a against a b: one of three
    assert parse("copy-rate").score(sources=["a b"], candidates=["a a a"])[0] == 1 / 3


def test_a_sentinel_of_one_side_does_not_see_the_other():
    other = Samples.of(["another source"] * 6, SAMPLES.candidates)
    assert parse("candidate-only").score(other).tolist() == parse("candidate-only").score(SAMPLES).tolist()
    other = Samples.of(SAMPLES.sources, ["another candidate"] * 6)
    assert parse("source-only").score(other).tolist() == parse("source-only").score(SAMPLES).tolist()


def test_reasons():
    assert parse("length-ratio").reason(SAMPLES, 3) == "neither the candidate nor the source has a word"
    assert parse("copy-rate").reason(SAMPLES, 3) == "the candidate or the source has no words"
    assert parse("copy-rate").reason(SAMPLES, 4) == "the candidate is empty"
