"""The process that scores, as the server sees it: begun, called, and begun again where it has ended."""

from __future__ import annotations

import asyncio
import itertools
import json
import pickle
import sys
from contextlib import suppress
from typing import Any

from ...errors import ParagaugeError
from ..guard import RequestError
from .queue import Statistics

_LINE = 1 << 20  # bytes of the head of an answer, at most


class ScoringProcess:
    """Calls by name, answered by one process. If it ends, whoever waits is told so; the next call begins another."""

    def __init__(self, **asked: Any) -> None:
        self.asked = asked
        self.statistics = Statistics(0, 0, 0, 0, 0)
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
        try:
            assert process.stdin is not None
            assert process.stdout is not None
            process.stdin.write(json.dumps(self.asked).encode() + b"\n")
            first = await process.stdout.readline()
            if not first:
                raise ParagaugeError(f"the process that scores did not start {await _end(process)}")
            told = json.loads(first)
            if told["refused"]:
                raise pickle.loads(await process.stdout.readexactly(told["size"]))
        except BaseException:
            with suppress(ProcessLookupError):
                process.kill()
            raise
        self._process = process
        self._reading = asyncio.create_task(self._read(process))

    async def call(self, name: str, asked: Any = None) -> bytes:
        """The answer, as JSON. If this is cancelled, the process is told so, and this ends when it has given up."""
        async with self._beginning:
            if self._process is None:
                await self.begin()
        assert self._process is not None
        pipe, number = self._process.stdin, next(self._numbers)
        assert pipe is not None
        found: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()
        self._waiting[number] = found
        try:
            pipe.write(json.dumps({"id": number, "call": name, "asked": asked}).encode() + b"\n")
            return await found
        except asyncio.CancelledError:
            pipe.write(json.dumps({"id": number}).encode() + b"\n")
            await asyncio.wait([found])
            raise
        finally:
            self._waiting.pop(number, None)

    async def _read(self, process: asyncio.subprocess.Process) -> None:
        assert process.stdout is not None
        while head := await process.stdout.readline():
            told = json.loads(head)
            content = await process.stdout.readexactly(told["size"])
            self.statistics = Statistics(*told["statistics"])
            found = self._waiting.get(told["id"])
            if found is None or found.done():
                continue
            if told["status"] == 200:
                found.set_result(content)
            else:
                found.set_exception(RequestError(told["status"], content.decode()))
        self._process = None
        why = f"the process that scores has ended {await _end(process)}; another one is started"
        for found in self._waiting.values():
            if not found.done():
                found.set_exception(RequestError(503, why, [("retry-after", "1")]))

    async def close(self) -> None:
        """End it; whoever still waits is told so."""
        if self._process is not None and self._reading is not None:
            self._process.kill()  # it keeps nothing
            await self._reading


async def _end(process: asyncio.subprocess.Process) -> str:
    code = await process.wait()
    return f"(signal {-code})" if code < 0 else f"(exit code {code})"
