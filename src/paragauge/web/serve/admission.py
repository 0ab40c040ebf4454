"""Requests that take a while: so many at once, so many waiting, and none that nobody waits for."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from ..security import Receive, RequestError
from .worker import CancelledError, Ticket

THREADS = 16  # requests whose texts may share a batch
WAITING = 240  # further ones; more are told to come again

Result = TypeVar("Result")


class Requests:
    """Calls functions in threads; each is given a ticket, which is cancelled when its client goes away."""

    def __init__(self, threads: int = THREADS, waiting: int = WAITING) -> None:
        self.most = threads + waiting
        self.underway = 0
        self.given_up = 0
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="paragauge-request")

    async def run(self, work: Callable[[Ticket], Result], receive: Receive) -> Result:
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
        done = asyncio.get_running_loop().run_in_executor(self._pool, _unless_cancelled, work, ticket)
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

    def _finished(self, done: Awaitable[Any]) -> None:
        self.underway -= 1
        assert isinstance(done, asyncio.Future)
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
