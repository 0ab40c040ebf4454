"""A process of its own that scores a file, or writes the report of a run, and says how far it is.

What to do comes as a line of JSON on standard input, which stays open: when it ends, the server is gone, and so is this
process. Progress goes to standard output as lines of JSON, and so does the sentence of an error.
"""

from __future__ import annotations

import json
import os
import sys
import threading
import time
from pathlib import Path
from typing import IO, Any

from ...errors import InputError, ParagaugeError
from ...process.limits import limit_memory

_SECONDS = 0.1  # between two lines of progress


class ProgressWriter:
    """Writes lines of JSON, of progress not too many."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream  # read by the server alone
        self._last = 0.0
        self._label = ""

    def progress(self, label: str, done: int, total: int) -> None:
        now = time.monotonic()
        if label == self._label and now - self._last < _SECONDS and done != total:
            return
        self._last, self._label = now, label
        self.send(stage=label, done=done, total=total)

    def send(self, **line: Any) -> None:
        self._stream.write(json.dumps(line).encode() + b"\n")
        self._stream.flush()


def work(asked: dict[str, Any], lines: ProgressWriter) -> None:
    """Score a table into a run folder, where one is given; then write the report of the run."""
    from ...comparison.compare import check_systems
    from ...evaluate.score_file import score_file
    from ...files.table import open_table
    from ...reports.write import write_report

    run = Path(asked["run"])
    if asked.get("table") is not None:
        rows, notes = open_table(asked["table"]), []
        try:
            check_systems(system for chunk in rows for system in chunk.systems)
        except InputError as error:
            notes = [f"no report: {error}"]
            lines.send(warnings=notes)
        found = score_file(
            rows, metrics=asked["metrics"] or None, run=run, engine="local", workers=1,
            command=asked["command"], progress=lines.progress,
        )  # fmt: skip
        lines.send(warnings=[*notes, *map(str, found.warnings)])
        if notes:
            return
    lines.send(stage="writing the report", done=0, total=1)
    write_report(run, output=asked["report"], overwrite=True, align=asked.get("table") is not None)


def main() -> int:
    """0 when all is done; the errors of paragauge are said in a sentence."""
    asked = json.loads(sys.stdin.readline())
    threading.Thread(target=_end_with_the_server, daemon=True).start()
    if hasattr(os, "nice"):
        os.nice(5)  # requests come first
    lines = ProgressWriter(sys.stdout.buffer)
    try:
        limit_memory()
        work(asked, lines)
    except ParagaugeError as error:
        said = str(error)
    except MemoryError:
        said = "it takes more memory than the server gives to a file"
    else:
        return 0
    lines.send(error=said)
    return 2


def _end_with_the_server() -> None:
    sys.stdin.read()
    os._exit(1)


if __name__ == "__main__":
    sys.exit(main())
