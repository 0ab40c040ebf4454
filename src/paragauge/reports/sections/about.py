"""How the numbers came about: command, input, signatures."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence

from ..document import Code, Element, Group, Section, Text
from ..runs import Runs


def section(runs: Runs) -> Section:
    """Of every run its command, its rows and the fingerprint of its input."""
    parts: list[Element] = []
    for name, run, timings in zip(runs.names, runs.runs, runs.timings, strict=True):
        record = run.record
        if command := timings.get("command"):
            parts.append(Code("command", command))
        fingerprint = record.get("input")
        written = fingerprint if isinstance(fingerprint, str) else json.dumps(fingerprint, ensure_ascii=False)
        lines = [
            f"{name}: {record['rows']:,} rows, paragauge {record.get('version', '?')}",
            f"empty candidates: {record.get('empty', 'worst')}; random seed {record.get('seed')}",
            f"fingerprint of the input: {written}",
        ]
        parts.append(Text(lines))
    return _section(parts, runs.scores.signatures.items())


def of_study(command: str, signatures: Iterable[tuple[str, str]], notes: Sequence[str] = ()) -> Section:
    """The same of a study, which is not a run of scores: the command that made it, if it is known, and signatures."""
    parts: list[Element] = [Code("command", command)] if command else []
    return _section([*parts, *([Text(notes, "note")] if notes else [])], signatures)


def _section(parts: Sequence[Element], signatures: Iterable[tuple[str, str]]) -> Section:
    codes = [Code(name, signature) for name, signature in signatures]
    return Section("about", "How it was measured", [*parts, *([Group("Signatures", codes)] if codes else [])])
