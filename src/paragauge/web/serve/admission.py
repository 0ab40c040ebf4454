"""Requests that take a while: so many at once, so many waiting, and none that nobody waits for."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from typing import Any

from ..guard import Receive, RequestError

MOST = 256  # requests that are computed or wait; more are told to come again
CHARACTERS = 400_000  # of all requests that are computed: their vectors take some 200 MiB


class Requests:
    """Has requests answered by `call`, which is given a name and what was asked; cancelled where the client goes away.

    So many at a time, and only as long as their texts have no more than so many characters together.
    """

    def __init__(
        self, call: Callable[[str, Any], Awaitable[bytes]], most: int = MOST, characters: int = CHARACTERS
    ) -> None:
        self.call = call
        self.most = most
        self.characters = characters
        self.underway = 0
        self.given_up = 0
        self._taken = 0
        self._line: deque[tuple[asyncio.Future[None], int]] = deque()

    async def run(self, name: str, asked: Any, receive: Receive, characters: int = 0) -> bytes:
        """The answer as JSON; `receive` tells of a client that is gone, once its body has been read."""
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
        await self._enter(characters)
        try:
            return await self.call(name, asked)
        finally:
            self._leave(characters)

    async def _enter(self, characters: int) -> None:
        if not self._line and self._taken + characters <= self.characters:
            self._taken += characters
            return
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._line.append((turn, characters))
        try:
            await turn
        except asyncio.CancelledError:
            if not turn.cancelled():  # its turn came at the same moment
                self._leave(characters)
            raise

    def _leave(self, characters: int) -> None:
        self._taken -= characters
        while self._line and self._taken + self._line[0][1] <= self.characters:
            turn, following = self._line.popleft()
            if not turn.done():
                self._taken += following
                turn.set_result(None)

    def _finished(self, done: asyncio.Future[Any]) -> None:
        self.underway -= 1
        if not done.cancelled():
            done.exception()  # which was told, or nobody waits for


async def _gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
