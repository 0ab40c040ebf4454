"""The whole evaluation on a small task: what a copy and nonsense do to it, what is kept, and what is refused."""

from __future__ import annotations

import json
import math
import re
import sys
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import ClassVar

import pytest
from scipy.stats import spearmanr

from paragauge.errors import InputError, MissingExtraError
from paragauge.extrinsic.evaluation import evaluate_extrinsic
from paragauge.extrinsic.results import Evaluation, open_store, read_result
from paragauge.extrinsic.tables import (
    accuracy_table,
    association_rows,
    association_table,
    intrinsic_table,
    prediction_table,
)
from paragauge.extrinsic.tasks import TextTask, open_task
from paragauge.runs.listing import find_runs, verify_run

FREE = ["ned.free", "length-ratio"]


def needs_scikit() -> None:
    pytest.importorskip("sklearn", reason="needs the extra extrinsic")


@pytest.fixture(scope="module")
def found(task, kinds) -> Evaluation:
    return evaluate_extrinsic(
        task, [kinds.Copy(), kinds.Nonsense()], models=[kinds.Bayes()], shares=[0.1, 1.0], seeds=3, metrics=FREE
    )


def row_of(found: Evaluation, mode: str, paraphraser: str, share: float = 1.0):
    (row,) = [row for row in found.of("reviews", mode) if (row.paraphraser, row.share) == (paraphraser, share)]
    return row


def test_a_copy_reproduces_the_baseline_exactly(found):
    for mode in ("replace", "robustness"):
        base, copy = (row_of(found, mode, name) for name in ("original", "copy"))
        assert copy.accuracy == base.accuracy
        assert (copy.gain, copy.p, copy.mcnemar) == (0, 1, (1.0,))
        assert -copy.gain_low == copy.gain_high == pytest.approx(1 - 0.025 ** (1 / 200))  # as far as 200 texts tell
        assert copy.verdict == "yes"


def test_nonsense_drops_to_chance_within_its_interval(found):
    for mode in ("replace", "robustness"):
        row = row_of(found, mode, "nonsense")
        assert row.low < 0.5 < row.high
        assert row.adjusted < 1e-6
        assert row.verdict == "no"
        assert row_of(found, mode, "original").low > 0.8


def test_by_a_classifier_at_chance_nothing_can_replace_the_originals(task, kinds):
    """As the paper's recurrent networks: who learned nothing from the originals loses nothing by paraphrases."""

    class Guess(kinds.Bayes):
        def fit(self, texts, classes, number, seed):
            found = super().fit(texts, classes, number, seed)
            return SimpleNamespace(losses=(), predict=lambda others: found.predict(["nothing"] * len(others)))

    found = evaluate_extrinsic(
        task, [kinds.Nonsense()], models=[Guess()], modes=["replace", "robustness"], metrics=FREE
    )
    assert {row.accuracy for row in found.outcomes} == {0.5}
    assert {row.verdict for row in found.outcomes} == {"at chance"}
    said = "bayes (50.0%; 43.0 to 57.0) is not shown to be better than always the most frequent label"
    assert said in found.findings[0]
    assert found.prediction == []  # its gains are not to be predicted


def test_copy_and_nonsense_with_scikit_learn(task, kinds):
    needs_scikit()
    found = evaluate_extrinsic(
        task, [kinds.Copy(), kinds.Nonsense()], models=["tfidf"], modes=["replace", "robustness"], metrics=[]
    )
    for mode in ("replace", "robustness"):
        assert row_of(found, mode, "copy").gain == 0
        assert row_of(found, mode, "nonsense").low < 0.5 < row_of(found, mode, "nonsense").high
        assert row_of(found, mode, "original").low > 0.75


def test_embeddings_of_copies(task, kinds, encoder):  # noqa: ARG001
    needs_scikit()
    found = evaluate_extrinsic(task, [kinds.Copy()], models=["embeddings"], modes=["replace", "robustness"], metrics=[])
    assert row_of(found, "replace", "copy").gain == row_of(found, "robustness", "copy").gain == 0
    assert row_of(found, "replace", "original").low > 0.6


