"""What the rules find in a pair, once for all metrics that ask."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ...verdict.findings import Finding
from ...verdict.rules import findings


@dataclass(frozen=True)
class Findings:
    """What the rules find in a candidate, given its source."""

    signature: str = "findings"

    def compute(self, keys: Sequence[tuple[str, str]]) -> Iterable[list[Finding]]:
        return (findings(source, candidate) for source, candidate in keys)
