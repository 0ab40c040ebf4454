"""Connections that never finish what they begin, against `serve` and `annotate` themselves: they shut nobody out."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from ..annotate.server import Annotator
from .server import Server, serving, write_pairs

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


@pytest.fixture(scope="module", params=[Server, Annotator])
def server(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("served")
    table = write_pairs(folder / "pairs.csv")
    arguments = ["--runs", folder, "-m", "ned.free"] if request.param is Server else [table]
    with serving(*arguments, kind=request.param) as found:
        yield found


def test_unfinished_requests_shut_nobody_out(server):
    """More than a server takes, without a token, for as long as it lets them."""
    with unfinished(server.port, 1010) as held:
        for _ in range(3):
            for path, headers, status in (("/healthz", {"authorization": None}, 200), ("/", {}, 200),
                                          ("/", {"authorization": None}, 401)):  # fmt: skip
                assert server.ask(path, **headers).status == status
        for process in held:
            process.stdin.write("\n")
            process.stdin.flush()
        for process in held:
            assert process.stdout.readline() == "closed\n"  # within a hundred seconds, however they dribble
