"""The local engine: every part once, whatever happens to a worker."""

import importlib
import multiprocessing
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from paragauge.errors import InputError
from paragauge.evaluate.engines import engine
from paragauge.evaluate.engines.local import Local
from paragauge.process import limits

WORK = '''
"""What workers are asked to do; a module, so that they can import it."""
import os, signal, time
from pathlib import Path
from paragauge.errors import InputError

def square(number):
    return number * number

def threads(_):
    import paragauge.process.limits
    return os.environ["OMP_NUM_THREADS"], paragauge.process.limits.threads()

class Kills:
    """Dies at some parts: so many times each, or always where that is None."""
    def __init__(self, folder, parts):
        self.folder, self.parts = Path(folder), parts
    def __call__(self, number):
        if number in self.parts:
            before = len(list(self.folder.glob(f"{number}-*")))
            (self.folder / f"{number}-{before}").touch()
            if self.parts[number] is None or before < self.parts[number]:
                os.kill(os.getpid(), signal.SIGKILL)
        return number

class Raises(Kills):
    def __call__(self, number):
        if number in self.parts:
            before = len(list(self.folder.glob(f"{number}-*")))
            (self.folder / f"{number}-{before}").touch()
            if self.parts[number] == "input":
                raise InputError("this part cannot be read")
            if self.parts[number] is None or before < self.parts[number]:
                raise OSError("no luck this time")
        return number

def sleep(number):
    Path(os.environ["TOLD"], str(os.getpid())).touch()
    time.sleep(60)
'''


@pytest.fixture
def work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    folder = tmp_path / "modules"
    folder.mkdir()
    (folder / "worked.py").write_text(WORK)
    monkeypatch.syspath_prepend(str(folder))
    sys.modules.pop("worked", None)
    return importlib.import_module("worked")


@pytest.mark.parametrize("workers", [1, 2])
def test_every_part_has_one_outcome(work: ModuleType, workers: int) -> None:
    found = list(Local(workers).map(work.square, range(23)))
    assert sorted(outcome.number for outcome in found) == list(range(23))
    assert all(outcome.result == outcome.number**2 for outcome in found)


def test_items_are_drawn_as_they_are_needed(work: ModuleType) -> None:
    drawn = []

    def items():
        for number in range(50):
            drawn.append(number)
            yield number

    outcomes = Local(2).map(work.square, items())
    next(outcomes)
    assert len(drawn) <= 6  # two for each worker under way, and what came in meanwhile
    assert len(list(outcomes)) == 49


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="this system has no SIGKILL")
def test_a_worker_that_dies_costs_no_part(work: ModuleType, tmp_path: Path) -> None:
    found = {out.number: out for out in Local(2).map(work.Kills(tmp_path, {5: 1, 9: 1}), range(20))}
    assert [found[number].result for number in range(20)] == list(range(20))


LARGE = """
import os, signal, sys
from pathlib import Path
from paragauge.evaluate.engines.local import Local

def die_once(text):
    try:
        Path(sys.argv[1]).touch(exist_ok=False)
    except FileExistsError:
        return len(text)
    os.kill(os.getpid(), signal.SIGKILL)

if __name__ == "__main__":
    print([out.result for out in Local(2).map(die_once, ["x" * 4_000_000] * 4)])
"""


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="this system has no SIGKILL")
def test_a_worker_that_dies_while_a_large_part_is_sent(tmp_path: Path) -> None:
    """Python before 3.11.5 would go on writing to a pipe that nobody reads."""
    (tmp_path / "large.py").write_text(LARGE)
    command = [sys.executable, str(tmp_path / "large.py"), str(tmp_path / "died")]
    result = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout == f"{[4_000_000] * 4}\n"


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="this system has no SIGKILL")
def test_a_part_that_kills_its_workers_is_reported_and_the_others_finish(work: ModuleType, tmp_path: Path) -> None:
    found = {out.number: out for out in Local(2).map(work.Kills(tmp_path, {4: None}), range(12))}
    assert sorted(found) == list(range(12))
    assert found[4].result is None
    assert "died" in (found[4].error or "")
    assert all(found[number].error is None for number in range(12) if number != 4)
    assert len(list(tmp_path.glob("4-*"))) <= 4  # with others, and then three times alone


