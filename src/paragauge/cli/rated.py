"""What the commands that read human ratings share: their options, and how they open what was named."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from ..errors import InputError, nearest

if TYPE_CHECKING:
    from ..tables.ratings import Ratings

Command = TypeVar("Command", bound=Callable[..., Any])


def rated_options(command: Command) -> Command:
    """Which column is what, and in what language."""
    for option in reversed(
        (
            click.option(
                "--human",
                help="the column of human scores, higher is better, empty where nobody judged; human unless given",
            ),
            click.option("--column", multiple=True, help="name a column: source=question; may be repeated"),
            click.option("--encoding", default="utf-8", show_default=True, help="how the text files are encoded"),
            click.option("--input-format", help="csv, tsv, jsonl or parquet; by suffix unless given"),
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
    columns: Sequence[str],
    encoding: str,
    input_format: str | None,
) -> Ratings:
    """The data set of that name, or the file."""
    from ..benchmarks import benchmark, names
    from ..files.ratings import read_ratings

    if table in names():
        for option, given in (("--human", human), ("--score", scores), ("--column", columns)):
            if given:
                raise InputError(f"{option} is for a file; {table} is a data set whose columns are known")
        return benchmark(table).load(data)
    if table != "-" and not Path(table).is_file():
        raise InputError(f"{table} is neither a file nor a data set{nearest(table, names())}")
    try:
        return read_ratings(table, human or "human", scores, input_format, named_columns(columns), encoding)
    except InputError as error:
        if human is None and "no column 'human'" in str(error):
            raise InputError(f"{error}; name the column of human scores with --human") from error
        raise


def named_columns(columns: Sequence[str]) -> dict[str, str]:
    """`--column ours=theirs`, as often as it was given."""
    named = {}
    for item in columns:
        ours, equals, theirs = item.partition("=")
        if not equals:
            raise InputError(f"--column {item}: expected ours=theirs, as in --column source=question")
        if ours.strip() == "human":
            raise InputError(f"--column {item}: the column of human scores is named with --human {theirs.strip()}")
        named[ours.strip()] = theirs.strip()
    return named
