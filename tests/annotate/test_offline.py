"""Answers of mailed pages: taken whole, once, and only where they fit."""

import json

import pytest

from paragauge.errors import ExistingFileError, InputError
from paragauge.web.annotate.offline import import_answers, write_offline

from .made import answer_by, judge, made_study


def answered(store, path, **changes):
    """The file that a page downloads, with an answer to every task."""
    rows = [
        {"task": task.task, "answer": {"meaning": 50, "wording": 7}, "seconds": 1.5, "key": f"key of {task.task}",
         "saved": "2026-01-02T03:04:05.678Z"}
        for task in store.tasks("anna")
    ]  # fmt: skip
    content = {"format": "paragauge annotations", "version": 1, "study": store.facts["study"], "rater": "anna",
               "attempts": 1, "understood": True, "judgments": rows}  # fmt: skip
    path.write_text(json.dumps(content | changes))
    return path


def test_answers_count_as_those_of_the_server(tmp_path):
    store = made_study(tmp_path / "study.db", block=10)
    number = write_offline(store, tmp_path / "page.html", "anna")
    assert import_answers(store, answered(store, tmp_path / "a.json")) == ("anna", number, 0)
    assert import_answers(store, answered(store, tmp_path / "a.json")) == ("anna", 0, number)
    assert {row.answer["wording"] for row in store.judgments()} == {7}
    assert store.raters()[0].understood
    write_offline(store, tmp_path / "page.html", "anna", overwrite=True)  # the next block
    assert len(store.tasks("anna")) == 2 * number


def test_the_page_tells_nothing_of_systems(tmp_path):
    store = made_study(tmp_path / "study.db", block=10)
    store.samples.systems[:] = [f"secret-{name}" for name in store.samples.systems]
    write_offline(store, tmp_path / "anna.html")
    page = (tmp_path / "anna.html").read_text()
    assert "secret-" not in page
    assert store.facts["owner"] not in page
    assert "default-src 'none'" in page
    assert "connect-src" not in page
    with pytest.raises(ExistingFileError):
        write_offline(store, tmp_path / "anna.html")
    with pytest.raises(InputError, match="no known format"):
        write_offline(store, tmp_path / "anna.txt")


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"format": "other"}, "is not a file of answers"),
        ({"version": 2}, "is not a file of answers"),
        ({"study": "another"}, "of another study"),
        ({"rater": "ben"}, "to whom no tasks"),
        ({"rater": ["anna"]}, "to whom no tasks"),
        ({"judgments": {}}, "has no list of judgments"),
        ({"judgments": [None]}, "judgment 1: saved is None"),
        ({"judgments": [{"saved": "2026-01-01T00:00:00Z"}]}, "judgment 1: 'anna' has no task None"),
    ],
)
def test_a_file_that_does_not_fit_is_refused(tmp_path, changes, message):
    store = made_study(tmp_path / "study.db", block=10)
    write_offline(store, tmp_path / "anna.html")
    with pytest.raises(InputError, match=message):
        import_answers(store, answered(store, tmp_path / "a.json", **changes))


def test_one_wrong_answer_and_nothing_is_taken(tmp_path):
    store = made_study(tmp_path / "study.db", block=10)
    write_offline(store, tmp_path / "anna.html")
    path = answered(store, tmp_path / "a.json")
    content = json.loads(path.read_text())
    content["judgments"][4]["answer"]["meaning"] = 101
    path.write_text(json.dumps(content))
    with pytest.raises(InputError, match="judgment 5: meaning is 101; expected a number from 0 to 100; nothing was"):
        import_answers(store, path)
    assert store.judgments() == []
    path.write_text("{")
    with pytest.raises(InputError, match="is not JSON"):
        import_answers(store, path)
    with pytest.raises(InputError, match="cannot be read"):
        import_answers(store, tmp_path / "none.json")


def test_nothing_left_to_mail(tmp_path):
    store = made_study(tmp_path / "study.db")
    judge(store, "anna", answer_by(store, lambda *_: 5))
    with pytest.raises(InputError, match="nothing is left to judge for 'anna'"):
        write_offline(store, tmp_path / "anna.html")
