"""Ratings: reading, splitting, adding copies."""

from __future__ import annotations

import json
import math

import numpy as np
import polars
import pytest
from hypothesis import given
from hypothesis import strategies as st

from paragauge.errors import InputError
from paragauge.files.ratings import read_ratings
from paragauge.tables.ratings import Ratings
from paragauge.tables.samples import Samples

ROWS = [("a", "b", 0.5), ("a", "c", math.nan), ("d", "e", 1.0)]


def ratings(*sources: str) -> Ratings:
    candidates = [f"{source}{row}" for row, source in enumerate(sources)]
    return Ratings(Samples.of(sources, candidates), np.arange(len(sources), dtype=float))


@pytest.mark.parametrize("format", ["csv", "tsv", "jsonl", "parquet"])
def test_a_column_of_numbers_is_read_from_every_format(tmp_path, format):
    file = tmp_path / f"rated.{format}"
    frame = polars.DataFrame(ROWS, schema=["source", "candidate", "Rating"], orient="row", nan_to_null=True)
    frame = frame.with_columns(polars.Series("mine", [1, 2, None]))
    match format:
        case "parquet":
            frame.write_parquet(file)
        case "jsonl":
            frame.write_ndjson(file)
        case _:
            frame.write_csv(file, separator="\t" if format == "tsv" else ",")
    found = read_ratings(file, "rating", ["mine"])
    np.testing.assert_array_equal(found.human, [0.5, math.nan, 1.0])
    np.testing.assert_array_equal(found.scores["mine"], [1, 2, math.nan])
    assert found.samples.candidates == ["b", "c", "e"]
    assert found.judged().samples.candidates == ["b", "e"]
    np.testing.assert_array_equal(found.judged().scores["mine"], [1, math.nan])


@pytest.mark.parametrize(
    ("cell", "sentence"),
    [
        ("good", "line 2: human is 'good'; expected a number"),
        ("inf", "expected a number"),
        ("0,5", "expected a number"),
    ],
)
def test_what_is_no_number_is_refused_with_its_place(tmp_path, cell, sentence):
    file = tmp_path / "rated.csv"
    file.write_text(f'source,candidate,human\na,b,"{cell}"\n')
    with pytest.raises(InputError, match=sentence):
        read_ratings(file)


@pytest.mark.parametrize("cell", ["NA", "n/a", "NaN", "null", "None", " "])
def test_a_missing_number_may_be_written_as_programs_do(tmp_path, cell):
    file = tmp_path / "rated.csv"
    file.write_text(f"source,candidate,human\na,b,{cell}\na,c,2\n")
    np.testing.assert_array_equal(read_ratings(file).human, [math.nan, 2])


def test_a_line_of_jsonl_may_lack_the_judgment_that_others_have(tmp_path):
    file = tmp_path / "rated.jsonl"
    rows = [{"source": "a", "candidate": "b"}, {"source": "a", "candidate": "c", "human": 2, "mine": 1}]
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    found = read_ratings(file, scores=["mine"])
    np.testing.assert_array_equal(found.human, [math.nan, 2])
    np.testing.assert_array_equal(found.scores["mine"], [math.nan, 1])
    with pytest.raises(
        InputError, match="no column 'hunan'; did you mean 'human'\\? known: candidate, human, mine, source"
    ):
        read_ratings(file, "hunan")


@pytest.mark.parametrize("scores", [["human"], ["mine", "mine"]])
def test_a_column_named_twice_is_refused(tmp_path, scores):
    file = tmp_path / "rated.csv"
    file.write_text("source,candidate,human,mine\na,b,1,1\n")
    with pytest.raises(InputError, match=f"the column '{scores[0]}' is named twice"):
        read_ratings(file, scores=scores)


def test_truth_values_in_json_are_no_ratings(tmp_path):
    file = tmp_path / "rated.jsonl"
    file.write_text(json.dumps({"source": "a", "candidate": "b", "human": True}))
    with pytest.raises(InputError, match="human is True; expected a number"):
        read_ratings(file)


def test_a_missing_column_is_named_with_those_there_are(tmp_path):
    file = tmp_path / "rated.csv"
    file.write_text("source,candidate,rating\na,b,1\n")
    with pytest.raises(InputError, match="no column 'ratings'; did you mean 'rating'"):
        read_ratings(file, "ratings")


def test_a_column_without_any_judgment_is_refused(tmp_path):
    file = tmp_path / "rated.csv"
    file.write_text("source,candidate,human\na,b,\n")
    with pytest.raises(InputError, match="no row has a human score"):
        read_ratings(file)


def test_two_rows_of_one_id_are_refused(tmp_path):
    file = tmp_path / "rated.csv"
    file.write_text("id,source,candidate,human\n1,a,b,1\n1,c,d,2\n")
    with pytest.raises(InputError, match="same id"):
        read_ratings(file)


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
