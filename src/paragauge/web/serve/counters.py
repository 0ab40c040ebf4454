"""Counters in the text format of Prometheus."""

from __future__ import annotations

import time
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Mapping
from itertools import accumulate
from typing import TYPE_CHECKING, Any

from ..guard import App, Receive, Scope, Send

if TYPE_CHECKING:
    from starlette.applications import Starlette

BOUNDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)  # seconds
METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")  # a client may send any word


class Counters:
    """Requests by route and status, and how long they took."""

    def __init__(self) -> None:
        self._requests: Counter[str] = Counter()
        self._buckets: defaultdict[str, list[int]] = defaultdict(lambda: [0] * (len(BOUNDS) + 1))
        self._seconds: defaultdict[str, float] = defaultdict(float)

    def counting(self, app: Starlette) -> App:
        """The application, each of its answers counted."""

        async def counted(scope: Scope, receive: Receive, send: Send) -> None:
            began, status = time.monotonic(), 500

            async def watched(message: Any) -> None:
                nonlocal status
                status = message.get("status", status)
                await send(message)

            if scope["type"] != "http":
                await app(scope, receive, send)
                return
            try:
                await app(scope, receive, watched)
            finally:
                # the first route that matches, as the router itself takes it
                found = (getattr(route, "path", "") for route in app.routes if route.matches(scope)[0].value)
                self.add(scope["method"], next(found, "other"), status, time.monotonic() - began)

        return counted

    def add(self, method: str, route: str, status: int, seconds: float) -> None:
        known = method if method in METHODS else "other"
        self._requests[f'method="{known}",route="{route}",status="{status}"'] += 1
        self._buckets[route][bisect_left(BOUNDS, seconds)] += 1
        self._seconds[route] += seconds

    def text(self, others: Mapping[str, tuple[str, float]]) -> str:
        """All of it; `others` are name to what it is, and value: counters if named so (`_total`), or else gauges."""
        lines = _head("requests_total", "counter", "Requests answered.")
        lines += [f"paragauge_requests_total{{{labels}}} {count}" for labels, count in sorted(self._requests.items())]
        lines += _head("request_seconds", "histogram", "Time to answer a request.")
        name = "paragauge_request_seconds"
        for route, buckets in sorted(self._buckets.items()):
            label = f'route="{route}"'
            for bound, total in zip((*map(str, BOUNDS), "+Inf"), accumulate(buckets), strict=True):
                lines.append(f'{name}_bucket{{{label},le="{bound}"}} {total}')
            lines += [f"{name}_sum{{{label}}} {self._seconds[route]:.6f}", f"{name}_count{{{label}}} {sum(buckets)}"]
        for key, (about, value) in others.items():
            lines += [*_head(key, "counter" if key.endswith("_total") else "gauge", about), f"paragauge_{key} {value}"]
        return "\n".join(lines) + "\n"


def _head(name: str, kind: str, about: str) -> list[str]:
    return [f"# HELP paragauge_{name} {about}", f"# TYPE paragauge_{name} {kind}"]
