"""`paragauge serve`: a page in the browser, and the same for programs."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import click

from ..visible import say
from .terminal import printing
from .terminal.hints import as_options

_MEGABYTE = 1 << 20


@click.command("serve")
@click.option("--host", default="127.0.0.1", show_default=True, help="address to serve under")
@click.option("--port", type=click.IntRange(0, 65535), default=8000, show_default=True, help="port; 0 picks a free one")
@click.option("--token", envvar="PARAGAUGE_TOKEN", show_envvar=True, help="secret that every request must carry; "
              "required where other machines can reach the address  [default: random]")  # fmt: skip
@click.option("--trusted-host", multiple=True, metavar="NAME", help="host name that requests may use, besides "
              "localhost and the bound address, e.g. that of a proxy; may be repeated")  # fmt: skip
@click.option("--runs", type=click.Path(path_type=Path), default="runs", show_default=True,
              help="folder of runs: those to show, and where files are scored")  # fmt: skip
@click.option("-m", "--metric", multiple=True, help="a metric, as for `paragauge score`; may be repeated  "
              "[default: those of `paragauge score`]")  # fmt: skip
@click.option("--paraphraser", multiple=True, metavar="METHOD", help="additional method to offer, e.g. "
              "beam:model=FOLDER; may be repeated")  # fmt: skip
@click.option("--file-limit", type=click.IntRange(1), default=64, show_default=True, metavar="MB",
              help="largest file accepted")  # fmt: skip
def serve(
    host: str,
    port: int,
    token: str | None,
    trusted_host: Sequence[str],
    runs: Path,
    metric: Sequence[str],
    paraphraser: Sequence[str],
    file_limit: int,
) -> None:
    """Score paraphrases in the browser as you type, send files and get their reports, look at runs.

    It prints the address to open, with a token that nobody else knows. Programs send JSON to /api/score; /api describes
    it. Ctrl-C stops the server after pending requests; a second Ctrl-C stops it at once.

    \b
    Examples:
      paragauge serve
      paragauge serve --port 0 --runs results -m parascore-free -m ned.free
      PARAGAUGE_TOKEN=$(openssl rand -hex 16) paragauge serve --host 0.0.0.0 --trusted-host judge.example.org
    """
    from ..web.serve.app import Application
    from ..web.serving import serve as start

    application = Application(
        runs=runs, metrics=metric, paraphrasers=paraphraser, file_limit=file_limit * _MEGABYTE
    )  # fmt: skip

    def ready(address: str) -> None:
        printing.lines(address)
        sys.stdout.flush()  # a program may wait for it
        say("Open this address in a browser; Ctrl-C stops the server.")

    try:
        start(
            application.asgi(), host=host, port=port, token=token, trusted_hosts=trusted_host, announce=ready,
            begin=application.begin, stopping=application.stop, say_hint=as_options,
        )  # fmt: skip
    except KeyboardInterrupt:
        say("stopped")
