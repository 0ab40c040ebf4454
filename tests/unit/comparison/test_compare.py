"""Systems and runs side by side."""

import math
from pathlib import Path

import numpy as np
import polars
import pytest

import paragauge as pg
from paragauge.comparison.compare import compare, slices_of
from paragauge.errors import InputError
from paragauge.evaluate.score_file import score_file
from paragauge.stats.tests import holm
from paragauge.tables.scores import Aggregation, ScoreColumn, Scores

WORDS = ["red", "blue", "cat", "dog", "runs", "sleeps", "here", "there", "now", "never"]


def texts(seed: int, rows: int = 40) -> list[str]:
    random = np.random.default_rng(seed)
    return [" ".join(random.choice(WORDS, size=8)) for _ in range(rows)]


def given(values: dict[str, np.ndarray], sources: list[str], *, higher: bool = True) -> Scores:
    """Scores as a metric would have given them."""
    samples = pg.Samples.of(
        [source for _ in values for source in sources],
        [f"{system} {place}" for system in values for place in range(len(sources))],
        systems=[system for system in values for _ in sources],
        ids=[str(place) for _ in values for place in range(len(sources))],
    )
    how = Aggregation(None, higher, lambda _: None, lambda _, scores, __: scores, math.nan)
    return Scores(samples, {"metric": ScoreColumn(np.concatenate(list(values.values())), {}, None, how)})


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two runs of the same sources, and one of both systems in one file."""
    folder = tmp_path_factory.mktemp("runs")
    sources = texts(0)
    references = texts(0)
    outputs = {"good": [f"{text} indeed" for text in sources], "bad": texts(1)}
    tables = {
        name: polars.DataFrame({"source": sources, "candidate": own, "reference": references, "system": [name] * 40})
        for name, own in outputs.items()
    }
    tables["both"] = polars.concat(tables.values()).with_columns(polars.Series("id", [*range(40), *range(40)]))
    for name, table in tables.items():
        table.write_parquet(folder / f"{name}.parquet")
        score_file(folder / f"{name}.parquet", metrics=["bleu", "ned.free", "ter"], run=folder / name,
                      output=folder / f"{name}.scores.csv")  # fmt: skip
    return folder


def test_two_runs_and_two_systems_of_one_file_compare_alike(runs):
    apart, together = compare(runs / "good", runs / "bad"), compare(runs / "both")
    assert apart.gaps == together.gaps
    assert [row._replace(rows=0) for row in apart.systems] == [row._replace(rows=0) for row in together.systems]
    assert apart.slices == together.slices
    assert apart.notes == []


def test_values_are_those_of_the_summary(runs):
    found = compare(runs / "both")
    record = score_file(runs / "both.parquet", metrics=["bleu", "ned.free", "ter"]).summary.rows()
    expected = {(row.metric, row.system): row.mean if row.corpus is None else row.corpus for row in record}
    assert {(row.metric, row.system): row.value for row in found.systems} == pytest.approx(expected, rel=1e-12)
    for gap in found.gaps:
        assert gap.value == pytest.approx(expected[gap.metric, gap.first] - expected[gap.metric, gap.second])
        assert gap.low <= gap.value <= gap.high


def test_of_a_metric_where_less_is_better_the_lower_system_is_first(runs):
    (gap,) = compare(runs / "both", metrics="ter").gaps
    assert (gap.first, gap.second) == ("good", "bad")
    assert gap.value < 0 < gap.wins
    assert gap.wins + gap.ties + gap.losses == 40


def test_a_file_of_scores_says_the_same_as_its_run(runs):
    folder, file = compare(runs / "both", metrics="ned.free"), compare(runs / "both.scores.csv", metrics="ned.free")
    (one,), (two,) = folder.gaps, file.gaps
    assert (one.value, one.wins) == (pytest.approx(two.value), two.wins)
    assert file.examples == file.slices == []
    assert any("no sources" in note for note in file.notes)


def test_runs_of_one_system_name_are_named_by_their_folder(tmp_path):
    for name, seed in (("old", 1), ("new", 2)):
        table = polars.DataFrame({"source": texts(0), "candidate": texts(seed)})
        table.write_parquet(tmp_path / "table.parquet")
        score_file(tmp_path / "table.parquet", metrics=["ned.free"], run=tmp_path / name)
    assert {row.system for row in compare(tmp_path / "old", tmp_path / "new").systems} == {"old", "new"}


def test_wins_ties_and_losses_by_hand():
    found = given({"a": np.array([1.0, 2, 3, 4]), "b": np.array([1.0, 1, 5, 3])}, list("wxyz"))
    (gap,) = compare(found).gaps
    # 1 = 1, 2 > 1, 3 < 5, 4 > 3
    assert (gap.first, gap.wins, gap.ties, gap.losses, gap.value) == ("a", 2, 1, 1, 0.0)
    (turned,) = compare(
        given({"a": np.array([1.0, 2, 3, 3]), "b": np.array([1.0, 1, 5, 3])}, list("wxyz"), higher=False)
    ).gaps
    assert (turned.first, turned.wins, turned.ties, turned.losses) == ("a", 1, 2, 1)


def test_with_a_baseline_only_its_pairs_are_corrected():
    random = np.random.default_rng(0)
    base = random.normal(size=60)
    values = {"a": base, "b": base + random.normal(0.5, 1, 60), "c": base + random.normal(0.3, 1, 60)}
    scores = given(values, [f"source {place}" for place in range(60)])
    every, some = compare(scores), compare(scores, baseline="a")
    assert len(every.gaps) == 3
    assert [(gap.first, gap.second) for gap in some.gaps] == [("b", "a"), ("c", "a")]
    assert [gap.adjusted for gap in some.gaps] == holm([gap.p for gap in some.gaps]).tolist()
    assert {row.cluster for row in some.systems} == {None}
    assert [row.cluster for row in every.systems] == [1, 1, 2]


def test_sources_are_resampled_and_not_rows():
    """Ten candidates that are alike say no more than one: the interval is that of the sources."""
    random = np.random.default_rng(1)
    gap = random.normal(0.3, 1, size=20)
    once = given({"a": gap, "b": np.zeros(20)}, [f"source {place}" for place in range(20)])
    often = given(
        {"a": np.repeat(gap, 10), "b": np.zeros(200)}, [f"source {place}" for place in range(20) for _ in range(10)]
    )
    (one,), (ten,) = compare(once).gaps, compare(often).gaps
    assert (ten.low, ten.high, ten.p) == pytest.approx((one.low, one.high, one.p))


@pytest.mark.parametrize("sources", [15, pytest.param(100, marks=pytest.mark.thorough)])
def test_equal_systems_differ_in_five_percent_of_cases(sources):
    random = np.random.default_rng(2)
    names = [f"source {place}" for place in range(sources)]
    found = 0
    for _ in range(300):
        values = random.normal(size=(2, sources)) + random.normal(size=sources)
        (gap,) = compare(given({"a": values[0], "b": values[1]}, names), resamples=400, examples=0).gaps
        found += gap.p < 0.05
    assert found / 300 == pytest.approx(0.05, abs=0.04)  # three standard errors of 300 draws


def test_a_slice_that_explains_the_gap_is_found():
    random = np.random.default_rng(3)
    sources = [f"what is number {place}?" if place % 3 else f"this is it, says {place}" for place in range(90)]
    asked = np.array([source.endswith("?") for source in sources])
    values = {"a": random.normal(size=90) * 0.1 + asked, "b": random.normal(size=90) * 0.1}
    found = {one.slice: one for one in compare(given(values, sources)).slices}
    question = found["question"]
    assert question.adjusted < 0.05
    assert (question.sources, question.share) == (60, pytest.approx(2 / 3))
    assert question.value == pytest.approx(1, abs=0.1)
    assert question.elsewhere == pytest.approx(0, abs=0.1)
    assert question.low < question.value - question.elsewhere < question.high


def test_kinds_of_sources():
    found = slices_of(["Is it Ann?", "It isn't.", "We saw 3 of them and the rest of the day was long.", "Go on."])
    expected = {"question": [0], "negation": [1], "number": [2], "name": [0], "long": [2]}
    for name, rows in expected.items():
        (mask,) = [mask for slice, mask in found.items() if slice.startswith(name)]
        assert np.flatnonzero(mask).tolist() == rows, name
    found = slices_of(["We saw Ann.", "THE WHOLE TEXT IN CAPITALS", "So I said: I'm here. Then we left."])
    assert found["name"].tolist() == [True, False, False]


def test_examples_are_where_systems_differ_most():
    scores = given({"a": np.array([1.0, 5, 3]), "b": np.array([1.0, 1, 2])}, list("xyz"))
    found = compare(scores, examples=2).examples
    assert [(one.sample, one.scores) for one in found] == [("1", (5.0, 1.0)), ("2", (3.0, 2.0))]
    assert [tuple(piece) for piece in found[0].pieces] == [("removed", "b "), ("added", "a "), ("same", "1")]


def test_a_row_that_is_undefined_for_one_system_is_left_out_for_all():
    scores = given({"a": np.array([1.0, 2, math.nan]), "b": np.array([1.0, 1, 9])}, list("xyz"))
    found = compare(scores)
    assert {row.system: (row.value, row.rows) for row in found.systems} == {"a": (1.5, 2), "b": (1.0, 2)}
    assert any("undefined for a system" in note for note in found.notes)


def test_where_no_difference_can_be_significant_that_is_said():
    """Twelve systems that are all far apart, on 40 sources: 2,000 resamples do not reach Holm's level of 66 pairs."""
    random = np.random.default_rng(0)
    values = {f"s{place}": place + random.random(40) / 10 for place in range(12)}
    scores = given(values, [f"source {place}" for place in range(40)])
    everything = compare(scores, resamples=2000, examples=0)
    assert {row.cluster for row in everything.systems} == {1}
    (note,) = [note for note in everything.notes if "no difference can be significant" in note]
    assert "corrected for 66 pairs of systems" in note
    against = compare(scores, baseline="s0", resamples=2000, examples=0)
    assert not any("significant" in note for note in against.notes)
    assert all(gap.adjusted <= 0.05 for gap in against.gaps)


