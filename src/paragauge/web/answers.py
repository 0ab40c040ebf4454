"""Answers in JSON."""

from __future__ import annotations

import json
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from starlette.responses import Response


def answer(content: Any, status: int = 200) -> Response:
    """JSON in ASCII, so that no half of a surrogate pair gets in its way."""
    from starlette.responses import Response

    return Response(json.dumps(content, allow_nan=False), status, media_type="application/json")


def problem(status: int, detail: str, headers: Any = ()) -> Response:
    """An error, as RFC 9457 has it."""
    from starlette.responses import Response

    try:
        title = HTTPStatus(status).phrase
    except ValueError:
        title = "Error"
    content = {"type": "about:blank", "title": title, "status": status, "detail": detail}
    return Response(json.dumps(content), status, dict(headers), media_type="application/problem+json")
