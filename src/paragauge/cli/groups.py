"""Groups of commands: help in whole sentences, in sections, commands of other packages, and one that needs no name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

import click

from ..errors import InputError
from ..registry import Registry

NONE_OF_OURS = dict.fromkeys(("declare", "groups", "options", "score_output"), ())  # files that hold no command
# of a group within `paragauge`, such as references, a command is named `references.NAME`
COMMANDS = Registry[click.Command](
    click.Command, "command", __package__, group="paragauge.commands", families=NONE_OF_OURS
)
ELSEWHERE = "Commands of other packages"
HELP_OPTIONS = ["-h", "--help"]


class CommandGroup(click.Group):
    """A group that lists its commands in sections; `default` is the command where none is named.

    One that takes an argument is meant by `paragauge annotate FILE`, one that takes none by `paragauge models` alone.

    A section names the commands of this package as they are, and others by name. What other packages add is looked for
    where it is asked for, so that the program starts at once.
    """

    def __init__(
        self,
        *arguments: Any,
        sections: Mapping[str, Sequence[click.Command | str]] | None = None,
        default: str | None = None,
        **settings: Any,
    ) -> None:
        super().__init__(*arguments, **settings)
        self._sections = {
            title: [one if isinstance(one, str) else str(one.name) for one in commands]
            for title, commands in (sections or {}).items()
        }
        self._default = default
        self._prefix = "" if sections else f"{self.name}."
        for command in (command for commands in (sections or {}).values() for command in commands):
            if not isinstance(command, str):
                self.add_command(command)

    def get_help_option_names(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        """Those of the program in any context: click keeps the help option of the first that a group is asked in."""
        return HELP_OPTIONS

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if self._default is not None:
            word = args[0] if args else "-"
            takes = any(isinstance(one, click.Argument) for one in self.commands[self._default].params)
            known = word in (*self.commands, *HELP_OPTIONS)
            if not known and (bool(args) if takes else word.startswith("-")):
                args = [self._default, *args]
        return super().parse_args(ctx, args)

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        for name in COMMANDS.names():
            own = name.removeprefix(self._prefix)
            if name == self._prefix + own and "." not in own and own not in self.commands:
                with suppress(InputError):  # a broken plug-in is an error only for who asks for it
                    self.add_command(COMMANDS.load(name), own)
        return list(self.commands)  # as they are declared; click by itself sorts them

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        name = self._prefix + cmd_name
        if cmd_name not in self.commands and "." not in cmd_name:
            if name in COMMANDS or COMMANDS.is_of_research(name):
                self.add_command(COMMANDS.load(name), cmd_name)
            else:
                self.list_commands(ctx)  # so that a near name is suggested
        return super().get_command(ctx, cmd_name)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        names = self.list_commands(ctx)
        listed = {name for commands in self._sections.values() for name in commands}
        others = [name for name in names if name not in listed]
        for title, commands in (self._sections | {ELSEWHERE if self._sections else "Commands": others}).items():
            known = [self.commands[name] for name in commands if name in self.commands]
            if known:
                with formatter.section(title):
                    # click by itself cuts a sentence off where the line ends
                    formatter.write_dl(
                        [
                            (str(one.name).ljust(max(map(len, names))), one.get_short_help_str(limit=1_000))
                            for one in known
                        ]
                    )
