"""How much a request may send, and how long it may take to do so."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import TYPE_CHECKING, Any

from .guard import RequestError

if TYPE_CHECKING:
    from starlette.requests import Request

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


async def body_of(request: Request, most: int) -> bytes:
    """The whole body."""
    return b"".join([chunk async for chunk in chunks_of(request, most)])


async def json_of(request: Request, most: int) -> Any:
    """The body as JSON."""
    import json

    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json":
        raise RequestError(415, f"the body is of type {kind[:100]!r}; expected application/json")
    body = await body_of(request, most)
    try:
        return json.loads(body, parse_constant=_no_number)
    except (ValueError, RecursionError) as error:
        raise RequestError(400, f"the body is not JSON: {error}") from None


def _no_number(name: str) -> Any:
    raise ValueError(f"{name} is not a number of JSON")
