"""Runs that are disturbed: the real program, two workers, and enough rows for a run of a few seconds."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path

ROWS = 40_000
PARTS = -(-ROWS // 8_192)
METRICS = ("-m", "ned.free", "-m", "rouge1")
KEPT = ("samples.parquet", "scores.parquet", "run.json")  # all but the time it took, and the manifest with its sum

PLUGIN = '''
"""A metric that notes every part it is called for, and dies, raises or waits, as long as a file says so."""
import os, signal, time
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import numpy as np

from paragauge.metric import PairMetric

@dataclass(frozen=True, kw_only=True)
class Poisoned(PairMetric):
    """Length of the candidate."""
    name: ClassVar[str] = "poisoned"
    title: ClassVar[str] = "Poisoned"
    range: ClassVar[tuple[float, float]] = (0.0, float("inf"))
    higher_is_better: ClassVar[bool] = True
    symmetric: ClassVar[bool] = False
    citation: ClassVar[str] = "none"
    limits: ClassVar[str] = "none"

    def compare(self, pairs, work):
        folder = Path(__file__).parent
        told = (folder / "told").read_text()
        (folder / "calls" / f"{os.getpid()}-{time.monotonic_ns()}").write_text(pairs[0][0])
        if told == "wait":
            time.sleep(1)
        if any("poison" in text for pair in pairs for text in pair):
            if told == "kill":
                os.kill(os.getpid(), signal.SIGKILL)
            if told == "raise":
                raise RuntimeError("this text cannot be judged")
        return np.array([float(len(text)) for text, _ in pairs])
'''


def install_plugin(modules: Path, told: str) -> Path:
    """The metric `poisoned`, for processes that have the folder on their path; `told` says what it does."""
    info = modules / "poisoned-1.0.dist-info"
    info.mkdir(parents=True)
    (modules / "calls").mkdir()
    (modules / "poisoned.py").write_text(PLUGIN)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: poisoned\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[paragauge.metrics]\npoisoned = poisoned:Poisoned\n")
    tell(modules, told)
    return modules


def tell(modules: Path, told: str) -> None:
    (modules / "told").write_text(told)


def calls(modules: Path) -> int:
    """How many parts the metric was called for."""
    return len(list((modules / "calls").iterdir()))


def with_modules(modules: Path) -> dict[str, str]:
    return {"PYTHONPATH": os.pathsep.join([str(modules), *filter(None, [os.environ.get("PYTHONPATH")])])}


def write_table(path: Path, rows: int = ROWS, mark: str = "", at: int = -1) -> Path:
    """Short texts, by a fixed rule; `mark` is put into the candidate of one row."""
    words = ["the", "a", "cat", "dog", "sat", "ran", "on", "under", "mat", "tree"]
    with path.open("w") as stream:
        stream.write("source,candidate,reference\n")
        for row in range(rows):
            text = " ".join(words[(row * step) % 10] for step in (1, 3, 7))
            other = " ".join(words[(row * step + 1) % 10] for step in (1, 3, 9))
            stream.write(f"{text} {row // 3},{other} {row % 7}{mark if row == at else ''},{text} {other}\n")
    return path


def command(table: Path, *arguments: object, workers: int = 2) -> list[str]:
    given = ["score", table, *METRICS, "--workers", workers, *arguments]
    return [sys.executable, "-m", "paragauge", *map(str, given)]


def start(
    table: Path, *arguments: object, environment: Mapping[str, str] | None = None, **options: object
) -> subprocess.Popen[str]:
    return subprocess.Popen(
        command(table, *arguments),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | (environment or {}),
        # a test run in the background of a shell ignores Ctrl-C, and so would its children
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        **options,
    )


def finish(table: Path, *arguments: object, environment: Mapping[str, str] | None = None) -> tuple[int, str, str]:
    """Exit code, output and errors of a run that is left alone."""
    with start(table, *arguments, environment=environment) as process:
        output, errors = process.communicate(timeout=300)
    return process.returncode, output, errors


def content(run: Path) -> dict[str, bytes]:
    """What a finished run keeps; nothing else may be left in its folder."""
    assert {file.name for file in run.iterdir()} == {*KEPT, "timings.json", "manifest.json"}
    return {name: (run / name).read_bytes() for name in KEPT}


def finished_parts(run: Path) -> int:
    return len(list((run / "parts").glob("*.scores.parquet")))


def until(happened: Callable[[], object], process: subprocess.Popen[str] | None = None, seconds: float = 120) -> None:
    end = time.monotonic() + seconds
    while not happened():
        assert process is None or process.poll() is None, "it ended before it could be disturbed"
        assert time.monotonic() < end, "it did not happen in time"
        time.sleep(0.01)


def workers_of(driver: int) -> list[int]:
    """The processes that it started and that call Python functions for it."""
    return _children(driver, b"spawn_main")


def tracker_of(driver: int) -> int:
    """The process that removes what it leaves behind."""
    (found,) = _children(driver, b"resource_tracker")
    return found


def _children(driver: int, word: bytes) -> list[int]:
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            parent = int(stat.read_text().rpartition(")")[2].split()[1])
            if parent == driver and word in (stat.parent / "cmdline").read_bytes():
                found.append(int(stat.parent.name))
        except OSError:  # it has ended meanwhile
            continue
    return found


def alive(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
