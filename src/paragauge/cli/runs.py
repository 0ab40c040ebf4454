"""`paragauge runs`: the folders that `score --run` keeps."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from .declare import argument, command
from .groups import CommandGroup
from .options import FORMAT
from .terminal import printing

_NUMBERS = ("mean", "low", "high", "corpus", "rows", "undefined", "failures", "missing", "left_out")


@click.group("runs", cls=CommandGroup)
def runs() -> None:
    """List, show and verify the folders that `paragauge score --run` keeps.

    \b
    Examples:
      paragauge runs list
      paragauge runs verify runs/first
    """


@command("list", runs)
def list_runs(folder: Path = argument(Path, default="."), format: str = FORMAT) -> None:
    """List the run folders in FOLDER and below  [default: the current folder].

    A run is complete, running (a process is working on it), interrupted (rerun to resume) or damaged (its record cannot
    be read). `changed` is when the record was last written, in UTC.

    Example: paragauge runs list runs
    """
    from ..runs.listing import find_runs

    rows: list[list[printing.Cell]] = [
        [str(run.folder), run.status, run.rows, ", ".join(run.metrics), f"{run.changed:%Y-%m-%d %H:%M:%S}"]
        for run in find_runs(folder)
    ]
    if not rows and format == "table":
        printing.lines(f"no run folder in {folder}")
        return
    printing.table(["run", "status", "rows", "metrics", "changed"], rows, format, None)


@command("show", runs)
def show(run: Path = argument(Path), format: str = FORMAT) -> None:
    """Print the summary of a complete run, its signatures and its warnings; nothing is computed.

    Example: paragauge runs show runs/first -f csv
    """
    from ..extrinsic.results import Evaluation, is_extrinsic, read_result
    from ..extrinsic.tables import outcome_rows
    from ..runs.listing import complete_record

    if is_extrinsic(run):
        found = Evaluation.of_record(read_result(run))
        printing.table(*outcome_rows(found), format, None)
        for sentence in ("", *found.findings) if format not in ("json", "csv") else ():
            printing.remark(sentence, format)
        return
    record = complete_record(run)
    signatures = record.get("signatures", {})
    plain = format in ("json", "csv")
    header = ["metric", "system", *(name.replace("_", " ") for name in _NUMBERS), *["signature"] * plain]
    rows: list[list[printing.Cell]] = [
        [row["metric"], row["system"], *(row[name] for name in _NUMBERS), *[signatures.get(row["metric"])] * plain]
        for row in record.get("summary", [])
    ]
    printing.table(header, rows, format, None)
    if not plain:
        for sentence in ("", *signatures.values(), *(f"note: {warning}" for warning in record.get("warnings", []))):
            printing.remark(sentence, format)


@command("verify", runs)
def verify(run: Sequence[Path] = argument(Path, nargs=-1)) -> int:
    """Check every file of a run, or every finished part of an unfinished one, against its sha256.

    Every problem is printed on one line, and the exit code is then 1.

    Example: paragauge runs verify runs/*
    """
    from ..runs.listing import finished_parts, verify_run
    from ..runs.record import read_record

    code = 0
    for folder in run:
        wrong = verify_run(folder)
        code = 1 if wrong else code
        complete = read_record(folder).get("status") == "complete"
        parts = "" if complete else f"; not complete: {finished_parts(folder):,} parts are finished"
        printing.lines(*(f"{folder}: {fault}" for fault in wrong or [f"unchanged{parts}"]))
    return code
