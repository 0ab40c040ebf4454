"""How the numbers came about: command, input, signatures."""

from __future__ import annotations

import json

from ..document import Code, Group, Part, Section, Text
from ..runs import Runs


def section(runs: Runs) -> Section:
    parts: list[Part] = []
    for name, record in zip(runs.names, runs.records, strict=True):
        timings = record.get("timings", {})
        if command := timings.get("command"):
            parts.append(Code("command", command))
        lines = [f"{name}: {record['rows']:,} rows, paragauge {record.get('version', '?')}"]
        lines.append(f"empty candidates: {record.get('empty', 'worst')}; random seed {record.get('seed')}")
        fingerprint = record.get("input")
        told = fingerprint if isinstance(fingerprint, str) else json.dumps(fingerprint, ensure_ascii=False)
        lines.append(f"fingerprint of the input: {told}")
        parts.append(Text(lines))
    signatures = [Code(metric, signature) for metric, signature in runs.scores.signatures.items()]
    parts.append(Group("Signatures", signatures))
    return Section("about", "How it was measured", parts)
