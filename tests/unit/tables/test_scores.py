"""Scores as tables, and their summary."""

import sys

import numpy as np
import polars
import pytest
from hypothesis import given
from hypothesis import strategies as st

from paragauge.compute.workspace import Workspace
from paragauge.errors import MissingExtraError
from paragauge.evaluate.part import aggregation_of, score_part
from paragauge.metric import Metric
from paragauge.metrics import parse
from paragauge.stats.bounded import BoundedMean
from paragauge.stats.interval import interval
from paragauge.stats.resample import source_keys, weights
from paragauge.tables.samples import Samples
from paragauge.tables.scores import Scores, numbers_column, table_of, texts_column
from paragauge.tables.summary import SUMMARY_SCHEMA, Summary

SAMPLES = Samples.of(
    ["How old are you?", "How old are you?", "Where is it?", "", "A cat sat on the mat."],
    ["What is your age?", "How old are you?", "", "text", "A cat is on the mat."],
    [["Your age?", "How old?"], ["Age?"], ["Where?"], [], ["The cat sat on a mat."]],
    systems=["a", "b", "a", "b", "a"],
    ids=["x", "x", "y", "y", "z"],
)
METRICS: list[Metric] = [parse("bleu"), parse("ned.free"), parse("rouge1"), parse("ter")]


@pytest.fixture
def scores() -> Scores:
    return score_part(SAMPLES, METRICS, {}, Workspace())


def aggregations() -> dict:
    return {metric.spec: aggregation_of(metric) for metric in METRICS}


def one_system_each(scores: Scores) -> polars.DataFrame:
    """The summary of each system by itself, on all its rows."""
    summary = Summary()
    summary.add(scores)
    return polars.DataFrame(summary.rows(), schema=SUMMARY_SCHEMA, orient="row")


def test_the_long_table(scores):
    frame = scores.frame
    assert frame.columns == ["sample", "system", "metric", "score", "reason", "note", "outcome", "findings"]
    assert len(frame) == len(SAMPLES) * len(METRICS)
    assert frame["metric"].to_list() == ["bleu", "ned.free", "rouge1", "ter"] * 5
    assert frame["sample"].to_list() == [name for name in SAMPLES.ids for _ in METRICS]
    own = frame.filter(polars.col("metric") == "ned.free")["score"].to_list()
    # 14 edits to the 17 characters of "What is your age?", 3 to the 21 of the cat; row 2 has no candidate, 3 no source
    assert own == [14 / 17, 0.0, None, None, 3 / 21]
    undefined = frame.filter(polars.col("score").is_null())
    assert undefined["reason"].null_count() == 0
    assert frame.filter(polars.col("score").is_not_null())["reason"].null_count() == len(frame) - len(undefined)
    assert set(undefined["reason"]) == {"the candidate is empty", "the source is empty", "the row has no reference"}


def test_the_wide_table(scores):
    wide = scores.wide
    assert wide.columns == ["sample", "system", "bleu", "ned.free", "rouge1", "ter"]
    assert wide["ned.free"].to_list() == scores.frame.filter(polars.col("metric") == "ned.free")["score"].to_list()
    assert wide["bleu"][3] is None


def test_pandas(scores):
    table = scores.to_pandas()
    assert list(table.columns) == scores.frame.columns
    assert table["score"].isna().sum() == scores.frame["score"].null_count()
    assert table["score"].dtype == np.float64