def test_what_cannot_be_compared_is_refused(runs, tmp_path):
    with pytest.raises(InputError, match="there is one system, 'good'; expected at least 2"):
        compare(runs / "good")
    with pytest.raises(InputError, match="no system named 'best'; known: bad, good"):
        compare(runs / "both", baseline="best")
    with pytest.raises(InputError, match="no metric 'blue' in the inputs; did you mean 'bleu'"):
        compare(runs / "both", metrics=["blue"])
    with pytest.raises(InputError, match="there is no run folder and no file"):
        compare(tmp_path / "nowhere")
    with pytest.raises(InputError, match="has no column 'sample'"):
        compare(runs / "good.parquet")
    polars.DataFrame({"source": texts(7), "candidate": texts(8)}).write_parquet(tmp_path / "other.parquet")
    score_file(tmp_path / "other.parquet", metrics=["ned.free"], run=tmp_path / "other")
    with pytest.raises(InputError, match="the systems have no row in common"):
        compare(runs / "good", tmp_path / "other")
    score_file(runs / "bad.parquet", metrics=["pinc"], run=tmp_path / "pinc")
    with pytest.raises(InputError, match=r"no metric in common: good has bleu, ned\.free, ter; pinc has pinc"):
        compare(runs / "good", tmp_path / "pinc")


