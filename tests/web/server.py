"""`paragauge serve` or `annotate` in a process of its own, and requests to it as any program sends them."""

import http.client
import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import pytest


class Answer(NamedTuple):
    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def text(self) -> str:
        return self.body.decode()

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def detail(self) -> str:
        """The sentence of an error."""
        assert self.headers["content-type"].startswith("application/problem+json"), self
        assert self.json["status"] == self.status
        return self.json["detail"]


class Server:
    """The program with these arguments, on any free port."""

    command = "serve"

    def __init__(self, *arguments: object, environment: dict[str, str] | None = None) -> None:
        for package in ("starlette", "uvicorn"):
            pytest.importorskip(package, reason="needs the extra 'serve'")
        command = [sys.executable, "-m", "paragauge", self.command, *map(str, arguments), "--port", "0"]
        self.process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=os.environ | (environment or {}),
            # a test run in the background of a shell ignores Ctrl-C, and so would its children
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        )  # fmt: skip
        found = re.search(r"http://127\.0\.0\.1:(\d+)/\?token=(\w+)$", self.process.stdout.readline().strip())
        assert found is not None, self.process.stderr.read()
        self.url, self.port, self.token = found[0], int(found[1]), found[2]

    def ask(self, path: str, content: Any = None, *, method: str | None = None, **headers: Any) -> Answer:
        """The answer to a request with the token; content is sent as JSON, or as it is if it is bytes.

        A header that is None is left out; `_` in a name stands for `-`.
        """
        body = content if content is None or isinstance(content, bytes) else json.dumps(content).encode()
        sent = {"authorization": f"Bearer {self.token}"} | (
            {} if content is None else {"content_type": "application/json"}
        )
        given = sent | {name.lower(): value for name, value in headers.items()}
        kept = {name.replace("_", "-"): value for name, value in given.items() if value is not None}
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)
        try:
            connection.putrequest(method or ("GET" if content is None else "POST"), path, skip_host="host" in kept)
            for name, value in kept.items():
                connection.putheader(name, value)
            if body is not None:
                connection.putheader("content-length", str(len(body)))
            connection.endheaders(body)
            found = connection.getresponse()
            return Answer(found.status, {name.lower(): value for name, value in found.getheaders()}, found.read())
        finally:
            connection.close()

    def score(self, *rows: dict[str, Any], **more: Any) -> Any:
        """What is scored, or the test fails."""
        answer = self.ask("/api/score", {"rows": list(rows)} | more)
        assert answer.status == 200, answer
        return answer.json

    def begin(self, path: str, content: Any) -> socket.socket:
        """A request whose answer is still to be read."""
        body = json.dumps(content).encode()
        sent = socket.create_connection(("127.0.0.1", self.port), timeout=120)
        head = (
            f"POST {path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {self.token}\r\n"
            f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
        )
        sent.sendall(head.encode() + body)
        return sent

    def counter(self, name: str) -> float:
        """One of the counters of the server."""
        lines = self.ask("/metricsz").body.decode().splitlines()
        return float(next((line.rsplit(" ", 1)[1] for line in lines if line.startswith(name + " ")), 0))

    def events(self, job: str) -> list[dict[str, Any]]:
        """All states of a job, to its end."""
        text = self.ask(f"/api/jobs/{job}/events").body.decode()
        return [json.loads(line.removeprefix("data: ")) for line in text.splitlines() if line.startswith("data: ")]

    def stop(self, number: int = signal.SIGINT) -> tuple[int, str]:
        """Its exit code, and what it said."""
        if self.process.poll() is None:
            self.process.send_signal(number)
        _, said = self.process.communicate(timeout=120)
        return self.process.returncode, said


@contextmanager
def serving(*arguments: object, kind: type[Server] = Server, **more: Any) -> Iterator[Any]:
    """A server that is stopped as a user stops it, with no word of an error."""
    server = kind(*arguments, **more)
    try:
        yield server
    finally:
        code, said = server.stop()
    assert (code, "Traceback" in said) == (0, False), said


def write_pairs(path: Path, rows: int = 30) -> Path:
    """A small table of two systems."""
    lines = ["id,system,source,candidate"]
    lines += [f"{place},one,the number is {place},it is {place} that is the number" for place in range(rows)]
    lines += [f"{place},two,the number is {place},the number is {place}" for place in range(rows)]
    path.write_text("\n".join(lines) + "\n")
    return path


def until(condition: Callable[[], object]) -> None:
    """Wait for another process."""
    end = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.02)
