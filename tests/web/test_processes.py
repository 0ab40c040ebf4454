"""The server while what it has computed takes long, or ends."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from .server import serving, until

# holds the interpreter for as long as some regular expressions do, or ends its process, as a fault in C does
PLUGIN = '''
import ctypes, os
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from paragauge.metric import PairMetric


@dataclass(frozen=True, kw_only=True)
class Stubborn(PairMetric):
    """Stubborn."""

    name: ClassVar[str] = "stubborn"
    title: ClassVar[str] = "Stubborn"
    range: ClassVar[tuple[float, float]] = (0.0, 1.0)
    higher_is_better: ClassVar[bool] = True
    citation: ClassVar[str] = "none"

    def compare(self, pairs, work):
        import numpy as np

        for text in (text for pair in pairs for text in pair):
            if text == "hold":
                gate = os.open(Path(__file__).with_name("gate"), os.O_RDWR)
                Path(__file__).with_name("begun").touch()
                ctypes.PyDLL(None).read(gate, ctypes.create_string_buffer(1), 1)  # unlike CDLL, it lets no thread go on
            elif text == "die":
                os.abort()
        return np.ones(len(pairs))
'''


@pytest.fixture(scope="module")
def modules(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the metric `stubborn`, for processes that have it on their path."""
    folder = tmp_path_factory.mktemp("modules")
    info = folder / "stubborn-1.0.dist-info"
    info.mkdir()
    (folder / "stubborn.py").write_text(PLUGIN)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: stubborn\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[paragauge.metrics]\nstubborn = stubborn:Stubborn\n")
    return folder


@pytest.fixture(scope="module")
def stubborn(modules, tmp_path_factory):
    if not hasattr(os, "mkfifo"):
        pytest.skip("needs named pipes")
    path = os.pathsep.join([str(modules), *filter(None, [os.environ.get("PYTHONPATH")])])
    arguments = ("--runs", tmp_path_factory.mktemp("runs"), "-m", "stubborn.free", "-m", "ned.free")
    with serving(*arguments, environment={"PYTHONPATH": path}) as server:
        yield server


def row(text: str) -> dict[str, str]:
    return {"source": "a text", "candidate": text}


def test_what_holds_the_interpreter_does_not_hold_up_the_server(stubborn, modules):
    os.mkfifo(modules / "gate")
    with stubborn.begin("/api/score", {"rows": [row("hold")]}) as asked:
        until((modules / "begun").exists)
        for path in ("/healthz", "/metricsz", "/api/runs", "/api/limits", "/"):
            assert stubborn.ask(path).status == 200
        (modules / "gate").write_bytes(b"a")
        assert asked.recv(1000).startswith(b"HTTP/1.1 200")


def test_a_process_that_ends_costs_its_request_and_no_other(stubborn):
    for _ in range(2):
        answer = stubborn.ask("/api/score", {"rows": [row("die")]})
        assert answer.status == 503
        assert "the process that scores has ended" in answer.detail
        assert stubborn.score(row("another text"))["rows"][0]["scores"]["stubborn.free"]["score"] == 1
