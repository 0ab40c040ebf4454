"""`paragauge serve`: a page in the browser, and the same for programs."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from ..printable import say
from .declare import command, option
from .options import HOST, TOKEN, TRUSTED_HOST, port
from .terminal import printing
from .terminal.hints import as_options

_MEGABYTE = 1 << 20


@command("serve")
def serve(
    host: str = HOST,
    port: int = port(8000),
    token: str | None = TOKEN,
    trusted_host: Sequence[str] = TRUSTED_HOST,
    runs: Path = option("folder of runs: those to show, and where files are scored", "runs", of=Path),
    metric: Sequence[str] = option(
        "a metric, as for `paragauge score`; may be repeated  [default: those of `paragauge score`]",
        None,
        "-m",
        many=True,
    ),
    paraphraser: Sequence[str] = option(
        "additional method to offer, e.g. beam:model=FOLDER; may be repeated", many=True, metavar="METHOD"
    ),
    file_limit: int = option("largest file accepted", 64, low=1, metavar="MB"),
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
