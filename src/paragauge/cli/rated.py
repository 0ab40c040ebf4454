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
                help="the column of human scores, higher is better, empty where nobody judged; human unless given",
            ),
            table_options,
            click.option("--lang", default="auto", show_default=True, help="auto, en, zh, …: how BLEU cuts words"),
            click.option("--encoder", help="a name of `paragauge models`, a folder, or a hub id"),
        )
    ):
        command = option(command)
    return command
