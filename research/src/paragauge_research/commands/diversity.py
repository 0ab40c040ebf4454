"""`paragauge references diversity`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from paragauge.cli.declare import argument, command, option
from paragauge.cli.options import FORMAT, Lists
from paragauge.cli.terminal import printing


@command("diversity", cls=Lists)
def diversity(
    texts: Sequence[Path] = argument(Path, nargs=-1),
    parses: Sequence[Path] = option(
        "files of bracketed parses, one for each of TEXTS (all that follow)", of=Path, many=True
    ),
    format: str = FORMAT,
) -> None:
    """Measure how much versions of the same lines differ: DS-BOW (lexical) and, with parses, DS-tree (syntactic).

    \b
    Examples:
      paragauge references diversity para1.en para2.en para3.en
      paragauge references diversity para*.en --parses para*.parse
    """
    from ..trees.kernels import diversity_of_files

    rows: list[list[printing.Cell]] = [list(row) for row in diversity_of_files(texts, parses)]
    printing.table(["by", "diversity", "lines", "undefined"], rows, format, title=None)
