"""Servers of studies, and pages of them in a browser."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from paragauge.tables.samples import Samples

from .made import made_samples
from .server import Annotator, write_table


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Callable[..., Annotator]]:
    """Starts the server of a study; rerun, it resumes."""
    yield from _serving(tmp_path)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Annotator]:
    """One for all tests of a file that do no harm to it; it is stopped as a user stops it."""
    for start in _serving(tmp_path_factory.mktemp("served")):
        started = start("--block", 20)
        yield started
        code, said = started.stop(signal.SIGINT)
        assert (code, "Traceback" in said) == (0, False), said
        assert said.strip().endswith("pairs.annotations.db, rerun to resume")


def _serving(folder: Path) -> Iterator[Callable[..., Annotator]]:
    started: list[Annotator] = []

    def start(*arguments: object, samples: Samples | None = None) -> Annotator:
        table = folder / "pairs.jsonl"
        if not table.exists():
            write_table(table, samples or made_samples())
        started.append(Annotator(table, *arguments))
        return started[-1]

    yield start
    for one in started:
        one.stop(9)


@pytest.fixture
def opened(pages: Any) -> Iterator[Callable[..., Any]]:
    """Opens a page; an error in it, or a request to anyone else, fails the test."""

    def open_(address: str, **options: Any) -> Any:
        own = "file:" if address.startswith("file:") else address.partition("?")[0][:21]
        return pages.open(address, own, "data:", **{"viewport": {"width": 1100, "height": 800}} | options)

    yield open_
    # a refused or unanswered request is told to the rater, and in the browser's console by itself
    told = "Failed to load resource"
    assert [one for one in pages.release() if not one.startswith(told)] == []
