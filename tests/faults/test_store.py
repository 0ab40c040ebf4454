"""Whatever keeps parts in a store, disturbed at each file: a rerun ends with the bytes of an undisturbed one."""

import multiprocessing
import os
import re
import signal
from multiprocessing.process import BaseProcess
from pathlib import Path

import pytest

from .jobs import FULL, IN_USE, JOBS, KEPT, disturbed
from .program import until

pytestmark = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc, to see that one is stopped")


def begin(name: str, folder: Path, fault: str = "", at: int = 0) -> BaseProcess:
    """The job in a process of its own, which is forked from one that has imported all of it and used nothing."""
    server = multiprocessing.get_context("forkserver")
    server.set_forkserver_preload([disturbed.__module__])
    process = server.Process(target=disturbed, args=(name, folder, fault, at))
    process.start()
    return process


def finish(process: BaseProcess) -> int | None:
    process.join(120)
    return process.exitcode


def content(name: str, folder: Path) -> list[bytes]:
    """What it ends with, but for the time that it took."""
    return [re.sub(rb'"seconds": [^,}]*', b"", (folder / file).read_bytes()) for file in KEPT[name]]


@pytest.fixture(scope="module", params=JOBS)
def job(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, list[bytes]]:
    """A job, and what it ends with where nothing happens to it."""
    folder = tmp_path_factory.mktemp("whole")
    assert finish(begin(request.param, folder)) == 0
    return request.param, content(request.param, folder)


@pytest.mark.parametrize(("fault", "code"), [("killed", -signal.SIGKILL), ("disk full", FULL)])
def test_disturbed_at_every_file(job, fault, code, tmp_path):
    name, whole = job
    at, found = 0, code
    while found == code:  # each time later, until nothing is left to disturb
        at += 1
        found = finish(begin(name, tmp_path, fault, at))
    assert (found, content(name, tmp_path)) == (0, whole)
    assert at > 3
    assert finish(begin(name, tmp_path)) == 0
    assert not list(tmp_path.rglob(".paragauge-*"))


def test_two_processes_at_one_store(job, tmp_path):
    name, whole = job
    first = begin(name, tmp_path, "stopped", 4)
    until(lambda: Path(f"/proc/{first.pid}/stat").read_text().rpartition(")")[2].split()[0] == "T")
    try:
        assert finish(begin(name, tmp_path)) == IN_USE
    finally:
        os.kill(first.pid, signal.SIGCONT)
    assert finish(first) == 0
    assert content(name, tmp_path) == whole
