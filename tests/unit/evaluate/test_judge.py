"""The verdict on systems: rates, reasons that add up, what to conclude, thresholds, parts and workers."""

import csv
import json
import sqlite3
import time
import timeit
from collections.abc import Callable
from pathlib import Path

import polars
import pytest

import paragauge as pg
from paragauge.errors import InputError
from paragauge.evaluate.judge import Judgments
from paragauge.evaluate.part import aggregation_of
from paragauge.evaluate.plan import ROWS, VERDICT
from paragauge.evaluate.score_file import score_file
from paragauge.metrics import parse
from paragauge.runs.listing import verify_run
from paragauge.runs.record import read_record
from paragauge.tables.summary import criterion_of
from paragauge.verdict import rules
from paragauge.verdict.findings import Outcome, Span
from paragauge.verdict.tally import STEPS, Verdict

pytestmark = pytest.mark.usefixtures("encoder")
PAIRS = Path(__file__).parents[3] / "examples" / "pairs.csv"


@pytest.fixture(scope="module")
def judged(encoder: object) -> Judgments:  # noqa: ARG001
    return pg.judge(PAIRS)


def test_a_line_for_every_candidate(judged):
    assert judged.frame.columns == [
        "sample", "system", "meaning", "changed", "usable", "outcome", "findings", "why"
    ]  # fmt: skip
    assert len(judged.frame) == 42
    copies = judged.frame.filter(polars.col("system") == "copy")
    assert set(copies["why"]) == {"copy"}
    assert set(copies["usable"]) == {0}
    assert set(copies["changed"]) == {0.0}
    empty = judged.frame.filter(polars.col("why") == "empty")
    assert empty.select("system", "usable", "meaning").rows() == [("rewrite", 0, None)]


def test_the_systems_add_up(judged):
    for one in judged.verdicts:
        rows = judged.frame.filter(polars.col("system") == one.system)
        assert one.usable.value == pytest.approx(rows["usable"].mean())
        assert sum(reason.rows for reason in one.why.values()) == (rows["usable"] == 0).sum()
        assert one.check == rows["why"].str.starts_with("check").sum()
    rates = [one.usable.value for one in judged.verdicts]
    assert rates == sorted(rates, reverse=True)
    assert judged.systems.filter(polars.col("system") == "copy")["why"].item() == "14 copies"
    assert judged.verdicts[-1].system == "copy"
    assert repr(judged).startswith("Judgments(42 rows; usable: ")
    assert "<table>" in judged._repr_html_()


def test_one_row_has_columns_of_numbers_too():
    found = pg.judge(["How old are you?"], ["What is your age?"]).systems
    numbers = [name + end for name in VERDICT for end in ("", "_low", "_high")]
    assert [found.schema[name] for name in numbers] == [polars.Float64] * 9
    assert found["meaning_low"].item() is None


def test_one_sentence_to_conclude(judged):
    best, second, _ = judged.verdicts
    tied = best.usable.value == second.usable.value  # by the last digits of a model, which processors differ in
    assert judged.conclusion.startswith(best.system)
    assert second.system in judged.conclusion
    assert ("have equally many usable candidates" in judged.conclusion) == tied
    assert ("has the most usable candidates" in judged.conclusion) != tied
    assert "95% interval" in judged.conclusion
    source = ["How old are you?"] * 3
    assert pg.judge(source, source).conclusion == "No candidate is usable: 3 copies."
    alone = pg.judge(["How old are you?", "Where is it?"], ["What is your age?", ""], accept=0.0)
    rate = "50% of the candidates are usable (95% interval 9% to 91%)"
    assert alone.conclusion == f"{rate}; most of the others fail by: empty."
    assert pg.judge(["How old are you?"], [None]).conclusion == "No candidate could be judged."


def test_the_difference_of_systems_is_paired():
    """Two systems with the same outputs differ by little, however wide the interval of each is."""
    sources = [f"How old is number {number}?" for number in range(20)]
    outputs = ["What age has it?" if number % 2 else "" for number in range(20)]
    found = pg.judge(sources * 2, outputs * 2, systems=["a"] * 20 + ["b"] * 20, accept=0.0)
    gap, alone = found.summary.difference("usable:accept=0.0", "a", "b"), found.verdicts[0].usable
    assert (gap.value, gap.low, gap.p) == (0, -gap.high, 1)
    assert 0 < gap.high < (alone.high - alone.low) / 3
    said = "(difference: 95% interval −9 to 9 points)"
    assert found.conclusion == f"a and b have equally many usable candidates, 50% {said}."
    better = pg.judge(sources * 2, ["What age has it?"] * 20 + outputs, systems=["a"] * 20 + ["b"] * 20, accept=0.0)
    assert better.conclusion.startswith("a has the most usable candidates, 100%: 50 points more than b (95% interval ")


