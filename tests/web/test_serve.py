"""The server over real HTTP."""

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack

import pytest

import paragauge as pg
from paragauge.web.serve.jobs import WAITING

from .server import Server, until, write_pairs

AGE = {"source": "how old are you", "candidate": "what is your age"}
ROWS = [AGE, {"source": "how old are you", "candidate": "how old are you"}, {"source": "how old", "candidate": ""}]


def test_scores_are_those_of_the_library(server, encoder_folder):
    metrics = [f"parascore-free:encoder={encoder_folder}", "ned.free", "bleu"]
    rows = [row | {"references": ["your age please"]} for row in ROWS]
    found = server.score(*rows, metrics=metrics)
    expected = pg.score(rows, metrics=metrics)
    for name in metrics:
        own = [row["scores"][name]["score"] for row in found["rows"]]
        # float32 kernels round differently in batches of another size
        assert own == pytest.approx([None if value != value else value for value in expected[name]], abs=1e-5)
    assert {one["name"]: one["signature"] for one in found["metrics"]} == dict(expected.signatures)


def test_metrics_of_references_are_left_out_where_there_are_none(server):
    names = [metric["name"].partition(":")[0] for metric in server.score(AGE)["metrics"]]
    assert names == ["parascore-free", "bertscore.free", "ned.free"]


def test_an_explanation_has_the_point_on_the_curve_the_tokens_and_what_is_lacking(server):
    first, copy, empty = (row["explanation"] for row in server.score(*ROWS, explain=True)["rows"])
    assert first["diversity"]["distance"] > first["diversity"]["value"] == 0.35  # no more beyond γ
    assert (copy["diversity"]["value"], copy["diversity"]["adds"]) == (-1, -0.05)
    (lacking,) = copy["needed"]
    assert (lacking["metric"], lacking["met"]) == ("ned.free", False)
    assert lacking["advice"] == "change at least 6 more characters"  # 0.35 · 15 = 5.25
    assert empty == {"diversity": None, "alignment": None, "needed": [], "lost": []}
    tokens = copy["alignment"]["candidate_tokens"]
    assert "".join(AGE["source"][start:end] for start, end, _, _ in tokens) == AGE["source"].replace(" ", "")
    assert all(place == match for place, (_, _, match, _) in enumerate(tokens))  # of a copy each matches itself
    assert all(cosine == pytest.approx(1, abs=1e-5) for *_, cosine in tokens)


@pytest.mark.parametrize(
    "content, headers, status, sentence",
    [
        (b"{", {}, 400, "not JSON"),
        (b"\xff", {}, 400, "not JSON"),
        (b'{"rows": [{"candidate": "a", "x": NaN}]}', {}, 400, "NaN"),
        (b"[" * 100_000, {}, 400, "not JSON"),
        (b"{}", {"content_type": "text/plain"}, 415, "application/json"),
        ({"rows": [AGE], "metrics": ["chfr"]}, {}, 422, "did you mean 'chrf'"),
        ({"rows": [AGE], "metrics": ["bleu"]}, {}, 422, "needs references"),
        ({"rows": [AGE], "metrics": ["bertscore.free:baseline=/etc/passwd"]}, {}, 422, "a request may not choose"),
        ({"rows": [AGE], "metrics": ["cosine.free:encoder=/etc"]}, {}, 422, "a request may not choose"),
        ({"rows": [{"source": "a" * 9999, "candidate": "b"}] * 6}, {}, 413, "60,000"),
        (b" " * (1 << 20) + b"{}", {}, 413, "1,048,576"),
    ],
)  # fmt: skip
def test_a_request_that_cannot_be_answered_is_told_why(server, content, headers, status, sentence):
    answer = server.ask("/api/score", content, **headers)
    assert answer.status == status, answer
    assert sentence in answer.detail


def test_a_body_without_a_length_is_bounded_too(server):
    with socket.create_connection(("127.0.0.1", server.port), timeout=60) as sent:
        head = (
            f"POST /api/score HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {server.token}\r\n"
            "Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
        )
        sent.sendall(head.encode())
        try:
            for _ in range(40):
                sent.sendall(b"10000\r\n" + b" " * 65536 + b"\r\n")
        except OSError:
            pass  # it has stopped reading
        assert sent.recv(1000).startswith(b"HTTP/1.1 413")


