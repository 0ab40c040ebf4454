"""The process that scores and paraphrases for all requests, so that nothing it computes holds up the server.

Both ends of its pipes: `ScoringProcess` is the server's, `main` its own. A line of JSON on standard input is a call, or
cancels one. An answer on standard output is a line of JSON and as many bytes of content as it says. When the input ends
the server is gone, and so is this process.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import os
import pickle
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any

from ...errors import ParagaugeError
from ...process.limits import limit_memory
from ..guard import RequestError
from .batches import Batches, Cancellation, CancelledError

THREADS = 64  # requests whose texts may share a batch; most of them wait for it
_LINE = 1 << 20  # bytes of the head of an answer, at most


class ScoringProcess:
    """Calls by name, answered by one process. If it ends, calls that wait are errors; the next call begins another."""

    def __init__(self, **asked: Any) -> None:
        self.asked = asked
        self.statistics: dict[str, int] = {"batches": 0, "texts": 0, "remembered": 0, "waiting": 0}
        self._process: asyncio.subprocess.Process | None = None
        self._reading: asyncio.Task[None] | None = None
        self._waiting: dict[int, asyncio.Future[bytes]] = {}
        self._numbers = itertools.count()
        self._beginning = asyncio.Lock()

    async def begin(self) -> None:
        """Start it and wait until its models are loaded; what it refuses is raised."""
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "paragauge.web.serve.scoring_process", stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE, limit=_LINE,
            start_new_session=True,  # Ctrl-C is meant for the server, which answers what it was asked
        )  # fmt: skip
        assert process.stdout is not None
        try:
            self._send(process, **self.asked)
            first = await process.stdout.readline()
            if not first:
                raise ParagaugeError(f"the process that scores did not start {await _end(process)}")
            head = json.loads(first)
            if head["refused"]:
                raise pickle.loads(await process.stdout.readexactly(head["size"]))
        except BaseException:
            with suppress(ProcessLookupError):
                process.kill()
            raise
        self._process = process
        self._reading = asyncio.create_task(self._read(process, process.stdout))

    async def call(self, name: str, asked: Any = None) -> bytes:
        """The answer, as JSON. If this is cancelled, so is the call, and this ends when the process has stopped it."""
        async with self._beginning:
            if self._process is None:
                await self.begin()
        process, number = self._process, next(self._numbers)
        assert process is not None
        found: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()
        self._waiting[number] = found
        try:
            self._send(process, id=number, call=name, asked=asked)
            return await found
        except asyncio.CancelledError:
            self._send(process, id=number)
            await asyncio.wait([found])
            raise
        finally:
            self._waiting.pop(number, None)

    def _send(self, process: asyncio.subprocess.Process, **line: Any) -> None:
        assert process.stdin is not None
        process.stdin.write(json.dumps(line).encode() + b"\n")

    async def _read(self, process: asyncio.subprocess.Process, answers: asyncio.StreamReader) -> None:
        while line := await answers.readline():
            head = json.loads(line)
            content = await answers.readexactly(head["size"])
            self.statistics = head["statistics"]
            found = self._waiting.get(head["id"])
            if found is None or found.done():
                continue
            if head["status"] == 200:
                found.set_result(content)
            else:
                found.set_exception(RequestError(head["status"], content.decode()))
        self._process = None
        why = f"the process that scores has ended {await _end(process)}; another one is started"
        for found in self._waiting.values():
            if not found.done():
                found.set_exception(RequestError(503, why, [("retry-after", "1")]))

    async def close(self) -> None:
        """End it; calls that still wait are errors."""
        if self._process is not None and self._reading is not None:
            self._process.kill()  # it keeps nothing
            await self._reading


async def _end(process: asyncio.subprocess.Process) -> str:
    code = await process.wait()
    return f"(signal {-code})" if code < 0 else f"(exit code {code})"


Calls = dict[str, Callable[[Any, Cancellation], Any]]


def main() -> None:
    """Begin with what the first line says, and answer until the input ends."""
    from .paraphrasing import Paraphrasing
    from .scoring import Scoring

    stream, writing = os.fdopen(os.dup(1), "wb"), threading.Lock()
    os.dup2(2, 1)  # what a library prints is not an answer

    def write(content: bytes = b"", **head: Any) -> None:
        with writing:
            stream.write(json.dumps(head | {"size": len(content)}).encode() + b"\n" + content)
            stream.flush()

    asked, batches = json.loads(sys.stdin.readline()), Batches()
    try:
        scoring = Scoring(asked["metrics"], batches)
        paraphrasing = Paraphrasing(asked["paraphrasers"])
        scoring.prepare()
        limit_memory()
    except ParagaugeError as error:
        write(pickle.dumps(error), refused=True)
        return
    os.environ["PARAGAUGE_OFFLINE"] = "1"  # what is needed is here; no request shall make this machine download
    write(refused=False)
    calls: Calls = {
        "score": scoring.score,
        "paraphrase": paraphrasing.generate,
        "metrics": lambda *_: scoring.listed(),
        "paraphrasers": lambda *_: paraphrasing.listed(),
        "specs": lambda specs, _: [scoring.allowed(spec).spec for spec in specs],
    }
    # paraphrasers, which take all cores, by turns
    pools = {True: ThreadPoolExecutor(1), False: ThreadPoolExecutor(THREADS)}
    underway: dict[int, Cancellation] = {}

    def work(number: int, name: str, asked: Any) -> None:
        status, text = _answer(calls, name, asked, underway[number])
        del underway[number]
        write(text.encode(errors="backslashreplace"), id=number, status=status, statistics=batches.statistics)

    for line in sys.stdin:
        given = json.loads(line)
        number = given["id"]
        if "call" in given:
            underway[number] = Cancellation()
            pools[given["call"] == "paraphrase"].submit(work, number, given["call"], given["asked"])
        elif (cancellation := underway.get(number)) is not None:
            cancellation.cancelled = True
    os._exit(0)  # nobody waits for what is under way


def _answer(calls: Calls, name: str, asked: Any, cancellation: Cancellation) -> tuple[int, str]:
    """A status, and the answer as JSON or the sentence of an error."""
    try:
        cancellation.check()
        return 200, json.dumps(calls[name](asked, cancellation), allow_nan=False)
    except CancelledError:
        return 499, "the client closed the connection before the answer was ready"
    except RequestError as error:
        return error.status, error.detail
    except ParagaugeError as error:
        return 422, str(error)
    except MemoryError:
        return 413, "this takes more memory than the server gives to a request"
    except Exception as error:
        return 500, f"this should not have happened: {type(error).__name__}"


if __name__ == "__main__":
    main()
