"""Usable or not, and why: every reason, the order of reasons, thresholds, empty and missing candidates."""

import math

import pytest

import paragauge as pg
from paragauge.errors import InputError
from paragauge.metrics import parse
from paragauge.testing.texts import SCRIPTS, TRIVIAL_EDITS

pytestmark = pytest.mark.usefixtures("encoder")
SOURCE = "She sold her old car for 2500 euros last week."
REWRITE = "Last week her old car went for 2500 euros."


def judged(candidate: str | None, source: str = SOURCE, **thresholds: float) -> tuple[float, str | None]:
    found = pg.judge([source], [candidate], cache=False, **thresholds)
    usable, why = found.frame.select("usable", "why").row(0)
    return usable, why


@pytest.mark.parametrize(
    ("candidate", "thresholds", "expected"),
    [
        (REWRITE, {"accept": 0.0}, (1, None)),
        (SOURCE, {"accept": 0.0}, (0, "copy")),
        (SOURCE.upper(), {"accept": 0.0}, (0, "copy")),
        (f"{SOURCE} 😀👍🏽", {"accept": 1.0}, (0, "copy")),
        (SOURCE, {"accept": 0.0, "min_changed": 0.0}, (1, None)),
        ("", {"accept": 0.0}, (0, "empty")),
        ("\u200b ", {"accept": 0.0}, (0, "empty")),
        ("She sold the old car for 2500 euros last week.", {"accept": 0.0}, (0, "too close")),
        ("She sold her old car for 3500 euros last week.", {"accept": 0.0},
         (0, "meaning lost (number): “2500” → “3500”")),
        ("She sold her old car for 3500 euros last week.", {"accept": 0.0, "strict": False},
         (0, "too close (number): “2500” → “3500”")),
        ("She sold her old car for 3500 euros last week.", {"accept": 1.0},
         (0, "meaning lost (number): “2500” → “3500”")),
        ("She got 3500 euros for the old car that was sold last week.", {"accept": 1.0},
         (0, "meaning lost (number): “2500” → “3500”")),
        ("Last week her old car did not sell for 2500 euros.", {"accept": 0.0},
         (0, "meaning lost (negation): “sold” → “not sell”")),
        ("It was last week that 2500 euros were hers.", {"accept": 1.0}, (0, "meaning lost")),
        ("Last week her old car went for 3500 euros.", {"accept": 0.0},
         (0, "meaning lost (number): “2500” → “3500”")),
        ("Last week her old car went for 3500 euros.", {"accept": 0.0, "strict": False},
         (1, "check (number): “2500” → “3500”")),
        ("Her old old old car went for 2500 euros.", {"accept": 0.0}, (0, "garbled: “old old old”")),
        ("?!", {"accept": 0.0}, (0, "garbled: “?!”")),
        ("Sie hat das alte Auto in der letzten Woche nicht für 2500 Euro verkauft, und das ist so.", {"accept": 0.0},
         (0, "not the language")),
        ("Она продала машину.", {"accept": 0.0}, (0, "not the language")),
    ],
)  # fmt: skip
def test_why(candidate, thresholds, expected):
    assert judged(candidate, **thresholds) == expected


def test_several_losses_are_told_with_their_words():
    source = "The new vaccine does not protect 50 people."
    candidate = "The new vaccine does protect 60 people."
    assert judged(candidate, source, accept=1.0) == (
        0,
        "meaning lost (negation, number): “not protect” → “protect”; “50” → “60”",
    )


def test_a_missing_candidate_and_an_empty_source_are_undefined():
    found = pg.score([SOURCE, "", ""], [None, REWRITE, ""], metrics=["usable"], cache=False)
    assert all(math.isnan(value) for value in found["usable"])
    assert found.columns["usable"].reasons == {
        0: "the candidate is missing",
        1: "the source is empty",
        2: "the candidate is empty",
    }
    assert not found.columns["usable"].notes.get(0)


@pytest.mark.filterwarnings("ignore:.*not English", "ignore:.*tokens are unknown")
@pytest.mark.parametrize("edit", TRIVIAL_EDITS)
def test_a_copy_in_disguise_is_a_copy(edit):
    texts = [texts[0] for texts in SCRIPTS.values()]
    found = pg.judge(texts, [TRIVIAL_EDITS[edit](text) for text in texts], accept=0.0, cache=False)
    assert found.frame["usable"].to_list() == [0] * len(texts)
    assert set(found.frame["why"]) == {"copy"}


def test_thresholds_are_met_by_what_is_equal_to_them():
    meaning = parse("meaning").score(sources=[SOURCE], candidates=[REWRITE])[0]
    changed = parse("changed").score(sources=[SOURCE], candidates=[REWRITE])[0]
    assert judged(REWRITE, accept=float(meaning), min_changed=float(changed)) == (1, None)
    assert judged(REWRITE, accept=math.nextafter(meaning, 2), min_changed=float(changed))[0] == 0
    assert judged(REWRITE, accept=float(meaning), min_changed=math.nextafter(changed, 2))[0] == 0


def test_thresholds_beyond_the_range_are_refused():
    with pytest.raises(InputError, match="accept"):
        parse("usable:accept=1.2")
    with pytest.raises(InputError, match="min_changed"):
        parse("usable:min_changed=-0.1")


def test_the_signature_has_thresholds_and_weights():
    signature = parse("usable:accept=0.7").signature()
    assert "|accept:0.7|" in signature
    assert "sha256:" in signature
