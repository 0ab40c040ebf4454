"""The command line: thin; it parses, calls and prints."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Callable
from typing import NoReturn, TextIO

import click

from .._version import __version__
from ..errors import ParagaugeError
from ..printable import say, shortened
from .annotate import annotate
from .cache import cache
from .compare import compare
from .data import data
from .extrinsic import extrinsic
from .filter import filter_rows
from .groups import HELP_OPTIONS, CommandGroup
from .meta import meta
from .metrics import list_metrics
from .models import models
from .paraphrase import paraphrase
from .references import references
from .report import export, report
from .runs import runs
from .score import score
from .serve import serve
from .terminal.hints import sentence
from .terminal.printing import escape_unencodable
from .terminal.signals import Terminated, end_on_sigterm
from .tune import tune

# the commands by what they are for, as `paragauge --help` lists them
_SECTIONS: dict[str, tuple[click.Command | str, ...]] = {
    "Judge paraphrases": (score, compare, filter_rows, report, export, runs, serve, annotate),
    "Generate paraphrases": (paraphrase, "train-paraphraser"),
    "Choose a metric": (list_metrics, meta, tune, "train-metric"),
    "Use paraphrases": (references, extrinsic),
    "Papers, data and models": ("reproduce", data, models, cache),
}


@click.group(
    "paragauge",
    cls=CommandGroup,
    sections=_SECTIONS,
    context_settings={"help_option_names": HELP_OPTIONS, "max_content_width": 120},
)
@click.version_option(__version__, message="paragauge %(version)s")
def app() -> None:
    """Measure paraphrases: how much meaning they keep and how many words they change.

    \b
    Examples:
      paragauge score pairs.csv --report report.html
      paragauge paraphrase questions.txt --method wordswap-1 -n 3 -o swapped.jsonl
      paragauge COMMAND --help
    """


def main() -> None:
    """Run a command. Exit codes: bad input or usage 2, with one sentence; lost output 1; Ctrl-C 130; SIGTERM 143."""
    if sys.stderr is None:  # closed by the caller, who wants to hear nothing
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    if sys.stdout is None:
        _stop("standard output is closed")
    escape_unencodable(sys.stdout)
    end_on_sigterm()
    try:
        code = app(prog_name="paragauge", standalone_mode=False)
        sys.stdout.flush()
        sys.exit(code if isinstance(code, int) else 0)
    except (click.Abort, KeyboardInterrupt):
        _say("paragauge: interrupted")
        sys.exit(130)
    except Terminated:
        _say("paragauge: terminated")
        raise
    except click.ClickException as error:
        sys.exit(_usage(error))
    except ParagaugeError as error:
        _say(f"paragauge: {sentence(error)}")
        sys.exit(2)
    except BrokenPipeError:  # the reader of a pipe has seen enough
        _discard(sys.stdout)
        sys.exit(0)
    except OSError as error:
        if error.errno == errno.ENAMETOOLONG and error.filename is not None:  # wherever a name is first looked at
            _say(f"paragauge: {shortened(str(error.filename))}: {error.strerror}")
            sys.exit(2)
        if error.filename is not None:
            raise
        _stop(f"could not write to standard output: {error.strerror or error}")


def _stop(reason: str) -> NoReturn:
    """What was printed is lost, and the interpreter shall not try again when it ends."""
    _discard(sys.stdout)
    _say(f"paragauge: {reason}")
    sys.exit(1)


def _say(text: str, show: Callable[[str], None] = say) -> None:
    try:
        show(text)
        sys.stderr.flush()
    except OSError:  # standard error is full too: the exit code has to do
        _discard(sys.stderr)


def _discard(stream: TextIO | None) -> None:
    if stream is not None:
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _usage(error: click.ClickException) -> int:
    """A wrong call: one sentence; no call at all: the help."""
    context = getattr(error, "ctx", None)
    if context is not None and type(error).__name__ == "NoArgsIsHelpError":
        _say(context.get_help(), lambda text: click.echo(text, err=True))
        return 2
    path = context.command_path if context is not None else "paragauge"
    message = error.format_message().rstrip(".")
    _say(f"{path}: {message}{'' if message.endswith('?') else ';'} see `{path} --help`")
    return 2
