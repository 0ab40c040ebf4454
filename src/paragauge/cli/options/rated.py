"""The options that the commands that read human ratings share."""

from __future__ import annotations

import click

from .tables import Command, table_options


class _Statistic(click.Option):
    """Its help names the statistics that there are, which are looked for when somebody asks."""

    def get_help_record(self, context: click.Context) -> tuple[str, str] | None:
        from ...stats.correlations import names

        *some, last = names()
        self.help = f"{', '.join(some)} or {last}"
        return super().get_help_record(context)


statistic_option = click.option("--statistic", cls=_Statistic, default="pearson", show_default=True)


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