def test_half_a_surrogate_pair_does_no_harm(server):
    found = server.ask("/api/score", b'{"rows": [{"source": "a\\ud800", "candidate": "b\\udfff"}], "explain": true}')
    assert found.status == 200
    assert "surrogate" in found.json["warnings"][0]


@pytest.mark.parametrize(
    "headers, status",
    [
        ({"authorization": None}, 401),
        ({"authorization": "Bearer 0123456789abcdef0123456789abcdef"}, 401),
        ({"host": "example.org"}, 403),
        ({"host": "127.0.0.1.example.org"}, 403),
        ({"origin": "http://example.org"}, 403),
        ({"origin": "null"}, 403),
        ({"sec_fetch_site": "cross-site"}, 403),
    ],
)
@pytest.mark.parametrize("path", ["/", "/api/runs", "/page/start.js", "/metricsz", "/nothing"])
def test_who_may_not_ask_gets_nothing(server, path, headers, status):
    answer = server.ask(path, **headers)
    assert answer.status == status
    assert len(answer.detail) > 20


def test_the_error_of_a_foreign_host_names_the_option(server):
    assert "--trusted-host judge.example.org" in server.ask("/healthz", host="judge.example.org").detail


def test_the_printed_address_opens_the_page_and_the_token_leaves_it(server):
    first = server.ask(f"/?token={server.token}", authorization=None)
    assert (first.status, first.headers["location"]) == (303, "/")
    page = server.ask("/", authorization=None, cookie=first.headers["set-cookie"].partition(";")[0])
    assert page.status == 200
    assert server.token.encode() not in page.body
    assert "script-src 'self'" in page.headers["content-security-policy"]


@pytest.mark.parametrize(
    "name",
    ["..", "../secret", "..%2fsecret", "%2e%2e%2fsecret", "..%5csecret", "link", "linked", "%2fetc", "first%00", "."],
)
def test_nothing_outside_the_runs_can_be_read(server, runs, name):
    if not (runs / "link").is_symlink():
        (runs / "link").symlink_to(runs.parent / "secret", target_is_directory=True)
        (runs / "linked").mkdir()
        (runs / "linked" / "run.json").symlink_to(runs.parent / "secret" / "run.json")
    for path in (f"/api/runs/{name}", f"/runs/{name}/report", f"/page/{name}"):
        assert server.ask(path).status == 404
    assert not {"link", "linked", "secret"} & {run["name"] for run in server.ask("/api/runs").json["runs"]}


def test_a_damaged_run_is_listed_as_damaged_beside_the_others(server, runs):
    damaged = {
        "deep": lambda folder: (folder / "run.json").write_bytes(b"[" * 100_000),
        "pipe": lambda folder: ((folder / "run.json").unlink(), os.mkfifo(folder / "run.json")),
        "bare": lambda folder: (folder / "manifest.json").unlink(),
        "verdict": lambda folder: (folder / "verdict.json").write_bytes(b'{"accept": ' + b"[" * 100_000),
    }
    try:
        for name, damage in damaged.items():
            shutil.copytree(runs / "first", runs / name)
            damage(runs / name)
        answer = server.ask("/api/runs")
        assert answer.status == 200, answer
        status = {run["name"]: run["status"] for run in answer.json["runs"]}
        assert {name: status[name] for name in damaged} == {
            "deep": "damaged", "pipe": "damaged", "bare": "damaged", "verdict": "complete",
        }  # fmt: skip
        assert status["first"] == "complete"
        for address in ("/api/runs/{}", "/runs/{}/report"):
            for name in ("deep", "pipe"):
                assert "cannot be read" in server.ask(address.format(name)).detail
            assert "manifest.json is missing" in server.ask(address.format("bare")).detail
        assert server.ask("/api/runs/verdict").json["verdict"] is None  # no file of the run
    finally:
        for name in damaged:
            shutil.rmtree(runs / name)


def test_a_file_becomes_a_run_and_a_report(server, runs, tmp_path):
    content = write_pairs(tmp_path / "pairs.csv").read_bytes()
    job = server.ask("/api/files?name=my%20pairs.csv&metric=ned.free", content)
    assert job.status == 202
    states = server.events(job.json["id"])
    assert ("scoring rows", 60, 60) in [(state["stage"], state["done"], state["total"]) for state in states]
    end = states[-1]
    assert (end["status"], end["error"]) == ("done", None), end
    assert server.ask(f"/api/jobs/{job.json['id']}").json == end
    assert (runs / end["run"] / "manifest.json").is_file()
    report = server.ask(end["report"])
    assert b"Paraphrases: my-pairs" in report.body
    # what a report holds may not ask the server for anything
    assert "sandbox allow-scripts" in report.headers["content-security-policy"]
    assert "allow-same-origin" not in report.headers["content-security-policy"]


