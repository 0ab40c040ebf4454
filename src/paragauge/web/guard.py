"""Who may ask: a token, the host that is asked for, and the page that asks are checked before anything else."""

from __future__ import annotations

import ipaddress
import json
import re
import secrets
from collections.abc import Awaitable, Callable, Iterable, Mapping, MutableMapping
from http import HTTPStatus
from typing import Any, NamedTuple
from urllib.parse import parse_qsl, urlencode

from ..errors import Hint

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

OPEN = ("/healthz",)  # says nothing but that the server runs, and needs no token

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
    """A request that is refused: a status, and one sentence for the person who sent it; it is its own answer."""

    def __init__(self, status: int, detail: str, headers: Iterable[tuple[str, str]] = ()) -> None:
        super().__init__(detail)
        self.status, self.detail, self.headers = status, detail, tuple(headers)

    async def __call__(self, _scope: Scope, _receive: Receive, send: Send) -> None:
        """Send it as JSON (RFC 9457)."""
        title = HTTPStatus(self.status).phrase if self.status in [*HTTPStatus] else "Error"
        content = {"type": "about:blank", "title": title, "status": self.status, "detail": self.detail}
        headers = {"content-type": "application/problem+json"} | dict(self.headers)
        await _send_whole(send, self.status, headers, json.dumps(content).encode())


class Guard:
    """An application behind its checks; who fails them is answered with a sentence that says why.

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
            # a body that was not read shall not be taken for a request
            refused.headers += (("connection", "close"),)
            await refused(scope, receive, protected)

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
        """A page of another origin, which the user may have open next to ours, may send nothing."""
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
        }
        await _send_whole(send, 303, headers)

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


async def _send_whole(send: Send, status: int, headers: Mapping[str, str], body: bytes = b"") -> None:
    every = {**headers, "content-length": str(len(body))}
    encoded = [(name.encode(), value.encode()) for name, value in every.items()]
    await send({"type": "http.response.start", "status": status, "headers": encoded})
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


Address = ipaddress.IPv4Address | ipaddress.IPv6Address
# a name or an IPv4 address, or an IPv6 address in brackets; nothing before, between or after
_PLACE = re.compile(r"(?:\[([0-9a-f:.]+)\]|([\w.-]+))(?::([0-9]{1,5}))?", re.ASCII | re.IGNORECASE)


class Place(NamedTuple):
    """A host, and a port where one is given: a name in lower case, or an address."""

    host: str | Address
    port: int | None


def parse_place(text: str) -> Place | None:
    """`localhost:8000`, `127.0.0.1` or `[::1]:8000`, compared whole; None for anything else.

    >>> parse_place("[::1]:8000")
    Place(host=IPv6Address('::1'), port=8000)
    >>> parse_place("[::1].example.org") is None
    True
    """
    found = _PLACE.fullmatch(text)
    if found is None:
        return None
    bracketed, name, digits = found.groups()
    try:
        host = _plain(ipaddress.IPv6Address(bracketed)) if bracketed else _host(name)
    except ValueError:
        return None
    port = int(digits) if digits else None
    return None if port is not None and port > 65_535 else Place(host, port)


def parse_origin(text: str) -> Place | None:
    """The place of `http://localhost:8000`; its port where it names none is that of its scheme. None for `null`.

    >>> parse_origin("https://example.org")
    Place(host='example.org', port=443)
    """
    scheme, separator, rest = text.partition("://")
    usual = {"http": 80, "https": 443}.get(scheme)
    place = parse_place(rest) if separator and usual else None
    return None if place is None else Place(place.host, place.port or usual)


def is_loopback(host: str) -> bool:
    """Can only this machine reach what is bound to it?"""
    found = _host(host)
    return found == "localhost" if isinstance(found, str) else _plain(found).is_loopback


class Hosts:
    """The hosts under which a server answers: of this machine, the one it is bound to, and those that are trusted.

    A server bound to all addresses answers under any address, since an address, unlike a name, cannot be made to
    point elsewhere.
    """

    def __init__(self, bound: str, trusted: Iterable[str] = ()) -> None:
        self.bound = _host(bound)
        self.trusted = {_host(name.strip("[]")) for name in trusted}

    def __contains__(self, host: str | Address) -> bool:
        if host == self.bound or host in self.trusted:
            return True
        if isinstance(host, str):
            return host == "localhost"
        everywhere = not isinstance(self.bound, str) and self.bound.is_unspecified
        return everywhere or _plain(host).is_loopback


def _host(name: str) -> str | Address:
    try:
        return _plain(ipaddress.ip_address(name))
    except ValueError:
        return name.lower().removesuffix(".")


def _plain(address: Address) -> Address:
    """`::ffff:127.0.0.1` is 127.0.0.1."""
    mapped = address.ipv4_mapped if isinstance(address, ipaddress.IPv6Address) else None
    return mapped or address
