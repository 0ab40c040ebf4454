"""Processes that are killed or asked to end: nothing lost, nothing doubled, the same bytes at the end."""

import os
import signal
import subprocess
from pathlib import Path

import pytest

from paragauge.runs.listing import export_run

from .conftest import Undisturbed
from .program import (
    KEPT,
    PARTS,
    ROWS,
    alive,
    calls,
    command,
    content,
    finish,
    finished_parts,
    install_plugin,
    start,
    tell,
    tracker_of,
    until,
    with_modules,
    workers_of,
)

pytestmark = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc, to find the workers")


def test_a_worker_killed_half_way(undisturbed: Undisturbed, tmp_path: Path) -> None:
    run = tmp_path / "run"
    with start(undisturbed.table, "--run", run, "-q") as process:
        until(lambda: finished_parts(run), process)
        os.kill(workers_of(process.pid)[0], signal.SIGKILL)
        output, errors = process.communicate(timeout=300)
    assert (process.returncode, errors) == (0, "")
    assert output == undisturbed.printed
    assert content(run) == undisturbed.kept


def test_the_resource_tracker_killed_half_way(undisturbed: Undisturbed, tmp_path: Path) -> None:
    run = tmp_path / "run"
    with start(undisturbed.table, "--run", run, "-q") as process:
        until(lambda: finished_parts(run), process)
        os.kill(tracker_of(process.pid), signal.SIGKILL)
        output, errors = process.communicate(timeout=300)
    assert (process.returncode, errors) == (0, "")
    assert output == undisturbed.printed
    assert content(run) == undisturbed.kept


@pytest.mark.parametrize("_", [1, pytest.param(2, marks=pytest.mark.thorough)])  # never at the same moment
def test_the_driver_killed_as_soon_as_its_output_is_there(undisturbed: Undisturbed, tmp_path: Path, _: int) -> None:
    run, output = tmp_path / "run", tmp_path / "scores.csv"
    with start(undisturbed.table, "--run", run, "-o", output, "-q") as process:
        until(output.exists, process)
        process.kill()
    assert finish(undisturbed.table, "--run", run, "-o", output, "-q") == (0, undisturbed.printed, "")
    assert {name: (run / name).read_bytes() for name in KEPT} == undisturbed.kept
    export_run(undisturbed.run, tmp_path / "whole.csv")
    assert output.read_bytes() == (tmp_path / "whole.csv").read_bytes()


def test_the_driver_killed_and_started_again(undisturbed: Undisturbed, tmp_path: Path) -> None:
    modules = install_plugin(tmp_path / "modules", "go on")
    environment, metric = with_modules(modules), ("-m", "poisoned")
    whole = finish(undisturbed.table, *metric, "--run", tmp_path / "whole", "-q", environment=environment)
    assert whole[0] == 0
    assert calls(modules) == PARTS
    run = tmp_path / "run"
    tell(modules, "wait")  # a second for each part, so that none is finished unseen
    with start(undisturbed.table, *metric, "--run", run, environment=environment) as process:
        until(lambda: finished_parts(run), process)
        workers = workers_of(process.pid)
        assert workers
        process.kill()
    until(lambda: not any(map(alive, workers)))  # they end by themselves
    kept, before = finished_parts(run), calls(modules)
    assert 0 < kept < PARTS
    tell(modules, "go on")
    assert finish(undisturbed.table, *metric, "--run", run, "-q", environment=environment) == whole
    assert calls(modules) == before + PARTS - kept  # none that was finished was computed again
    assert content(run) == content(tmp_path / "whole")


@pytest.mark.parametrize(
    ("number", "code", "word", "early"),
    [
        pytest.param(signal.SIGINT, 130, "interrupted", True, id="Ctrl-C while workers start"),
        pytest.param(signal.SIGINT, 130, "interrupted", False, id="Ctrl-C", marks=pytest.mark.thorough),
        pytest.param(
            signal.SIGTERM, 143, "terminated", True, id="SIGTERM while workers start", marks=pytest.mark.thorough
        ),
        pytest.param(signal.SIGTERM, 143, "terminated", False, id="SIGTERM"),
    ],
)
def test_asked_to_end(
    undisturbed: Undisturbed, tmp_path: Path, number: signal.Signals, code: int, word: str, early: bool
) -> None:
    """To the whole group, as a terminal does with Ctrl-C and many a batch system with SIGTERM."""
    run, temporary = tmp_path / "run", tmp_path / "temporary"
    temporary.mkdir()
    environment = {"TMPDIR": str(temporary)}
    with start(undisturbed.table, "--run", run, environment=environment, start_new_session=True) as process:
        until(lambda: workers_of(process.pid) if early else finished_parts(run), process)
        workers = workers_of(process.pid)
        os.killpg(process.pid, number)
        output, errors = process.communicate(timeout=300)
    assert (process.returncode, output) == (code, "")
    sentences = [line for line in errors.splitlines() if line]
    assert sentences == [f"note: finished parts are kept in {run}; rerun to resume", f"paragauge: {word}"]
    until(lambda: not any(map(alive, workers)))
    assert list(temporary.iterdir()) == []
    if not early:
        assert finish(undisturbed.table, "--run", run, "-q") == (0, undisturbed.printed, "")
        assert content(run) == undisturbed.kept


@pytest.mark.thorough
def test_a_closed_pipe(undisturbed: Undisturbed, tmp_path: Path) -> None:
    call = command(undisturbed.table, "-q", "-f", "csv", "--sentence-level")
    environment = os.environ | {"TMPDIR": str(tmp_path)}
    with subprocess.Popen(call, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline() == b"sample,system,ned.free,rouge1\n"
        process.stdout.close()
        errors = process.stderr.read()
    assert (process.returncode, errors) == (0, b"")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.thorough
def test_the_temporary_folder_of_a_killed_run_is_removed_by_the_next(undisturbed: Undisturbed, tmp_path: Path) -> None:
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    environment = {"TMPDIR": str(temporary)}
    with start(undisturbed.table, "-o", tmp_path / "scores.csv", environment=environment) as process:
        until(lambda: list(temporary.glob("paragauge-*/*.scores.parquet")), process)
        workers = workers_of(process.pid)
        process.kill()
    assert list(temporary.iterdir()) != []
    until(lambda: not any(map(alive, workers)))
    code, _, errors = finish(undisturbed.table, "-o", tmp_path / "scores.csv", environment=environment)
    assert code == 0, errors
    assert list(temporary.iterdir()) == []
    assert len((tmp_path / "scores.csv").read_text().splitlines()) == 1 + 2 * ROWS
