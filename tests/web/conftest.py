"""A server for all tests, with a small random encoder, and a browser."""

from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from paragauge.evaluate.score_file import score_file

from .server import Server, serving, write_pairs


@pytest.fixture(scope="session")
def encoder_folder(small_models: ModuleType, tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(small_models.make_encoder(tmp_path_factory.mktemp("web") / "encoder"))


@pytest.fixture(scope="session")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with one run, next to which lies what nobody may read."""
    folder = tmp_path_factory.mktemp("served")
    score_file(write_pairs(folder / "pairs.csv", 5), metrics=["ned.free", "chrf.free"], run=folder / "runs" / "first")
    score_file(folder / "pairs.csv", metrics=["ned.free"], run=folder / "secret")
    return folder / "runs"


@pytest.fixture(scope="session")
def server(encoder_folder: str, runs: Path) -> Iterator[Server]:
    """The program itself; it is stopped as a user stops it."""
    metrics = [f"{name}:encoder={encoder_folder}" for name in ("parascore-free", "bertscore.free")]
    arguments = [part for metric in (*metrics, "ned.free") for part in ("-m", metric)]
    vectors = runs.parent / "vectors.txt"
    vectors.write_text("cat 1 0\ndog 0.9 0.1\nhouse 0 1\nhut 0.1 0.9\n")
    with serving("--runs", runs, "--file-limit", 1, "--paraphraser", f"wordswap:vectors={vectors}", *arguments) as one:
        yield one


@pytest.fixture
def opened(pages: Any, server: Server) -> Iterator[Any]:
    """Opens a page of the server; an error in it, or a request to anyone else, fails the test."""
    own = server.url.partition("?")[0]

    def open_(path: str = "/", **options: Any) -> Any:
        given = {"viewport": {"width": 1200, "height": 900}} | options
        return pages.open(f"{own.rstrip('/')}{path}?token={server.token}", own, **given)

    yield open_
    assert pages.release() == []
