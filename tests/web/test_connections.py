"""Connections that never finish what they begin, against `serve` and `annotate` themselves: they shut nobody out."""

from __future__ import annotations

import http.client
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from .server import write_pairs

# opens so many, begins a request on each, and dribbles on; told to, it waits until the other side has closed them
PROGRAM = """
import socket, sys, threading, time
port, number, body = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
head = "GET /healthz HTTP/1.1\\r\\nHost: 127.0.0.1\\r\\n"
sent = (head + (f"Content-Length: {10**9}\\r\\n\\r\\n" if body == "body" else "X-a: ")).encode()
def send(one, content):
    try:
        one.sendall(content)
    except OSError:
        pass
opened = [socket.create_connection(("127.0.0.1", port), timeout=100) for _ in range(number)]
for one in opened:
    send(one, sent)
print("opened", flush=True)
def dribble():
    while True:
        time.sleep(0.5)
        for one in opened:
            send(one, b"a")
threading.Thread(target=dribble, daemon=True).start()
sys.stdin.readline()
for one in opened:
    try:
        while one.recv(1000):
            pass
    except ConnectionError:
        pass
print("closed", flush=True)
"""
OF_A_PROCESS = 202  # some systems let a process have no more than 256 files open


@contextmanager
def unfinished(port: int, number: int) -> Iterator[list[subprocess.Popen[str]]]:
    """So many connections with an unfinished head, or body that nobody reads; processes of their own hold them."""
    processes = []
    try:
        for place in range(number // OF_A_PROCESS):
            command = [sys.executable, "-c", PROGRAM, str(port), str(OF_A_PROCESS), ("head", "body")[place % 2]]
            processes.append(subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True))
        for process in processes:
            assert process.stdout.readline() == "opened\n"
        yield processes
    finally:
        for process in processes:
            process.kill()
            process.communicate()


@pytest.fixture(scope="module", params=["serve", "annotate"])
def program(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[int, str]]:
    """Port and token."""
    for package in ("starlette", "uvicorn"):
        pytest.importorskip(package, reason="needs the extra 'serve'")
    folder: Path = tmp_path_factory.mktemp(request.param)
    arguments = {"serve": ["--runs", folder, "-m", "ned.free"], "annotate": [write_pairs(folder / "pairs.csv")]}
    command = [sys.executable, "-m", "paragauge", request.param, "--port", "0", *map(str, arguments[request.param])]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    port, token = re.search(r"http://127\.0\.0\.1:(\d+)/\?token=(\w+)", process.stdout.readline()).groups()
    yield int(port), token
    process.terminate()
    process.communicate(timeout=60)


def status(port: int, path: str, token: str) -> int:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    try:
        connection.request("GET", path, headers={"Authorization": f"Bearer {token}"})
        return connection.getresponse().status
    finally:
        connection.close()


def test_unfinished_requests_shut_nobody_out(program):
    """More than a server takes, without a token, for as long as it lets them."""
    port, token = program
    with unfinished(port, 1010) as held:
        for _ in range(3):
            assert [status(port, "/healthz", ""), status(port, "/", token), status(port, "/", "")] == [200, 200, 401]
        for process in held:
            process.stdin.write("\n")
            process.stdin.flush()
        for process in held:
            assert process.stdout.readline() == "closed\n"  # within a hundred seconds, however they dribble
