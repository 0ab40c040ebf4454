"""The verdict as data: which outcome holds first, what adds up, what is written down and read again, what is said."""

import math
import random

import numpy as np
import pytest

from paragauge.evaluate.part import aggregation_of
from paragauge.metrics import parse
from paragauge.reports.runs import UsableRows
from paragauge.stats.interval import Estimate
from paragauge.tables.samples import Samples
from paragauge.tables.scores import ScoreColumn, Scores
from paragauge.tables.summary import Summary
from paragauge.verdict.findings import READER, Finding, Outcome, Span
from paragauge.verdict.judgment import Criterion, Judgment, Thresholds, joined, judge
from paragauge.verdict.rules import rules
from paragauge.verdict.tally import STEPS, Reason, SystemVerdict, Tally, Verdict
from paragauge.verdict.words import conclusion, conditions, reasons, why

LIMITS = Thresholds(0.5, 0.15, strict=True)
CRITERION = Criterion("usable", "meaning", "changed", LIMITS)
NUMBER = Finding("number", "number", Span(0, 1), Span(0, 1))
ADDED = Finding("added", "added", None, Span(0, 1))
GARBLED = Finding("garbled", "garbled", None, Span(0, 1))
LANGUAGE = Finding("language", "not the language", Span(0, 1), Span(0, 1))
UNKNOWN = Finding("a rule of another version", "E-Mail (x)", Span(0, 1), None)


@pytest.mark.parametrize(
    ("meaning", "changed", "findings", "expected"),
    [
        (0.5, 0.15, [], Outcome.OK),
        (0.9, 0.9, [ADDED], Outcome.CHECK),
        (0.9, 0.9, [UNKNOWN], Outcome.CHECK),
        (0.9, 0.9, [NUMBER], Outcome.MEANING),
        (0.4, 0.1, [], Outcome.MEANING),
        (0.9, 0.1, [ADDED], Outcome.CLOSE),
        (0.9, 0.0, [NUMBER], Outcome.COPY),
        (0.9, 0.9, [NUMBER, GARBLED], Outcome.GARBLED),
        (math.nan, 0.9, [LANGUAGE], Outcome.LANGUAGE),
        (math.nan, 0.0, [NUMBER], Outcome.UNDEFINED),
        (0.9, math.nan, [], Outcome.UNDEFINED),
    ],
)
def test_the_first_outcome_that_holds(meaning, changed, findings, expected):
    found = judge(meaning, changed, findings, LIMITS)
    assert found.outcome is expected
    assert found.usable == {Outcome.OK: True, Outcome.CHECK: True, Outcome.UNDEFINED: None}.get(expected, False)
    assert judge(meaning, changed, findings, LIMITS, empty=True).outcome is Outcome.EMPTY


def test_thresholds_of_nothing_accept_a_copy_and_lenient_ones_a_loss():
    assert judge(0.9, 0.0, [], Thresholds(0.5, 0.0, strict=True)).outcome is Outcome.OK
    assert judge(0.9, 0.9, [NUMBER], LIMITS._replace(strict=False)).outcome is Outcome.CHECK
    assert judge(0.4, 0.9, [NUMBER], LIMITS._replace(strict=False)).outcome is Outcome.MEANING


def random_judgments(number: int) -> list[tuple[float, float, list[Finding], bool]]:
    choose = random.Random(7)
    steps = [step / STEPS for step in range(STEPS + 1)] + [math.nan, 0.333]
    known = [[], [NUMBER], [ADDED], [GARBLED], [LANGUAGE], [NUMBER, ADDED]]
    return [
        (choose.choice(steps), choose.choice(steps), choose.choice(known), choose.random() < 0.1) for _ in range(number)
    ]