def test_shares_are_drawn_by_each_seed(found):
    assert {row.seeds for row in found.of("reviews", "augment") if row.share == 0.1} == {3}
    assert {row.seeds for row in found.of("reviews", "augment") if row.share == 1} == {1}  # nothing is random
    small, whole = (row_of(found, "augment", "original", share) for share in (0.1, 1))
    assert small.accuracy < whole.accuracy
    assert small.spread > 0
    assert whole.accuracy == row_of(found, "replace", "original").accuracy


def test_nonsense_beside_the_originals_does_no_good(found):
    assert row_of(found, "augment", "nonsense").gain <= 0
    assert row_of(found, "augment", "copy").verdict in ("no", "undecided")


def test_scores_against_answers(found):
    copied = {row.found.metric: row.found for row in found.associations if row.paraphraser == "copy"}
    assert copied["ned.free"].reason == "the scores are constant"
    assert math.isnan(copied["ned.free"].pearson)
    other = {row.found.metric: row.found for row in found.associations if row.paraphraser == "nonsense"}
    assert -1 < other["ned.free"].pearson_low < other["ned.free"].pearson_high < 1
    header, rows = association_table(found, "reviews", "ned.free")
    assert header == ["model", "copy r", "copy ρ", "nonsense r", "nonsense ρ"]
    assert rows[0][1] is None
    assert re.fullmatch(r"−?0\.\d{3}\*{0,2} \(−?0\.\d{3} to −?0\.\d{3}\)", rows[0][3])  # r with its interval
    assert len(association_rows(found)[1]) == 4


def test_the_tables_have_the_papers_form(found):
    header, rows = accuracy_table(found, "reviews", "replace")
    assert header == ["trained on", "bayes"]
    assert [row[0] for row in rows] == ["original", "copy", "nonsense"]
    assert rows[1][1].endswith("(+0.00; −1.8 to 1.8)")
    header, rows = accuracy_table(found, "reviews", "augment")
    assert [row[:2] for row in rows][:2] == [["original", "10%"], ["original + copy", "10%"]]
    assert all("2 paraphrasers; expected 3 or more" in row[-1] for row in prediction_table(found)[1])


def test_the_finding_is_in_words(found):
    assert found.findings[0].startswith("reviews: copy can replace the originals")
    assert any("no metric can be said to predict the gain" in sentence for sentence in found.findings)


def test_a_run_resumes_and_takes_more(task, kinds, tmp_path):
    folder = tmp_path / "run"
    calls = kinds.Bayes.calls
    settings = {"models": [kinds.Bayes()], "modes": ["replace"], "metrics": FREE, "run": folder}
    first = evaluate_extrinsic(task, [kinds.Nonsense()], **settings)
    trained = len(calls)
    again = evaluate_extrinsic(task, [kinds.Nonsense()], **settings)
    assert len(calls) == trained  # nothing is trained again
    assert repr(again) == repr(first) == repr(Evaluation.of_record(read_result(folder)))
    more = evaluate_extrinsic(task, [kinds.Nonsense(), kinds.Loud()], **settings)
    assert len(calls) == trained + 1
    assert len(more.outcomes) == len(first.outcomes) + 1
    (described,) = find_runs(tmp_path)
    assert (described.status, described.rows) == ("complete", 3)
    assert verify_run(folder) == []


def test_with_robustness_a_further_paraphraser_trains_the_originals_again(task, kinds, tmp_path):
    """Their classifiers are tested on its paraphrases too, and are not kept themselves; as documented."""
    calls = kinds.Bayes.calls
    settings = {"models": [kinds.Bayes()], "modes": ["replace", "robustness"], "metrics": [], "run": tmp_path}
    evaluate_extrinsic(task, [kinds.Nonsense()], **settings)
    trained = len(calls)
    evaluate_extrinsic(task, [kinds.Nonsense(), kinds.Loud()], **settings)
    assert len(calls) == trained + 2


