"""What `paragauge score` prints first: the verdict on each system, and what to conclude."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ..errors import InputError
from .terminal import printing
from .terminal.hints import note as print_note

if TYPE_CHECKING:
    from ..stats.interval import Estimate
    from ..tables.summary import Summary, SummaryRow
    from ..verdict.tally import Verdict

_ROOM = 100  # columns
_ACCEPT = re.compile(r"\s*(?:meaning\s*>=\s*)?(\d+\.?\d*|\.\d+)\s*")


def read_thresholds(
    accept: str | None, min_changed: float | None, lenient: bool, metrics: Sequence[str]
) -> dict[str, Any]:
    """`--accept`, `--min-changed` and `--lenient`, as the parameters of `usable`."""
    found: dict[str, float] = {}
    if accept is not None:
        read = _ACCEPT.fullmatch(accept)
        if read is None:
            raise InputError(f"--accept {accept!r} is no threshold of meaning; expected 'meaning>=0.8' or 0.8")
        found["accept"] = float(read[1])
    if min_changed is not None:
        found["min_changed"] = min_changed
    for name, value in found.items():
        for spec in metrics:
            if re.search(rf"[:,]{name}=", spec):
                raise InputError(f"--{name.replace('_', '-')} and -m {spec} set the same threshold; give one of them")
        option = f"--{name.replace('_', '-')}"
        if not 0 <= value <= 1:
            raise InputError(f"{option} is {value:g}; expected a share from 0 to 1")
        if metrics and not any(re.split("[:.]", spec)[0] == "usable" for spec in metrics):
            raise InputError(f"{option} sets a threshold of usable, which is not among the metrics; add -m usable")
    if lenient and metrics and not any(re.split("[:.]", spec)[0] == "usable" for spec in metrics):
        raise InputError("--lenient loosens usable, which is not among the metrics; add -m usable")
    return found | ({"strict": False} if lenient else {})


def print_verdict(verdict: Verdict | None, format: str, width: int | None) -> set[str]:
    """Print the verdict, where the metrics that it is made of are there; gives their names, which are then told of.

    In json and csv, which are one table, they stand among the other metrics.
    """
    from ..verdict.words import UNCALIBRATED, conclusion, criterion, reasons, to_check

    if verdict is not None and format in ("json", "csv") and not verdict.calibrated:
        print_note(UNCALIBRATED)
    if verdict is None or format in ("json", "csv"):
        return set()
    lines: list[list[printing.Cell]] = []
    for one in verdict.systems:
        meaning, changed = _share(one.meaning, width), _number(one.changed.value, width)
        lines.append([one.system, meaning, changed, _rate(one.usable), reasons(one.why)])
    header = ["system", "meaning kept", "words changed", "usable", "why not"]
    printing.table(header, lines, format, None, room=_ROOM)
    if format == "markdown":  # else the sentences would be rows
        printing.lines("")
    told = [conclusion(verdict), criterion(verdict.criterion.thresholds), to_check(verdict.systems)]
    told.append(None if verdict.calibrated else UNCALIBRATED)
    for sentence in filter(None, told):
        for line in textwrap.wrap(sentence, _ROOM) if format == "table" else [sentence]:
            printing.remark(line, format)
    printing.lines("")
    return {verdict.criterion.usable, verdict.criterion.meaning, verdict.criterion.changed}


def why_column(summary: Summary, rows: Sequence[SummaryRow], format: str) -> list[Any]:
    """For each metric and system why candidates are not usable: counts in json, words in csv, else nothing."""
    from ..verdict.words import reasons

    found: list[Any] = []
    for row in rows:
        tally = summary.tallies.get((row.metric, row.system))
        if tally is None:
            found.append(None)
        elif format == "json":
            found.append({str(outcome): reason._asdict() for outcome, reason in tally.why.items()})
        else:
            found.append(reasons(tally.why))
    return found


def _number(value: float | None, width: int | None) -> str:
    return "–" if value is None else f"{value:.{2 if width is None else width}f}"


def _share(row: Estimate, width: int | None) -> str:
    """`0.84 (.78–.89)`."""
    ends = [_number(end, width).removeprefix("0") for end in (row.low, row.high)]
    return _number(row.value, width) + ("" if ends[0] == ends[1] else f" ({'–'.join(ends)})")


def _rate(row: Estimate) -> str:
    """`64% (43–82)`."""
    if row.value is None:
        return "–"
    ends = "" if row.low is None or row.high in (None, row.low) else f" ({100 * row.low:.0f}–{100 * row.high:.0f})"
    return f"{100 * row.value:.0f}%{ends}"
