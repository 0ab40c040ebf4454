"""Options that several commands share, each declared once."""

from __future__ import annotations

import re
import shlex
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from ..errors import InputError, nearest
from ..evaluate.engines import Workers as Workers
from ..files.layout import Layout as Layout
from .declare import option, together
from .terminal.printing import FORMATS, SPREADSHEET

OVERWRITE = option("overwrite existing output files", False)
REPORT = option("also write a report: one HTML file that opens in a browser", of=Path)
DATA = option("folder of the data sets  [default: PARAGAUGE_DATA, then the cache folder]", of=Path)
NO_CACHE = option("do not read or write the disk cache of encoded texts", False)
HUMAN = option("column of human scores; higher is better, empty where there is no judgment  [default: human]")
OUTPUT = option("output file: csv, tsv, jsonl or parquet, by suffix", None, "-o", of=Path, required=True)


HOST = option("address to serve under", "127.0.0.1")
TOKEN = option(
    "secret that every request must carry; required where other machines can reach the address  [default: random]",
    envvar="PARAGAUGE_TOKEN",
    show_envvar=True,
)
TRUSTED_HOST = option(
    "host name that requests may use besides localhost and the bound address, e.g. that of a proxy; may be repeated",
    metavar="NAME",
    many=True,
)


def port(default: int) -> Any:
    """Each server has its own."""
    return option("port; 0 picks a free one", default, low=0, high=65535)


def quiet(help: str) -> Any:
    """What is not printed differs from command to command."""
    return option(help, False, "-q")


def seed(purpose: str) -> Any:
    """What is drawn at random differs from command to command."""
    return option(f"random seed for {purpose}", 0, low=0)


def width(default: int | None = 3) -> Any:
    """Decimal places; without a default, each kind of number has its own."""
    return option("number of decimal places", default, "-w", of=int, low=0, high=15)


def command_line() -> str:
    """The command as it was typed, to copy from a report."""
    return shlex.join(["paragauge", *sys.argv[1:]])


def _format(
    format: str = option("output format: table, json, csv, latex or markdown", "table", "-f"),
    spreadsheet: bool = option("csv and tsv: put an apostrophe before text that runs as a formula", False),
) -> str:
    """Refuses, before any work is done, an unknown format and a `--spreadsheet` that would have no effect."""
    if format not in FORMATS:
        raise InputError(f"no format named '{format}'{nearest(format, FORMATS)}")
    context = click.get_current_context()
    context.meta[SPREADSHEET] = spreadsheet
    if spreadsheet and format != "csv":
        from ..files.layout import format_by_suffix

        output = context.params.get("output")
        if output is None or format_by_suffix(str(output)) not in ("csv", "tsv"):
            raise InputError("--spreadsheet applies only to csv and tsv output; use -f csv")
    return format


FORMAT = together(_format)


def workers(default: str) -> Any:
    """On this machine or on a cluster; `default` says how many workers there are."""

    def read(
        workers: str | None = option(
            f"number of processes; or ray, ray:ADDRESS (auto, host:port) or 8@ray for actors of a Ray cluster{default}",
        ),
    ) -> Workers:
        return Workers.read(workers)

    return together(read)


def _layout(
    column: Sequence[str] = option("map a column name: source=question; may be repeated", many=True),
    columns: str | None = option("column names of a csv, tsv or xlsx file without a header line: source,candidate,…"),
    encoding: str = option("encoding of text files", "utf-8"),
    input_format: str | None = option("csv, tsv, jsonl, json, parquet or xlsx  [default: by file suffix]"),
    delimiter: str | None = option("delimiter of a csv file, e.g. ';'  [default: ,]"),
) -> Layout:
    named = {}
    for item in column:
        ours, equals, theirs = (part.strip() for part in item.partition("="))
        if not equals:
            raise InputError(f"--column {item}: expected ours=theirs, as in --column source=question")
        if ours == "human":
            raise InputError(f"--column {item}: the column of human scores is named with --human {theirs}")
        named[ours] = theirs
    header = None if columns is None else [name.strip() for name in columns.split(",")]
    return Layout(input_format, named, encoding, delimiter, header)


LAYOUT = together(_layout)

# parameters that several metrics have: their kind, and what they mean
_SETTINGS: Mapping[str, tuple[type, str]] = {
    "encoder": (str, "encoder=NAME (see `paragauge models`; or a folder or hub id)"),
    "lang": (str, "lang=zh (BLEU tokenization)"),
    "layer": (int, "layer=5 (of the encoder)"),
    "precision": (str, "precision=int8 (faster)"),
    "normalize": (bool, "normalize=yes (wording: ignore case, accents, whitespace and invisible characters)"),
}


def settings(*known: str) -> Any:
    """`--set NAME=VALUE`, for all metrics that have the parameter."""
    listed = ", ".join(_SETTINGS[name][1] for name in known)

    def read(
        set_: Sequence[str] = option(
            f"parameter of all metrics that have it: {listed}; may be repeated", metavar="NAME=VALUE", many=True
        ),
    ) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for item in set_:
            name, equals, text = (part.strip() for part in item.partition("="))
            if not equals or name not in known:
                raise InputError(f"--set {item}: expected NAME=VALUE; known names: {', '.join(known)}")
            if name in found:
                raise InputError(f"--set gives {name} twice: {found[name]} and {text}")
            found[name] = _value(item, _SETTINGS[name][0], text)
        return found

    return together(read)


def _value(item: str, kind: type, text: str) -> Any:
    if kind is str:
        return text
    if kind is int and re.fullmatch(r"[-+]?\d+", text):
        return int(text)
    if kind is bool and text.lower() in ("yes", "true", "1", "no", "false", "0"):
        return text.lower() in ("yes", "true", "1") or None
    raise InputError(f"--set {item}: expected {'a whole number' if kind is int else 'yes or no'}")


class _Statistic(click.Option):
    """Its help names the statistics that there are, which are looked for when somebody asks."""

    def get_help_record(self, context: click.Context) -> tuple[str, str] | None:
        from ..stats.correlations import names

        *some, last = names()
        self.help = f"{', '.join(some)} or {last}"
        return super().get_help_record(context)


STATISTIC = option("", "pearson", kind=_Statistic)


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
