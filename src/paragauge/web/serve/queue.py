"""Requests that take a while: so many at once, so many waiting, and none that nobody waits for."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from ..guard import Receive, RequestError

MOST = 256  # requests that are computed or wait; others are asked to come again
CHARACTERS = 400_000  # of all requests that are computed: their vectors take some 200 MiB


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
