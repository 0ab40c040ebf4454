"""Counters in the text format of Prometheus."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Mapping

BOUNDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)  # seconds

METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")  # whoever asks may send any word


class Counters:
    """Requests by route and status, and how long they took."""

    def __init__(self) -> None:
        self._requests: Counter[tuple[str, str, int]] = Counter()
        self._buckets: dict[str, list[int]] = {}
        self._seconds: dict[str, float] = {}

    def add(self, method: str, route: str, status: int, seconds: float) -> None:
        self._requests[method if method in METHODS else "other", route, status] += 1
        buckets = self._buckets.setdefault(route, [0] * (len(BOUNDS) + 1))
        buckets[bisect_left(BOUNDS, seconds)] += 1
        self._seconds[route] = self._seconds.get(route, 0.0) + seconds

    def text(self, gauges: Mapping[str, tuple[str, str, float]]) -> str:
        """All of it; `gauges` are name to kind (counter or gauge), what it is, and value."""
        lines = ["# HELP paragauge_requests_total Requests answered.", "# TYPE paragauge_requests_total counter"]
        lines += [
            f'paragauge_requests_total{{method="{method}",route="{_escaped(route)}",status="{status}"}} {count}'
            for (method, route, status), count in sorted(self._requests.items())
        ]
        name = "paragauge_request_seconds"
        lines += [f"# HELP {name} Time to answer a request.", f"# TYPE {name} histogram"]
        for route, buckets in sorted(self._buckets.items()):
            label, total = f'route="{_escaped(route)}"', 0
            for bound, count in zip((*map(str, BOUNDS), "+Inf"), buckets, strict=True):
                total += count
                lines.append(f'{name}_bucket{{{label},le="{bound}"}} {total}')
            lines += [f"{name}_sum{{{label}}} {self._seconds[route]:.6f}", f"{name}_count{{{label}}} {total}"]
        for key, (kind, about, value) in gauges.items():
            lines += [f"# HELP {key} {about}", f"# TYPE {key} {kind}", f"{key} {value}"]
        return "\n".join(lines) + "\n"


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