@pytest.mark.parametrize("workers", [1, 2])
def test_errors_are_tried_again_three_times_in_all(work: ModuleType, tmp_path: Path, workers: int) -> None:
    parts = {1: 2, 2: None, 3: "input"}
    found = {out.number: out for out in Local(workers).map(work.Raises(tmp_path, parts), range(5))}
    assert (found[1].result, found[1].tries) == (1, 3)
    assert (found[2].error, found[2].tries) == ("OSError: no luck this time", 3)
    assert (found[3].error, found[3].tries) == ("this part cannot be read", 1)
    assert found[4].result == 4


def test_workers_together_run_no_more_threads_than_there_are_cores(work: ModuleType) -> None:
    (found,) = {out.result for out in Local(2).map(work.threads, range(6))}
    share = max(1, limits.available_cores() // 2)
    assert found == (str(share), share)


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="this system has no SIGKILL")
def test_workers_end_when_their_driver_is_killed(work: ModuleType, tmp_path: Path) -> None:
    program = (
        "import worked\nfrom paragauge.evaluate.engines.local import Local\n"
        "if __name__ == '__main__':\n    list(Local(2).map(worked.sleep, range(2)))\n"
    )
    script = tmp_path / "drive.py"
    script.write_text(program)
    told = tmp_path / "told"
    told.mkdir()
    path = os.pathsep.join([str(Path(work.__file__).parent), *sys.path])
    driver = subprocess.Popen([sys.executable, script], env={**os.environ, "TOLD": str(told), "PYTHONPATH": path})
    try:
        _until(lambda: len(list(told.iterdir())) == 2, 60)
    finally:
        driver.kill()
        driver.wait()
    workers = [int(file.name) for file in told.iterdir()]
    _until(lambda: not any(map(_alive, workers)), 30)


def _until(happened, seconds: float) -> None:
    end = time.monotonic() + seconds
    while not happened():
        assert time.monotonic() < end, "it did not happen in time"
        time.sleep(0.05)


def _alive(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def test_a_worker_starts_while_the_first_item_is_read(work: ModuleType) -> None:
    started = []

    def items() -> Iterator[int]:
        started.append(len(multiprocessing.active_children()))
        yield 3

    assert [outcome.result for outcome in Local(2).map(work.square, items())] == [9]
    assert started == [1]


def test_unknown_engines_and_numbers_are_refused() -> None:
    with pytest.raises(InputError, match="did you mean 'local'"):
        engine("locl")
    with pytest.raises(InputError, match="at least 1"):
        engine("local", 0)
    with pytest.raises(InputError, match="has no address"):
        engine("local", address="auto")


@pytest.mark.parametrize(
    ("files", "cores_allowed"),
    [
        ({"cpu.max": "150000 100000\n"}, 1.5),
        ({"cpu.max": "max 100000\n"}, None),
        ({"cpu/cpu.cfs_quota_us": "50000\n", "cpu/cpu.cfs_period_us": "100000\n"}, 0.5),
        ({"cpu/cpu.cfs_quota_us": "-1\n", "cpu/cpu.cfs_period_us": "100000\n"}, None),
        ({}, None),
    ],
)
def test_the_limit_of_a_control_group(tmp_path: Path, files: dict[str, str], cores_allowed: float | None) -> None:
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    assert limits.cgroup_limit(tmp_path) == cores_allowed


def test_threads_can_be_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PARAGAUGE_THREADS", "3")
    assert limits.threads() == 3
    monkeypatch.setenv("PARAGAUGE_THREADS", "many")
    with pytest.raises(InputError, match="PARAGAUGE_THREADS is 'many'"):
        limits.threads()
