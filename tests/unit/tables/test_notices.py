"""Notices: counted, kept in a run, read from an earlier version's, and said."""

import json

import pytest

from paragauge.errors import Hint
from paragauge.tables.notices import COPIES, Notice, NoticeKind, Notices, sentences

FOUND = Notices(
    [
        Notice(NoticeKind.UNKNOWN_TOKENS, "m", 30, 100),
        Notice(NoticeKind.TRUNCATED, "m", 3),
        Notice(NoticeKind.REPAIRED, "", 2),
        Notice(NoticeKind.NOT_ENGLISH, "meaning", 0, 7),
    ]
)


def test_they_add_up_and_nothing_is_no_notice():
    twice = Notices([*FOUND, *FOUND])
    assert twice[NoticeKind.UNKNOWN_TOKENS, "m"] == Notice(NoticeKind.UNKNOWN_TOKENS, "m", 60, 200)
    assert twice[NoticeKind.NOT_ENGLISH, "meaning"].of == 14
    twice.add(NoticeKind.COPIES, "a", 0)
    assert len(list(twice)) == 4
    assert twice != FOUND


def test_a_record_is_read_again_and_so_is_that_of_an_earlier_version():
    assert Notices.read(json.loads(json.dumps(FOUND.record()))) == FOUND
    counts = {"truncated|m": 3, "tokens|m": 100, "unknown|m": 30, "repaired": 2, "sources|meaning": 7}
    assert Notices.read(counts) == FOUND


def test_each_is_one_sentence():
    said = sentences(FOUND)
    assert [sentence.partition(" ")[0] for sentence in said] == ["2", "3", "30%"]  # in the order of the kinds
    assert said[0] == "2 texts held half of a surrogate pair, which was replaced by U+FFFD"
    assert said[1] == "3 texts are longer than m can read; text beyond its limit was ignored"
    assert said[2].startswith("30% of the tokens are unknown to m, so its scores mean little here")
    assert isinstance(said[2], Hint)
    assert sentences(Notices([Notice(NoticeKind.TRUNCATED_PAIRS, "m", 1)])) == [
        "1 pair is longer than m can read; text beyond its limit was ignored"
    ]


@pytest.mark.parametrize(
    ("kind", "count", "of"), [(NoticeKind.UNKNOWN_TOKENS, 10, 100), (NoticeKind.NOT_ENGLISH, 4, 10)]
)
def test_a_small_share_is_not_told_of(kind, count, of):
    assert sentences(Notices([Notice(kind, "m", count, of)])) == []
    assert len(sentences(Notices([Notice(kind, "m", count + 2, of)]))) == 1


def test_copies_of_many_systems_take_one_line():
    found = Notices(Notice(NoticeKind.COPIES, f"system {number}", number) for number in range(1, 9))
    (said,) = sentences(found)
    assert said.endswith("(system 8: 8, system 7: 7, system 6: 6, system 5: 5, system 4: 4, and 3 more systems)")
    assert sentences(found, without=COPIES) == []