def test_a_modified_run_is_refused(runs, tmp_path):
    import shutil

    copy = tmp_path / "copy"
    shutil.copytree(runs / "both", copy)
    with (copy / "scores.parquet").open("ab") as stream:
        stream.write(b"x")
    with pytest.raises(InputError, match=r"was modified after the run: scores\.parquet was changed or damaged"):
        compare(copy)


def test_the_verdict_comes_first_and_says_why(judged_run):
    found = compare(judged_run, examples=1)
    names = list(dict.fromkeys(row.metric for row in found.systems))
    assert names == ["usable:accept=0.8,strict=no", "meaning", "changed", "ned.free"]
    assert [(row.system, row.value) for row in found.systems[:3]] == [("rewrite", 0.9), ("slip", 0.25), ("copy", 0.0)]
    (first,) = [one for one in found.examples if {one.first, one.second} == {"rewrite", "slip"}]
    assert (first.metric, first.scores) == ("usable:accept=0.8,strict=no", (1.0, 0.0))
    assert first.notes[0] is None
    assert first.notes[1].startswith("meaning lost (number): “")
    asked = compare(judged_run, metrics=["ned.free", "usable:accept=0.8,strict=no"], examples=0)
    assert asked.systems[0].metric == "ned.free"


def test_too_many_systems_are_refused_before_anything_is_drawn():
    names = [f"s{number}" for number in range(101)]
    scores = pg.score(["a b"] * 101, ["a c"] * 101, systems=names, metrics=["ned.free"])
    with pytest.raises(InputError, match=r"^101 systems are too many to compare; expected at most 100$"):
        compare(scores)
