"""Tables with human scores; with one row for each pair and rater."""

import json
import math

import numpy as np
import polars
import pytest
from tests.unit.files.saved import refusal, save

from paragauge.errors import InputError
from paragauge.files.ratings import read_ratings

ROWS = {
    "id": ["1", "1", "1", "2", "2"],
    "source": ["how old", "how old", "how old", "go on", "go on"],
    "candidate": ["what age", "what age", "which age", "continue", "continue"],
    "system": ["x", "x", "y", "x", "x"],
    "rater": ["anna", "ben", "anna", "ben", "carl"],
    "human": [50.0, 70.0, None, 20.0, 40.0],
    "mine": [0.5, 0.5, 0.1, 0.2, 0.2],
}


@pytest.mark.parametrize("format", ["csv", "tsv", "jsonl", "parquet"])
def test_a_column_of_numbers_is_read_from_every_format(tmp_path, format):
    file = tmp_path / f"rated.{format}"
    rows = [("a", "b", 0.5), ("a", "c", math.nan), ("d", "e", 1.0)]
    frame = polars.DataFrame(rows, schema=["source", "candidate", "Rating"], orient="row", nan_to_null=True)
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


@pytest.mark.parametrize(
    ("table", "human", "scores", "sentence"),
    [
        ("source,candidate,human\na,b,good\n", "human", [], "line 2: human is 'good'; expected a number"),
        ("source,candidate,human\na,b,inf\n", "human", [], "expected a number"),
        ('source,candidate,human\na,b,"0,5"\n', "human", [], "expected a number"),
        ("source,candidate,human\na,b,\n", "human", [], "no row has a human score"),
        ("source,candidate,human,mine\na,b,1,1\n", "human", ["human"], "the column 'human' is named twice"),
        ("source,candidate,human,mine\na,b,1,1\n", "human", ["mine"] * 2, "the column 'mine' is named twice"),
        ("source,candidate,rating\na,b,1\n", "ratings", [], "no column 'ratings'; did you mean 'rating'"),
        ("id,source,candidate,human\n1,a,b,1\n1,c,d,2\n", "human", [], "same id"),
        ('{"source": "a", "candidate": "b", "human": true}', "human", [], "human is True; expected a number"),
    ],
)
def test_a_table_that_holds_no_ratings_is_refused(tmp_path, table, human, scores, sentence):
    file = save(tmp_path / ("rated.jsonl" if table.startswith("{") else "rated.csv"), table)
    assert sentence in refusal(lambda: read_ratings(file, human, scores))


@pytest.mark.parametrize("suffix", ["csv", "parquet", "jsonl"])
@pytest.mark.parametrize("ids", [True, False])
def test_the_raters_of_a_pair_are_one_row(tmp_path, suffix, ids):
    frame = polars.DataFrame(ROWS).select(list(ROWS) if ids else list(ROWS)[1:])
    path = tmp_path / f"ratings.{suffix}"
    {"csv": frame.write_csv, "parquet": frame.write_parquet, "jsonl": frame.write_ndjson}[suffix](path)
    found = read_ratings(path, scores=["mine"])
    assert found.human.tolist() == pytest.approx([60.0, np.nan, 30.0], nan_ok=True)
    assert found.judgments == [(50.0, 70.0), (), (20.0, 40.0)]
    assert found.raters == [("anna", "ben"), (), ("ben", "carl")]
    assert found.samples.candidates == ["what age", "which age", "continue"]
    assert found.scores["mine"].tolist() == [0.5, 0.1, 0.2]
    assert found.judged().raters == [("anna", "ben"), ("ben", "carl")]
    assert found.rows([2]).judgments == [(20.0, 40.0)]


def test_a_table_without_raters_is_as_before(tmp_path):
    polars.DataFrame(ROWS).unique(["id", "system"], maintain_order=True).drop("rater").write_csv(tmp_path / "one.csv")
    found = read_ratings(tmp_path / "one.csv")
    assert (len(found), found.judgments, found.raters) == (3, None, None)


@pytest.mark.parametrize(
    ("column", "value", "message"),
    [
        ("rater", "anna", "'anna' judges one pair in line 2 and in line 3; expected one row for each pair and rater"),
        ("candidate", "other", "line 2 and line 3 have the id '1' and different texts"),
        ("mine", 0.9, "mine differs among the rows of one pair"),
    ],
)
def test_what_does_not_fit_is_refused(tmp_path, column, value, message):
    cells = [*ROWS[column]]
    cells[1] = value
    polars.DataFrame(ROWS | {column: cells}).write_csv(tmp_path / "wrong.csv")
    with pytest.raises(InputError, match=message):
        read_ratings(tmp_path / "wrong.csv", scores=["mine"])