def test_a_file_that_cannot_be_scored_is_told_why(server, runs):
    before = set(runs.iterdir())
    job = server.ask("/api/files?name=wrong.csv", b"a,b\n1,2\n")
    end = server.events(job.json["id"])[-1]
    assert end["status"] == "failed"
    assert end["error"].startswith("wrong.csv")
    assert "candidate" in end["error"]
    assert set(runs.iterdir()) == before


def test_a_file_that_is_given_up_leaves_nothing(server, runs):
    before = set(runs.iterdir())
    job = server.ask("/api/files?name=late.csv&metric=ned.free", b"source,candidate\na,b\n").json["id"]
    assert server.ask(f"/api/jobs/{job}/cancel", method="POST").json["status"] == "cancelled"
    assert server.events(job)[-1]["status"] == "cancelled"
    assert set(runs.iterdir()) == before


@pytest.mark.parametrize(
    "query, content, status, sentence",
    [
        ("", b"a", 422, "expected a name"),
        ("name=../x.csv", b"a", 422, "without a folder"),
        ("name=x.exe", b"a", 422, "csv, tsv"),
        ("name=x.csv", b"", 422, "is empty"),
        ("name=x.csv&metric=chfr", b"a", 422, "did you mean 'chrf'"),
        ("name=x.csv" + 31 * "&metric=ned", b"a", 422, "at most 30"),
        ("name=x.csv&metric=bertscore:baseline=/etc/passwd", b"a", 422, "may not choose"),
        ("name=x.csv", b"a" * ((1 << 20) + 1), 413, "1,048,576"),
    ],
)
def test_a_file_that_is_not_taken(server, query, content, status, sentence):
    answer = server.ask(f"/api/files?{query}", content)
    assert answer.status == status
    assert sentence in answer.detail


def test_beyond_the_bound_of_files_one_is_told_when_to_come_again(server):
    """Files that are still being sent take room too; the next is refused before it is sent."""
    head = f"POST /api/files?name=a.csv HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {server.token}\r\n"
    with ExitStack() as open_ones:
        for _ in range(WAITING + 1):
            sent = open_ones.enter_context(socket.create_connection(("127.0.0.1", server.port), timeout=60))
            sent.sendall(f"{head}Content-Length: 100\r\n\r\nsource".encode())
        answers = []

        def refused():
            answers.append(server.ask("/api/files?name=b.csv", b""))
            return answers[-1].status == 503

        until(refused)  # until then an empty file is what is wrong
        assert answers[-1].headers["retry-after"] == "10"
        assert answers[-1].detail == f"{WAITING + 1} files are waiting already; try again later"
    until(lambda: server.ask("/api/files?name=b.csv", b"").status == 422)  # those who left take no room


def test_what_is_counted_is_in_the_format_of_prometheus(server):
    server.score(AGE)
    lines = server.ask("/metricsz").body.decode().splitlines()
    values = dict(line.rsplit(" ", 1) for line in lines if not line.startswith("#"))
    assert int(values['paragauge_requests_total{method="POST",route="/api/score",status="200"}']) >= 1
    assert int(values["paragauge_batches_total"]) >= 1
    named = {line.split()[2] for line in lines if line.startswith("# TYPE")}
    assert {name.partition("{")[0].rstrip("_") for name in values} <= named | {
        f"paragauge_request_seconds_{part}" for part in ("bucket", "sum", "count")
    }


def test_every_described_address_answers_and_others_do_not(server):
    description = server.ask("/api/openapi.json").json
    assert description["openapi"] == "3.1.0"
    for path, methods in description["paths"].items():
        plain = path.replace("{name}", "none").replace("{job}", "none")
        for method, about in methods.items():
            answer = server.ask(plain, b"" if method == "post" else None, method=method.upper())
            assert str(answer.status) in about["responses"], (path, answer)
        other = server.ask(plain, method="PUT")
        assert other.status == 405
        assert {one.upper() for one in methods} <= set(other.headers["allow"].split(", "))
    assert server.ask("/api/").status == server.ask("/nothing").status == 404


