"""The verdict in a sentence, and the table of systems that it is read from."""

from __future__ import annotations

from collections.abc import Mapping

from ...verdict.findings import Outcome
from ...verdict.tally import Reason, Verdict
from ...verdict.words import UNCALIBRATED, counted_kind, counted_reason, criterion, to_check
from ..document import Measured, Part, Reasons, Table, Text
from ..runs import Runs


def parts(runs: Runs, verdict: Verdict, reading: str) -> list[Part]:
    """Systems: meaning kept, words changed, usable, and why not; then what usable means, and how to read the table."""
    specs = verdict.criterion.metrics
    best = set()
    if runs.comparison is not None:
        best = {(row.metric, row.system) for row in runs.comparison.systems if row.cluster == 1}
    table = Table(
        "verdict",
        "Is it usable, and if not, why?",
        ["system", "meaning kept", "words changed", "usable", "why not", "rows"],
        [
            [
                one.system,
                *(
                    Measured(share, 2, (specs[name], one.system) in best, name == "usable")
                    for name, share in (("meaning", one.meaning), ("changed", one.changed), ("usable", one.usable))
                ),
                Reasons(one.system, _words(one.why)),
                one.rows,
            ]
            for one in verdict.systems
        ],
    )
    told = [criterion(verdict.criterion.thresholds), to_check(verdict.systems)]
    told += [None if verdict.calibrated else UNCALIBRATED, reading]
    return [table, Text([" ".join(filter(None, told))], "note")]


def _words(why: Mapping[Outcome, Reason]) -> list[tuple[str, str | None]]:
    """`2 meaning lost (1 number, 1 negation), 1 empty`, cut so that each count can be pressed."""
    found: list[tuple[str, str | None]] = []
    for outcome, reason in why.items():
        found += [(", ", None)] if found else []
        found.append((counted_reason(outcome, reason.rows), outcome))
        for place, (kind, count) in enumerate(reason.kinds.items()):
            found += [(", " if place else " (", None), (counted_kind(kind, count), f"{outcome}: {kind}")]
        found += [(")", None)] if reason.kinds else []
    return found
