"""The file of a study: who is given what, and what is kept."""

import shutil
import sqlite3
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import pytest

from paragauge.errors import InputError
from paragauge.web.annotate.app import as_json
from paragauge.web.annotate.create import open_study
from paragauge.web.annotate.database import StudyError
from paragauge.web.annotate.export import export_ratings
from paragauge.web.annotate.progress import progress
from paragauge.web.annotate.store import StudyStore, is_study, rater_name

from .made import answer_by, judge, made_samples, made_study
from .server import write_table


def test_every_item_gets_its_raters_and_the_overlap_gets_all(tmp_path):
    store = made_study(tmp_path / "study.db", redundancy=2, overlap=6, block=10)
    answer = answer_by(store, lambda cell, _: cell)
    tasks = {rater: judge(store, rater, answer) for rater in ("anna", "ben", "carl", "dora")}
    raters = Counter(task.unit for own in tasks.values() for task in own if task.kind == "genuine")
    for unit in range(len(store.items.units)):
        assert raters[unit] == (4 if unit in store.items.overlap else 2)
    orders = [[task.unit for task in own if task.unit in store.items.overlap] for own in tasks.values()]
    assert len(set(map(tuple, orders))) > 1  # shuffled for each


def test_who_stays_away_holds_up_nothing(tmp_path):
    store = made_study(tmp_path / "study.db", redundancy=1, overlap=0, block=30)
    store.join("absent")
    assert store.give("absent")  # and answers none of it
    judge(store, "anna", answer_by(store, lambda *_: 50))
    judged = {row.unit for row in store.judgments() if row.kind == "genuine"}
    assert judged == set(range(len(store.items.units)))


def test_skipped_items_go_to_another(tmp_path):
    store = made_study(tmp_path / "study.db", redundancy=1, overlap=0, checks=0, block=50)
    assert {tuple(task.answer) for task in judge(store, "anna", lambda _: {"skip": True})} == {("skip",)}
    assert len(judge(store, "ben", answer_by(store, lambda *_: 50))) == len(store.items.units)


def test_the_last_answer_counts_and_none_is_doubled(tmp_path):
    store = made_study(tmp_path / "study.db")
    store.join("anna")
    task = store.give("anna")[0].task
    first, second = {"meaning": 10, "wording": 20}, {"meaning": 90.5, "wording": 0}
    assert store.save("anna", task, first, 1.0, "first-key")
    assert not store.save("anna", task, first, 1.0, "first-key")  # sent again, as its receipt was lost
    assert store.save("anna", task, second, 2.0, "second-key")
    (row,) = store.judgments()
    assert (dict(row.answer), row.seconds) == (second, 3.0)
    assert store.tasks("anna")[0].answer == second
    with sqlite3.connect(store.path) as connection:
        assert connection.execute("SELECT count(*) FROM judgments").fetchone() == (2,)
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)


@pytest.mark.parametrize(
    ("task", "answer", "message"),
    [
        ("direct", None, "expected an object with meaning, wording"),
        ("direct", {"meaning": 5}, "an answer has meaning; expected meaning, wording"),
        ("direct", {"meaning": 5, "wording": 101}, "wording is 101; expected a number from 0 to 100"),
        ("direct", {"meaning": True, "wording": 1}, "meaning is True"),
        ("direct", {"meaning": float("nan"), "wording": 1}, "meaning is nan"),
        ("direct", {"meaning": 10**400, "wording": 1}, "meaning is 1000"),
        ("direct", {"meaning": "5", "wording": 1}, "meaning is '5'"),
        ("direct", {"skip": 1}, "an answer has skip; expected meaning, wording"),
        ("direct", {"skip": 1.0}, "an answer has skip; expected"),
        ("direct", {"skip": False}, "an answer has skip; expected"),
        ("pairwise", {"better": 2}, "better is 2; expected 0"),
        ("pairwise", {"better": True}, "better is True; expected 0"),
        ("pairwise", {"better": []}, r"better is \[\]; expected 0"),
        ("best-worst", {"best": 0, "worst": 0}, "best and worst are both 0"),
        ("best-worst", {"best": 0, "worst": 7}, "worst is 7; expected a place from 0 to 2"),
    ],
)
def test_what_is_no_answer_is_refused(tmp_path, task, answer, message):
    store = made_study(tmp_path / "study.db", task=task)
    store.join("anna")
    number = store.give("anna")[0].task
    with pytest.raises(InputError, match=message):
        store.save("anna", number, answer, 1.0, "some-key")
    good = answer_by(store, lambda cell, _: cell)(store.give("anna")[0])
    for seconds, key, whose, why in (
        (-1, "some-key", "anna", "seconds is -1"),
        (float("inf"), "some-key", "anna", "seconds is inf"),
        (1.0, "short", "anna", "the key of an answer"),
        (1.0, "\ud800" * 9, "anna", "the key of an answer"),
        (1.0, "some-key", "ben", "'ben' has no task"),
    ):
        with pytest.raises(InputError, match=why):
            store.save(whose, number, good, seconds, key)
    for wrong in (None, "1", 10**30, True, -1):
        with pytest.raises(InputError, match="has no task"):
            store.save("anna", wrong, good, 1.0, "some-key")
    assert store.judgments() == []


