"""Paraphrases of a reference, as `paragauge paraphrase` wrote them, as columns of further references."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from ..errors import InputError

SUFFIX = ".jsonl"
_EXPECTED = "expected what `paragauge paraphrase` writes for the lines of the reference"


def read_generated(path: Path, reference: Sequence[str]) -> list[list[str]]:
    """A column for each rank, in its order; empty where a line has fewer candidates.

    Rows beyond the last line of the reference are not read; each line has at least one row, and is its source.
    """
    found: list[dict[int, str]] = [{} for _ in reference]
    known: set[int] = set()
    try:
        with path.open(encoding="utf-8") as stream:
            for number, text in enumerate(stream, 1):
                line, rank, source, candidate = _row(path, number, text)
                if line > len(reference):
                    continue
                if source.split() != reference[line - 1].split():
                    raise InputError(
                        f"{path}, line {number}: the source of id {line}.{rank} is {source!r:.60}, and line {line} of "
                        f"the reference is {reference[line - 1]!r:.60}; {_EXPECTED}"
                    )
                known.add(line)
                if candidate is not None:
                    found[line - 1][rank] = candidate
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path} cannot be read: {error}") from None
    if lacking := set(range(1, len(reference) + 1)) - known:
        raise InputError(f"{path} has no row for line {min(lacking)} of the reference; {_EXPECTED}")
    ranks = sorted({rank for own in found for rank in own})
    return [[" ".join(own.get(rank, "").split()) for own in found] for rank in ranks]


def _row(path: Path, number: int, text: str) -> tuple[int, int, str, str | None]:
    """The line of the reference and the rank, both from 1, with the source and the candidate."""
    try:
        row = json.loads(text)
        line, rank = (int(part) for part in row["id"].split("."))
        source, candidate = row["source"], row["candidate"]
        if line > 0 and isinstance(source, str) and isinstance(candidate, str | None):
            return line, rank, source, candidate
    except (ValueError, KeyError, TypeError, AttributeError):
        pass
    raise InputError(
        f"{path}, line {number}: {text.strip()!r:.60} has no id such as 7.1, source and candidate; {_EXPECTED}"
    )
