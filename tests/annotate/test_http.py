"""The real program over HTTP: killed while raters judge, asked by whoever may not ask, sent what is not an answer."""

import http.client
import signal
import sqlite3
import threading
import time
from pathlib import Path

from paragauge.web.annotate.store import StudyStore

from .server import Annotator


def begin(server: Annotator, rater: str) -> list[dict]:
    """Join and pass the comprehension check; the first tasks."""
    first = server.ask("/api/join", {"rater": rater}).json
    if first["understood"]:
        return first["tasks"]
    assert first["tasks"] == []
    passed = server.ask("/api/understand", {"rater": rater, "answers": [1, 0, 0]}).json
    assert passed["understood"] is True
    return passed["tasks"]


def judge_until_it_ends(server: Annotator, rater: str, saved: dict[str, tuple[int, int]]) -> None:
    """Save answers as fast as it takes them; those that were acknowledged are in `saved`: key, task and rating."""
    number = 0
    try:
        while True:
            tasks = [task for task in begin(server, rater) if task["answer"] is None]
            if not tasks:
                return
            for task in tasks:
                key, number = f"{rater} {server.port} {number:04}", number + 1
                rating = number % 101
                answer = {"meaning": rating, "wording": 100 - rating}
                found = server.ask(
                    "/api/judgments", {"rater": rater, "task": task["task"], "answer": answer, "seconds": 1, "key": key}
                )
                assert (found.status, found.json) == (200, {"saved": True})
                saved[key] = task["task"], rating
    except (OSError, http.client.HTTPException):  # it was killed
        return


def test_a_killed_server_loses_no_saved_judgment(serve, tmp_path: Path) -> None:
    saved: dict[str, tuple[int, int]] = {}
    for round in range(2):
        server = serve("--redundancy", 3, "--block", 10)
        raters = [threading.Thread(target=judge_until_it_ends, args=(server, name, saved)) for name in ("anna", "ben")]
        for rater in raters:
            rater.start()
        while len(saved) < 12 * (round + 1):
            time.sleep(0.002)
        server.process.send_signal(signal.SIGKILL)
        for rater in raters:
            rater.join()
        assert server.stop()[0] == -signal.SIGKILL
    store = StudyStore(tmp_path / "pairs.annotations.db")
    kept = {row.task: row.answer["meaning"] for row in store.judgments()}
    assert len(saved) >= 24
    assert dict(saved.values()).items() <= kept.items()
    assert len(kept) <= len(saved) + 4  # what was saved and not yet acknowledged, by each rater and kill
    again = serve("--block", 10)  # and the raters continue
    for rater in ("anna", "ben"):
        answered = {task["task"] for task in begin(again, rater) if task["answer"] is not None}
        assert answered <= kept.keys()


def test_raters_see_texts_and_nothing_else(server) -> None:
    tasks = begin(server, "anna")
    assert len(tasks) == 20
    assert all(set(task) == {"task", "source", "candidates", "answer"} for task in tasks)
    page = server.ask("/").text
    guide = server.ask("/api/join", {"rater": "anna"}).text
    for secret in (server.owner, '"answer": 1', "why", "broken", "repeat"):
        assert secret not in guide
    assert server.owner not in page
    assert server.ask("/api/progress").status == 403
    assert server.ask("/api/progress", X_Owner="wrong").status == 403
    found = server.ask("/api/progress", X_Owner=server.owner).json
    assert {one["rater"]: one["attempts"] for one in found["raters"]}["anna"] == 1


def test_the_comprehension_check_comes_first(server) -> None:
    server.ask("/api/join", {"rater": "ben"})
    wrong = server.ask("/api/understand", {"rater": "ben", "answers": [0, 0, 0]}).json
    assert wrong["understood"] is False
    assert list(wrong["wrong"]) == ["0"]
    assert server.ask("/api/tasks", {"rater": "ben"}).json["tasks"] == []
    assert server.ask("/api/understand", {"rater": "ben", "answers": [1, 0]}).status == 422
    for choice in (True, 1.0, "1", None):  # the first two equal 1
        assert server.ask("/api/understand", {"rater": "ben", "answers": [choice, 0, 0]}).status == 422
    assert len(begin(server, "ben")) == 20


REFUSED = [
    ("/", None, {"Authorization": "Bearer wrong"}, 401),
    ("/api/join", {"rater": "anna"}, {"Authorization": ""}, 401),
    ("/", None, {"Host": "evil.example"}, 403),
    ("/api/join", {"rater": "anna"}, {"Origin": "http://evil.example"}, 403),
    ("/api/join", {"rater": "anna"}, {"Sec_Fetch_Site": "cross-site"}, 403),
    ("/api/join", {"rater": "anna"}, {"Content_Type": "text/plain"}, 415),
    ("/api/join", ["anna"], {}, 400),
    ("/api/join", {"rater": "x" * 200_000}, {}, 413),
    ("/api/join", {}, {}, 422),
    ("/api/join", {"rater": "\ud800"}, {}, 422),
    ("/api/judgments", {"rater": "\ud800", "task": 1}, {}, 422),
    ("/api/judgments", {"rater": "nobody", "task": 1}, {}, 422),
    ("/api/judgments", {"rater": ["anna"], "task": {}}, {}, 422),
    ("/api/../etc/passwd", None, {}, 404),
]


def test_who_may_not_ask_is_refused_and_the_server_stays_well(server) -> None:
    for path, content, headers, status in REFUSED:
        found = server.ask(path, content, **headers)
        assert found.status == status, (path, content, found)
        assert "Traceback" not in found.text
    assert server.ask("/healthz").text == "ok\n"


def test_a_study_that_is_locked_or_gone_is_an_error_in_json(serve, tmp_path: Path) -> None:
    server = serve()
    task = begin(server, "anna")[0]["task"]
    study = tmp_path / "pairs.annotations.db"
    given = {"rater": "anna", "task": task, "answer": {"meaning": 1, "wording": 2}, "seconds": 1, "key": "some-key"}
    other = sqlite3.connect(study, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    locked = server.ask("/api/judgments", given)
    other.execute("ROLLBACK")
    other.close()
    assert locked.status == 503
    assert locked.json["detail"] == "pairs.annotations.db is locked by another program; try again"
    study.unlink()
    for path, content in (("/api/judgments", given), ("/api/join", {"rater": "ben"})):
        gone = server.ask(path, content)
        assert gone.status == 503
        assert gone.json["detail"].startswith("pairs.annotations.db was removed, moved or replaced")
    _, said = server.stop()
    assert "Traceback" not in said
    assert "nothing was saved from then on" in said
    assert "all judgments are saved" not in said
