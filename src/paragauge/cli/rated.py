"""What the commands that read human ratings share: their options, and how they open what was named."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..errors import InputError, nearest
from .tables import Command, Layout, table_options

if TYPE_CHECKING:
    from ..tables.ratings import Ratings


def rated_options(command: Command) -> Command:
    """Which column is what, and in what language."""
    for option in reversed(
        (
            click.option(
                "--human",
                help="the column of human scores, higher is better, empty where nobody judged; human unless given",
            ),
            table_options,
            click.option("--lang", default="auto", show_default=True, help="auto, en, zh, …: how BLEU cuts words"),
            click.option("--encoder", help="a name of `paragauge models`, a folder, or a hub id"),
        )
    ):
        command = option(command)
    return command


def open_rated(
    table: str,
    human: str | None,
    scores: Sequence[str],
    data: Path | None,
    layout: Layout,
) -> Ratings:
    """The data set of that name, or the file."""
    from ..benchmarks import benchmark, names
    from ..files.ratings import read_ratings

    if table in names():
        for option, given in (("--human", human), ("--score", scores), *layout.given()):
            if given:
                raise InputError(f"{option} is for a file; {table} is a data set whose columns are known")
        return benchmark(table).load(data)
    if table != "-" and not Path(table).is_file():
        raise InputError(f"{table} is neither a file nor a data set{nearest(table, names())}")
    return read_ratings(table, human or "human", scores, **layout._asdict())


def files_read(table: str, data: Path | None) -> list[Path | str]:
    """What no output may replace: the file, or those of the data set."""
    from ..benchmarks import benchmark, names

    if table not in names():
        return [table]
    known = benchmark(table)
    return [known.place(data) / file for file in known.files]
