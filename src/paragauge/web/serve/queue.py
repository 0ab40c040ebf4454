"""Requests that take a while: so many at once, so many waiting; counters of all requests, as Prometheus reads them."""

from __future__ import annotations

import asyncio
import time
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Awaitable, Callable, Mapping
from itertools import accumulate
from typing import TYPE_CHECKING, Any

from ..guard import App, Receive, RequestError, Scope, Send

if TYPE_CHECKING:
    from starlette.applications import Starlette


MOST = 256  # requests that are computed or wait; others are asked to come again
CHARACTERS = 400_000  # of all requests that are computed: their vectors take some 200 MiB

BOUNDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)  # seconds
METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")  # a client may send any word


class Requests:
    """Has requests answered by `call`, which is given a name and what was asked; cancelled where the client goes away.

    So many at a time, and only as long as their texts have no more than so many characters together; in the order they
    came.
    """

    def __init__(
        self, call: Callable[[str, Any], Awaitable[bytes]], most: int = MOST, characters: int = CHARACTERS
    ) -> None:
        self.call, self.most, self.characters = call, most, characters
        self.underway = self.given_up = 0
        self._taken = 0
        self._first = asyncio.Lock()  # held by the first who waits for room; the others wait for it
        self._freed = asyncio.Event()

    async def run(self, name: str, asked: Any, receive: Receive, characters: int = 0) -> bytes:
        """The answer as JSON; `receive` says when the client is gone, once its body has been read."""
        if self.underway >= self.most:
            raise RequestError(
                503,
                f"{self.underway} requests are waiting already, which is the most that is taken; try again later",
                [("retry-after", "1")],
            )
        self.underway += 1
        gone = asyncio.ensure_future(_gone(receive))
        done = asyncio.ensure_future(self._work(name, asked, min(characters, self.characters)))
        done.add_done_callback(self._finished)
        try:
            await asyncio.wait([done, gone], return_when=asyncio.FIRST_COMPLETED)
            if done.done():
                return done.result()
            self.given_up += 1
            # nobody reads it; 499 is what nginx counts such requests as
            raise RequestError(499, "the client closed the connection before the answer was ready")
        finally:
            done.cancel()
            gone.cancel()

    async def _work(self, name: str, asked: Any, characters: int) -> bytes:
        async with self._first:
            while self._taken + characters > self.characters:
                self._freed.clear()
                await self._freed.wait()
            self._taken += characters
        try:
            return await self.call(name, asked)
        finally:
            self._taken -= characters
            self._freed.set()

    def _finished(self, done: asyncio.Future[Any]) -> None:
        self.underway -= 1
        if not done.cancelled():
            done.exception()  # which was raised already, or nobody waits for


async def _gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


class Counters:
    """Requests by route and status, and how long they took."""

    def __init__(self) -> None:
        self._requests: Counter[str] = Counter()
        self._buckets: defaultdict[str, list[int]] = defaultdict(lambda: [0] * (len(BOUNDS) + 1))
        self._seconds: defaultdict[str, float] = defaultdict(float)

    def counting(self, app: Starlette) -> App:
        """The application, each of its answers counted."""

        async def counted(scope: Scope, receive: Receive, send: Send) -> None:
            began, status = time.monotonic(), 500

            async def watched(message: Any) -> None:
                nonlocal status
                status = message.get("status", status)
                await send(message)

            if scope["type"] != "http":
                await app(scope, receive, send)
                return
            try:
                await app(scope, receive, watched)
            finally:
                # the first route that matches, as the router itself takes it
                found = (getattr(route, "path", "") for route in app.routes if route.matches(scope)[0].value)
                self.add(scope["method"], next(found, "other"), status, time.monotonic() - began)

        return counted

    def add(self, method: str, route: str, status: int, seconds: float) -> None:
        known = method if method in METHODS else "other"
        self._requests[f'method="{known}",route="{route}",status="{status}"'] += 1
        self._buckets[route][bisect_left(BOUNDS, seconds)] += 1
        self._seconds[route] += seconds

    def text(self, others: Mapping[str, tuple[str, float]]) -> str:
        """All of it; `others` are name to what it is, and value: counters if named so (`_total`), or else gauges."""
        lines = _head("requests_total", "counter", "Requests answered.")
        lines += [f"paragauge_requests_total{{{labels}}} {count}" for labels, count in sorted(self._requests.items())]
        lines += _head("request_seconds", "histogram", "Time to answer a request.")
        name = "paragauge_request_seconds"
        for route, buckets in sorted(self._buckets.items()):
            label = f'route="{route}"'
            for bound, total in zip((*map(str, BOUNDS), "+Inf"), accumulate(buckets), strict=True):
                lines.append(f'{name}_bucket{{{label},le="{bound}"}} {total}')
            lines += [f"{name}_sum{{{label}}} {self._seconds[route]:.6f}", f"{name}_count{{{label}}} {sum(buckets)}"]
        for key, (about, value) in others.items():
            lines += [*_head(key, "counter" if key.endswith("_total") else "gauge", about), f"paragauge_{key} {value}"]
        return "\n".join(lines) + "\n"


def _head(name: str, kind: str, about: str) -> list[str]:
    return [f"# HELP paragauge_{name} {about}", f"# TYPE paragauge_{name} {kind}"]
