"""Options that take many files."""

from __future__ import annotations

import click


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
