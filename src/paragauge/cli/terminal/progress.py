"""A progress bar on standard error for work of more than a second; none where there is no terminal."""

from __future__ import annotations

import sys
import time
from typing import Any

from ...printable import printable

DELAY = 1.0
MEMORY = 3600.0  # seconds over which speed is measured: rich's own 30 have no two trainings of three minutes


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
            self._tasks[label] = self._progress.add_task(printable(label), total=total)
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
    from rich.progress import (
        BarColumn,
        Progress,
        ProgressColumn,
        Task,
        TaskProgressColumn,
        TextColumn,
        TimeRemainingColumn,
    )
    from rich.text import Text

    class Speed(ProgressColumn):
        """How many a second: rows, texts or whatever is counted."""

        def render(self, task: Task) -> Text:
            speed = task.finished_speed or task.speed
            return Text("" if not speed else f"{speed:,.0f}/s" if speed >= 10 else f"{speed:.1f}/s")

    columns = (TextColumn("{task.description}", markup=False), BarColumn(), TaskProgressColumn(), Speed())
    return Progress(
        *columns,
        TimeRemainingColumn(),
        console=Console(file=sys.stderr),
        transient=True,
        speed_estimate_period=MEMORY,
    )
