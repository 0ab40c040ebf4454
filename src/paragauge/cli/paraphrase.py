"""`paragauge paraphrase`."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..errors import InputError
from ..printable import say
from .declare import argument, command, option
from .options import FORMAT, LAYOUT, OVERWRITE, REPORT, Layout, Workers, command_line, quiet, workers
from .terminal import printing
from .terminal.hints import note
from .terminal.progress import Bar
from .terminal.signals import resumable

if TYPE_CHECKING:
    from ..files.rows import Row


@command("paraphrase")
def paraphrase(
    table: str | None = argument(required=False),
    method: str | None = option(
        "wordnet-swap, round-trip, beam:model=FOLDER, …; see --list  [default: one of free licence]"
    ),
    list_: bool = option("list the methods and their parameters, and generate nothing", False),
    endpoint: str | None = option("URL of an OpenAI-compatible server, e.g. http://127.0.0.1:8000/v1"),
    n: int = option("number of candidates per source", 5, "-n", "--candidates", low=1),
    output: str | None = option("write every candidate: jsonl, csv, tsv or parquet; rerun to resume", None, "-o"),
    where: str | None = option(
        "generate until n candidates meet this condition: 'cosine.free >= 0.8 and ned.free >= 0.35'"
    ),
    budget: int | None = option(
        "with --where: most candidates asked for per source, all rounds together  [default: 4 n]", of=int, low=1
    ),
    metric: Sequence[str] = option("add a column of scores, e.g. cosine.free; may be repeated", None, "-m", many=True),
    report: Path | None = REPORT,
    layout: Layout = LAYOUT,
    overwrite: bool = OVERWRITE,
    engine: Workers = workers("  [default: 1]"),
    format: str = FORMAT,
    quiet: bool = quiet("no progress, no signature, no notes"),
) -> None:
    """Generate paraphrases: up to n candidates of each source.

    TABLE is a text file with a source per line (.txt, or --input-format txt), or a csv, tsv, jsonl, json, parquet or
    xlsx file with the column source; - is standard input. The output has a row per candidate, with its score by the
    method and what it was made of, as `paragauge score` and `paragauge filter` read it. A source without a candidate
    has a row with the reason. --report scores the candidates by the metrics of -m, or else as `paragauge score` does:
    which are usable, and why not the others?

    \b
    Examples:
      paragauge paraphrase questions.txt -n 5 -o out.jsonl
      paragauge paraphrase questions.txt --method wordnet-swap -o swapped.jsonl --report swapped.html
      paragauge paraphrase train.csv --method beam -n 5 --where "cosine.free >= 0.8" -o kept.jsonl
      cat questions.txt | paragauge paraphrase - --input-format txt --method beam
    """
    from ..models.hub.registry import ENTRIES, full_name
    from ..paraphrasers import paraphraser_of
    from ..runs.store import SUFFIX
    from ..select.paraphrase import paraphrase_file, sources_in

    if list_:
        _print_methods(format)
        return
    if table is None:
        raise click.UsageError("Missing argument 'TABLE'.")
    rows = sources_in(table, layout)
    if report is not None:
        from ..reports.page import check_report

        check_report(report, inputs=[table, *([output] if output else [])], overwrite=overwrite)
        if output is not None and printing.for_spreadsheet():
            raise InputError("--report reads the output, which --spreadsheet alters; expected one of the two")
    method = _method(method, endpoint, quiet)
    with resumable(None if output is None else Path(output + SUFFIX)), Bar(quiet) as bar:
        found = paraphrase_file(
            rows, method, n, output=output, overwrite=overwrite,
            spreadsheet=printing.for_spreadsheet(), where=where, budget=budget, metrics=metric, **engine._asdict(),
            progress=bar.update,
        )  # fmt: skip
        if report is not None:
            _write_report(report, output if found.rows is None else None, found.rows, metric, overwrite, bar)
    if found.rows is not None:
        left_out = ("id", "system", "rank", "provenance", "reason")
        header = [name for name in found.rows[0] if name not in left_out]
        printing.table(header, [[row[name] for name in header] for row in found.rows], format, None)
    if quiet:
        return
    if format == "table":
        written = f"{found.candidates:,} candidates of {found.sources:,} sources"
        printing.lines(*([""] if found.rows is not None else []), written, found.signature)
    if report is not None:
        say(f"report: {report}")
    if getattr(paraphraser_of(method), "model", None) == "default-paraphraser":
        note(
            f"the model that comes with the package has the licence {ENTRIES[full_name('default-paraphraser')].licence}"
        )
    for reason, count in sorted(found.empty.items(), key=lambda pair: -pair[1]):
        note(f"{count:,} {'source has' if count == 1 else 'sources have'} no candidate: {reason}")
    for part, count in found.rejected.items():
        note(f"rejected {count:,} {'candidate' if count == 1 else 'candidates'}: {part}")


def _write_report(
    report: Path, output: str | None, rows: Sequence[Row] | None, metrics: Sequence[str], overwrite: bool, bar: Bar
) -> None:
    """Score the candidates, which are in a file or at hand, into a run that is not kept; the report is made of it."""
    from ..evaluate.score_file import score_file
    from ..files.folders import TemporaryFolder
    from ..files.rows import write_rows
    from ..reports.write import write_report

    with TemporaryFolder() as folder:
        table = output
        if table is None:
            table = str(folder / "candidates.jsonl")
            write_rows(rows or (), table)
        run = folder / "run"
        score_file(table, metrics=metrics or None, run=run, command=command_line(), progress=bar.update)
        write_report(run, output=report, title=f"Paraphrases: {report.stem}", overwrite=overwrite, align=True)


def _method(method: str | None, endpoint: str | None, quiet: bool) -> str:
    if endpoint is None:
        if method is None:
            from ..paraphrasers import default_method

            method, why = default_method()
            if not quiet:
                note(f"no method was given, so {method} is taken: {why}")
        return method
    method = "endpoint" if method is None else method
    if method.partition(":")[0] != "endpoint":
        raise InputError(f"--endpoint is for the method endpoint, and --method {method} was given")
    return method + (f"{',' if ':' in method else ':'}url=" + endpoint.replace(",", "\\,"))


def _print_methods(format: str) -> None:
    from .. import paraphrasers
    from ..parameters import written

    rows = []
    for found in paraphrasers.classes():
        parameters = [f"{field.name}={written(field.default)}" for field in dataclasses.fields(found)]
        rows.append([found.name, ", ".join(found.presets), found().about, ", ".join(parameters)])
    printing.table(["method", "also", "what", "parameters"], rows, format, None)
