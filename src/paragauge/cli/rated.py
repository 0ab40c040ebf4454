"""The options that the commands that read human ratings share."""

from __future__ import annotations

import click

from .tables import Command, table_options


def rated_options(command: Command) -> Command:
    """Which column is what, and in what language."""
    for option in reversed(
        (
            click.option(
                "--human",
                help="column of human scores; higher is better, empty where there is no judgment  [default: human]",
            ),
            table_options,
            click.option(
                "--lang", default="auto", show_default=True, help="BLEU tokenization language: auto, en, zh, …"
            ),
            click.option("--encoder", help="encoder name (see `paragauge models`), model folder or hub id"),
        )
    ):
        command = option(command)
    return command
