"""`paragauge annotate` in a process of its own, and requests to it as a browser sends them."""

from __future__ import annotations

import http.client
import json
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

from paragauge.tables.samples import Samples

_ADDRESS = r"raters:   http://127\.0\.0\.1:(\d+)/\?token=(\w+)\n"


class Answer(NamedTuple):
    status: int
    headers: dict[str, str]
    text: str

    @property
    def json(self) -> Any:
        return json.loads(self.text)


class Server:
    """The program with these arguments, on any free port."""

    def __init__(self, *arguments: object) -> None:
        command = [sys.executable, "-m", "paragauge", "annotate", *map(str, arguments), "--port", "0"]
        self.process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            # a test run in the background of a shell ignores Ctrl-C, and so would its children
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        )  # fmt: skip
        found = re.fullmatch(_ADDRESS, self.process.stdout.readline())
        assert found is not None, self.process.stderr.read()
        self.port, self.token = int(found[1]), found[2]
        self.raters = f"http://127.0.0.1:{self.port}/?token={self.token}"
        self.progress = self.process.stdout.readline().split()[1]
        self.owner = self.progress.rpartition("owner=")[2]

    def ask(self, path: str, content: Any = None, **headers: str) -> Answer:
        """The answer to a request with the token: POST where there is content."""
        body = None if content is None else json.dumps(content).encode()
        sent = {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"}
        sent |= {name.replace("_", "-"): value for name, value in headers.items()}
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        try:
            connection.request("GET" if body is None else "POST", path, body, sent)
            found = connection.getresponse()
            return Answer(found.status, {key.lower(): own for key, own in found.getheaders()}, found.read().decode())
        finally:
            connection.close()

    def stop(self, number: int = signal.SIGINT) -> tuple[int, str]:
        """Exit code, and what it said."""
        if self.process.poll() is None:
            self.process.send_signal(number)
        _, errors = self.process.communicate(timeout=60)
        return self.process.returncode, errors


def write_table(path: Path, samples: Samples) -> Path:
    rows = zip(samples.ids, samples.systems, samples.sources, samples.candidates, strict=True)
    names = ("id", "system", "source", "candidate")
    path.write_text("".join(json.dumps(dict(zip(names, row, strict=True))) + "\n" for row in rows), encoding="utf-8")
    return path
