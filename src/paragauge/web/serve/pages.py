"""The pages of the server and what they load: files of this package, read once."""

from __future__ import annotations

from importlib.resources import files
from typing import TYPE_CHECKING

from ...reports.page import part
from ..guard import RequestError
from ..messages import Endpoint

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

    def page(self, name: str = "") -> Endpoint:
        """The endpoint of a page, or of the file that the address names."""

        async def endpoint(request: Request) -> Response:
            from starlette.responses import Response

            asked = name or request.path_params["name"]
            if asked not in self._files:
                raise RequestError(404, f"there is no file {asked[:100]!r}")
            kind = KINDS["." + asked.rpartition(".")[2]]
            return Response(self._files[asked], media_type=kind, headers={"cache-control": "no-cache"})

        return endpoint
