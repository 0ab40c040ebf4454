"""What comes in and goes out: bodies, bounded in size and time; answers and errors in JSON; addresses by a table."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from typing import TYPE_CHECKING, Any

from ..errors import ParagaugeError
from .guard import RequestError

if TYPE_CHECKING:
    from starlette.applications import Starlette
    from starlette.requests import Request
    from starlette.responses import Response

Endpoint = Callable[["Request"], Awaitable["Response"]]
SECONDS = 60.0  # without a byte


async def chunks_of(request: Request, most: int) -> AsyncIterator[bytes]:
    """The body of a request as it comes, refused as soon as it is known to be larger than this many bytes."""
    from starlette.requests import ClientDisconnect

    declared = request.headers.get("content-length", "")
    if declared.isdecimal() and int(declared) > most:
        raise RequestError(413, f"the body has {int(declared):,} bytes; at most {most:,} are taken")
    size = 0
    chunks = request.stream().__aiter__()
    while True:
        try:
            async with asyncio.timeout(SECONDS):
                chunk = await anext(chunks, None)
        except TimeoutError:
            raise RequestError(408, f"nothing of the body came for {SECONDS:.0f} seconds") from None
        except ClientDisconnect:  # for the counters; nobody reads it
            raise RequestError(499, "the client left before all of the body had come") from None
        if chunk is None:
            return
        size += len(chunk)
        if size > most:
            raise RequestError(413, f"the body has more than {most:,} bytes, which is the most that is taken")
        yield chunk


async def json_of(request: Request, most: int) -> Any:
    """The body as JSON."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json":
        raise RequestError(415, f"the body is of type {kind[:100]!r}; expected application/json")
    body = b"".join([chunk async for chunk in chunks_of(request, most)])
    try:
        return json.loads(body, parse_constant=_no_number)
    except (ValueError, RecursionError) as error:
        raise RequestError(400, f"the body is not JSON: {error}") from None


def _no_number(name: str) -> Any:
    raise ValueError(f"{name} is not a number of JSON")


def answer(content: Any, status: int = 200) -> Response:
    """JSON in ASCII, so that no half of a surrogate pair gets in its way; bytes are JSON already."""
    from starlette.responses import Response

    body = content if isinstance(content, bytes) else json.dumps(content, allow_nan=False)
    return Response(body, status, media_type="application/json")


def application(
    table: Sequence[tuple[str, str, Endpoint]], nothing: str = "there is nothing at this address", **more: Any
) -> Starlette:
    """What answers at these addresses (method, path, endpoint); every error is answered in JSON, and a 404 with
    `nothing`."""
    from starlette.applications import Starlette
    from starlette.exceptions import HTTPException
    from starlette.routing import Route

    async def refuse(_: Request, error: Any) -> Any:
        if isinstance(error, RequestError):
            return error
        if isinstance(error, HTTPException):
            said = nothing if error.status_code == 404 else error.detail
            return RequestError(error.status_code, said, (error.headers or {}).items())
        if isinstance(error, ParagaugeError):
            return RequestError(422, str(error))
        return RequestError(500, f"this should not have happened: {type(error).__name__}")

    kinds: tuple[type[Exception], ...] = (RequestError, ParagaugeError, HTTPException, Exception)
    routes = [Route(path, endpoint, methods=[method]) for method, path, endpoint in table]
    made = Starlette(routes=routes, exception_handlers=dict.fromkeys(kinds, refuse), **more)
    made.router.redirect_slashes = False  # `/api/` is not `/api`
    return made
