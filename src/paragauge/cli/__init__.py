"""The command line: thin; it parses, calls and prints."""

from __future__ import annotations

import os
import sys

import click

from .._version import __version__
from ..errors import ParagaugeError
from ..visible import say
from .cache import cache
from .data import data
from .meta import meta
from .metrics import card, list_metrics
from .models import models
from .references import references
from .reproduce import reproduce
from .score import score
from .tune import tune


@click.group("paragauge", context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 120})
@click.version_option(__version__, message="paragauge %(version)s")
def app() -> None:
    """Measure paraphrases: how much meaning they keep and how many words they change."""


for command in (score, meta, tune, reproduce, references, list_metrics, card, models, cache, data):
    app.add_command(command)


def main() -> None:
    """Run a command; bad input or usage is one sentence and exit code 2, Ctrl-C is 130."""
    try:
        code = app(prog_name="paragauge", standalone_mode=False)
        sys.stdout.flush()
        sys.exit(code if isinstance(code, int) else 0)
    except (click.Abort, KeyboardInterrupt):
        say("paragauge: interrupted")
        sys.exit(130)
    except click.ClickException as error:
        sys.exit(_usage(error))
    except ParagaugeError as error:
        say(f"paragauge: {error}")
        sys.exit(2)
    except BrokenPipeError:  # the reader of a pipe has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)


def _usage(error: click.ClickException) -> int:
    """A wrong call: one sentence; no call at all: the help."""
    context = getattr(error, "ctx", None)
    if context is not None and type(error).__name__ == "NoArgsIsHelpError":
        click.echo(context.get_help(), err=True)
        return 2
    path = context.command_path if context is not None else "paragauge"
    say(f"{path}: {error.format_message().rstrip('.')}; `{path} --help` shows how")
    return 2
