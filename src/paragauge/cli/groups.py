"""Groups of commands: help in whole sentences, in sections, and a command that need not be named."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import click


class Group(click.Group):
    """A group that lists its commands in sections; `default` is the command where none is named."""

    def __init__(
        self,
        *arguments: Any,
        sections: Mapping[str, Sequence[click.Command]] | None = None,
        default: str | None = None,
        **settings: Any,
    ) -> None:
        super().__init__(*arguments, **settings)
        self._sections = sections
        self._default = default
        for command in (command for commands in (sections or {}).values() for command in commands):
            self.add_command(command)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if self._default is not None and args and args[0] not in (*self.commands, "-h", "--help"):
            args = [self._default, *args]
        return super().parse_args(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        widest = max(map(len, self.list_commands(ctx)))
        for title, commands in (self._sections or {"Commands": list(self.commands.values())}).items():
            with formatter.section(title):
                # click by itself cuts a sentence off where the line ends
                formatter.write_dl(
                    [(str(one.name).ljust(widest), one.get_short_help_str(limit=1_000)) for one in commands]
                )
