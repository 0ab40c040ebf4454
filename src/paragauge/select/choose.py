"""Which candidates are kept: those that meet a condition, of each source the best, without near-duplicates."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from ..errors import InputError
from ..metrics import parse
from ..metrics.overall.usable import Usable
from ..tables.samples import is_empty
from ..text.normalize import normalize
from .condition import Condition

NO_CANDIDATE = "there is no candidate"


class CandidateRows(NamedTuple):
    """What candidates are chosen by: texts, and columns of numbers by name; an undefined number is NaN."""

    sources: Sequence[str]
    candidates: Sequence[str]
    numbers: Mapping[str, Sequence[float]]


def choose(
    rows: CandidateRows,
    condition: Condition | None,
    *,
    best: int | None = None,
    by: str | None = None,
    dedupe: float | None = None,
) -> tuple[list[int], Counter[str]]:
    """The places of the rows that are kept, in their order, and how many were rejected for which reason.

    `by` names the column that says which candidate of a source is better, where the `best` are asked for, or those
    without near-duplicates. An empty candidate is kept only by a condition on a metric that judges it.
    """
    rejected: Counter[str] = Counter()
    passed: list[int] = []
    judged = condition is not None and any(verdict_metric(name) is not None for name in condition.names)
    for place, candidate in enumerate(rows.candidates):
        failed = None
        if condition is not None:
            failed = condition.failed({name: rows.numbers[name][place] for name in condition.names})
        if is_empty(candidate) and not (judged and failed is None):
            failed = NO_CANDIDATE
        if failed is None:
            passed.append(place)
        else:
            rejected[failed] += 1
    if by is None:
        return passed, rejected
    rank = _ranks(rows.numbers[by], by)
    groups: dict[str, list[int]] = {}
    for place in passed:
        groups.setdefault(rows.sources[place], []).append(place)
    kept = []
    for group in groups.values():
        own: list[int] = []
        for place in sorted(group, key=lambda place: (rank[place], place)):
            if dedupe is not None and _is_similar(rows.candidates, place, own, dedupe):
                rejected[f"near-duplicate (similarity of at least {dedupe:g})"] += 1
            elif best is not None and len(own) >= best:
                rejected[f"not among the best {best}"] += 1
            else:
                own.append(place)
        kept += own
    return sorted(kept), rejected


def verdict_metric(name: str) -> Usable | None:
    """The metric that says yes or no, if this is its name."""
    try:
        found = parse(name)
    except InputError:  # a column that is not a metric
        return None
    return found if isinstance(found, Usable) else None


def _ranks(numbers: Sequence[float], name: str) -> list[float]:
    """Less is better; an undefined number comes last."""
    try:
        sign = -1.0 if parse(name).higher_is_better else 1.0
    except InputError:  # a column that is not a metric
        sign = -1.0
    return [math.inf if value != value else sign * value for value in numbers]


def _is_similar(candidates: Sequence[str], place: int, others: Iterable[int], least: float) -> bool:
    from rapidfuzz.distance import Levenshtein

    own = normalize(candidates[place])
    return any(
        Levenshtein.normalized_similarity(own, normalize(candidates[other]), score_cutoff=least) >= least
        for other in others
    )
