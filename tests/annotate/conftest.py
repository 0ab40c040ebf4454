"""Servers of studies, and pages of them in a browser."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from paragauge.tables.samples import Samples

from ..web.server import serving
from .made import made_samples
from .server import Annotator, write_table


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Callable[..., Annotator]]:
    """Starts the server of a study; rerun, it resumes."""
    started: list[Annotator] = []

    def start(*arguments: object, samples: Samples | None = None) -> Annotator:
        table = tmp_path / "pairs.jsonl"
        if not table.exists():
            write_table(table, samples or made_samples())
        started.append(Annotator(table, *arguments))
        return started[-1]

    yield start
    for one in started:
        one.stop(9)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Annotator]:
    """One for all tests of a file that do no harm to it."""
    table = write_table(tmp_path_factory.mktemp("served") / "pairs.jsonl", made_samples())
    with serving(table, "--block", 20, kind=Annotator) as started:
        yield started


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