def test_a_call_that_is_refused_leaves_the_run_folder_as_it_was(task, kinds, tmp_path):
    settings = {"models": [kinds.Bayes()], "modes": ["replace"], "metrics": []}
    evaluate_extrinsic(task, [kinds.Copy()], run=tmp_path / "run", **settings)
    lacking = tmp_path / "lacking.csv"
    lacking.write_text("source,candidate\na,b\n")
    for methods, files, changes, message in (
        ([kinds.Copy(), "wordswop"], [], {}, "no paraphraser named 'wordswop'"),
        ([kinds.Copy()], [lacking], {}, "lacks paraphrases"),
        ([kinds.Copy()], [tmp_path / "none.csv"], {}, "none.csv"),
        ([kinds.Copy(), kinds.Copy()], [], {}, "two paraphrasers are named 'copy'"),
        ([], [], {}, "no paraphraser was given"),
        ([kinds.Copy()], [], {"engine": "local", "address": "auto"}, "the local engine has no address"),
        ([kinds.Copy(), kinds.Loud()], [], {"rank_metrics": True}, "cannot be ranked by 2 paraphrasers; expected 3"),
    ):
        for folder in ("run", "new"):
            with pytest.raises(InputError, match=message):
                evaluate_extrinsic(task, methods, paraphrases=files, run=tmp_path / folder, **settings, **changes)
    assert json.loads((tmp_path / "run" / "run.json").read_text())["status"] == "complete"
    assert verify_run(tmp_path / "run") == []
    assert not (tmp_path / "new").exists()


def test_a_mode_and_a_share_count_once(task, kinds):
    settings = {"models": [kinds.Bayes()], "metrics": [], "seeds": 2}
    once = evaluate_extrinsic(task, [kinds.Nonsense()], modes=["replace", "augment"], shares=[0.1, 1], **settings)
    often = evaluate_extrinsic(
        task, [kinds.Nonsense()], modes=["replace", "augment", "replace"], shares=[0.1, 1, 0.1], **settings
    )
    assert repr(often.outcomes) == repr(once.outcomes)


def test_scores_of_which_less_is_better_keep_their_scale(task, kinds):
    """The metric `ter` counts edits: means as they are, correlations of what is better."""
    metrics = ["ter.free", "chrf.free"]
    found = evaluate_extrinsic(
        task, [kinds.Bland(), kinds.Loud(), kinds.Nonsense()], models=[kinds.Bayes()], modes=["replace", "robustness"],
        metrics=metrics,
    )  # fmt: skip
    means = {name: own["ter.free"] for name, own in found.intrinsic["reviews"].items()}
    assert 0 < means["bland"] < means["nonsense"]
    assert intrinsic_table(found)[1][0][2] == means["bland"]
    assert any("less is better for ter.free: correlated by the negated score" in note for note in found.notes)
    turned = {row.metric: row.value for row in found.prediction if row.mode == "replace"}
    gained = {row.paraphraser: row.gain for row in found.of("reviews", "replace")}
    order = sorted(means, key=lambda name: -means[name])
    expected = spearmanr([order.index(name) for name in means], [gained[name] for name in means])[0]
    assert turned["ter.free"] == pytest.approx(expected)


def test_more_seeds_and_classifiers_are_trained_beside_those_that_are_kept(task, kinds, tmp_path):
    @dataclass(frozen=True, kw_only=True)
    class Drawn(kinds.Bayes):
        name: ClassVar[str] = "drawn"
        random: ClassVar[bool] = True
        calls: ClassVar[list[int]] = []

    settings = {"modes": ["replace"], "metrics": [], "run": tmp_path, "workers": 1}
    one = evaluate_extrinsic(task, [kinds.Loud()], models=[Drawn()], seeds=1, **settings)
    assert len(Drawn.calls) == 2  # originals and paraphrases
    evaluate_extrinsic(task, [kinds.Loud()], models=[Drawn(), kinds.Bayes()], seeds=1, **settings)
    assert len(Drawn.calls) == 2
    three = evaluate_extrinsic(task, [kinds.Loud()], models=[Drawn()], seeds=3, **settings)
    assert len(Drawn.calls) == 2 + 4
    assert ({row.seeds for row in one.outcomes}, {row.seeds for row in three.outcomes}) == ({1}, {3})


