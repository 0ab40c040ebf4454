"""Who may ask: a token, the host that is asked for, and the page that asks are checked before anything else."""

from __future__ import annotations

import json
import secrets
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from http import HTTPStatus
from typing import Any
from urllib.parse import parse_qsl, urlencode

from ..errors import Hint
from .addresses import Hosts, Place, parse_origin, parse_place

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

OPEN = ("/healthz",)  # tells nothing but that the server runs, and needs no token

# a page loads its own scripts, styles and answers, and nothing from elsewhere; a response may set another policy
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
    "connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-store",
}


class RequestError(Exception):
    """A request that is answered with an error: its status, and one sentence for the person who sent it."""

    def __init__(self, status: int, detail: str, headers: Iterable[tuple[str, str]] = ()) -> None:
        super().__init__(detail)
        self.status, self.detail, self.headers = status, detail, tuple(headers)


class Guard:
    """An application behind its checks; whoever fails them is answered with a sentence that says why.

    The token is given as `Authorization: Bearer …`, or as `?token=…` of a page, which sets a cookie and is then taken
    out of the address. Cookies of one host are shared by all its ports, hence the port in the name of ours.
    """

    def __init__(self, app: App, *, token: str, hosts: Hosts, port: int, say_hint: Callable[[Hint], str] = str) -> None:
        self.app, self.hosts, self.say_hint = app, hosts, say_hint
        self.token = token.encode()
        self.cookie = f"paragauge-{port}"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        if scope["type"] != "http":
            return  # no websocket here: closed without an answer
        started = False

        async def protected(message: Message) -> None:
            nonlocal started
            if message["type"] == "http.response.start":
                started = True
                own = {name.lower() for name, _ in message.get("headers", ())}
                more = [(name.encode(), value.encode()) for name, value in HEADERS.items() if name.encode() not in own]
                message["headers"] = [*message.get("headers", ()), *more]
            await send(message)

        try:
            headers = _headers(scope)
            self._check_host(headers)
            self._check_page(headers)
            if scope["path"] not in OPEN:
                if self._given_in_address(scope):
                    await self._admit(scope, protected)
                    return
                self._check_token(headers)
            await self.app(scope, receive, protected)
        except RequestError as refused:
            if started:
                raise
            await answer(refused, protected)

    def _check_host(self, headers: dict[str, str]) -> None:
        given = headers.get("host", "")
        place = parse_place(given)
        if place is None:
            raise RequestError(400, f"the Host of the request is {given[:100]!r}; expected a host and perhaps a port")
        if place.host not in self.hosts:
            hint = Hint("start it with {trusted_host} to have it answer under that name", trusted_host=str(place.host))
            raise RequestError(
                403,
                f"the request is for the host '{place.host}', and this server answers under localhost, its own address "
                f"and trusted names alone; {self.say_hint(hint)}",
            )

    def _check_page(self, headers: dict[str, str]) -> None:
        """A page of another origin, which the user may have open beside ours, may send nothing."""
        origin = headers.get("origin")
        if origin is not None:
            asked, page = parse_place(headers["host"]), parse_origin(origin)
            usual = 443 if origin.startswith("https:") else 80
            if asked is None or page != Place(asked.host, asked.port or usual):
                raise RequestError(
                    403, f"the request comes from the page {origin[:100]!r}; expected a page of this server"
                )
        site = headers.get("sec-fetch-site", "none")
        if site not in ("same-origin", "none"):
            raise RequestError(
                403,
                f"the request comes from another page (Sec-Fetch-Site: {site[:100]}); open the address that the "
                "program printed in the browser itself",
            )

    def _given_in_address(self, scope: Scope) -> bool:
        if scope["method"] != "GET":
            return False
        given = [value for name, value in _query(scope) if name == "token"]
        if not given:
            return False
        if not self._is_token(given[-1]):
            raise RequestError(
                401, "the token in the address is not the one of this server; open the address it printed"
            )
        return True

    async def _admit(self, scope: Scope, send: Send) -> None:
        rest = urlencode([(name, value) for name, value in _query(scope) if name != "token"])
        # relative to this path, and never `//host`, which would lead elsewhere
        path = "/" + scope.get("raw_path", scope["path"].encode()).decode("ascii", "replace").lstrip("/\\")
        headers = {
            "location": path + (f"?{rest}" if rest else ""),
            "set-cookie": f"{self.cookie}={self.token.decode()}; Path=/; HttpOnly; SameSite=Strict",
            "content-length": "0",
        }
        encoded = [(name.encode(), value.encode()) for name, value in headers.items()]
        await send({"type": "http.response.start", "status": 303, "headers": encoded})
        await send({"type": "http.response.body", "body": b""})

    def _check_token(self, headers: dict[str, str]) -> None:
        scheme, _, bearer = headers.get("authorization", "").partition(" ")
        if scheme.lower() == "bearer" and self._is_token(bearer.strip()):
            return
        if any(self._is_token(value) for value in _cookies(headers.get("cookie", ""), self.cookie)):
            return
        raise RequestError(
            401,
            "the request has no token, or not the one of this server; open the address that the program printed, or "
            "send the header Authorization: Bearer TOKEN",
            [("www-authenticate", 'Bearer realm="paragauge"')],
        )

    def _is_token(self, given: str) -> bool:
        return secrets.compare_digest(given.encode(), self.token)


async def answer(refused: RequestError, send: Send) -> None:
    """The refusal as JSON (RFC 9457), which a person can read too."""
    try:
        title = HTTPStatus(refused.status).phrase
    except ValueError:
        title = "Error"
    content = {"type": "about:blank", "title": title, "status": refused.status, "detail": refused.detail}
    body = json.dumps(content, ensure_ascii=False).encode(errors="backslashreplace")
    headers = {
        "content-type": "application/problem+json; charset=utf-8",
        "content-length": str(len(body)),
        **dict(refused.headers),
    }
    if refused.status >= 400 and refused.status != 503:
        headers.setdefault("connection", "close")  # a body that was not read shall not be taken for a request
    encoded = [(name.encode(), value.encode()) for name, value in headers.items()]
    await send({"type": "http.response.start", "status": refused.status, "headers": encoded})
    await send({"type": "http.response.body", "body": body})


def _headers(scope: Scope) -> dict[str, str]:
    """By name; those that are checked may be given only once."""
    found: dict[str, str] = {}
    for name, value in scope["headers"]:
        key = name.decode("latin-1").lower()
        if key in found and key in ("host", "origin", "authorization", "sec-fetch-site", "content-length"):
            raise RequestError(400, f"the header {key} is given more than once")
        text = value.decode("latin-1")
        found[key] = f"{found[key]}; {text}" if key in found and key == "cookie" else text
    return found


def _query(scope: Scope) -> list[tuple[str, str]]:
    try:
        return parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True, max_num_fields=100)
    except ValueError:
        raise RequestError(400, "the address has more than 100 parameters") from None


def _cookies(header: str, name: str) -> list[str]:
    pairs = (one.strip().partition("=") for one in header.split(";"))
    return [value for key, _, value in pairs if key == name]