def test_many_raters_at_once(tmp_path):
    store = made_study(tmp_path / "study.db", redundancy=3, overlap=5, block=10)
    answer = answer_by(store, lambda cell, _: cell)
    other = StudyStore(store.path)  # as another process has it
    with ThreadPoolExecutor(6) as pool:
        list(pool.map(lambda place: judge([store, other][place % 2], f"rater {place}", answer), range(6)))
    rows = store.judgments()
    assert len({(row.rater, row.position) for row in rows}) == len(rows)
    raters = Counter(row.unit for row in rows if row.kind == "genuine")
    assert min(raters.values()) >= 3
    assert all(task.answer for one in store.raters() for task in store.tasks(one.rater))


def test_names_of_raters():
    assert rater_name("  Zoë\u0308 ".replace("ë\u0308", "e\u0308")) == "Zoë"
    for wrong in ("", "  ", "x" * 61, "a\nb", "\u202eanna", "\ud800", None, 5):
        with pytest.raises(InputError, match="the name of a rater"):
            rater_name(wrong)


def test_a_study_is_taken_up_again_as_it_was_made(tmp_path):
    table = write_table(tmp_path / "pairs.jsonl", made_samples(5, "AB"))
    store, _ = open_study(table, redundancy=3)
    judge(store, "anna", answer_by(store, lambda *_: 50), most=3)
    store.close()
    path = tmp_path / "pairs.annotations.db"
    assert store.path == path
    assert is_study(path)
    assert not is_study(table)
    for again in (open_study(table)[0], open_study(path)[0], open_study(table, redundancy=3)[0]):
        assert len(again.judgments()) == 3
        assert again.design.redundancy == 3
    for other, message in (
        ({"redundancy": 2}, "was made with redundancy=3, and 2 is asked for"),
        ({"questions": ("wording",)}, "was made with questions=.*, and .* is asked for"),
        ({"title": "Another"}, "was made with title='pairs', and 'Another' is asked for"),
        ({"quiz": False}, "was made with other instructions"),
    ):
        with pytest.raises(InputError, match=message):
            open_study(table, **other)
    same, _ = open_study(table, redundancy=3, questions=("wording", "meaning"), title="pairs", quiz=True)
    assert same.facts["study"] == store.facts["study"]
    write_table(table, made_samples(4, "AB"))
    with pytest.raises(InputError, match="is a study of other texts"):
        open_study(table)
    with pytest.raises(InputError, match="is not a study"):
        StudyStore(table)
    with pytest.raises(InputError, match="there is no study"):
        StudyStore(tmp_path / "nothing.db")


def test_a_damaged_study_is_refused_in_a_sentence(tmp_path):
    store = made_study(tmp_path / "study.db")
    store.close()
    content = bytearray(store.path.read_bytes())
    content[100:4000] = b"\xff" * 3900
    store.path.write_bytes(content)
    with pytest.raises(InputError, match="cannot be read as a study"):
        StudyStore(store.path)


ODD = [
    "[" * 100_000, "[" * 900 + "]" * 900, "", "{}", "[]", "null", "7", '"x"', "[[99, null]]", "[[0, null], [1, null]]",
    "[[-1, null]]", '{"meaning": "x", "wording": 1}', '{"better": 5}', '{"best": 0, "worst": 99}', '{"skip": true}',
    '"\\ud800"', "1e999", None, 7, -1, 10**12, 1.5, b"\xff", "x",
]  # fmt: skip


