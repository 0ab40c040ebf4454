"""Ratings: parts, splits, added copies."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from paragauge.errors import InputError
from paragauge.tables.ratings import Ratings
from paragauge.tables.samples import Samples


def ratings(*sources: str) -> Ratings:
    candidates = [f"{source}{row}" for row, source in enumerate(sources)]
    return Ratings(Samples.of(sources, candidates), np.arange(len(sources), dtype=float))


def test_every_row_needs_a_value():
    with pytest.raises(InputError, match="1 values of human for 2 rows"):
        Ratings(Samples.of(["a", "b"], ["c", "d"]), np.zeros(1))


@given(
    st.lists(st.sampled_from("abcdefgh"), min_size=2).filter(lambda texts: len(set(texts)) > 1), st.floats(0.01, 0.99)
)
def test_a_split_cuts_no_source_and_loses_no_row(sources, share):
    table = ratings(*sources)
    one, other = table.split(share)
    assert not set(one.samples.sources) & set(other.samples.sources)
    assert sorted([*one.samples.candidates, *other.samples.candidates]) == sorted(table.samples.candidates)
    assert len(one)
    assert len(other)


def test_a_split_does_not_depend_on_the_order_of_the_rows():
    table = ratings(*"aabbccddee")
    turned = table.rows(range(9, -1, -1))
    assert set(table.split(0.4)[0].samples.sources) == set(turned.split(0.4)[0].samples.sources)


def test_one_source_cannot_be_split():
    with pytest.raises(InputError, match="at least two sources"):
        ratings("a", "a").split()


def test_the_published_split_is_the_first_tenth_of_the_rows():
    dev, test = ratings(*"aaaabbbbccccdddd").published_split(0.1)
    assert dev.samples.candidates == ["a0"]  # 16 // 10 = 1: the cut goes through a source, as published
    assert len(test) == 15


def test_every_fifth_source_gets_itself_as_a_candidate_scored_0():
    table = ratings("a", "a", "b", "c", "d", "e", "f", "f").extended()
    assert table.samples.candidates == ["a0", "a1", "a", "b2", "c3", "d4", "e5", "f6", "f7", "f"]
    np.testing.assert_array_equal(table.human, [0, 1, 0, 2, 3, 4, 5, 6, 7, 0])


def test_rows_without_a_rating_do_not_move_the_published_cut():
    human = np.array([1, np.nan, 2, 3, np.nan, 4])
    table = Ratings(ratings(*"abcdef").samples, human, dev=3)
    dev, test = table.judged().published_split()
    assert dev.human.tolist() == [1, 2]
    assert test.human.tolist() == [3, 4]


def test_a_part_by_name():
    samples = Samples.of([f"s{row // 2}" for row in range(20)], ["c"] * 20)
    plain, published = Ratings(samples, np.arange(20.0)), Ratings(samples, np.arange(20.0), dev=4)
    assert plain.part() is plain
    assert published.part().human.tolist() == list(range(4, 20))
    assert published.part("dev").human.tolist() == [0, 1, 2, 3]
    assert len(plain.part("dev", "source")) == 2
    with pytest.raises(InputError, match="no part named 'tset'; did you mean 'test'"):
        plain.part("tset")
    with pytest.raises(InputError, match="the dev part of 2 rows is empty; part='all' takes every row"):
        plain.rows([0, 1]).part("dev")