def test_systems_without_a_common_source_are_not_compared():
    with pytest.warns(UserWarning, match="no row in common"):
        found = pg.judge(["How old is he?", "Where is it?"], ["What is his age?", ""], systems=["a", "b"], accept=0.0)
    assert found.conclusion == (
        "The systems have no source in common, so their usable candidates do not compare: a 100%, b 0%."
    )


def test_wrong_arguments_are_named():
    with pytest.raises(InputError, match=r"^there are no rows to score$"):
        pg.judge([], [])
    with pytest.raises(InputError, match=r"^candidates .* are needed, or samples$"):
        pg.judge(["How old are you?"])
    with pytest.raises(TypeError, match=r"^judge\(\) got an unexpected keyword argument 'acept'"):
        pg.judge(["How old are you?"], ["What is your age?"], acept=0.5)
    with pytest.raises(InputError, match=r"accept=1\.5 is out of range"):
        pg.judge(["How old are you?"], ["What is your age?"], accept=1.5)
    with pytest.raises(InputError, match="2 sources but 1 candidates"):
        pg.judge(["How old are you?", "Where?"], ["What is your age?"])


def test_empty_candidates_may_be_skipped():
    sources = ["How old are you?", "Where is the house?"]
    found = pg.judge(sources, ["What is your age?", ""], accept=0.0, empty="skip")
    (one,) = found.verdicts
    assert (one.usable.value, one.rows, one.why) == (1.0, 2, {})


@pytest.fixture
def mail_rule(monkeypatch):
    """A rule that counts, with a kind that is not a plain word: an address that became another one."""

    def places(source, candidate):
        found = [text.find("@") for text in (source, candidate)]
        return [tuple(Span(at - 1, at + 2) for at in found)] if min(found) > 0 else []

    rule = rules.Rule(
        "mail", "E-Mail (x)", Outcome.MEANING, english=False, yields=False, overruled=False, places=places
    )
    monkeypatch.setitem(rules.rules(), rule.name, rule)
    monkeypatch.setitem(rules.accuracy(), rule.name, rules.Accuracy(1, 1, 1, 0, 1, 1, "made"))
    rules.shown.cache_clear()
    yield rule
    rules.shown.cache_clear()


def test_a_rule_that_is_added_counts_whatever_its_kind_is_called(mail_rule, tmp_path):
    """It used to end every call with a KeyError, and a kind with a hyphen or a bracket was lost from the totals."""
    rules.shown.cache_clear()
    source, candidate = "Write to a@b before you leave.", "Before you leave, send a note to c@d."
    found = pg.judge([source], [candidate], accept=0.0, cache=False)
    (row,) = found.rows
    assert (row.outcome, row.kinds) == (Outcome.MEANING, (mail_rule.kind,))
    assert found.frame["why"].to_list() == ["meaning lost (E-Mail (x)): “a@b” → “c@d”"]
    assert found.systems["why"].to_list() == ["1 meaning lost (1 E-Mail (x))"]
    polars.DataFrame({"source": [source], "candidate": [candidate]}).write_csv(tmp_path / "pairs.csv")
    score_file(tmp_path / "pairs.csv", metrics=VERDICT, run=tmp_path / "run", accept=0.0, cache=False)
    (system,) = read_record(tmp_path / "run")["verdict"]["systems"]
    assert system["why"] == {"meaning lost": {"rows": 1, "kinds": {"E-Mail (x)": 1}}}


def test_meaning_depends_on_the_kinds_that_it_was_trained_on_alone(mail_rule):
    texts = ["Write to a@b before you leave."], ["Before you leave, send a note to c@d."]
    with_rule = pg.judge(*texts, cache=False).rows[0].meaning
    rules.rules().pop(mail_rule.name)
    rules.shown.cache_clear()
    try:
        assert pg.judge(*texts, cache=False).rows[0].meaning == with_rule
    finally:
        rules.rules()[mail_rule.name] = mail_rule


