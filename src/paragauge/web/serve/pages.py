"""The pages of the server and what they load: files of this package, read once."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from importlib.resources import files
from typing import TYPE_CHECKING

from ...report.page import part
from ..guard import RequestError

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

KINDS = {".html": "text/html", ".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}
SHARED = ("data.js", "words.js", "pair.js", "style.css")  # of the report: texts and tokens are shown alike in both


class Pages:
    """Every file by its name; nothing else can be asked for."""

    def __init__(self) -> None:
        own = files(__package__).joinpath("page").iterdir()
        self._files = {file.name: file.read_bytes() for file in own if file.name.endswith(tuple(KINDS))}
        self._files |= {f"report-{name}": part(name).encode() for name in SHARED}

    def page(self, name: str) -> Callable[[Request], Awaitable[Response]]:
        """The endpoint of a page."""

        async def endpoint(_: Request) -> Response:
            return self._answer(name)

        return endpoint

    async def file(self, request: Request) -> Response:
        return self._answer(request.path_params["name"])

    def _answer(self, name: str) -> Response:
        from starlette.responses import Response

        if name not in self._files:
            raise RequestError(404, f"there is no file {name[:100]!r}")
        kind = KINDS["." + name.rpartition(".")[2]]
        return Response(self._files[name], media_type=kind, headers={"cache-control": "no-cache"})
