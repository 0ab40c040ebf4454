"""Files and disks that fail a run: it says so, and the rerun ends with the bytes of an undisturbed one."""

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import polars
import pytest

from paragauge.errors import ParagaugeError
from paragauge.evaluate.part import PartScorer
from paragauge.evaluate.plan import plan
from paragauge.files.table import open_table
from paragauge.metrics import parse
from paragauge.runs.scores import PART
from paragauge.runs.store import Parts
from paragauge.tables.shared_rows import SharedRows

from .conftest import Undisturbed
from .program import (
    KEPT,
    PARTS,
    content,
    finish,
    finished_parts,
    install_plugin,
    start,
    tell,
    until,
    with_modules,
    write_table,
)


@pytest.fixture(scope="module")
def half(undisturbed: Undisturbed, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a run that was killed when some of its parts were finished."""
    run = tmp_path_factory.mktemp("half") / "run"
    with start(undisturbed.table, "--run", run) as process:
        until(lambda: finished_parts(run), process)
        process.kill()
    return run


def late(undisturbed: Undisturbed, run: Path) -> None:
    """What an orphaned worker does: score the first part and save it, whatever became of the run."""
    chosen = [parse("ned.free"), parse("rouge1")]
    part = next(plan(open_table(undisturbed.table), chosen).parts())
    PartScorer(chosen, {}, SharedRows(), Parts(run / "parts", PART))(part)


@pytest.mark.thorough
def test_an_orphan_that_writes_late(undisturbed: Undisturbed, half: Path, tmp_path: Path) -> None:
    run = tmp_path / "run"
    shutil.copytree(half, run)
    for file in (run / "parts").glob("000000.*"):
        file.unlink()
    late(undisturbed, run)  # before the run goes on
    with start(undisturbed.table, "--run", run, "-q") as process:
        until(lambda: (run / "parts" / "lock").exists(), process)
        for file in (run / "parts").glob("000000.scores.*"):
            file.unlink()
        late(undisturbed, run)  # while it goes on
        output, errors = process.communicate(timeout=300)
    assert process.returncode == 0, errors
    assert output == undisturbed.printed
    assert content(run) == undisturbed.kept
    with pytest.raises(ParagaugeError, match="could not write"):
        late(undisturbed, run)  # after its end
    (run / "parts").mkdir()
    late(undisturbed, run)  # between its end and the removal of its parts
    assert finish(undisturbed.table, "--run", run, "-q") == (0, undisturbed.printed, "")
    assert {name: (run / name).read_bytes() for name in KEPT} == undisturbed.kept


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 160 KB, less than the run needs."""
    folder = tmp_path / "small"
    folder.mkdir()
    mount = shutil.which("mount")
    call = [mount or "mount", "-t", "tmpfs", "-o", "size=160k", "tmpfs", str(folder)]
    if mount is None or subprocess.run(call, capture_output=True).returncode:
        pytest.skip("a small file system cannot be mounted here")
    yield folder
    subprocess.run(["umount", str(folder)], check=True)


@pytest.mark.thorough
def test_a_disk_that_fills(undisturbed: Undisturbed, small_disk: Path) -> None:
    run = small_disk / "run"
    code, output, errors = finish(undisturbed.table, "--run", run)
    assert (code, output) == (2, "")
    assert "No space left on device" in errors
    assert "Traceback" not in errors
    assert finished_parts(run) < PARTS
    assert not list(run.rglob(".paragauge-*"))
    subprocess.run(["mount", "-o", "remount,size=20m", str(small_disk)], check=True)
    assert finish(undisturbed.table, "--run", run, "-q") == (0, undisturbed.printed, "")
    assert content(run) == undisturbed.kept


def _flip(file: Path) -> None:
    data = bytearray(file.read_bytes())
    data[len(data) // 2] ^= 1
    file.write_bytes(data)


DAMAGE: dict[str, tuple[str, Callable[[Path], object]]] = {
    "one bit of the scores": ("parts/000000.scores.parquet", _flip),
    "samples gone": ("parts/000000.samples.parquet", Path.unlink),
    "manifest emptied": ("parts/000000.manifest.json", lambda file: file.write_text("")),
}


@pytest.mark.thorough
@pytest.mark.parametrize("damage", DAMAGE)
def test_a_damaged_part(undisturbed: Undisturbed, half: Path, tmp_path: Path, damage: str) -> None:
    name, harm = DAMAGE[damage]
    run = tmp_path / "run"
    shutil.copytree(half, run)
    late(undisturbed, run)  # so that it is there, whichever the killed run had finished
    harm(run / name)
    code, _, errors = finish(undisturbed.table, "--run", run)
    assert code == 0
    assert f"note: recomputed damaged parts: {Path(name).name}" in errors
    assert content(run) == undisturbed.kept


def test_a_damaged_run_folder_is_refused(undisturbed: Undisturbed, tmp_path: Path) -> None:
    run = tmp_path / "run"
    shutil.copytree(undisturbed.run, run)
    _flip(run / "scores.parquet")
    code, output, errors = finish(undisturbed.table, "--run", run)
    assert (code, output) == (2, "")
    assert "was modified after the run: scores.parquet was changed or damaged" in errors
    (run / "run.json").write_text("{")
    code, _, errors = finish(undisturbed.table, "--run", run)
    assert code == 2
    assert "is not a run folder" in errors


@pytest.mark.thorough
def test_two_runs_into_one_folder(undisturbed: Undisturbed, tmp_path: Path) -> None:
    run = tmp_path / "run"
    with start(undisturbed.table, "--run", run, "-q") as first:
        until(lambda: finished_parts(run), first)
        first.send_signal(signal.SIGSTOP)  # so that it cannot end before the second has tried
        try:
            second = finish(undisturbed.table, "--run", run, "-q")
        finally:
            first.send_signal(signal.SIGCONT)
        printed, errors = first.communicate(timeout=300)
    assert second == (2, "", f"paragauge: another process is using {run}\n")
    assert (first.returncode, printed, errors) == (0, undisturbed.printed, "")
    assert content(run) == undisturbed.kept
    assert finish(undisturbed.table, "--run", run, "-q") == (0, undisturbed.printed, "")  # now it may read it


CLOCK = """
import itertools, time
for name, step in (("time", 3600.0), ("time_ns", 3_600_000_000_000)):
    setattr(time, name, (lambda now, step: lambda: now - step * next(_count))(getattr(time, name)(), step))
_count = itertools.count()
"""


@pytest.mark.thorough
def test_the_clock_set_back(undisturbed: Undisturbed, tmp_path: Path) -> None:
    """By an hour whenever it is read, in the driver and in its workers."""
    modules = tmp_path / "modules"
    modules.mkdir()
    (modules / "sitecustomize.py").write_text(CLOCK)
    environment = with_modules(modules)
    check = [sys.executable, "-c", "import time; print(time.time() - time.time() > 3000)"]
    assert subprocess.run(check, env=os.environ | environment, capture_output=True).stdout.strip() == b"True"
    run = tmp_path / "run"
    assert finish(undisturbed.table, "--run", run, "-q", environment=environment) == (0, undisturbed.printed, "")
    assert content(run) == undisturbed.kept
    assert polars.read_json((run / "timings.json").read_bytes())["seconds"][0] > 0


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("harm", "told"), [("kill", "its worker process died"), ("raise", "RuntimeError: this text cannot be judged")]
)
def test_one_poisoned_part_among_good_ones(tmp_path: Path, harm: str, told: str) -> None:
    modules = install_plugin(tmp_path / "modules", harm)
    environment = with_modules(modules)
    table = write_table(tmp_path / "table.csv", mark=" poison", at=20_000)  # in the third part
    run = tmp_path / "run"
    more = ("-m", "poisoned", "-q", "--run")
    code, output, errors = finish(table, *more, run, environment=environment)
    assert (code, output) == (2, "")
    assert f"rows 16,385 to 24,576 failed (tried 3 times): {told}" in errors
    assert f"{PARTS - 1} other parts are finished; rerun to try these again" in errors
    assert finished_parts(run) == PARTS - 1
    tell(modules, "no")
    resumed = finish(table, *more, run, environment=environment)
    whole = finish(table, *more, tmp_path / "whole", environment=environment)
    assert resumed == whole
    assert resumed[0] == 0
    assert content(run) == content(tmp_path / "whole")
