"""Ctrl-C and SIGTERM, which ask a process to end: workers and temporary folders go with it."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

from ...printable import say


class Terminated(SystemExit):
    """Ends the program as Ctrl-C does, through every `finally`; the exit code is what shells give for the signal."""

    def __init__(self) -> None:
        super().__init__(128 + signal.SIGTERM)


def end_on_sigterm() -> None:
    """By default the system would end this process at once, and nothing would be cleaned up."""
    signal.signal(signal.SIGTERM, _end)


def _end(_: int, __: FrameType | None) -> None:
    raise Terminated


@contextmanager
def resumable(run: Path | None) -> Iterator[None]:
    """Say, when this is interrupted, that nothing finished is lost."""
    try:
        yield
    except (KeyboardInterrupt, Terminated):
        if run is not None:
            say(f"note: finished parts are kept in {run}; rerun to resume")
        raise
