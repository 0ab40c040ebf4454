"""Human judgments from files, and the decisions of a metric against them."""

import pickle

import numpy as np
import pytest

from paragauge.errors import InputError
from paragauge.references.human import (
    Rankings,
    agreement,
    changes,
    read_assessments,
    read_rankings,
    read_rankings_with_text,
    read_score_file,
    segment_matrix,
    segment_sums,
)
from paragauge.references.task import EvaluationSet
from paragauge.references.wmt import rankings_of

TASK = EvaluationSet("de-en", {"a": ["x", "y", "x"], "b": ["u", "v", "w"]}, [["same", "other", "same"]])


def test_direct_assessment(tmp_path):
    path = tmp_path / "da.csv"
    path.write_text("LP HUMAN SYSTEM\nde-en 0.5 a\nde-en -0.25 b\nfi-en 1 a\n")
    assert read_assessments(path) == {"de-en": {"a": 0.5, "b": -0.25}, "fi-en": {"a": 1.0}}
    path.write_text("de-en 0.5\n")
    with pytest.raises(InputError, match="line 1 has 2 columns; expected pair, score and system"):
        read_assessments(path)
    path.write_text("de-en 1 a\nde-en 2 a\n")
    with pytest.raises(InputError, match="line 2 judges a of de-en a second time"):
        read_assessments(path)
    path.write_text("de-en good a\n")
    with pytest.raises(InputError, match="'good' is not a number"):
        read_assessments(path)


@pytest.mark.parametrize("header", ["", "LP DATA SID BETTER WORSE\n"])
def test_rankings_count_segments_from_one_and_keep_the_first_line(tmp_path, header):
    path = tmp_path / "darr.tsv"
    path.write_text(header + "de-en news 2 a b\nde-en news 1 b a\nfi-en news 1 z y\nde-en news 9 a b\n")
    found = read_rankings(path, TASK)
    assert (found.segment.tolist(), found.better.tolist(), found.worse.tolist()) == ([1, 0], [0, 1], [1, 0])
    assert found.without(0).segment.tolist() == [0]


def test_rankings_that_are_refused(tmp_path):
    path = tmp_path / "darr.tsv"
    path.write_text("de-en news 1 a c\n")
    with pytest.raises(InputError, match="no output of a system 'c'"):
        read_rankings(path, TASK)
    for segment in ("one", "0", "²"):
        path.write_text(f"de-en news {segment} a b\n", encoding="utf-8")
        with pytest.raises(
            InputError, match=r"line 1 is .*; expected pair, test set, segment \(from 1\), better, worse"
        ):
            read_rankings(path, TASK)
    path.write_text("de-en news 1 a a\n")
    with pytest.raises(InputError, match="line 1 finds a better than itself"):
        read_rankings(path, TASK)
    path.write_text("fi-en news 1 a b\n")
    with pytest.raises(InputError, match="no judgment of de-en's 3 segments"):
        read_rankings(path, TASK)


def pickled(path, *entries):
    table = {
        number: {"ref": ref, "better": {"sys_name": one, "sys": text}, "worse": {"sys_name": two, "sys": other}}
        for number, (ref, one, text, two, other) in enumerate(entries)
    }
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(pickle.dumps(table))


def test_rankings_with_text_tell_equal_references_apart_by_the_outputs(tmp_path):
    path = tmp_path / "darr" / "bartscore" / "de-en" / "data.pkl"
    pickled(path, ("same", "a", "x", "b", "w"), ("same", "b", "u", "a", "x"), ("beyond", "a", "?", "b", "?"))
    found = read_rankings_with_text(path, TASK)
    assert (found.segment.tolist(), found.better.tolist()) == ([2, 0], [0, 1])
    assert rankings_of(tmp_path, TASK).segment.tolist() == [2, 0]
    (tmp_path / "darr" / "de-en.first3.tsv").write_text("de-en news 2 a b\n")
    assert rankings_of(tmp_path, TASK).segment.tolist() == [1]
    assert rankings_of(tmp_path / "elsewhere", TASK) is None
    pickled(path, ("same", "a", "changed", "b", "w"))
    with pytest.raises(InputError, match="no segment of de-en has the texts"):
        read_rankings_with_text(path, TASK)