def test_what_was_trained_before_an_interruption_is_not_trained_again(task, kinds, tmp_path):
    class Stopped(kinds.Bayes):
        calls: ClassVar[list[int]] = []
        patience: ClassVar[list[int]] = [2]  # trainings until Ctrl-C

        def fit(self, texts, classes, number, seed):
            if len(self.calls) == self.patience[0]:
                raise KeyboardInterrupt
            return super().fit(texts, classes, number, seed)

    settings = {"models": [Stopped()], "modes": ["replace"], "metrics": [], "run": tmp_path, "workers": 1}
    with pytest.raises(KeyboardInterrupt):
        evaluate_extrinsic(task, [kinds.Loud(), kinds.Nonsense()], **settings)
    Stopped.patience[0] = -1
    resumed = evaluate_extrinsic(task, [kinds.Loud(), kinds.Nonsense()], **settings)
    assert len(Stopped.calls) == 3
    whole = evaluate_extrinsic(task, [kinds.Loud(), kinds.Nonsense()], **(settings | {"run": None}))
    assert repr(resumed.outcomes) == repr(whole.outcomes)


def test_the_same_call_gives_the_same(found, task, kinds):
    again = evaluate_extrinsic(
        task, [kinds.Copy(), kinds.Nonsense()], models=[kinds.Bayes()], shares=[0.1, 1.0], seeds=3, metrics=FREE
    )
    assert repr((again.outcomes, again.associations)) == repr((found.outcomes, found.associations))


def test_a_damaged_cell_is_trained_again_and_a_changed_result_is_refused(task, kinds, tmp_path):
    settings = {"models": [kinds.Bayes()], "modes": ["replace"], "metrics": [], "run": tmp_path}
    first = evaluate_extrinsic(task, [kinds.Copy()], **settings)
    cell = next(file for file in sorted((tmp_path / "parts" / "cells").glob("*.json")) if "manifest" not in file.name)
    cell.write_text(cell.read_text().replace("1", "0"))
    trained = len(kinds.Bayes.calls)
    assert repr(evaluate_extrinsic(task, [kinds.Copy()], **settings).outcomes) == repr(first.outcomes)
    assert len(kinds.Bayes.calls) == trained + 1
    (tmp_path / "result.json").write_text("{}")
    assert verify_run(tmp_path) == ["result.json was changed or damaged"]
    with pytest.raises(InputError, match=r"was modified after the run: result\.json was changed"):
        read_result(tmp_path)


def test_a_run_that_is_under_way_is_held_and_listed(task, tmp_path):
    held = open_store(tmp_path / "run", {task.name: task.fingerprint()})
    try:
        assert [run.status for run in find_runs(tmp_path)] == ["running"]
        with pytest.raises(InputError, match="another process is using"):
            open_store(tmp_path / "run", {task.name: task.fingerprint()})
    finally:
        held.release()
    assert [run.status for run in find_runs(tmp_path)] == ["interrupted"]
    with pytest.raises(InputError, match="is not complete; rerun to resume"):
        read_result(tmp_path / "run")


def test_a_folder_of_another_run_or_of_other_files_is_refused(task, kinds, tmp_path):
    settings = {"models": [kinds.Bayes()], "modes": ["replace"], "metrics": []}
    evaluate_extrinsic(task, [kinds.Copy()], run=tmp_path / "run", **settings)
    other = TextTask("reviews", task.test, task.train)
    with pytest.raises(InputError, match="holds another run"):
        evaluate_extrinsic(other, [kinds.Copy()], run=tmp_path / "run", **settings)
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "letter.txt").write_text("dear")
    with pytest.raises(InputError, match="contains other files"):
        evaluate_extrinsic(task, [kinds.Copy()], run=tmp_path / "mine", **settings)


def _small(found: Evaluation) -> list[tuple[object, ...]]:
    return [tuple(repr(value) for value in row) for row in found.outcomes]


def test_worker_processes_give_the_same(task, tmp_path):
    needs_scikit()
    settings = {"models": ["tfidf:ngrams=1"], "modes": ["replace", "augment"], "shares": [0.1], "seeds": 2}
    file = _paraphrases(task, tmp_path)
    alone, many = (
        evaluate_extrinsic(task, [], paraphrases=[file], metrics=[], workers=workers, **settings) for workers in (1, 2)
    )
    assert _small(many) == _small(alone)


@pytest.mark.thorough
def test_a_ray_cluster_gives_the_same(task, tmp_path):
    needs_scikit()
    pytest.importorskip("ray", reason="needs the extra ray")
    settings = {"models": ["tfidf:ngrams=1"], "modes": ["replace"], "metrics": []}
    file = _paraphrases(task, tmp_path)
    alone, cluster = (
        evaluate_extrinsic(task, [], paraphrases=[file], engine=engine, workers=2, **settings)
        for engine in ("local", "ray")
    )
    assert _small(cluster) == _small(alone)


