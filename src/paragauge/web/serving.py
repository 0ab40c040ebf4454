"""A server of one process: bound, announced with its token, and stopped only when it has finished what it began."""

from __future__ import annotations

import asyncio
import secrets
import socket
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import Any

from ..errors import Hint, InputError
from ..process.extras import require
from .guard import App, Guard, Hosts, is_loopback

_CONNECTIONS = 1000  # others are answered with 503
_TOKEN = 16  # characters that a token of one's own must have at least


def serve(
    app: App,
    *,
    host: str = "127.0.0.1",
    port: int = 8000,
    token: str | None = None,
    trusted_hosts: Sequence[str] = (),
    announce: Callable[[str], None],
    begin: Callable[[], Awaitable[None]] | None = None,
    stopping: Callable[[], None] = lambda: None,
    say_hint: Callable[[Hint], str] = str,
) -> None:
    """Serve until Ctrl-C or SIGTERM, which is raised again once every request that was started is answered.

    `begin` is awaited once the port is known to be free. `announce` is called with the address to open, token and all,
    as soon as requests are accepted; `stopping` when it is about to end, while answers that were started are finished.
    Port 0 is any that is free. Without `token` one is made, at random; an address that others can reach needs one that
    was chosen.
    """
    uvicorn = require("uvicorn", "serve", "a server needs the extra 'serve'")
    from .connections import Connection, Idle

    if token is None and not is_loopback(host):
        hint = Hint("give {token}, which those who may use the server have to know", token="…")
        raise InputError(f"other machines can reach {host}; there a server needs a token that you choose", hint)
    if token is not None and (len(token) < _TOKEN or not token.isascii() or not token.isalnum()):
        raise InputError(f"a token has at least {_TOKEN} letters (a–z, A–Z) and digits")
    chosen = token or secrets.token_hex(16)
    bound = _bind(host, port)
    try:
        number = bound.getsockname()[1]
        guard = Guard(app, token=chosen, hosts=Hosts(host, trusted_hosts), port=number, say_hint=say_hint)
        server = uvicorn.Server(
            uvicorn.Config(
                guard,
                loop="asyncio",
                http=partial(Connection, idle=Idle()),
                ws="none",
                lifespan="on",
                log_level="error",
                access_log=False,  # it would write the token down
                server_header=False,
                proxy_headers=False,
                limit_concurrency=_CONNECTIONS,
            )
        )
        name = f"[{host}]" if ":" in host else host
        address = f"http://{name}:{number}/?token={chosen}"
        asyncio.run(_run(server, bound, begin, lambda: announce(address), stopping))
    finally:
        bound.close()


async def _run(
    server: Any,
    bound: socket.socket,
    begin: Callable[[], Awaitable[None]] | None,
    announce: Callable[[], None],
    stopping: Callable[[], None],
) -> None:
    if begin is not None:
        await begin()

    async def watch() -> None:
        while not server.started:
            await asyncio.sleep(0.01)
        announce()
        while not server.should_exit:
            await asyncio.sleep(0.1)
        stopping()

    watching = asyncio.create_task(watch())
    try:
        await server.serve(sockets=[bound])
    finally:
        watching.cancel()


def _bind(host: str, port: int) -> socket.socket:
    """Before anything is loaded, so that a port in use is known at once."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        found = socket.socket(family, kind, protocol)
    except OSError as error:
        raise InputError(f"there is no address '{host}' to serve under ({error.strerror or error})") from error
    try:
        found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        found.bind(address)
    except OSError as error:
        found.close()
        hint = Hint("{port} is any that is free", port=0)
        raise InputError(f"cannot serve on {host}, port {port}: {error.strerror or error}", hint) from error
    found.setblocking(False)
    return found
