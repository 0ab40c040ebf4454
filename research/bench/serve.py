"""How `paragauge serve` answers: one client after another, and 50 at once; latency, throughput, memory.

    python bench/serve.py [--clients 50] [--requests 1000]

Every request has a source and four candidates that no other has, as a page that someone types in sends, and the default
metrics; in the end as many large requests as there are clients, for the memory they take. The client is a process
of its own, on the same machine. On a machine with other work answers per second say little; answers per second of the
server's processor time do not depend on that.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

WORDS = re.findall(
    r"\w+",
    "the a old new house river cat dog child teacher market winter summer train flight letter answer question small "
    "large quickly slowly never always often bought sold found lost opened closed because although when where in on "
    "under over near after before with without of and but or very rather almost red green blue bright dark cold warm",
)


def sentence(generator: random.Random) -> str:
    return " ".join(generator.choices(WORDS, k=generator.randint(6, 24))) + "."


def body(generator: random.Random, rows: int = 4, sentences: int = 1) -> bytes:
    def text() -> str:
        return " ".join(sentence(generator) for _ in range(sentences))

    source = text()
    return json.dumps({"rows": [{"source": source, "candidate": text()} for _ in range(rows)]}).encode()


class Client:
    """A connection that is kept, as a browser keeps it."""

    def __init__(self, port: int, token: str) -> None:
        self.port, self.token = port, token
        self.streams = None

    async def ask(self, path: str, content: bytes | None = None) -> tuple[int, bytes]:
        if self.streams is None:
            self.streams = await asyncio.open_connection("127.0.0.1", self.port, limit=1 << 22)
        reader, writer = self.streams
        length = "" if content is None else f"Content-Type: application/json\r\nContent-Length: {len(content)}\r\n"
        head = f"{'GET' if content is None else 'POST'} {path} HTTP/1.1\r\nHost: localhost\r\n{length}"
        writer.write(f"{head}Authorization: Bearer {self.token}\r\n\r\n".encode() + (content or b""))
        answered = await reader.readuntil(b"\r\n\r\n")
        size = int(re.search(rb"content-length: (\d+)", answered)[1])
        return int(answered.split()[1]), await reader.readexactly(size)


async def load(port: int, token: str, clients: int, requests: int, seed: int, *large: int) -> dict[str, float]:
    generator = random.Random(seed)
    waiting = [body(generator, *large) for _ in range(requests)]
    seconds: list[float] = []
    wrong: list[str] = []

    async def work() -> None:
        client = Client(port, token)
        while waiting:
            content = waiting.pop()
            began = time.perf_counter()
            status, answered = await client.ask("/api/score", content)
            seconds.append(time.perf_counter() - began)
            if status != 200:
                wrong.append(f"{status} {answered.decode()[:200]}")

    before = await counters(port, token)
    began = time.perf_counter()
    await asyncio.gather(*(work() for _ in range(clients)))
    took = time.perf_counter() - began
    after = await counters(port, token)
    seconds.sort()
    shares = {f"p{share}": 1000 * seconds[min(len(seconds) - 1, len(seconds) * share // 100)] for share in (50, 95, 99)}
    texts, batches = (
        after[f"paragauge_{name}_total"] - before[f"paragauge_{name}_total"] for name in ("texts", "batches")
    )
    for error in wrong:
        print("error:", error)
    return {"clients": clients, "requests": requests, "errors": len(wrong), "per second": requests / took} | shares | {
        "texts per batch": texts / max(1, batches)
    }  # fmt: skip


async def counters(port: int, token: str) -> dict[str, float]:
    _, text = await Client(port, token).ask("/metricsz")
    return {line.split()[0]: float(line.split()[1]) for line in text.decode().splitlines() if line[0] != "#"}


def family(process: int) -> list[int]:
    """The process and those it started."""
    try:
        own = Path(f"/proc/{process}/task/{process}/children").read_text().split()
    except OSError:
        own = []
    return [process, *(one for child in own for one in family(int(child)))]


def processor_seconds(process: int) -> float:
    """That the process and those it started have taken so far; NaN where that is not known."""
    try:
        lines = [Path(f"/proc/{one}/stat").read_text().rpartition(")")[2].split() for one in family(process)]
    except OSError:
        return float("nan")
    return sum(int(fields[11]) + int(fields[12]) for fields in lines) / os.sysconf("SC_CLK_TCK")


def memory(process: int) -> str:
    """Resident now, and at its highest, in MiB, of each process."""
    try:
        statuses = [Path(f"/proc/{one}/status").read_text() for one in family(process)]
    except OSError:
        return "unknown here"
    now, most = ([int(re.search(rf"{name}:\s+(\d+) kB", status)[1]) // 1024 for status in statuses]
                 for name in ("VmRSS", "VmHWM"))  # fmt: skip
    return f"{' + '.join(map(str, now))} MiB now, {' + '.join(map(str, most))} MiB at most"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--clients", type=int, default=50)
    parser.add_argument("--requests", type=int, default=1000)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "paragauge", "serve", "--port", "0", "--runs", folder]
        server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        try:
            port, token = re.search(r":(\d+)/\?token=(\w+)", server.stdout.readline()).groups()
            print("begun:", memory(server.pid))
            asyncio.run(load(int(port), token, 1, 50, 0))  # first calls of everything
            for number, clients in enumerate((1, given.clients, given.clients, 1), 1):
                before = processor_seconds(server.pid)
                found = asyncio.run(load(int(port), token, clients, given.requests, number))
                used = processor_seconds(server.pid) - before
                found["answers per processor second"] = given.requests / used
                print(", ".join(f"{name} {value:.4g}" for name, value in found.items()))
                print("memory:", memory(server.pid))
            # 33 rows of texts of some 600 characters: nearly as much as a request may hold; again, to see memory stay
            for number in (8, 9):
                found = asyncio.run(load(int(port), token, given.clients, given.clients, number, 33, 7))
                print("large:", ", ".join(f"{name} {value:.4g}" for name, value in found.items()))
                print("memory:", memory(server.pid), flush=True)
        finally:
            server.send_signal(signal.SIGINT)
            server.wait()


if __name__ == "__main__":
    main()
