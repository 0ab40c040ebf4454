"""Empty candidates are failures, null ones are missing; systems are compared on the rows that all of them have."""

import polars
import pytest

import paragauge
from paragauge.errors import InputError
from paragauge.evaluate.drive import score_parts
from paragauge.evaluate.plan import plan
from paragauge.metrics import parse
from paragauge.tables.samples import Samples, is_empty
from paragauge.tables.scores import Scores
from paragauge.tables.shared_rows import SharedRows
from paragauge.tables.summary import Summary

SOURCES = [f"How old is the man number {number} in the house?" for number in range(14)]
GOOD = [f"What is the age of man {number} at home?" for number in range(14)]
LAZY = [*GOOD[:3], *[""] * 11]  # the same, but for 11 of 14 it gives nothing


def two_systems(candidates: list[str | None], **arguments: object) -> Scores:
    return paragauge.score(
        SOURCES * 2,
        [*GOOD, *candidates],
        [[text] for text in SOURCES] * 2,
        systems=["good"] * 14 + ["lazy"] * 14,
        ids=[*range(14)] * 2,
        **arguments,
    )


def of_system(table: polars.DataFrame, metric: str, system: str) -> dict:
    (row,) = table.filter((polars.col("metric") == metric) & (polars.col("system") == system)).to_dicts()
    return row


NAMES = ["ned.free", "pinc", "novelty", "copy-rate", "lexical-deviation", "bleu", "rougeL", "chrf", "ibleu", "ned"]


@pytest.mark.parametrize("name", [*NAMES, "distinct", "selfbleu", "ds-bow"])
def test_empty_outputs_do_not_raise_a_systems_score(name):
    """The attack: a system that answers nothing where it is unsure ranked first."""
    scores = two_systems(LAZY, metrics=[name])
    found = scores.summary()
    assert of_system(found, name, "lazy")["failures"] == 11
    if name in ("selfbleu", "ds-bow"):  # of one candidate each there are no sets
        return
    # 3 of 14 rows as the other system's, 11 at the bottom of the range
    metric = parse(name)
    expected = (metric.score(scores.samples.rows(range(3))).sum() + 11 * metric.worst) / 14
    assert of_system(found, name, "lazy")["mean"] == pytest.approx(expected, abs=1e-9)
    assert found["system"][0] == "good"


def test_a_failed_row_shows_no_score_and_why():
    frame = two_systems(LAZY, metrics=["ned.free", "distinct"]).frame.tail(22)
    assert frame["score"].null_count() == 22
    assert set(frame["reason"]) == {"the candidate is empty"}


def test_corpus_bleu_counts_an_empty_candidate_as_sacrebleu_does():
    sacrebleu = pytest.importorskip("sacrebleu")
    found = of_system(two_systems(LAZY, metrics=["bleu"]).summary(), "bleu", "lazy")
    assert found["corpus"] == pytest.approx(sacrebleu.corpus_bleu(LAZY, [SOURCES]).score, abs=1e-9)


def test_skip_leaves_the_row_out_for_all_systems():
    scores = two_systems(LAZY, metrics=["ned.free", "bleu"], empty="skip")
    with pytest.warns(UserWarning, match=r"compared on the 3 rows that all of them have; rows left out: good \(11\)"):
        found = scores.summary()
    good, lazy = (of_system(found, "ned.free", system) for system in ("good", "lazy"))
    assert good["mean"] == lazy["mean"]
    assert (good["rows"], good["failures"], good["left_out"]) == (14, 0, 11)
    assert (lazy["rows"], lazy["failures"], lazy["left_out"]) == (14, 11, 0)
    assert of_system(found, "bleu", "lazy")["corpus"] == of_system(found, "bleu", "good")["corpus"]


def test_it_is_in_the_signature():
    for empty in ("worst", "skip"):
        scores = two_systems(GOOD, metrics=["bleu"], empty=empty)
        assert f"|empty:{empty}|version:" in scores.signatures["bleu"]
    with pytest.raises(InputError, match=r"^empty='best' is unknown; .*known: skip, worst$"):
        two_systems(GOOD, metrics=["bleu"], empty="best")


def test_a_missing_candidate_is_no_failure():
    """It is a row that the system does not have, so it is left out for the others too."""
    scores = two_systems([*GOOD[:12], None, ""], metrics=["ned.free", "bleu"])
    assert scores.frame["reason"].drop_nulls().to_list() == ["the candidate is missing"] * 2 + [
        "the candidate is empty"
    ]
    with pytest.warns(UserWarning, match=r"on the 13 rows that all of them have; rows left out: good \(1\)"):
        found = scores.summary()
    lazy = of_system(found, "ned.free", "lazy")
    assert (lazy["rows"], lazy["failures"], lazy["missing"], lazy["undefined"]) == (14, 1, 1, 0)
    good = parse("ned.free").score(scores.samples.rows(range(12))).sum()
    assert lazy["mean"] == pytest.approx(good / 13, abs=1e-12)