def test_without_pandas_the_error_names_what_to_install(scores, monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(MissingExtraError, match=r'pip install "paragauge\[pandas\]"'):
        scores.to_pandas()


def test_by_name(scores):
    np.testing.assert_array_equal(scores["rouge1"], parse("rouge1").score(SAMPLES))
    assert len(scores) == 5
    with pytest.raises(KeyError):
        scores["rouge3"]


def test_signatures(scores):
    assert list(scores.signatures) == [metric.spec for metric in METRICS]
    assert "|nrefs:0-2|" in scores.signatures["bleu"]


def test_stored_and_back(scores):
    back = Scores.from_stored(SAMPLES, scores.stored(), aggregations(), scores.notices)
    assert back.frame.equals(scores.frame)
    assert back.stored().equals(scores.stored())
    assert one_system_each(back).equals(one_system_each(scores))
    assert back.notices == scores.notices


def test_stored_where_nothing_is_defined():
    samples = Samples.of(["s", "s"], ["c", "d"])
    scores = score_part(samples, METRICS, {}, Workspace())
    back = Scores.from_stored(samples, scores.stored(), aggregations(), {})
    assert back.frame.equals(scores.frame)
    summary = back.summary()
    assert summary.equals(scores.summary())
    assert summary.filter(polars.col("metric") == "bleu")["undefined"].to_list() == [2]


def test_no_rows():
    scores = score_part(SAMPLES.rows([]), [parse("bleu"), parse("ned")], {}, Workspace())
    assert len(scores.frame) == 0
    assert len(scores.wide) == 0
    assert len(scores.summary()) == 0


def test_summary_of_each_system(scores):
    table = one_system_each(scores)
    ned = {row["system"]: row for row in table.filter(polars.col("metric") == "ned.free").to_dicts()}
    # the empty candidate of row 2 counts as the worst: 0
    assert ned["a"]["mean"] == pytest.approx((14 / 17 + 0 + 3 / 21) / 3, abs=1e-12)
    assert (ned["a"]["rows"], ned["a"]["undefined"], ned["a"]["failures"]) == (3, 0, 1)
    assert (ned["b"]["rows"], ned["b"]["undefined"], ned["b"]["mean"]) == (2, 1, 0.0)
    assert ned["b"]["low"] is None, "one source has no interval"
    assert ned["a"]["low"] <= ned["a"]["mean"] <= ned["a"]["high"]
    assert ned["a"]["corpus"] is None
    bleu = {row["system"]: row for row in table.filter(polars.col("metric") == "bleu").to_dicts()}
    chosen = SAMPLES.rows([0, 2, 4])
    assert bleu["a"]["corpus"] == pytest.approx(parse("bleu").corpus(chosen), abs=1e-9)
    assert bleu["a"]["corpus_low"] <= bleu["a"]["corpus"] <= bleu["a"]["corpus_high"]


def test_the_best_system_comes_first(scores):
    table = one_system_each(scores)
    for name in scores.columns:
        rows = table.filter(polars.col("metric") == name)
        means = dict(zip(rows["system"], rows["mean"], strict=True))
        better = max if rows["higher_is_better"][0] else min
        assert rows["system"][0] == better(means, key=means.get)


def test_a_corpus_interval_is_the_bootstrap_of_the_corpus_score():
    """Slowly: draw every source as often as its weight says, and score that corpus."""
    random = np.random.default_rng(1)
    words = "the a cat dog sat on mat is in house".split()  # noqa: SIM905
    texts = [" ".join(random.choice(words, 8)) for _ in range(120)]
    samples = Samples.of([f"source {number // 2}" for number in range(60)], texts[:60], [[text] for text in texts[60:]])
    metric = parse("bleu")
    row = score_part(samples, [metric], {}, Workspace()).summary(resamples=40).to_dicts()[0]
    drawn = weights(source_keys(samples.sources), 40).astype(int)
    slow = [metric.corpus(samples.rows(np.repeat(np.arange(60), draw))) for draw in drawn]
    low, high = interval(slow, units=30)
    # weights times exact counts: whole numbers, exact; then the same formula in double precision
    assert (row["corpus_low"], row["corpus_high"]) == pytest.approx((low, high), abs=1e-9)
    means = np.average(np.tile(metric.score(samples), (40, 1)), axis=1, weights=drawn)
    ends = BoundedMean.of(row["mean"] / 100, means / 100, 30).ends
    assert (row["low"], row["high"]) == pytest.approx([100 * end for end in ends], abs=1e-9)


@pytest.mark.parametrize("size", [1, 2, 3])
def test_a_summary_of_chunks_is_the_summary_of_all(scores, size):
    summary = Summary()
    for start in range(0, len(SAMPLES), size):
        chunk = SAMPLES.rows(range(start, min(start + size, len(SAMPLES))))
        summary.add(score_part(chunk, METRICS, {}, Workspace()))
    whole = Summary()
    whole.add(scores)
    assert (summary.size, summary.references) == (whole.size, whole.references) == (5, (0, 2))
    for found, expected in zip(summary.rows(), whole.rows(), strict=True):
        assert found[:2] == expected[:2]
        numbers = [[np.nan if value is None else value for value in row[2:]] for row in (found, expected)]
        np.testing.assert_allclose(*numbers, rtol=0, atol=1e-9)  # sums in another order


@given(st.lists(st.lists(st.text(max_size=3), max_size=3)))
def test_texts_are_the_lists_given(groups: list[list[str]]) -> None:
    column = texts_column(groups)
    assert column.dtype == polars.List(polars.String)
    assert column.to_list() == groups


@given(st.integers(0, 4), st.lists(st.one_of(st.none(), st.integers(1, 3)), max_size=3))
def test_numbers_go_row_by_row_through_the_tables(rows: int, widths: list[int | None]) -> None:
    tables = [None if width is None else np.random.default_rng(width).random((rows, width)) for width in widths]
    column = numbers_column(tables, rows)
    assert column.dtype == polars.List(polars.Float64)
    assert column.to_list() == [
        None if table is None else table[row].tolist() for row in range(rows) for table in tables
    ]


@given(st.integers(0, 4), st.integers(1, 3))
def test_a_table_comes_back(rows: int, width: int) -> None:
    table = np.random.default_rng(0).random((rows, width))
    assert table_of(numbers_column([table], rows)).tolist() == table.tolist()
