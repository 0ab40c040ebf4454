"""A progress bar on standard error for work of more than a second; none where there is no terminal."""

from __future__ import annotations

import sys
import time
from typing import Any

from ..visible import visible

DELAY = 1.0


class Bar:
    """Shows itself when it has been updated for longer than a second."""

    def __init__(self, quiet: bool = False) -> None:
        self._wanted = not quiet and sys.stderr.isatty()
        self._start = time.monotonic()
        self._progress: Any = None
        self._tasks: dict[str, Any] = {}

    def update(self, label: str, done: int, total: int | None) -> None:
        """So much of `label` is done."""
        if not self._wanted or (self._progress is None and time.monotonic() - self._start < DELAY):
            return
        if self._progress is None:
            self._progress = _new()
            self._progress.start()
        if label not in self._tasks:
            self._tasks[label] = self._progress.add_task(visible(label), total=total)
        self._progress.update(self._tasks[label], completed=done, total=total)

    def close(self) -> None:
        if self._progress is not None:
            self._progress.stop()
            self._progress = None

    def __enter__(self) -> Bar:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _new() -> Any:
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

    return Progress(
        TextColumn("{task.description}", markup=False), BarColumn(), TaskProgressColumn(), TimeRemainingColumn(),
        console=Console(file=sys.stderr), transient=True,
    )  # fmt: skip
