"""Tables with one row for each pair and rater."""

from __future__ import annotations

import numpy as np
import polars
import pytest

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
