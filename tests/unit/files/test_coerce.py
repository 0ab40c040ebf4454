"""What pg.score takes: columns of any kind, DataFrames, rows, paths; and what it refuses in a sentence."""

from pathlib import Path

import numpy as np
import polars
import pytest

import paragauge as pg
from paragauge.errors import InputError
from paragauge.tables.samples import Samples

ROWS = [
    {"source": "How old are you?", "candidate": "What is your age?", "reference": "Your age?", "id": "x"},
    {"source": "Where is it?", "candidate": None, "reference": "In what place is it?", "id": "y"},
]
EXPECTED = Samples.of(
    [row["source"] for row in ROWS],
    [row["candidate"] for row in ROWS],
    [[row["reference"]] for row in ROWS],
    ids=["x", "y"],
)


def test_rows_of_dicts():
    assert pg.score(ROWS, metrics=["bleu"]).samples == EXPECTED
    assert pg.score(samples=iter(ROWS), metrics=["bleu"]).samples == EXPECTED


def test_a_polars_table():
    assert pg.score(polars.DataFrame(ROWS), metrics=["bleu"]).samples == EXPECTED
    listed = polars.DataFrame({"source": ["s"], "candidate": ["c"], "references": [["r", "q"]]})
    assert pg.score(listed, metrics=["bleu"]).samples.references == [("r", "q")]


def test_a_pandas_table():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(ROWS)
    assert pg.score(frame, metrics=["bleu"]).samples == EXPECTED
    frame.loc[1, "candidate"] = np.nan
    assert pg.score(frame, metrics=["bleu"]).samples == EXPECTED


def test_paths(tmp_path: Path):
    path = tmp_path / "rows.parquet"
    polars.DataFrame(ROWS).write_parquet(path)
    assert pg.score(path, metrics=["bleu"]).samples == EXPECTED
    assert pg.score(str(path), metrics=["bleu"]).samples == EXPECTED
    with pytest.raises(InputError, match=r"nowhere\.csv"):
        pg.score(tmp_path / "nowhere.csv")


def test_a_set_has_no_order():
    with pytest.raises(InputError, match="references is a set, which has no order"):
        pg.score([{"candidate": "c", "references": {"q", "r"}}], metrics=["bleu"])
    with pytest.raises(InputError, match="expected a list of names or metrics"):
        pg.score(ROWS, metrics={"bleu", "ned.free"})


def test_other_column_names():
    frame = polars.DataFrame({"question": ["s"], "answer": ["c"]})
    renamed = {"source": "question", "candidate": "answer"}
    assert pg.score(frame, columns=renamed, metrics=["ned.free"])["ned.free"].tolist() == [1.0]
    with pytest.raises(InputError, match="the DataFrame: no column 'candidate'"):
        pg.score(frame, metrics=["ned.free"])


def test_generators():
    texts = ["a b", "c d"]
    found = pg.score(
        (text for text in texts),
        (text for text in texts),
        ((text for text in [text]) for text in texts),
        ids=(name for name in "xy"),
        metrics=(name for name in ["bleu", "ned.free"]),
    )
    assert found["ned.free"].tolist() == [0.0, 0.0]
    assert found.samples.references == [("a b",), ("c d",)]
    assert pg.score(np.array(texts), np.array(texts, dtype=object), metrics="ned.free")["ned.free"].tolist() == [0, 0]


def test_a_class_is_its_metric_with_defaults():
    for given in (pg.metrics.Bleu, [pg.metrics.Bleu], [pg.metrics.Bleu()]):
        assert list(pg.score(candidates=["a"], references=[["a"]], metrics=given).columns) == ["bleu"]
    for wrong in (3, [3], [int], pg):
        with pytest.raises(InputError, match=r"expected a list of names or metrics|does not name a metric; expected"):
            pg.score(["a"], ["a"], metrics=wrong)


def test_what_no_metric_reads_may_be_left_out():
    columns = {"candidates": ["a b", "c d"], "references": [["a b"], ["c e"]]}
    assert pg.metrics.Bleu().score(**columns)[0] == pytest.approx(100, abs=1e-9)
    found = pg.score(**columns, metrics=["bleu"])
    assert found.summary()["low"].null_count() == 0, "rows without a source are drawn each by itself"
    with pytest.raises(InputError, match=r"^ned\.free needs sources, which were not given$"):
        pg.metrics.Ned(free=True).score(**columns)
    with pytest.raises(InputError, match=r"^ned\.free needs source and no row of the input has any"):
        pg.score(**columns, metrics=["ned.free"])


def test_corpus_takes_the_columns_of_score():
    columns = {"candidates": ["a b", ""], "references": [["a b"], ["c e"]]}
    samples = Samples.of(**columns)
    for metric in (pg.metrics.Bleu(), pg.metrics.Rouge1()):
        assert metric.corpus(**columns) == metric.corpus(samples)
    assert pg.metrics.Ned().corpus(**columns) == 0.5
    assert pg.metrics.Ned().corpus(**columns, empty="skip") == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"sources": 3}, "int 3 holds no rows; expected Samples, a DataFrame, a list of rows"),
        ({"sources": [], "samples": EXPECTED}, "either samples or columns"),
        ({"sources": ["a"], "candidates": "a"}, "candidates is one string"),
        ({"sources": ["a"], "candidates": {"a": 1}}, "candidates is dict"),
        ({"sources": ["a"], "candidates": 7}, "candidates is int 7"),
        ({"sources": ["a"], "candidates": ["a"], "references": [4]}, "row 1: references is int 4"),
        ({"sources": ["a"] * 2, "candidates": ["a"] * 2, "ids": ["x", "x"]}, "rows 1 and 2 have the same id 'x'"),
    ],
)
def test_a_sentence(arguments, message):
    with pytest.raises(InputError) as caught:
        pg.score(**arguments)
    assert message in str(caught.value)
