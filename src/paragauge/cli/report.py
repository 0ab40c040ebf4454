"""`paragauge report`: a report of runs, and the data of a report."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Sequence
from pathlib import Path

import click

from ..visible import say
from .groups import Group
from .options import overwrite_option

_FILE = click.Path(path_type=Path)

report_option = click.option("--report", type=_FILE, help="also write a report: one HTML file that opens in a browser")


def command_line() -> str:
    """The command as it was typed, to copy from a report."""
    return shlex.join(["paragauge", *sys.argv[1:]])


@click.group("report", cls=Group, default="write")
def report() -> None:
    """Write one HTML file from run folders, or take the data out of such a file.

    The file opens from disk in any current browser and loads nothing from a network. `paragauge report RUN…` is short
    for `paragauge report write RUN…`.

    \b
    Examples:
      paragauge report runs/first -o report.html
      paragauge report runs/old runs/new -o both.html
      paragauge report extract report.html -o scores.csv
    """


@report.command("write")
@click.argument("run", type=_FILE, nargs=-1, required=True)
@click.option("-o", "--output", type=_FILE, default="report.html", show_default=True, help="the HTML file")
@click.option("--title", help="title of the report  [default: the names of the runs]")
@overwrite_option
def write(run: Sequence[Path], output: Path, title: str | None, overwrite: bool) -> None:
    """Write a report of runs that `paragauge score --run` kept; several are compared on the rows they share.

    Example: paragauge report write runs/first -o report.html
    """
    from ..report.write import write_report

    write_report(*run, output=output, title=title, overwrite=overwrite)
    say(f"report: {output}")


@report.command("extract")
@click.argument("file", type=_FILE)
@click.option("-o", "--output", type=_FILE, required=True, help="output file: csv, tsv, jsonl or parquet, by suffix")
@click.option(
    "--table", default="scores", show_default=True, help="scores, samples (the texts), or a table that the report shows"
)
@overwrite_option
def extract(file: Path, output: Path, table: str, overwrite: bool) -> None:
    """Write the data of a report to a file, with all digits.

    Example: paragauge report extract report.html -o scores.csv
    """
    from ..report.write import extract as taken

    taken(file, output, table, overwrite=overwrite)