def test_a_pickle_of_classes_is_refused(tmp_path):
    path = tmp_path / "data.pkl"
    path.write_bytes(pickle.dumps({0: TASK}))
    message = r"not a pickle of plain values: it asks for paragauge.references.task.EvaluationSet"
    with pytest.raises(InputError, match=message):
        read_rankings_with_text(path, TASK)
    path.write_bytes(b"nothing")
    with pytest.raises(InputError, match="not a pickle"):
        read_rankings_with_text(path, TASK)


def test_score_files_of_mt_metrics_eval(tmp_path):
    path = tmp_path / "en-de.mqm.seg.score"
    path.write_text("a\t1\na\tNone\nb\t-2.5\nb\t0\n")
    found = read_score_file(path)
    np.testing.assert_array_equal(found["a"], [1, np.nan])
    np.testing.assert_array_equal(segment_matrix(found, ["b", "c", "a"], 1), [[-2.5], [np.nan], [1]])
    with pytest.raises(InputError, match="b has 2 human scores; expected 3"):
        segment_matrix(found, ["b"], 3)
    path.write_text("a\t1\nb\t1\nb\t2\n")
    with pytest.raises(InputError, match="1 scores of a but 2 of b"):
        read_score_file(path)
    path.write_text("")
    with pytest.raises(InputError, match="is empty"):
        read_score_file(path)


@pytest.mark.parametrize("score", ["nan", "inf", "high"])
def test_a_score_that_is_no_number_is_refused_with_its_line(tmp_path, score):
    path = tmp_path / "DA-syslevel.csv"
    path.write_text(f"LP HUMAN SYSTEM\nde-en {score} a\n")
    with pytest.raises(InputError, match=f"line 2: '{score}' is not a number; leave out what nobody judged"):
        read_assessments(path)


def rankings(*rows: tuple[int, int, int]) -> Rankings:
    return Rankings(*np.array(rows, dtype=np.int64).reshape(-1, 3).T)


# segment 0: system 0 above 1 above 2; segment 1: system 2 above 0
RANKED = rankings((0, 0, 1), (0, 1, 2), (0, 0, 2), (1, 2, 0))
BEFORE = np.array([[3.0, 1.0], [3.0, 5.0], [1.0, 0.0]])


def test_a_tie_counts_as_wrong():
    # 0 ties with 1; 1 above 2 and 0 above 2 are right; in segment 1 system 2 is below 0: (2 − 2) / 4
    assert agreement(BEFORE, RANKED) == (0.0, 4, 2, 1, 1, 0)


def test_changes_and_their_sums_by_segment():
    after = np.array([[4.0, 1.0], [3.0, 5.0], [3.5, 2.0]])
    # the tie is broken rightly (+1), 1 against 2 is lost (−1), 0 against 2 stays, and segment 1 is won (+1)
    found = changes(BEFORE, after, RANKED)
    assert found == (2, 1, 4)
    assert (found.improved_share, found.degraded_share) == (0.5, 0.25)
    np.testing.assert_array_equal(segment_sums(BEFORE, after, RANKED), [[3, 2, 2], [1, 0, 1]])
    gain = agreement(after, RANKED).value - agreement(BEFORE, RANKED).value
    assert gain == 2 * (found.improved - found.degraded) / found.rankings


def test_differences_of_rounding_are_ties():
    scores = np.array([[0.1 + 0.2], [0.3]])
    assert scores[0, 0] != scores[1, 0]
    assert agreement(scores, rankings((0, 0, 1), (0, 1, 0))).ties == 2
    assert agreement(np.array([[1e-9], [2e-9]]), rankings((0, 1, 0))).concordant == 1


def test_undefined_scores_are_left_out_and_counted():
    scores = BEFORE.copy()
    scores[1, 0] = np.nan
    assert agreement(scores, RANKED)[1:] == (4, 1, 1, 0, 2)
    assert changes(BEFORE, scores, RANKED).rankings == 2
    nothing = agreement(np.full((3, 2), np.nan), RANKED)
    assert np.isnan(nothing.value)
    assert nothing.undefined == 4


def test_decisions_that_are_refused():
    with pytest.raises(InputError, match="expected the same systems and segments"):
        changes(BEFORE, BEFORE[:2], RANKED)
    with pytest.raises(InputError, match="beyond"):
        agreement(BEFORE[:2], RANKED)
    with pytest.raises(InputError, match=r"expected \(systems, segments\)"):
        agreement(BEFORE[0], RANKED)
