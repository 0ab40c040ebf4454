"""What each rule sees and what it leaves alone, with the words of both texts; which rules are shown."""

import json
from pathlib import Path

import pytest

from paragauge.verdict import rules
from paragauge.verdict.language import language
from paragauge.verdict.rules import LEAST_PRECISION, Accuracy, accuracy, findings, shown
from paragauge.verdict.words import places

EXAMPLES = [
    json.loads(line) for line in Path(__file__).with_name("rules.jsonl").read_text(encoding="utf-8").splitlines()
]
SEEN = [tuple(row.values()) for row in EXAMPLES if "seen" in row]  # with the words of both texts; null is any
LEFT_ALONE = [tuple(row.values()) for row in EXAMPLES if "seen" not in row]


@pytest.mark.parametrize(("rule", "source", "candidate", "words"), SEEN)
def test_seen(rule, source, candidate, words):
    found = rules.rules()[rule].find(source, candidate)
    assert [one.kind for one in found[:1]] == [rules.rules()[rule].kind]
    assert words is None or places(found[0], source, candidate) == words


@pytest.mark.parametrize(("rule", "source", "candidate"), LEFT_ALONE)
def test_left_alone(rule, source, candidate):
    assert rules.rules()[rule].find(source, candidate) == []


@pytest.mark.parametrize("rule", rules.rules())
@pytest.mark.parametrize(
    "text", ["", " ", "?", "a", "\u200b", "你好", "x" * 9_000, "the " * 3_000, "5", "9" * 400, "½ ٣ 0", "not", "?!🦄"]
)
def test_odd_texts(rule, text):
    find = rules.rules()[rule].find
    assert find(text, text) == []
    for one, other in ((text, "How old are you?"), ("How old are you?", text)):
        for found in find(one, other):
            assert found.source is None or 0 <= found.source.start <= found.source.end <= len(one)
            assert found.candidate is None or 0 <= found.candidate.start <= found.candidate.end <= len(other)


def test_every_rule_has_an_example_of_what_it_sees_and_of_what_it_leaves_alone():
    assert {rule for rule, *_ in SEEN} == {rule for rule, *_ in LEFT_ALONE} == set(rules.rules())


def test_every_rule_was_measured():
    assert set(accuracy()) == set(rules.rules())
    for measured in accuracy().values():
        expected = measured.recall / (measured.recall + measured.false_alarms)
        assert measured.precision == pytest.approx(expected)
        assert measured.pairs > 150
        assert measured.paraphrases > 5_000


def test_a_rule_that_is_too_often_wrong_is_not_shown(monkeypatch):
    assert {rule.name for rule in shown()} == {
        name for name, measured in accuracy().items() if measured.precision >= LEAST_PRECISION
    }
    assert [one.kind for one in findings("It is 5.", "It is 6.")] == ["number"]
    poor = accuracy() | {"number": Accuracy(0.79, 0.79, None, 0.21, 200, 6_000, "nowhere")}
    monkeypatch.setattr(rules, "accuracy", lambda: poor)
    shown.cache_clear()
    try:
        assert "number" not in {rule.name for rule in shown()}
        assert findings("It is 5.", "It is 6.") == []
    finally:
        monkeypatch.undo()
        shown.cache_clear()


def test_rules_that_know_english_are_not_asked_of_another_language():
    source = "Der Ausschuss hat das nicht mit der Regierung in Berlin beraten."
    assert language(source) == "German"
    assert findings(source, source.replace("Berlin", "Hamburg")) == []
    assert [one.kind for one in findings(f"{source} 12", f"{source} 21")] == ["number"]


def test_a_negation_that_is_the_opposite_of_a_word_is_told_once():
    assert [one.kind for one in findings("We came with many friends.", "We came without many friends.")] == ["negation"]
    assert [one.kind for one in findings("He always comes home late.", "He never comes home late.")] == ["negation"]


def test_a_word_put_in_is_told_once():
    assert [one.kind for one in findings("The vaccine does protect us.", "The vaccine does not protect us.")] == [
        "negation"
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("What is the name of the man that you were with?", "English"),
        ("Le chat est dans la maison avec les enfants.", "French"),
        ("Привет, как дела?", "CYRILLIC"),
        ("你今年多大年纪了？", "CJK"),
        ("おいくつですか、今。", "HIRAGANA"),
        ("Quark", None),
        ("12 ?", None),
    ],
)
def test_language(text, expected):
    assert language(text) == expected
