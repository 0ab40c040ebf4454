"""Names and addresses of hosts, parsed: which of them mean this server."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterable
from typing import NamedTuple

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
