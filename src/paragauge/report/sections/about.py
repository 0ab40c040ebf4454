"""How the numbers came about: command, input, signatures."""

from __future__ import annotations

import json
from collections.abc import Sequence

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
    return _section(parts, list(runs.scores.signatures.items()))


def of_study(command: str, signatures: Sequence[tuple[str, str]], notes: Sequence[str] = ()) -> Section:
    """The same of a study, which is no run of scores: the command that made it, if it is known, and signatures."""
    parts: list[Part] = [Code("command", command)] if command else []
    return _section([*parts, *([Text(notes, "note")] if notes else [])], signatures)


def _section(parts: Sequence[Part], signatures: Sequence[tuple[str, str]]) -> Section:
    group = Group("Signatures", [Code(name, signature) for name, signature in signatures])
    return Section("about", "How it was measured", [*parts, *([group] if signatures else [])])
