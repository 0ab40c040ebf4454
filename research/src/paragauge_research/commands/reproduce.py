"""`paragauge reproduce`: the tables of a paper next to what we compute."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from paragauge.cli.declare import argument, command, option
from paragauge.cli.options import DATA, FORMAT, OVERWRITE, quiet
from paragauge.cli.terminal import printing
from paragauge.cli.terminal.progress import Bar
from paragauge.errors import InputError
from paragauge.printable import say

if TYPE_CHECKING:
    from ..papers.cells import Cell

DEFAULT_MODEL = "en"  # what a model without a prefix is for


@command("reproduce")
def reproduce(
    paper: str = argument(),
    table: Sequence[str] = option('only this table, e.g. "Table 1"; may be repeated', many=True),
    data: Path | None = DATA,
    encoder: Sequence[str] = option(
        "model to use: ROLE=MODEL with a name, folder or hub id (zh=…, en-bart=…; without ROLE=, en)", many=True
    ),
    figures: Path | None = option("draw the figures into this folder (needs the extra charts)", of=Path),
    run: Path | None = option(
        "hailu2020: run folder of `paragauge extrinsic imdb`  [default: the grid that was recorded]", of=Path
    ),
    output: Path | None = option("write every cell: parquet, csv, tsv, jsonl", None, "-o", of=Path),
    overwrite: bool = OVERWRITE,
    format: str = FORMAT,
    quiet: bool = quiet("print the tables only: no progress bar"),
) -> None:
    """Recompute the tables of a paper: shen2022 (ParaScore), hailu2020 (WEEM4PG) or bawden2020.

    bawden2020-generation runs every generator on held-out pairs, and scores what they write.

    Each number is shown as printed, as the authors' code computes it, and corrected, with the reason where they differ:
    same, authors' fault, other weights, not explained, or not computed.

    \b
    Examples:
      paragauge reproduce shen2022 --table "Table 1"
      paragauge reproduce hailu2020 -f markdown
    """
    from paragauge.benchmarks import data_files
    from paragauge.files.write import check_output

    from ..papers import paper as find

    models = _models(encoder)
    inputs: list[Path | str] = [*data_files(data), *models.values()]
    if output is not None:
        check_output(output, inputs=inputs, overwrite=overwrite)
    found = find(paper)
    if figures is not None and found.draws:
        from paragauge.meta.charts import make_folder

        make_folder(figures)
    with Bar(quiet) as bar:
        cells = found.reproduce(data, table, models, figures, bar.update, overwrite=overwrite, run=run)
    if output is not None:
        _write(cells, output, inputs, overwrite)
    _print(cells, format)
    if figures is not None and not quiet:
        say(f"figures: {figures}")


def _models(named: Sequence[str]) -> dict[str, str]:
    """Weights by what they are for."""
    found: dict[str, str] = {}
    for name in named:
        kind, equals, model = name.partition("=")
        kind, model = (kind, model) if equals else (DEFAULT_MODEL, name)
        if not model:
            raise InputError(f"--encoder {name}: expected a name after {kind}=")
        if kind in found:
            raise InputError(f"--encoder {kind}= is given twice: {found[kind]} and {model}")
        found[kind] = model
    return found


def _header() -> list[str]:
    from ..papers.cells import Cell

    return list(Cell._fields)


def _write(cells: Sequence[Cell], output: Path, inputs: Sequence[Path | str], overwrite: bool) -> None:
    import polars

    from paragauge.files.write import write_frame

    types = dict.fromkeys(_header(), polars.String) | {"authors": polars.Float64, "corrected": polars.Float64}
    frame = polars.DataFrame([tuple(cell) for cell in cells], schema=types, orient="row")
    spreadsheet = printing.for_spreadsheet()
    write_frame(frame, output, inputs=inputs, overwrite=overwrite, spreadsheet=spreadsheet)


def _print(cells: Sequence[Cell], format: str) -> None:
    """Each table under its name; reasons that come again and again stand below it, by number."""
    if format in ("json", "csv"):
        printing.table(_header(), [list(cell) for cell in cells], format, None)
        return
    names = list(dict.fromkeys(cell.table for cell in cells))
    for place, name in enumerate(names):
        own = [cell for cell in cells if cell.table == name]
        if place:
            printing.lines("")
        if all(cell.printed is None and cell.authors is None for cell in own):
            _print_ours(own, format)
            continue
        reasons = {why: number for number, why in enumerate(dict.fromkeys(cell.why for cell in own if cell.why), 1)}
        rows: list[list[printing.Cell]] = [
            [
                cell.row, cell.column, cell.printed, _as_printed(cell.authors, cell.printed),
                _as_printed(cell.corrected, cell.printed), cell.cause, f"({reasons[cell.why]})" if cell.why else "",
            ]
            for cell in own
        ]  # fmt: skip
        printing.table(_header()[1:], rows, format, name)
        _print_reasons(reasons, format)


def _as_printed(value: float | None, printed: str | None) -> printing.Cell:
    """A count next to a printed count; any other number as it is."""
    counts = value is not None and value.is_integer() and re.fullmatch(r"\d{1,3}(?:,\d{3})+|\d+", printed or "")
    return f"{value:,.0f}" if counts else value


def _print_ours(cells: Sequence[Cell], format: str) -> None:
    """A table of which the paper prints nothing: its rows and columns, and why a number is missing below it."""
    columns = list(dict.fromkeys(cell.column for cell in cells))
    found = {(cell.row, cell.column): cell.corrected for cell in cells}
    rows: list[list[printing.Cell]] = [
        [row, *(found.get((row, column)) for column in columns)] for row in dict.fromkeys(cell.row for cell in cells)
    ]
    printing.table(["", *columns], rows, format, cells[0].table)
    reasons = dict.fromkeys(cell.why for cell in cells if cell.why)
    _print_reasons({why: number for number, why in enumerate(reasons, 1)}, format)


def _print_reasons(reasons: Mapping[str, int], format: str) -> None:
    if reasons:
        printing.lines("")
    for why, number in reasons.items():
        printing.remark(f"({number}) {why}", format)
