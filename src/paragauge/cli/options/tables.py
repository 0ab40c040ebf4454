"""What the commands that read or write files share: how a table is read, and that no file is overwritten by default."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, TypeVar, cast

import click

from ...errors import InputError

Command = TypeVar("Command", bound=Callable[..., Any])

overwrite_option = click.option("--overwrite", is_flag=True, help="overwrite existing output files")


class Layout(NamedTuple):
    """How a table is read: the arguments of `open_table` and `read_ratings`."""

    format: str | None
    columns: dict[str, str]
    encoding: str
    delimiter: str | None
    header: list[str] | None


def table_options(command: Command) -> Command:
    """The options that say how a table is laid out, handed on as `layout`."""

    @functools.wraps(command)
    def bundled(
        *arguments: Any,
        column: Sequence[str],
        columns: str | None,
        encoding: str,
        input_format: str | None,
        delimiter: str | None,
        **options: Any,
    ) -> Any:
        header = None if columns is None else [name.strip() for name in columns.split(",")]
        layout = Layout(input_format, named_columns(column), encoding, delimiter, header)
        return command(*arguments, layout=layout, **options)

    for option in reversed(
        (
            click.option("--column", multiple=True, help="map a column name: source=question; may be repeated"),
            click.option(
                "--columns", help="column names of a csv, tsv or xlsx file without a header line: source,candidate,…"
            ),
            click.option("--encoding", default="utf-8", show_default=True, help="encoding of text files"),
            click.option("--input-format", help="csv, tsv, jsonl, json, parquet or xlsx  [default: by file suffix]"),
            click.option("--delimiter", help="delimiter of a csv file, e.g. ';'  [default: ,]"),
        )
    ):
        bundled = option(bundled)
    return cast("Command", bundled)


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