def test_words_of_a_text_are_no_reason():
    """A candidate may well hold what looks like a reason."""
    source = "She said 5: copy, not 6."
    found = pg.judge([source], ["She said 7: empty (name): garbled, never 6; negation: lost"], accept=1.0)
    (row,) = found.rows
    assert row.outcome in ("meaning lost", "garbled")  # it is neither a paraphrase nor much of a sentence
    assert set(found.verdicts[0].why) == {row.outcome}


def test_sensitivity_counts_what_other_thresholds_accept(judged):
    table = judged.verdict.record()["sensitivity"]
    assert table["accept"] == table["min_changed"] == [step / STEPS for step in range(STEPS + 1)]
    # what is empty, or lost as a rule sees it, is not usable at any threshold
    never = polars.col("why").str.contains(r"^(empty|garbled|meaning lost \()")
    frame = judged.frame.filter(polars.col("why").is_null() | ~never)
    for system, counts in table["usable"].items():
        own = frame.filter(polars.col("system") == system)
        for place, accept in enumerate(table["accept"]):
            for spot, least in enumerate(table["min_changed"]):
                expected = own.filter((polars.col("meaning") >= accept) & (polars.col("changed") >= least)).height
                assert counts[place][spot] == expected


def test_thresholds_reach_the_metric():
    loose = pg.judge(PAIRS, accept=0.0, min_changed=0.0)
    assert {one.system: one.usable.value for one in loose.verdicts}["copy"] == 1
    assert "|accept:0.0|" in loose.signatures["usable:accept=0.0,min_changed=0.0"]


def test_defaults_lead_with_the_verdict():
    known = {name: aggregation_of(parse(name)) for name in VERDICT}
    assert criterion_of(known) == parse("usable").criterion
    assert criterion_of({name: known[name] for name in ("usable", "changed")}) is None
    found = pg.score(["How old are you?"], ["What is your age?"])
    assert list(found.columns)[:3] == list(VERDICT)


