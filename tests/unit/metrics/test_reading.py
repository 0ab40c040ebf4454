"""Texts of several sentences: which belong together, what the worst of them says, and where its words stand."""

import numpy as np
import pytest

from paragauge.metrics.shared.evidence import AlignedSentences, _aligned, _back, _both, _whole, findings_of
from paragauge.models.pairs.reader import KINDS, Mark, Reading
from paragauge.verdict.findings import GARBLED, READER, Finding, Span

NUMBER, BROKEN = KINDS.index("number"), KINDS.index("broken")
SURE = Reading(4.0, 4.0, 4.0, (), 10, 0, 0)


def test_sentences_go_with_the_nearest_and_others_stand_alone() -> None:
    here, there = [(0, 5), (6, 9), (10, 20)], [(0, 9), (10, 12)]
    alike = np.array([[0.9, 0.1], [0.8, 0.2], [0.1, 0.25]])
    assert _aligned(here, there, alike) == [
        AlignedSentences(((0, 5), (6, 9)), ((0, 9),)),
        AlignedSentences(((10, 20),), ()),
        AlignedSentences((), ((10, 12),)),
    ]


def test_the_worst_part_counts_and_its_marks_stand_in_the_whole_text() -> None:
    bad = SURE._replace(backward=-3.0, marks=(Mark(1, 2, 4, NUMBER, 0.9),))
    parts = [(AlignedSentences(((0, 5),), ((0, 5),)), SURE), (AlignedSentences(((6, 12),), ((10, 16),)), bad)]
    found = _whole(parts)
    assert (found.forward, found.backward, found.fluent, found.tokens) == (4.0, -3.0, 4.0, 20)
    assert found.marks == (Mark(1, 12, 14, NUMBER, 0.9),)


def test_a_sentence_without_a_partner_is_dropped_or_added() -> None:
    found = _whole([(AlignedSentences(((0, 5),), ((0, 5),)), SURE), (AlignedSentences(((6, 12),), ()), None)])
    assert found.forward == 4.0
    assert found.backward < -5
    assert [(mark.side, mark.start, mark.end, KINDS[mark.kind]) for mark in found.marks] == [(0, 6, 12, "dropped")]
    assert findings_of(found, 0.0, 0.0) == [Finding(READER, "dropped", Span(6, 12), None)]


def test_a_fault_of_several_sentences_counts_where_the_whole_shows_it_too() -> None:
    parts = SURE._replace(forward=-3.0, backward=-6.0, marks=(Mark(1, 2, 4, NUMBER, 0.9),), tokens=30)
    assert _both(parts, SURE) == parts._replace(forward=4.0, backward=4.0)
    assert _both(parts, SURE._replace(backward=-2.0)) == parts._replace(forward=4.0, backward=-2.0)
    assert _both(parts, SURE._replace(truncated=1)) == parts


def test_the_sentence_that_says_something_else_is_shown_where_no_word_is_marked() -> None:
    bad = SURE._replace(forward=-3.0, backward=-3.0)
    found = _whole(
        [(AlignedSentences(((0, 5),), ((0, 5),)), SURE), (AlignedSentences(((6, 12), (13, 20)), ((10, 16),)), bad)]
    )
    assert findings_of(found, 1.0, 1.0) == [Finding(READER, "another meaning", Span(6, 20), Span(10, 16))]
    assert findings_of(_whole([(AlignedSentences(((0, 5),), ((0, 5),)), bad)]), 1.0, 1.0)[0].source is None


def test_a_mark_over_the_end_of_a_sentence_is_two() -> None:
    mark = Mark(0, 3, 8, NUMBER, 0.9)
    assert _back(mark, [(10, 15), (20, 30)]) == [mark._replace(start=13, end=15), mark._replace(start=20, end=22)]


@pytest.mark.parametrize(
    ("reading", "expected"),
    [
        (SURE, []),
        (SURE._replace(forward=-3.0, backward=-3.0), ["another meaning"]),
        (SURE._replace(forward=-3.0), ["added"]),
        (SURE._replace(backward=-3.0), ["dropped"]),
        (SURE._replace(fluent=-3.0), [GARBLED]),
    ],
)
def test_without_marks_the_directions_say_what_is_lost(reading: Reading, expected: list[str]) -> None:
    found = findings_of(reading, 1.0, 1.0)
    assert [one.kind for one in found] == expected
    assert all((one.rule, one.source, one.candidate) == (READER, None, None) for one in found)


def test_marks_of_both_sides_are_told_together() -> None:
    marks = (Mark(0, 0, 3, NUMBER, 0.9), Mark(0, 7, 8, NUMBER, 0.8), Mark(1, 4, 6, NUMBER, 0.9))
    found = findings_of(Reading(-3.0, -3.0, 3.0, marks, 1, 0, 0), 1.0, 1.0)
    assert found == [
        Finding(READER, "number", Span(0, 3), Span(4, 6)),
        Finding(READER, "number", Span(7, 8), None),
    ]


def test_broken_language_is_shown_where_it_is() -> None:
    marks = (Mark(1, 4, 6, BROKEN, 0.9), Mark(1, 8, 12, BROKEN, 0.9))
    found = findings_of(Reading(3.0, 3.0, -3.0, marks, 1, 0, 0), 1.0, 1.0)
    assert found == [Finding(READER, GARBLED, None, Span(4, 12))]
