"""Connections on which no request is under way: for so long, and so many, that they shut nobody out."""

from __future__ import annotations

import asyncio
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol

SECONDS = 10.0  # to send the whole head of a request
OF_A_CLIENT = 400  # by its address; the clients of a proxy are one
OF_ALL = 600  # a process may have 1,024 files open by default, and requests need some too


class Idle:
    """The connections of a server that wait for the head of a request, oldest first.

    One too many costs a client its oldest, or all of them theirs: who sends a head at once never waits long enough to
    be the oldest, however many connections others open and leave.
    """

    def __init__(self, seconds: float = SECONDS, of_a_client: int = OF_A_CLIENT, of_all: int = OF_ALL) -> None:
        self.seconds, self.of_a_client, self.of_all = seconds, of_a_client, of_all
        self._timers: dict[Connection, asyncio.TimerHandle] = {}

    def add(self, connection: Connection) -> None:
        if connection in self._timers:
            return
        self._timers[connection] = connection.loop.call_later(self.seconds, self._close, connection)
        own = [one for one in self._timers if one.address == connection.address]
        if len(own) > self.of_a_client:
            self._close(own[0])
        elif len(self._timers) > self.of_all:
            self._close(next(iter(self._timers)))

    def discard(self, connection: Connection) -> None:
        timer = self._timers.pop(connection, None)
        if timer is not None:
            timer.cancel()

    def _close(self, connection: Connection) -> None:
        self.discard(connection)
        connection.transport.close()


class Connection(H11Protocol):
    """A connection that is closed where the head of a request does not come in time, however it dribbles in."""

    def __init__(self, *given: Any, idle: Idle, **more: Any) -> None:
        super().__init__(*given, **more)
        self.idle = idle

    @property
    def address(self) -> str:
        return self.client[0] if self.client else ""

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self._note()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._note()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        self._note()

    def connection_lost(self, exc: Exception | None) -> None:
        self.idle.discard(self)
        super().connection_lost(exc)

    def _note(self) -> None:
        if self.transport.is_closing() or (self.cycle is not None and not self.cycle.response_complete):
            self.idle.discard(self)
        else:
            self.idle.add(self)
