"""The verdict in a sentence, and the table of systems that it is read from."""

from __future__ import annotations

from collections.abc import Mapping

from ...judgments import UNCALIBRATED, Reason, conclusion, criterion, in_words, verdicts
from ...metrics.overall.usable import Usable
from ..document import Estimate, Part, Reasons, Table, Text
from ..runs import Runs


def sentence(runs: Runs, metric: Usable) -> str:
    """What to conclude."""
    return conclusion(runs.whole, metric)


def parts(runs: Runs, metric: Usable, reading: str) -> list[Part]:
    """Systems: meaning kept, words changed, usable, and why not; then what usable means, and how to read the table."""
    found = verdicts(runs.whole, metric)
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
                    Estimate(row.mean, row.low, row.high, 2, (row.metric, one.system) in best, row is one.usable)
                    for row in (one.meaning, one.changed, one.usable)
                ),
                Reasons(one.system, _words(one.why)),
                one.usable.rows,
            ]
            for one in found
        ],
    )
    told = criterion(metric)
    check = ", ".join(f"{one.system} {one.check:,}" for one in found if one.check)
    told += f" To check, as a rule sees a difference in usable candidates: {check}." if check else ""
    signature = runs.scores.signatures.get(metric.spec, "")
    told += f" {UNCALIBRATED}" if "|calibrated:no" in signature else ""
    return [table, Text([f"{told} {reading}".strip()], "note")]


def _words(why: Mapping[str, Reason]) -> list[tuple[str, str | None]]:
    """`2 meaning lost (1 number, 1 negation), 1 empty`, cut so that each count can be pressed."""
    found: list[tuple[str, str | None]] = []
    for name, reason in why.items():
        found += [(", ", None)] if found else []
        found.append((in_words({name: Reason(reason.rows, {})}), name))
        for place, (kind, count) in enumerate(reason.kinds.items()):
            found += [(", " if place else " (", None), (f"{count:,} {kind}", f"{name}: {kind}")]
        found += [(")", None)] if reason.kinds else []
    return found
