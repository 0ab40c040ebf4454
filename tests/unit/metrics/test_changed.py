"""How much of the wording is new: copies in every disguise, moved words, new words."""

import numpy as np
import pytest

from paragauge.evaluate.api import score
from paragauge.metrics import parse
from paragauge.testing.texts import SCRIPTS, TRIVIAL_EDITS

SOURCE = "The doctor told the patient to rest for three days."


def changed(source: str, candidate: str) -> float:
    return float(parse("changed").score(sources=[source], candidates=[candidate])[0])


def test_it_is_the_mean_of_edit_distance_and_lexical_deviation():
    # "a b c" and "a b d": 1 of 5 characters; of a, b, c, d two are shared
    assert changed("A b, c!", "a b d") == pytest.approx((1 / 5 + 2 / 4) / 2)


@pytest.mark.parametrize("edit", TRIVIAL_EDITS)
@pytest.mark.parametrize("script", SCRIPTS)
def test_a_copy_with_edits_that_no_reader_sees_is_a_copy(script, edit):
    source = SCRIPTS[script][0]
    assert changed(source, TRIVIAL_EDITS[edit](source)) == 0


@pytest.mark.parametrize(
    "candidate",
    ["the doctor told the patient to rest for three days", "The doctor; told (the patient): to rest - for three days?!",
     "“The doctor told the patient to rest for three days…”", 'The doctor told the patient: "to rest for three days"'],
)  # fmt: skip
def test_punctuation_changes_nothing(candidate):
    assert changed(SOURCE, candidate) == 0


def test_apostrophes_change_nothing():
    assert changed("It's the patients' day.", "Its the patient’s day") == 0


def test_moved_words_count_less_than_new_ones():
    moved = changed(SOURCE, "For three days the doctor told the patient to rest.")
    new = changed(SOURCE, "A physician advised someone ill: relax until Thursday!")
    shuffled = changed(SOURCE, "days three for rest to patient the told doctor The")
    assert 0 < moved < shuffled < 0.5 < new


def test_nothing_in_common():
    assert changed("abc", "xyz") == 1
    assert changed("我爱你", "他恨谁") == 1  # the characters of one word are not held apart by spaces


def test_symbols_are_wording_where_there_is_nothing_else():
    assert changed("🦄", "🦄") == 0
    assert changed("🦄", "🍕") == 1
    assert changed("I love 🦄", "I love 🍕") > 0


@pytest.mark.parametrize("more", [" 😀", "👍🏽👍🏽", "🇫🇷 ❤️", " 👩‍👩‍👧", " ★ ✓", " ™"])
def test_emoji_that_are_only_added_or_taken_away_change_nothing(more):
    for one, other in ((SOURCE, SOURCE + more), (f"{SOURCE} 🎉", f"🎉 {SOURCE}{more}")):
        assert changed(one, other) == changed(other, one) == 0


def test_a_symbol_that_says_something_is_wording():
    assert changed("It cost $5.", "It cost €5.") > 0
    assert changed("It weighs 5㎏.", "It weighs 5㎎.") > 0
    assert changed("x < y", "x > y") > 0
    assert changed("5 + 5 boxes", "5 boxes, 5") > 0


def test_a_text_that_does_not_show_has_no_wording():
    metric = parse("changed")
    samples = {"sources": ["abc", "\u3164"], "candidates": ["\u3164", "abc"]}
    assert np.isnan(metric.score(**samples)).all()


def test_texts_that_would_take_hours_are_undefined_and_say_so():
    """An edit distance takes time by the product of the lengths: 4 MB and 4 MB more than an hour."""
    long = "word " * 800_000
    found = score([long, "a b", long], [long + "x", "a c", "a"], metrics=["ned.free", "changed"])
    for name in ("ned.free", "changed"):
        assert np.isnan(found[name]).tolist() == [True, False, False]
        assert found.columns[name].reasons[0] == (
            "texts of 4,000,001 and 4,000,000 characters are too long for an edit distance"
        )
