"""Runs of the server: none is lost with its report, and none that was changed is shown."""

import json
import os
import signal
from pathlib import Path

import pytest

from paragauge.evaluate.score_file import score_file
from paragauge.runs.record import as_manifest, file_sha256

from .server import Server, serving, until, write_pairs

MOST = 100  # systems in a report


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("runs")


@pytest.fixture(scope="module")
def server(runs):
    with serving("--runs", runs, "-m", "ned.free") as found:
        yield found


def sent(server: Server, name: str, table: bytes) -> str:
    answer = server.ask(f"/api/files?name={name}", table, content_type="application/octet-stream")
    assert answer.status == 202, answer
    return answer.json["id"]


def test_too_many_systems_are_told_before_and_the_run_is_kept(server):
    lines = [f"s{system},the number {row},{row} it is" for system in range(MOST + 1) for row in range(3)]
    states = server.events(sent(server, "many.csv", "\n".join(["system,source,candidate", *lines]).encode()))
    told = f"no report: {MOST + 1} systems are too many to compare; expected at most {MOST}"
    assert next(one for one in states if one["warnings"])["stage"] is None  # before a row is scored
    last = states[-1]
    assert (last["status"], last["report"], last["error"]) == ("done", None, None)
    assert last["warnings"][0] == told
    assert server.ask(f"/api/runs/{last['run']}").json["record"]["rows"] == 3 * (MOST + 1)
    assert server.ask(f"/runs/{last['run']}/report").status == 200  # without a comparison


def processes(server: Server) -> list[int]:
    """Those that it started for a file or a report."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            parent = int(stat.read_text().rpartition(")")[2].split()[1])
            if parent == server.process.pid and b"job_process" in (stat.parent / "cmdline").read_bytes():
                found.append(int(stat.parent.name))
        except OSError:
            continue
    return found


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc, to find the process")
def test_a_report_that_fails_loses_no_run(server, tmp_path):
    job = sent(server, "pairs.csv", write_pairs(tmp_path / "pairs.csv", 2_000).read_bytes())
    until(lambda: server.ask(f"/api/jobs/{job}").json["stage"] == "writing the report")
    for process in processes(server):
        os.kill(process, signal.SIGKILL)
    last = server.events(job)[-1]
    assert (last["status"], last["report"], last["error"]) == ("done", None, None)
    assert last["warnings"][-1].startswith("no report: it ended before it was finished")
    assert server.ask(f"/runs/{last['run']}/report").status == 200


def changed(path: Path, before: str, after: str) -> None:
    text = path.read_text()
    assert before in text
    path.write_text(text.replace(before, after))


def test_a_changed_record_is_not_shown_and_no_path_is_told(server, runs, tmp_path):
    run = runs / "kept"
    score_file(write_pairs(tmp_path / "pairs.csv", 5), metrics=["ned.free"], run=run)
    assert server.ask("/api/runs/kept").status == 200
    changed(run / "run.json", '"rows": 10', '"rows": 99')
    answer = server.ask("/api/runs/kept")
    assert answer.status == 409
    assert answer.detail == "the run 'kept' was modified after it was complete: run.json was changed or damaged"
    assert str(runs) not in server.ask("/runs/kept/report").detail
    changed(run / "run.json", '"rows": 99', '"rows": 10')
    (run / "scores.parquet").write_bytes(b"PAR1")
    answer = server.ask("/runs/kept/report")
    assert answer.status == 422
    assert "kept was modified after the run: scores.parquet was changed or damaged" in answer.detail
    assert str(runs) not in answer.detail


def test_a_changed_verdict_of_an_older_run_is_not_shown(server, runs, tmp_path):
    run = runs / "older"
    score_file(write_pairs(tmp_path / "pairs.csv", 5), metrics=["ned.free"], run=run)
    verdict = {"accept": 0.5, "min_changed": 0.15, "systems": [], "conclusion": "one is usable"}
    record = json.loads((run / "run.json").read_text())
    (run / "verdict.json").write_text(json.dumps(verdict))
    assert server.ask("/api/runs/older").json["verdict"] is None  # nothing says that it is of the run
    record["files"].append("verdict.json")
    (run / "run.json").write_text(json.dumps(record))
    (run / "manifest.json").write_bytes(
        as_manifest({name: file_sha256(run / name) for name in ("run.json", *record["files"])})
    )
    assert server.ask("/api/runs/older").json["verdict"] == verdict
    changed(run / "verdict.json", "one is", "two is")
    answer = server.ask("/api/runs/older")
    assert answer.status == 409
    assert answer.detail.endswith("modified after it was complete: verdict.json was changed or damaged")


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="memory is bounded on Linux alone")
def test_memory_beyond_the_bound_is_the_error_of_one_request(tmp_path):
    limit = {"PARAGAUGE_MEMORY_LIMIT": str(48 << 20)}
    with serving("--runs", tmp_path, "-m", "ned.free", environment=limit) as server:
        last = server.events(sent(server, "pairs.csv", write_pairs(tmp_path / "pairs.csv", 20_000).read_bytes()))[-1]
        assert (last["status"], last["run"]) == ("failed", None)
        assert last["error"]
        assert server.score({"source": "one text", "candidate": "another"})["rows"]