@pytest.mark.parametrize("strict", [True, False])
def test_the_grid_is_what_judging_again_at_other_thresholds_gives(strict):
    limits = LIMITS._replace(strict=strict)
    given = random_judgments(300)
    grid = Tally.of([judge(*row[:3], limits, empty=row[3]) for row in given], limits).grid
    for accept, least in [(0, 1), (7, 3), (10, 10), (20, 1), (1, 20)]:
        others = Thresholds(accept / STEPS, least / STEPS, strict)
        again = [judge(*row[:3], others, empty=row[3]).usable for row in given]
        assert grid[accept, least] == sum(map(bool, again))


def test_tallies_add_up():
    rows = [judge(*row[:3], LIMITS, empty=row[3]) for row in random_judgments(200)]
    whole, one, other = (Tally.of(own, LIMITS) for own in (rows, rows[:70], rows[70:]))
    both = one + other
    assert (both.outcomes, both.kinds) == (whole.outcomes, whole.kinds)
    assert (both.grid == whole.grid).all()
    assert sum(whole.outcomes.values()) == 200


def made(system: str, rows: list[Judgment], usable: float | None = 0.5) -> SystemVerdict:
    share = Estimate(usable, None if usable is None else 0.25, None if usable is None else 0.75)
    return SystemVerdict(system, len(rows), share, share, share, Tally.of(rows, LIMITS))


def test_a_verdict_is_written_down_and_read_again():
    rows = [judge(*row[:3], LIMITS, empty=row[3]) for row in random_judgments(100)]
    rows.append(Judgment(Outcome.MEANING, 0.9, 0.9, (UNKNOWN, NUMBER)))
    verdict = Verdict(CRITERION, True, [made("a", rows), made("b: c", rows[:9], None)], Estimate(0.1, None, None))
    again = Verdict.read(verdict.record())
    assert again.record() == verdict.record()
    assert [(one.why, one.check) for one in again.systems] == [(one.why, one.check) for one in verdict.systems]
    assert conclusion(again) == conclusion(verdict)


def test_reasons_are_counted_the_commonest_first_whatever_a_kind_is_called():
    lost = Judgment(Outcome.MEANING, 0.9, 0.9, (UNKNOWN, NUMBER, NUMBER))
    rows = [lost, lost, Judgment(Outcome.MEANING, 0.1, 0.9), *[Judgment(Outcome.COPY, 1.0, 0.0)] * 4]
    rows += [Judgment(Outcome.GARBLED, 0.1, 0.9, (GARBLED,)), Judgment(Outcome.CHECK, 0.9, 0.9, (ADDED,))]
    tally = Tally.of(rows, LIMITS)
    assert list(tally.why.items()) == [
        (Outcome.COPY, Reason(4, {})),
        (Outcome.MEANING, Reason(3, {"E-Mail (x)": 2, "number": 2})),
        (Outcome.GARBLED, Reason(1, {})),
    ]
    assert reasons(tally.why) == "4 copies, 3 meaning lost (2 E-Mail (x), 2 number), 1 garbled"
    assert reasons({Outcome.COPY: Reason(1, {})}) == "1 copy"


def test_what_is_said_of_a_row():
    assert why(judge(0.9, 0.9, [NUMBER, ADDED], LIMITS), "2", "3") == "meaning lost (number, added): “2” → “3”; – → “3”"
    assert why(judge(0.9, 0.9, [GARBLED], LIMITS), "a", "a a") == "garbled: “a”"
    assert why(judge(0.9, 0.9, [LANGUAGE], LIMITS), "a", "b") == "not the language"
    assert why(judge(0.9, 0.9, [], LIMITS), "a", "b") is None
    assert why(Judgment(Outcome.UNDEFINED), "a", "b") is None


def test_the_conditions_of_a_candidate_say_of_each_whether_it_is_met():
    found = conditions(judge(0.594, 0.4, [NUMBER], LIMITS), CRITERION, "2 a", "3 b")
    assert [(one.metric, one.value, one.least, one.met) for one in found] == [
        ("meaning", 0.594, 0.5, True), ("changed", 0.4, 0.15, True), ("rules", None, None, False)
    ]  # fmt: skip
    lenient = CRITERION._replace(thresholds=LIMITS._replace(strict=False))
    assert [one.met for one in conditions(judge(0.594, 0.4, [NUMBER], lenient.thresholds), lenient, "2", "3")] == [
        True
    ] * 2
    assert conditions(judge(0.2, 0.4, [GARBLED], LIMITS), CRITERION, "2", "3")[0].advice == (
        "say what the source says, no more and no less"
    )


