"""Options that several commands share, each declared once."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, TypeVar, cast

import click

from ..errors import InputError
from ..files.layout import Layout as Layout

Command = TypeVar("Command", bound=Callable[..., Any])

overwrite_option = click.option("--overwrite", is_flag=True, help="overwrite existing output files")
lang_option = click.option(
    "--lang", default="auto", show_default=True, help="BLEU tokenization language: auto, en, zh, …"
)
encoder_option = click.option("--encoder", help="encoder name (see `paragauge models`), model folder or hub id")
address_option = click.option(
    "--address", help="address of the Ray cluster, e.g. auto  [default: start one on this machine]"
)
no_cache_option = click.option("--no-cache", is_flag=True, help="do not read or write the disk cache of encoded texts")


def quiet_option(help: str) -> Callable[[Command], Command]:
    """What is not printed differs from command to command."""
    return click.option("-q", "--quiet", is_flag=True, help=help)


def seed_option(purpose: str) -> Callable[[Command], Command]:
    """What is drawn at random differs from command to command."""
    return click.option(
        "--seed", type=click.IntRange(0), default=0, show_default=True, help=f"random seed for {purpose}"
    )


def width_option(default: int | None = 3) -> Callable[[Command], Command]:
    """Decimal places; without a default, each kind of number has its own."""
    return click.option(
        "-w", "--width", type=click.IntRange(0, 15), default=default, show_default=True, help="number of decimal places"
    )


class Engine(NamedTuple):
    """Where parts are computed: the arguments that `score_file` and `paraphrase_file` share."""

    engine: str | None
    workers: int | None
    address: str | None


def engine_options(default: str) -> Callable[[Command], Command]:
    """On this machine or on a cluster, handed on as `engine`; `default` says how many workers there are."""

    def decorated(command: Command) -> Command:
        @functools.wraps(command)
        def bundled(
            *arguments: Any, engine: str | None, workers: int | None, address: str | None, **others: Any
        ) -> Any:
            return command(*arguments, engine=Engine(engine, workers, address), **others)

        return _with(
            cast("Command", bundled),
            click.option("--workers", type=click.IntRange(1), help=f"number of processes or Ray actors{default}"),
            click.option(
                "--engine",
                type=click.Choice(["local", "ray"]),
                help="run on this machine or on a Ray cluster  [default: local]",
            ),
            address_option,
        )

    return decorated


def _with(command: Command, *options: Callable[[Command], Command]) -> Command:
    """The command with these options, in the order in which its help lists them."""
    for option in reversed(options):
        command = option(command)
    return command


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

    return _with(
        cast("Command", bundled),
        click.option("--column", multiple=True, help="map a column name: source=question; may be repeated"),
        click.option(
            "--columns", help="column names of a csv, tsv or xlsx file without a header line: source,candidate,…"
        ),
        click.option("--encoding", default="utf-8", show_default=True, help="encoding of text files"),
        click.option("--input-format", help="csv, tsv, jsonl, json, parquet or xlsx  [default: by file suffix]"),
        click.option("--delimiter", help="delimiter of a csv file, e.g. ';'  [default: ,]"),
    )


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


class _Statistic(click.Option):
    """Its help names the statistics that there are, which are looked for when somebody asks."""

    def get_help_record(self, context: click.Context) -> tuple[str, str] | None:
        from ..stats.correlations import names

        *some, last = names()
        self.help = f"{', '.join(some)} or {last}"
        return super().get_help_record(context)


statistic_option = click.option("--statistic", cls=_Statistic, default="pearson", show_default=True)


def rated_options(command: Command) -> Command:
    """Human ratings: which column is what, and in what language."""
    return _with(
        command,
        click.option(
            "--human",
            help="column of human scores; higher is better, empty where there is no judgment  [default: human]",
        ),
        table_options,
        lang_option,
        encoder_option,
    )


class Lists(click.Command):
    """A command whose `--extra` and `--parses` take every file that follows, as a shell writes `--extra para*.en`."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        spread: list[str] = []
        option, empty = "", False
        for argument in args:
            if argument in ("--extra", "--parses"):
                option, empty = argument, True
            elif argument.startswith("-") and argument != "-":
                spread += [option] * empty + [argument]  # an option without a file is left for click to refuse
                option, empty = "", False
            else:
                spread += [option, argument] if option else [argument]
                empty = False
        return super().parse_args(ctx, spread + [option] * empty)
