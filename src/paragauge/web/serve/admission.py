"""Requests that take a while: so many at once, so many waiting, and none that nobody waits for."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from ..security import Receive, RequestError
from .worker import CancelledError, Ticket

THREADS = 64  # requests whose texts may share a batch; most of them wait for it
WAITING = 192  # further ones; more are told to come again
CHARACTERS = 400_000  # of all requests that are computed: their vectors take some 200 MiB

Result = TypeVar("Result")


class Requests:
    """Calls functions in threads; each is given a ticket, which is cancelled when its client goes away.

    So many at once, and only as long as their texts have no more than so many characters together.
    """

    def __init__(self, threads: int = THREADS, waiting: int = WAITING, characters: int = CHARACTERS) -> None:
        self.most = threads + waiting
        self.characters = characters
        self.underway = 0
        self.given_up = 0
        self._taken = 0
        self._line: deque[tuple[asyncio.Future[None], int]] = deque()
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="paragauge-request")

    async def run(self, work: Callable[[Ticket], Result], receive: Receive, characters: int = 0) -> Result:
        """What the function gives; `receive` tells of a client that is gone, once its body has been read."""
        if self.underway >= self.most:
            raise RequestError(
                503,
                f"{self.underway} requests are waiting already, which is the most that is taken; try again later",
                [("retry-after", "1")],
            )
        ticket = Ticket()
        self.underway += 1
        gone = asyncio.ensure_future(_gone(receive))
        done = asyncio.ensure_future(self._work(work, ticket, min(characters, self.characters)))
        done.add_done_callback(self._finished)
        try:
            both: list[asyncio.Future[Any]] = [done, gone]
            await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
            if not done.done():
                raise CancelledError
            return done.result()
        except CancelledError:
            self.given_up += 1
            # nobody reads it; 499 is what nginx counts such requests as
            raise RequestError(499, "the client closed the connection before the answer was ready") from None
        finally:
            ticket.cancel()
            gone.cancel()

    async def _work(self, work: Callable[[Ticket], Result], ticket: Ticket, characters: int) -> Result:
        if self._line or self._taken + characters > self.characters:
            turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            self._line.append((turn, characters))
            await turn
        else:
            self._taken += characters
        try:
            return await asyncio.get_running_loop().run_in_executor(self._pool, _unless_cancelled, work, ticket)
        finally:
            self._taken -= characters
            while self._line and self._taken + self._line[0][1] <= self.characters:
                turn, following = self._line.popleft()
                if not turn.cancelled():
                    self._taken += following
                    turn.set_result(None)

    def _finished(self, done: asyncio.Future[Any]) -> None:
        self.underway -= 1
        if not done.cancelled():
            done.exception()  # which was told, or nobody waits for

    def close(self) -> None:
        self._pool.shutdown(cancel_futures=True)


def _unless_cancelled(work: Callable[[Ticket], Result], ticket: Ticket) -> Result:
    ticket.check()
    return work(ticket)


async def _gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
