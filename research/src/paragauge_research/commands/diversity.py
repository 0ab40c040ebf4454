"""`paragauge references diversity`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from paragauge.cli.options import Lists
from paragauge.cli.terminal import printing

_PATH = click.Path(path_type=Path)


@click.command("diversity", cls=Lists)
@click.argument("texts", type=_PATH, nargs=-1, required=True)
@click.option(
    "--parses", type=_PATH, multiple=True, help="files of bracketed parses, one for each of TEXTS (all that follow)"
)
@printing.format_option
def diversity(texts: Sequence[Path], parses: Sequence[Path], format: str) -> None:
    """Measure how much versions of the same lines differ: DS-BOW (lexical) and, with parses, DS-tree (syntactic).

    \b
    Examples:
      paragauge references diversity para1.en para2.en para3.en
      paragauge references diversity para*.en --parses para*.parse
    """
    from ..trees.kernels import diversity_of_files

    printing.check_format(format)
    rows: list[list[printing.Cell]] = [list(row) for row in diversity_of_files(texts, parses)]
    printing.table(["by", "diversity", "lines", "undefined"], rows, format, title=None)