def test_a_paraphraser_gives_candidates(server):
    method = server.ask("/api/paraphrasers").json["paraphrasers"][0]["name"]  # that of the server's own
    assert "vectors=" in method
    found = server.ask("/api/paraphrase", {"source": "the cat in the house", "method": method, "n": 1}).json
    assert [one["text"] for one in found["candidates"]] == ["the dog in the hut"]
    assert found["candidates"][0]["provenance"]["replaced"] == 2
    empty = server.ask("/api/paraphrase", {"source": " ", "method": method}).json
    assert (empty["candidates"], empty["reason"]) == ([], "the source is empty")


def test_a_method_that_needs_something_is_not_offered(server):
    answer = server.ask("/api/paraphrase", {"source": "a", "method": "endpoint:url=http://127.0.0.1:1/"})
    assert answer.status == 422
    assert "no method named 'endpoint:url=http://127.0.0.1:1/' is offered" in answer.detail


def test_many_clients_at_once_all_get_their_own_answer(server):
    sources, candidates = [f"text {number}" for number in range(50)], ["text " + "a" * number for number in range(50)]
    with ThreadPoolExecutor(50) as pool:
        rows = zip(sources, candidates, strict=True)
        found = list(pool.map(lambda row: server.score({"source": row[0], "candidate": row[1]}), rows))
    expected = pg.score(sources, candidates, metrics="ned.free")
    assert [one["rows"][0]["scores"]["ned.free"]["score"] for one in found] == expected["ned.free"].tolist()


def long_rows(first: int = 0) -> list[dict[str, str]]:
    """As much as a request may hold, nearly."""
    numbers = range(first, first + 90)
    return [{"source": f"{one} " + "how old are you " * 8, "candidate": f"what {one} " * 40} for one in numbers]


def test_what_nobody_waits_for_is_dropped(server):
    before = server.counter("paragauge_requests_given_up_total")
    for number in range(20):  # more than are computed at once
        server.begin("/api/score", {"rows": long_rows(100 * number)}).close()
    until(lambda: server.counter("paragauge_requests_underway") == 0)
    assert server.counter("paragauge_requests_given_up_total") > before


def test_a_server_that_is_told_to_end_answers_what_it_was_asked(encoder_folder, tmp_path):
    server = Server("--runs", tmp_path / "runs", "-m", f"bertscore.free:encoder={encoder_folder}")
    with server.begin("/api/score", {"rows": long_rows(), "explain": True}) as asked:
        begun = 'paragauge_request_seconds_count{route="/api/score"}'  # or answered already
        until(lambda: server.counter("paragauge_requests_underway") or server.counter(begun))
        server.process.send_signal(signal.SIGTERM)
        answer = b""
        while chunk := asked.recv(1 << 16):
            answer += chunk
    assert answer.startswith(b"HTTP/1.1 200")
    assert len(json.loads(answer.partition(b"\r\n\r\n")[2])["rows"]) == 90
    _, said = server.process.communicate(timeout=60)
    assert server.process.returncode == 143
    assert "Traceback" not in said


@pytest.mark.thorough
def test_a_server_that_is_told_to_end_finishes_the_file_it_is_at(tmp_path):
    server = Server("--runs", tmp_path / "runs", "-m", "ned.free")
    content = write_pairs(tmp_path / "pairs.csv", 2000).read_bytes()
    running, waiting = (server.ask(f"/api/files?name={name}.csv", content).json["id"] for name in ("first", "second"))
    until(lambda: server.ask(f"/api/jobs/{running}").json["status"] == "running")
    assert server.ask(f"/api/jobs/{waiting}").json["status"] == "waiting"
    assert server.stop(signal.SIGTERM)[0] == 143
    assert json.loads((tmp_path / "runs" / "first" / "run.json").read_text())["status"] == "complete"
    assert not (tmp_path / "runs" / "second").exists()


def test_a_port_in_use_is_told_in_a_sentence(server):
    command = [sys.executable, "-m", "paragauge", "serve", "-m", "ned.free", "--port", str(server.port)]
    result = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert result.returncode == 2
    assert f"port {server.port}" in result.stderr
    assert "--port 0" in result.stderr
    assert len(result.stderr.splitlines()) == 1
