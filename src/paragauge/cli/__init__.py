"""The command line: thin; it parses, calls and prints."""

from __future__ import annotations

import os
import sys
from typing import Any

import typer

from .._version import __version__
from ..errors import ParagaugeError
from . import metrics, models, score

app = typer.Typer(
    name="paragauge",
    help="Measure paraphrases: how much meaning they keep and how many words they change.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command("score")(score.score)
app.command("metrics")(metrics.list_metrics)
app.command("card")(metrics.card)
app.add_typer(models.app, name="models")


def _version(asked: bool) -> None:
    if asked:
        print(f"paragauge {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: bool = typer.Option(False, "--version", callback=_version, is_eager=True, help="Print the version."),
) -> None:
    del version


# typer may carry click under another name; these are its exceptions, whichever it uses
_UsageError: type[Exception] = typer.BadParameter.__bases__[0]
_ClickException: type[Exception] = _UsageError.__bases__[0]


def main() -> None:
    """Run a command; bad input or usage is one sentence and exit code 2, Ctrl-C is 130."""
    try:
        code = app(standalone_mode=False)
        if code == 130:  # so do some versions of typer report Ctrl-C
            raise KeyboardInterrupt
        sys.stdout.flush()
        sys.exit(code if isinstance(code, int) else 0)
    except (typer.Abort, KeyboardInterrupt):
        print("paragauge: interrupted", file=sys.stderr)
        sys.exit(130)
    except typer.Exit as done:
        sys.exit(done.exit_code)
    except _ClickException as error:
        sys.exit(_usage(error))
    except ParagaugeError as error:
        print(f"paragauge: {error}", file=sys.stderr)
        sys.exit(2)
    except BrokenPipeError:  # the reader of a pipe has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)


def _usage(error: Any) -> int:
    """A wrong call: one sentence; no call at all: the help."""
    context: Any = getattr(error, "ctx", None)
    if type(error).__name__ == "NoArgsIsHelpError":
        print(context.get_help(), file=sys.stderr)
        return 2
    path = context.command_path if context else "paragauge"
    sentence = error.format_message().rstrip(".")
    print(f"{path}: {sentence}; `{path} --help` shows how", file=sys.stderr)
    return 2
