"""Candidates that are copies of their source, whatever metrics are asked for: counted by system, and told of."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from ..tables.display import counted
from ..tables.samples import Samples
from .features import Normalized
from .workspace import Workspace

_SYSTEMS = 5  # named in one sentence
_EDITS = "but for case, accents, spacing or invisible characters; metrics of wording see a change unless normalize=yes"
_SAID = {  # of one candidate, and of several
    "edited copies": (f"is a copy of its source {_EDITS}", f"are copies of their source {_EDITS}"),
    "copies": ("is an exact copy of its source", "are exact copies of their source"),
}


def count_copies(samples: Samples, work: Workspace) -> Counter[str]:
    """By system, as notes: candidates that are their source, and those that only normalizing shows to be."""
    pairs = zip(samples.sources, samples.candidates, strict=True)
    rows = [row for row, pair in enumerate(pairs) if _perhaps_copied(*pair)]
    chosen = samples.rows(rows)
    sources, candidates = (work.get(Normalized(), column) for column in (chosen.sources, chosen.candidates))
    found: Counter[str] = Counter()
    for row, source, candidate in zip(rows, sources, candidates, strict=True):
        if candidate and candidate == source:
            exact = samples.sources[row] == samples.candidates[row]
            found[f"{'copies' if exact else 'edited copies'}|{samples.systems[row]}"] += 1
    return found


def _perhaps_copied(source: str, candidate: str) -> bool:
    """No, at a fraction of the cost of normalizing, for nearly all rewritten ASCII texts."""
    if source == candidate or not (_is_plain(source) and _is_plain(candidate)):
        return True
    return source.lower().replace(" ", "") == candidate.lower().replace(" ", "")


def _is_plain(text: str) -> bool:
    """Would normalizing only lower its letters and take spaces out?"""
    return text.isascii() and text.isprintable() and "`" not in text


def describe_copies(notes: Mapping[str, int], *, exact: bool) -> list[str]:
    """One sentence for the edited copies and, if `exact`, one for the exact ones, where there are any."""
    found = []
    for kind, (one, several) in _SAID.items():
        counts = Counter(
            {note.partition("|")[2]: count for note, count in notes.items() if note.startswith(f"{kind}|")}
        )
        if counts and (exact or kind != "copies"):
            said = one if counts.total() == 1 else several
            found.append(f"{counted(counts.total(), 'candidate')} {said} ({_by_system(counts)})")
    return found


def without_copies(notes: Mapping[str, int]) -> dict[str, int]:
    """The notes of everything else."""
    return {note: count for note, count in notes.items() if note.partition("|")[0] not in _SAID}


def _by_system(counts: Counter[str]) -> str:
    named = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    said = ", ".join(f"{system}: {count:,}" for system, count in named[:_SYSTEMS])
    return said + (f", and {len(named) - _SYSTEMS:,} further systems" if len(named) > _SYSTEMS else "")
