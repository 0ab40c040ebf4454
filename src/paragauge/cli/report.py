"""`paragauge report` and `paragauge export`: a report of runs, and the data of runs and reports."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from ..printable import say
from .declare import argument, command, option
from .options import OUTPUT, OVERWRITE


@command("report")
def report(
    run: Sequence[Path] = argument(Path, nargs=-1),
    output: Path = option("the HTML file", "report.html", "-o", of=Path),
    title: str | None = option("title of the report  [default: the names of the runs]"),
    overwrite: bool = OVERWRITE,
) -> None:
    """Write a report of runs that `paragauge score --run` kept; several are compared on the rows they share.

    It is one HTML file that opens from disk in any current browser and loads nothing from a network.

    \b
    Examples:
      paragauge report runs/first -o report.html
      paragauge report runs/old runs/new -o both.html
    """
    from ..reports.write import write_report

    write_report(*run, output=output, title=title, overwrite=overwrite)
    say(f"report: {output}")


@command("export")
def export(
    origin: Path = argument(Path, metavar="RUN_OR_REPORT"),
    output: Path = OUTPUT,
    table: str = option("scores, samples (the texts), or a table that the report shows", "scores"),
    spreadsheet: bool = option("put an apostrophe before text that a spreadsheet would run as a formula", False),
    overwrite: bool = OVERWRITE,
) -> None:
    """Write the data of a complete run or of a report to a file, with all digits.

    \b
    Examples:
      paragauge export runs/first -o scores.csv
      paragauge export report.html --table systems -o systems.csv
    """
    if origin.is_dir():
        from ..runs.listing import export_run

        export_run(origin, output, table, overwrite=overwrite, spreadsheet=spreadsheet)
    else:
        from ..reports.write import extract

        extract(origin, output, table, overwrite=overwrite, spreadsheet=spreadsheet)