def test_every_rule_says_what_follows_from_it():
    found = {rule.name: rule.outcome for rule in rules().values()}
    assert {name for name, outcome in found.items() if outcome is Outcome.CHECK} == {"added", "dropped"}
    assert {Outcome.OK, Outcome.UNDEFINED, Outcome.COPY, Outcome.EMPTY}.isdisjoint(found.values())


def test_the_blend_of_meaning_has_weights_for_the_kinds_that_it_was_trained_on():
    from paragauge.metrics.shared.evidence import LEARNED_LOSSES
    from paragauge.models.pairs.reader import read_settings

    blends = [reader["blend"] for reader in read_settings()["readers"].values()]
    for blend in blends:
        assert {name for name in blend if name.startswith("lost_")} == {f"lost_{kind}" for kind in LEARNED_LOSSES}
    assert blends


READ = Finding(READER, "tense", Span(0, 2), Span(0, 1))


def test_what_the_reader_finds_decides_as_a_rule_does_and_a_rule_tells_it_first():
    assert judge(0.9, 0.9, [READ], LIMITS).outcome is Outcome.MEANING
    assert judge(0.9, 0.9, [READ], LIMITS._replace(strict=False)).outcome is Outcome.CHECK
    assert judge(0.9, 0.9, [READ._replace(kind="garbled")], LIMITS).outcome is Outcome.GARBLED
    assert joined([NUMBER], [READ], False) == [NUMBER]
    assert joined([ADDED], [READ], False) == [ADDED]
    elsewhere = READ._replace(source=Span(5, 6), candidate=Span(7, 8))
    assert joined([NUMBER], [elsewhere], False) == [NUMBER, elsewhere]


def test_where_the_reader_is_sure_rules_that_it_overrules_are_silent():
    negation = Finding("negation", "negation", Span(0, 2), None)
    assert joined([negation, NUMBER], [], False) == [negation, NUMBER]
    assert joined([negation, NUMBER], [], True) == [NUMBER]


def test_what_is_found_nowhere_in_particular_is_told_by_its_kind():
    one = Judgment(Outcome.MEANING, 0.9, 0.9, (Finding(READER, "dropped", None, None),))
    assert why(one, "a", "b") == "meaning lost (dropped)"
    broken = Judgment(Outcome.GARBLED, 0.9, 0.9, (Finding(READER, "garbled", None, None),))
    assert why(broken, "a", "b") == "garbled"


def test_no_sentence_is_read_back():
    """With its notes replaced by others, a table has the same verdict."""
    lost, good = Judgment(Outcome.MEANING, 0.9, 0.9, (NUMBER,)), Judgment(Outcome.OK, 0.9, 0.9)
    numbers = {"meaning": [0.9, 0.9, 1.0], "changed": [0.9, 0.9, 0.0], "usable": [0.0, 1.0, 0.0]}
    judged = {"usable": [lost, good, Judgment(Outcome.COPY, 1.0, 0.0)]}
    found = []
    for notes in ({0: "meaning lost (number): “2” → “3”", 2: "copy"}, {0: "copy", 1: "meaning lost (name): “a” → “b”"}):
        columns = {
            name: ScoreColumn(np.array(own), {}, None, aggregation_of(parse(name)), notes, judged.get(name))
            for name, own in numbers.items()
        }
        scores = Scores(Samples.of(["2 a", "b", "c"], ["3 a", "d", "c"]), columns)
        summary = Summary()
        summary.add(scores)
        verdict = summary.verdict(summary.rows(), calibrated=True)
        found.append((verdict.record(), UsableRows(scores, verdict.criterion).packed()))
    assert found[0] == found[1]
    assert found[0][0]["systems"][0]["why"].keys() == {"meaning lost", "copy"}