def test_a_slice_of_real_reviews(data, glove):  # noqa: ARG001
    """CI's small version of the recorded grid."""
    needs_scikit()
    whole = open_task("cr", data)
    small = TextTask("cr", whole.train.rows(range(0, 3000, 40)), whole.test.rows(range(0, 750, 15)))
    found = evaluate_extrinsic(small, ["wordswap-1"], models=["tfidf"], shares=[0.1, 1], seeds=2, metrics=["weem4pg"])
    assert len(found.outcomes) == 2 + 4 + 2
    assert all(row.low <= row.accuracy <= row.high for row in found.outcomes)
    (base, *_) = found.of("cr", "replace")
    assert base.accuracy > 0.5
    assert [row.found.metric for row in found.associations] == ["weem4pg"]


def _paraphrases(task: TextTask, folder: Path) -> Path:
    file = folder / "loud.csv"
    lines = [f'"{text}","{text.upper()}"' for text in (*task.train.texts, *task.test.texts)]
    file.write_text("source,candidate\n" + "\n".join(lines) + "\n")
    return file


def test_what_is_refused(task, kinds):
    for changes, message in (
        ({"modes": ["replay"]}, "mode='replay' is unknown; did you mean 'replace'"),
        ({"shares": [2]}, "a share of 2 of the training data"),
        ({"seeds": 0}, "0 seeds; expected at least 1"),
        ({"seeds": {"lstm": 1}}, "seeds are given for 'lstm', not a classifier of this run"),
        ({"models": ["tfidff"]}, "no classifier named 'tfidff'; did you mean 'tfidf'"),
        ({"models": []}, "no classifier was given"),
        ({"metrics": ["bleu"]}, "bleu needs references, and a paraphrased text has none; use bleu.free"),
        ({"metrics": ["selfbleu"]}, "selfbleu judges sets"),
    ):
        with pytest.raises(InputError, match=message):
            evaluate_extrinsic(task, [kinds.Copy()], **({"models": [kinds.Bayes()], "metrics": []} | changes))
    with pytest.raises(InputError, match="no paraphraser was given"):
        evaluate_extrinsic(task, models=[kinds.Bayes()], metrics=[])
    with pytest.raises(InputError, match="two tasks have one name"):
        evaluate_extrinsic([task, task], [kinds.Copy()], models=[kinds.Bayes()])
    with pytest.raises(InputError, match="no task was given"):
        evaluate_extrinsic([], [kinds.Copy()], models=[kinds.Bayes()])


def test_an_absent_extra_is_told_of_before_any_work(task, kinds, monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "sklearn", None)
    with pytest.raises(MissingExtraError, match="needs scikit-learn"):
        evaluate_extrinsic(task, [kinds.Copy()], models=["tfidf"], run=tmp_path / "run")
    assert not (tmp_path / "run").exists()


def test_a_classifier_that_cannot_be_trained_leaves_the_others_finished(task, kinds, tmp_path):
    class Failing(kinds.Bayes):
        def fit(self, texts, classes, number, seed):
            if len(texts) > 150:
                raise InputError("too many texts")
            return super().fit(texts, classes, number, seed)

    with pytest.raises(
        Exception, match=r"for reviews on .* copy failed: too many texts; 2 other classifiers are finished; rerun"
    ):
        evaluate_extrinsic(
            task,
            [kinds.Copy()],
            models=[Failing()],
            modes=["replace", "augment"],
            shares=[1.0],
            metrics=[],
            run=tmp_path,
        )


def test_three_classes(kinds):
    table = kinds.make_table(90, 0)
    three = tuple("third" if place % 3 == 0 else label for place, label in enumerate(table.labels))
    texts = tuple(
        f"Odd odd. {text}" if label == "third" else text for text, label in zip(table.texts, three, strict=True)
    )
    labelled = type(table)(table.ids, texts, three)
    found = evaluate_extrinsic(
        TextTask("three", labelled, labelled), [kinds.Copy()], models=[kinds.Bayes()], modes=["replace"], metrics=[]
    )
    assert found.outcomes[0].accuracy > 0.8
