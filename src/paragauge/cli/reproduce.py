"""`paragauge reproduce`: the tables of a paper beside what we compute."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..errors import InputError, nearest
from ..visible import say
from . import printing
from .data import data_option
from .progress import Bar
from .tables import overwrite_option

if TYPE_CHECKING:
    from ..papers.cells import Cell

PAPERS = {
    "parascore": "paragauge.papers.shen2022.tables",
    "weem4pg": "paragauge.papers.hailu2020",
    "bawden2020": "paragauge.papers.bawden2020.tables",
}
KINDS = ("en", "zh", "bart")
HEADER = ["table", "row", "column", "printed", "authors", "corrected", "why"]
_NUMBERED = re.compile(r"(table|figure)s? (\d+)(?:[–-](\d+))?", re.IGNORECASE)


@click.command("reproduce")
@click.argument("paper")
@click.option("--table", multiple=True, help='only this one, such as "Table 1"; may be repeated')
@data_option
@click.option(
    "--encoder",
    multiple=True,
    help="weights that you have: a name, folder or hub id; zh=… for BQ-Para, bart=… for BART",
)
@click.option("--figures", type=click.Path(path_type=Path), help="draw the figures into this folder (extra charts)")
@click.option("-o", "--output", type=click.Path(path_type=Path), help="write every cell: parquet, csv, tsv, jsonl")
@overwrite_option
@printing.format_option
@click.option("-q", "--quiet", is_flag=True, help="the tables only: no progress")
def reproduce(
    paper: str,
    table: Sequence[str],
    data: Path | None,
    encoder: Sequence[str],
    figures: Path | None,
    output: Path | None,
    overwrite: bool,
    format: str,
    quiet: bool,
) -> None:
    """Compute the tables of a paper anew: parascore, weem4pg or bawden2020.

    Each number stands as printed, as the behaviour of the authors' code gives it, and corrected, with the reason where
    these differ or one is missing.

    \b
    Examples:
      paragauge reproduce parascore --table "Table 1"
      paragauge reproduce weem4pg -f markdown
    """
    from ..benchmarks import data_files
    from ..files.writing import check_output

    printing.check_format(format, output)
    inputs: list[Path | str] = [*data_files(data), *(model for own in _models(encoder).values() for model in own)]
    if output is not None:
        check_output(output, inputs=inputs, overwrite=overwrite)
    if paper not in PAPERS:
        raise InputError(f"no paper named '{paper}'{nearest(paper, PAPERS)}")
    if paper != "parascore" and (encoder or figures is not None):
        raise InputError(f"{paper} takes neither --encoder nor --figures; parascore does")
    if figures is not None:
        from ..meta.charts.figures import make_folder

        make_folder(figures)
    with Bar(quiet) as bar:
        cells = _cells(paper, table, data, _models(encoder), figures, overwrite, bar.update)
    cells = [cell for cell in cells if wanted(cell.table, table)]
    if not cells:
        raise InputError(f"{paper} has no table '{table[0]}'; `paragauge reproduce {paper} -f csv` shows all")
    if output is not None:
        _write(cells, output, inputs, overwrite)
    _print(cells, format)
    if figures is not None and not quiet:
        say(f"figures: {figures}")


def wanted(label: str, tables: Sequence[str]) -> bool:
    """Is this table asked for? `Table 5` asks for `Tables 4–8`; no table asks for all.

    >>> wanted("Tables 4–8", ["table 5"]), wanted("Tables 4–8", ["Figure 5"]), wanted("Table 1", [])
    (True, False, True)
    """
    return not tables or any(_covers(label, table) for table in tables)


def _covers(label: str, table: str) -> bool:
    asked = table.strip().casefold()
    if asked and label.casefold().startswith(asked) and not label[len(asked) :][:1].isdigit():
        return True  # `Table 7` asks for `Table 7a, BLEU` too, and not for `Table 70`
    ours, theirs = _NUMBERED.fullmatch(label), _NUMBERED.fullmatch(asked)
    if ours is None or theirs is None or ours[1].casefold() != theirs[1].casefold():
        return False
    spans = [range(int(found[2]), int(found[3] or found[2]) + 1) for found in (ours, theirs)]
    return bool(set(spans[0]) & set(spans[1]))


def _models(named: Sequence[str]) -> dict[str, list[str]]:
    """Weights by what they are for; a name without a prefix is an encoder of English."""
    found: dict[str, list[str]] = {}
    for name in named:
        kind, equals, model = name.partition("=")
        if not equals:
            kind, model = "en", name
        if kind not in KINDS or not model:
            raise InputError(f"--encoder {name}: expected a name, or one after {', '.join(f'{own}=' for own in KINDS)}")
        found.setdefault(kind, []).append(model)
    return found


def _cells(
    paper: str,
    tables: Sequence[str],
    data: Path | None,
    models: dict[str, list[str]],
    figures: Path | None,
    overwrite: bool,
    progress: Callable[[str, int, int], None],
) -> list[Cell]:
    import importlib

    try:
        module: Any = importlib.import_module(PAPERS[paper])
    except ModuleNotFoundError as error:
        if error.name is None or not PAPERS[paper].startswith(error.name):
            raise
        raise InputError(f"{paper} is not part of this version of paragauge") from None

    def asked(label: str) -> bool:
        return wanted(label, tables)

    if paper == "parascore":
        return module.reproduce(data, models, asked, progress, figures, overwrite=overwrite)  # type: ignore[no-any-return]
    if paper == "weem4pg":
        return module.reproduce(data, asked, progress)  # type: ignore[no-any-return]
    return module.reproduce(_wmt(data), progress=progress)  # type: ignore[no-any-return]


def _wmt(data: Path | None) -> Path:
    from ..benchmarks import folders

    looked = folders(data)
    for place in looked:
        if (place / "wmt19").is_dir():
            return place
    raise InputError(f"there is no folder wmt19 in {', '.join(map(str, looked))}; name the data folder with --data")


def _write(cells: Sequence[Cell], output: Path, inputs: Sequence[Path | str], overwrite: bool) -> None:
    import polars

    from ..files.writing import write_frame

    types = dict.fromkeys(HEADER, polars.String) | {"authors": polars.Float64, "corrected": polars.Float64}
    frame = polars.DataFrame([tuple(cell) for cell in cells], schema=types, orient="row")
    spreadsheet = printing.for_spreadsheet()
    write_frame(frame, output, inputs=inputs, overwrite=overwrite, spreadsheet=spreadsheet)


def _print(cells: Sequence[Cell], format: str) -> None:
    """Each table under its name; reasons that come again and again stand below it, by number."""
    if format in ("json", "csv"):
        printing.table(HEADER, [list(cell) for cell in cells], format, None)
        return
    names = list(dict.fromkeys(cell.table for cell in cells))
    for place, name in enumerate(names):
        own = [cell for cell in cells if cell.table == name]
        reasons = {why: number for number, why in enumerate(dict.fromkeys(cell.why for cell in own if cell.why), 1)}
        rows: list[list[printing.Cell]] = [[*cell[1:6], f"({reasons[cell.why]})" if cell.why else ""] for cell in own]
        if place:
            printing.lines("")
        printing.table(HEADER[1:], rows, format, name)
        if reasons:
            printing.lines("")
        for why, number in reasons.items():
            printing.remark(f"({number}) {why}", format)