def answered(path, **design):
    """A study with some answers, closed."""
    with made_study(path, samples=made_samples(6, "ABC"), block=10, **design) as store:
        judge(store, "anna", answer_by(store, lambda cell, broken: 5 if broken else 50 + cell), most=12)
        judge(store, "ben", answer_by(store, lambda cell, broken: 9 if broken else 40 + cell), most=12)
    return path


def is_refused(path):
    """Whether status and export refuse it, in a sentence."""
    try:
        with StudyStore(path) as store:
            as_json(store, progress(store, resamples=20))
            export_ratings(store, path.with_suffix(".csv"), overwrite=True)
    except InputError as error:
        return "\n" not in str(error)
    return False


@pytest.mark.parametrize(
    "task", ["direct", *(pytest.param(name, marks=pytest.mark.thorough) for name in ("pairwise", "best-worst"))]
)
def test_whatever_stands_in_a_study_is_read_or_told_in_a_sentence(tmp_path, task):
    made = answered(tmp_path / "made.db", task=task)
    with sqlite3.connect(made) as connection:
        columns = [
            (table, name)
            for table in ("study", "samples", "units", "raters", "tasks", "judgments")
            for _, name, *_ in connection.execute(f"PRAGMA table_info({table})")
        ]
    connection.close()
    told = 0
    path = tmp_path / "study.db"
    for table, column in columns:
        for odd in ODD:
            shutil.copy(made, path)
            connection = sqlite3.connect(path)
            try:
                connection.execute(f"UPDATE {table} SET {column} = ? WHERE rowid = 1", (odd,))
                connection.commit()
            except (sqlite3.IntegrityError, OverflowError):
                continue
            finally:
                connection.close()
            told += is_refused(path)
    assert told > 50


@pytest.mark.parametrize("name", ["guide", "design", "title", "version", "owner"])
@pytest.mark.parametrize("value", [None, "[" * 100_000, '"x"', "{}", "[1]"])
def test_a_study_that_says_something_else_of_itself_is_damaged(tmp_path, name, value):
    path = answered(tmp_path / "study.db")
    with sqlite3.connect(path) as connection:
        if value is None:
            connection.execute("DELETE FROM study WHERE name = ?", (name,))
        else:
            connection.execute("UPDATE study SET value = ? WHERE name = ?", (value, name))
    connection.close()
    if name in ("title", "owner") and value == '"x"':
        assert not is_refused(path)
    else:
        with pytest.raises(InputError, match=r"study\.db is (damaged|of version)"):
            StudyStore(path)


def test_what_cannot_be_written_is_an_error_and_nothing_is_left_open(tmp_path):
    store = made_study(tmp_path / "study.db")
    store.join("anna")
    task = store.give("anna")[0].task
    other = sqlite3.connect(store.path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(StudyError, match=r"study\.db is locked by another program"):
        store.save("anna", task, {"meaning": 1, "wording": 2}, 1.0, "some-key")
    other.execute("ROLLBACK")
    other.close()
    assert store.save("anna", task, {"meaning": 1, "wording": 2}, 1.0, "some-key")


@pytest.mark.parametrize("suffix", ["", "-wal"])
def test_saved_means_in_the_file_of_that_name(tmp_path, suffix):
    store = made_study(tmp_path / "study.db")
    store.join("anna")
    first, second = (task.task for task in store.give("anna")[:2])
    assert store.save("anna", first, {"meaning": 1, "wording": 2}, 1.0, "first-key")
    file = tmp_path / f"study.db{suffix}"
    away = file.rename(tmp_path / "away")
    with pytest.raises(StudyError, match=r"study\.db was removed, moved or replaced"):
        store.save("anna", second, {"meaning": 1, "wording": 2}, 1.0, "second-key")
    assert not store.in_place()
    file.write_bytes(away.read_bytes())  # a copy is not the file that is open
    with pytest.raises(StudyError, match=r"study\.db was removed, moved or replaced"):
        store.save("anna", second, {"meaning": 1, "wording": 2}, 1.0, "second-key")
    away.rename(file)
    assert store.save("anna", second, {"meaning": 1, "wording": 2}, 1.0, "second-key")
    assert len(store.judgments()) == 2