@pytest.fixture(scope="module")
def long_table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """More than one part, of few texts, so that little is encoded."""
    sources = ["The vaccine does not protect 50 people.", "How old are you?", "We should leave before it rains."]
    outputs = ["The vaccine does protect 60 people.", "", "What is your age?", "How old are you?", "Let us go now."]
    path = tmp_path_factory.mktemp("verdict") / "table.csv"
    with path.open("w", newline="") as stream:
        writer = csv.writer(stream)
        writer.writerow(["id", "source", "candidate", "system"])
        for row in range(ROWS + 300):
            system = "ab"[row % 2]
            writer.writerow([row // 2, sources[row // 2 % 3], outputs[(row // 2 + (row % 2) * (row % 5)) % 5], system])
    return path


def test_parts_and_workers_give_one_verdict(long_table, tmp_path):
    found = []
    for workers in (1, 2):
        run = tmp_path / f"run{workers}"
        scored = score_file(long_table, metrics=VERDICT, workers=workers, run=run)
        assert scored.summary.chunks > 1
        assert verify_run(run) == []
        found.append((read_record(run)["verdict"], scored.summary.rows()))
    assert found[0] == found[1]
    whole = pg.judge(long_table)
    record = found[0][0]
    assert [one["why"] for one in record["systems"]] == [one["why"] for one in whole.verdict.record()["systems"]]
    assert record["sensitivity"] == whole.verdict.record()["sensitivity"]
    assert [one["system"] for one in record["systems"]] == [one.system for one in whole.verdicts]
    assert record["conclusion"] == whole.conclusion
    assert (record["accept"], record["min_changed"]) == whole.criterion.thresholds[:2]


def test_a_complete_run_gives_the_same_verdict_again(tmp_path):
    run = tmp_path / "run"
    first, again = (score_file(PAIRS, metrics=VERDICT, run=run) for _ in range(2))
    assert first.verdict.record() == again.verdict.record() == Verdict.read(read_record(run)["verdict"]).record()


def test_outcomes_and_findings_are_columns_of_the_scores(judged, tmp_path):
    score_file(PAIRS, metrics=VERDICT, run=tmp_path / "run", output=tmp_path / "scores.csv")
    stored = polars.read_parquet(tmp_path / "run" / "scores.parquet").filter(polars.col("metric") == "usable")
    assert stored["outcome"].to_list() == [one.outcome for one in judged.rows]
    swapped = stored.filter((polars.col("system") == "word-swap") & (polars.col("sample") == "3"))
    assert swapped["findings"].to_list() == [
        [{"rule": "number", "kind": "number", "source": [25, 29], "candidate": [25, 29]}]
    ]
    others = polars.read_csv(tmp_path / "scores.csv").filter(polars.col("metric") != "usable")
    assert others.select("outcome", "findings").null_count().row(0) == (others.height, others.height)
    told = polars.read_csv(tmp_path / "scores.csv").filter(polars.col("findings").is_not_null())
    assert [len(json.loads(cell)) for cell in told["findings"]] == [
        len(one.findings) for one in judged.rows if one.findings
    ]


def test_a_run_without_the_three_has_no_verdict(tmp_path):
    score_file(PAIRS, metrics=["usable"], run=tmp_path / "run")
    assert "verdict" not in read_record(tmp_path / "run")
    assert verify_run(tmp_path / "run") == []


def test_the_same_weights_in_another_folder_are_calibrated_and_others_of_the_name_are_not(encoder, tmp_path):
    from paragauge.metrics.meaning.meaning import Meaning
    from paragauge.models.hub.locate import open_model

    other = tmp_path / "all-mpnet-base-v2"
    other.symlink_to(open_model(encoder.name).folder)
    metric = Meaning(encoder=str(other))
    assert metric.calibrated
    assert metric.score(sources=["A dog."], candidates=["One dog."]) == pytest.approx(
        Meaning().score(sources=["A dog."], candidates=["One dog."]), abs=1e-6
    )


def test_what_is_not_calibrated_is_told_of():
    with pytest.warns(UserWarning, match="not calibrated with this encoder"):
        judged = pg.judge(["How old are you?"], ["What is your age?"], encoder="default", layer=2)
    assert not judged.verdict.calibrated
    assert parse("usable").meaning.calibrated


@pytest.mark.filterwarnings("ignore:.*tokens are unknown")
def test_meaning_alone_tells_of_texts_that_are_not_english():
    with pytest.warns(UserWarning, match="100% of the sources are not English; meaning was trained on English"):
        pg.score(["你今年多大年纪了？"], ["请问你几岁了？"], metrics=["meaning"])


@pytest.mark.filterwarnings("ignore:.*tokens are unknown")
def test_texts_that_are_not_english_are_told_of():
    with pytest.warns(UserWarning, match="100% of the sources are not English; meaning was trained on English"):
        pg.judge(["你今年多大年纪了？"], ["请问你几岁了？"])


def test_pairs_are_judged_one_by_one_as_they_are_together(judged):
    texts = judged.scores.samples
    with pg.Judge() as one:
        found = [one.check(*pair) for pair in zip(texts.sources, texts.candidates, strict=True)]
    assert [(one.outcome, one.changed, one.findings) for one in found] == [
        (one.outcome, one.changed, one.findings) for one in judged.rows
    ]
    # float32 kernels round differently in batches of another size
    assert [one.meaning for one in found] == pytest.approx([one.meaning for one in judged.rows], abs=1e-5)
    with pg.Judge(accept=0.99, min_changed=0.9) as strict:
        assert strict.check("How old are you?", "What is your age?").usable is False


def test_a_judge_of_pairs_opens_nothing_and_resamples_nothing(connections):
    pair = "How old are you?", "What is your age?"
    pg.judge(*([text] for text in pair))
    before = len(connections)
    judged = pg.judge(*([text] for text in pair))
    with pg.Judge() as one:
        opened = len(connections)
        assert process_seconds(lambda: one.check(*pair)) <= 0.006
    assert len(connections) == opened
    assert opened - before <= 1  # that of the Judge, none of `judge`
    assert "summary" not in vars(judged)
    assert process_seconds(lambda: pg.judge(*([text] for text in pair))) <= 0.010


def process_seconds(call: Callable[[], object]) -> float:
    """The least of some tries, so that what else the machine does is not counted."""
    return min(timeit.repeat(call, timer=time.process_time, number=4, repeat=8)) / 4


@pytest.fixture
def connections(monkeypatch) -> list[object]:
    """The times that the disk cache was opened."""
    found, real = [], sqlite3.connect
    monkeypatch.setattr(sqlite3, "connect", lambda *given, **named: found.append(1) or real(*given, **named))
    return found
