"""Tables 2 and 3 of Hailu et al. 2020 from an evaluation, kept and read again, next to the printed numbers."""

from __future__ import annotations

import math

import pytest

from paragauge.errors import InputError
from paragauge.extrinsic.association import Association
from paragauge.extrinsic.results import Associated, Evaluation, TaskOutcome, finish, open_store
from paragauge_research.papers import paper
from paragauge_research.papers.cells import UNCOMPUTED, UNPRINTED, WEIGHTS
from paragauge_research.papers.hailu2020 import grid


def outcome(model: str, paraphraser: str, accuracy: float) -> TaskOutcome:
    nothing = math.nan
    return TaskOutcome(
        "imdb", "replace", paraphraser, 1.0, model, 2, 500, accuracy, accuracy - 0.1, accuracy + 0.1, 0.01,
        nothing, nothing, nothing, nothing, nothing, (), "",
    )  # fmt: skip


@pytest.fixture
def found() -> Evaluation:
    outcomes = [outcome("gru-paper", "original", 0.51), outcome("gru", "original", 0.8)]
    outcomes += [outcome("cnn", name, 0.7) for name in ("original", "wordswap-1")]
    outcomes += [outcome("tfidf", "original", 0.86), outcome("other", "original", 0.1)]
    numbers = dict.fromkeys(Association._fields[1:-2], 0.2) | {"pearson": 0.1, "spearman": 0.15}
    numbers |= {"pearson_low": 0.05, "spearman_low": -0.05}
    association = Association(metric="weem4pg", texts=500, reason="", **numbers)
    return Evaluation(outcomes, [Associated("imdb", "wordswap-1", "cnn", association)])


def test_numbers_are_kept_and_read_again(found, tmp_path):
    numbers = list(grid.recorded(found))
    assert len(numbers) == 5 + 2  # the classifier that the paper does not know is left out
    file = tmp_path / "recorded.csv"
    grid.add_recorded(numbers, file)
    assert grid.read_recorded(file) == numbers
    assert grid.read_recorded(tmp_path / "none.csv") == []
    better = numbers[0]._replace(value=52.0)
    other = numbers[0]._replace(column="SMPNN")
    grid.add_recorded([better, other], file)
    assert grid.read_recorded(file) == [better, *numbers[1:], other]


def test_a_classifier_is_recorded_with_one_number_of_seeds(found, tmp_path):
    file = tmp_path / "recorded.csv"
    numbers = list(grid.recorded(found))
    grid.add_recorded(numbers, file)
    cnn = [one for one in numbers if one.table == "Table 2" and one.column == "MCNN"]
    more = [one._replace(seeds=5, value=one.value + 1) for one in cnn]
    with pytest.raises(
        InputError, match=r"has Table 2, Paraphrase PG1, MCNN \(both\) of 2 seeds; new numbers .* of 5 and"
    ):
        grid.add_recorded(more[:1], file)
    assert grid.read_recorded(file) == numbers  # as it was
    grid.add_recorded(more, file)
    assert [one for one in grid.read_recorded(file) if one.column == "MCNN"] == more
    assert {one.seeds for one in grid.read_recorded(file) if one.table == "Table 3"} == {2}


def test_a_run_of_originals_alone_has_a_row_of_table_2(found):
    robust = [row._replace(mode="robustness") for row in found.outcomes]
    numbers = list(grid.recorded(Evaluation(robust, found.associations)))
    assert {one.row for one in numbers if one.table == "Table 2"} == {"Original review"}
    assert sum(one.table == "Table 3" for one in numbers) == 2


def test_a_run_stands_beside_the_printed_numbers(found, tmp_path):
    run = open_store(tmp_path / "run", {"imdb": "any"})
    finish(run, found.record(), {}, len(found.outcomes))
    run.release()
    cells = {(one.row, one.column): one for one in paper("hailu2020").reproduce(tmp_path, ["Table 2", "Table 3"],
                                                                               run=tmp_path / "run")}  # fmt: skip
    gru = cells["Original review", "GRU-RNN"]
    assert (gru.printed, gru.authors, gru.corrected, gru.cause) == ("51.44", 51.0, 80.0, WEIGHTS)
    assert gru.why.startswith("authors 51.0 (41.0 to 61.0), 2 seeds, padding read; corrected 80.0 (70.0 to 90.0), 2 se")
    cnn = cells["Paraphrase PG1", "MCNN"]
    assert (cnn.printed, cnn.authors, cnn.corrected) == ("68.28", 70.0, 70.0)
    assert cells["Original review", "logistic regression, TF-IDF"].cause == UNPRINTED
    assert cells["Original review", "SMPNN"].cause == UNCOMPUTED
    assert cells["MCNN", "PG1 Pearson"].corrected == 0.1
    assert cells["MCNN", "PG1 Pearson"].why.startswith("0.100* (0.050 to 0.200), 2 seeds; other reviews, layers and ")
    assert cells["MCNN", "PG1 Spearman"].why.startswith("0.150 (−0.050 to 0.200), 2 seeds; ")  # no star: 0 is within
    assert cells["MCNN", "PG1 Spearman"].printed == "0.301**"


def test_a_run_is_for_the_paper_that_has_one(tmp_path):
    with pytest.raises(InputError, match="shen2022 reads no run folder"):
        paper("shen2022").reproduce(tmp_path, run=tmp_path)
    with pytest.raises(InputError, match="is not a run folder"):
        paper("hailu2020").reproduce(tmp_path, ["Table 2"], run=tmp_path)