def test_where_there_is_no_worst_score():
    """TER has its own score of nothing, 100; the compression ratio has none, and says so."""
    scores = two_systems(LAZY, metrics=["ter", "compression-ratio"])
    with pytest.warns(UserWarning, match="11 candidates are empty; ter, compression-ratio have no worst score"):
        found = scores.summary()
    lazy = of_system(found, "ter", "lazy")
    assert lazy["mean"] == pytest.approx(scores["ter"][14:].mean(), abs=1e-9)
    assert of_system(found, "compression-ratio", "lazy")["mean"] == pytest.approx(
        scores["compression-ratio"][14:17].mean(), abs=1e-12
    )


def test_a_set_with_empty_candidates():
    """The set's score is that of its texts; the empty ones have their share of the set at the worst."""
    scores = paragauge.score(
        ["s"] * 4 + ["t"] * 4, ["a b", "c d", "", "", "e f", "e g", "h i", ""], metrics=["distinct-1"]
    )
    assert scores["distinct-1"][:2].tolist() == [1, 1]
    # 1 for half of the first set, 5 of 6 words distinct for three quarters of the second
    assert scores.summary()["mean"].to_list() == [pytest.approx((1 / 2 + 3 / 4 * 5 / 6) / 2, abs=1e-12)]
    skipped = paragauge.score(samples=scores.samples, metrics=["distinct-1"], empty="skip")
    assert skipped.summary()["mean"].to_list() == [pytest.approx((1 + 5 / 6) / 2, abs=1e-12)]


def test_a_failure_does_not_count_where_the_metric_had_nothing_to_compare_with():
    scores = paragauge.score(["s", "t"], ["a", ""], [["a"], []], metrics=["rouge1"])
    assert scores.summary()["mean"].to_list() == [1.0]


def test_rows_are_matched_by_id_or_else_by_source():
    by_id = Samples.of(["s", "t", "s", "t"], list("abcd"), systems=["x", "x", "y", "y"], ids=[1, 2, 1, 3])
    assert SharedRows("worst", [by_id]).counts(by_id).tolist() == [True, False, True, False]
    by_source = Samples.of(["s", "t", "t", "s", "u"], list("abcde"), systems=["x", "x", "x", "y", "y"])
    shared = SharedRows("worst", [by_source])
    assert (shared.matched, shared.counts(by_source).tolist()) == ("source", [True, False, False, True, False])
    apart = Samples.of(["s", "t"], list("ab"), systems=["x", "y"])
    assert SharedRows("worst", [apart]).counts(apart).all()
    with pytest.warns(UserWarning, match="the systems have no row in common"):
        paragauge.score(samples=apart, metrics=["ned.free"]).summary()


def test_a_system_without_any_candidate_does_not_empty_the_comparison():
    scores = two_systems([""] * 14, metrics=["ned.free"], empty="skip")
    assert of_system(scores.summary(), "ned.free", "good")["mean"] is not None


def test_chunks_give_what_the_whole_gives():
    scores = two_systems([*LAZY[:13], None], metrics=["ned.free", "bleu", "distinct"])
    metrics = [parse(name) for name in scores.columns]
    chunks = [scores.samples.rows(range(start, min(start + 5, 28))) for start in range(0, 28, 5)]
    for empty in ("worst", "skip"):
        whole = Summary(shared=SharedRows(empty, [scores.samples]))
        whole.add(scores)
        found = score_parts(plan(chunks, metrics[:2], empty))[0].rows()
        for row, other in zip(found, whole.rows(), strict=False):
            assert row[:2] == other[:2]
            assert row[8:] == other[8:]
            assert row.mean == pytest.approx(other.mean, abs=1e-12)
            assert row.corpus == (None if other.corpus is None else pytest.approx(other.corpus, abs=1e-9))


def test_one_kind_of_missing_value():
    found = paragauge.score(["s"], ["a"], [["b"]], metrics=["ned.free", "bleu"], systems=["x"]).summary()
    for column in found.get_columns():
        if column.dtype.is_float():
            assert not column.is_nan().any(), column.name
    assert found["low"].null_count() == 2


@pytest.mark.parametrize("text", ["", " ", "\t\n", "\u200b", "\u200b \ufeff", "\x00", "\u3000\u2060"])
def test_nothing_to_see(text):
    assert is_empty(text)
    assert not is_empty(f"{text}.")
    assert paragauge.score(["source"], [text], metrics=["ned.free"]).frame["reason"].to_list() == [
        "the candidate is empty"
    ]
