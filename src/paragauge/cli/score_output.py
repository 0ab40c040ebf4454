"""What `paragauge score` prints: the verdict, and what to conclude; each metric per system; or every row."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from .terminal import printing
from .terminal.hints import note

if TYPE_CHECKING:
    import polars

    from ..comparison.results import Gap
    from ..evaluate.score_file import FileScores
    from ..metric import Metric
    from ..stats.interval import Estimate
    from ..tables.summary import Summary, SummaryRow
    from ..verdict.tally import Verdict

_ROOM = 100  # columns
_KINDS = ("undefined", "failures", "missing", "left_out")  # of rows: shown where there are any


def print_verdict(verdict: Verdict | None, format: str, width: int | None) -> set[str]:
    """Print the verdict, where the metrics that it is made of are there; gives the names of those that it covers.

    In json and csv, which are one table, they stand among the other metrics.
    """
    from ..verdict.words import UNCALIBRATED, conclusion, criterion, reasons, to_check

    if verdict is not None and format in ("json", "csv") and not verdict.calibrated:
        note(UNCALIBRATED)
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
    sentences = [conclusion(verdict), criterion(verdict.criterion.thresholds), to_check(verdict.systems)]
    sentences.append(None if verdict.calibrated else UNCALIBRATED)
    for sentence in filter(None, sentences):
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


class RowPrinter:
    """`--sentence-level`: one line per sample, one column per metric."""

    def __init__(self, format: str, width: int | None) -> None:
        self.format = format
        self.width = width
        self._parts: list[polars.DataFrame] = []

    def add(self, frame: polars.DataFrame) -> None:
        self._parts.append(frame.select("sample", "system", "metric", "score", "note"))

    def finish(self, chosen: list[Metric]) -> None:
        header = ["sample", "system", *(metric.spec for metric in chosen)]
        usable = next((place for place, metric in enumerate(chosen) if metric.name == "usable"), None)
        header += ["why"] * (usable is not None)
        rows: list[list[Any]] = []
        for frame in self._parts:
            scores = [frame["score"].gather_every(len(chosen), place).to_list() for place in range(len(chosen))]
            whose = [frame[name].gather_every(len(chosen)).to_list() for name in ("sample", "system")]
            notes = frame["note"].gather_every(len(chosen), usable or 0).to_list()
            for sample, system, why, *values in zip(*whose, notes, *scores, strict=True):
                cells = [
                    _rounded(value, own, self.width, self.format) for value, own in zip(values, chosen, strict=True)
                ]
                rows.append([sample, system, *cells, *[why or ""] * (usable is not None)])
        printing.table(header, rows, self.format, None)


def _digits(metric: Metric, width: int | None) -> int:
    """Digits after the point: three on a scale of one, one on a scale of a hundred."""
    if width is not None:
        return width
    return 3 if metric.range[1] <= 10 else 1


def _rounded(value: float | None, metric: Metric, width: int | None, format: str) -> Any:
    if value is None or value != value:
        return None
    if format in ("json", "csv"):
        return value if width is None else round(value, width)
    return f"{value:.{_digits(metric, width)}f}"


def print_summary(
    found: FileScores,
    format: str,
    width: int | None,
    quiet: bool,
    differences: Sequence[Gap],
    printed: set[str],
) -> None:
    """Each metric per system, but those that were `printed` before; signatures of all."""
    by_name = {metric.spec: metric for metric in found.metrics}
    rows = [row for row in found.rows if row.metric not in printed]
    corpus = any(row.corpus is not None for row in rows)
    plain = format in ("json", "csv")
    why = why_column(found.summary, rows, format) if plain and found.summary.tallies else None
    kinds = [kind for kind in _KINDS if plain or any(getattr(row, kind) for row in rows)]
    header = ["metric", "system", "mean", *(["low", "high"] if plain else ["95% interval"])]
    header += ["corpus"] * (corpus or plain) + ["rows"] + [kind.replace("_", " ") for kind in kinds]
    to_baseline = {(gap.metric, gap.first): gap for gap in differences}
    if differences and plain:
        header += ["difference", "difference low", "difference high", "p", "p (Holm)", "wins", "ties", "losses"]
    elif differences:
        header += [f"− {differences[0].second}", "95% interval", "p (Holm)", "wins/ties/losses"]
    header += ["why"] * (why is not None) + ["signature"] * (plain and not quiet)
    lines: list[list[Any]] = []
    for place, row in enumerate(rows):
        metric = by_name[row.metric]
        mean, low, high, whole = (
            _rounded(value, metric, width, format) for value in (row.mean, row.low, row.high, row.corpus)
        )
        arrow = "" if plain else " ↑" if row.higher_is_better else " ↓"
        line = [row.metric + arrow, row.system, mean]
        line += [low, high] if plain else ["–" if low is None else f"{low} to {high}"]
        line += [whole] * (corpus or plain) + [row.rows] + [getattr(row, kind) for kind in kinds]
        if differences:
            line += _difference_cells(to_baseline.get((row.metric, row.system)), metric, width, format)
        line += [] if why is None else [why[place]]
        lines.append(line + [found.signatures[row.metric]] * (plain and not quiet))
    if format == "table":
        lines = _grouped(lines)
    printing.table(header, lines, format, None)
    if format == "table" and not quiet:
        printing.lines("", "Signatures: what the numbers depend on (-q leaves them out)", *found.signatures.values())


def _difference_cells(gap: Gap | None, metric: Metric, width: int | None, format: str) -> list[Any]:
    """What `--baseline` adds to the line of a system; nothing for the baseline itself."""
    plain = format in ("json", "csv")
    if gap is None:
        return [None] * 8 if plain else ["", "", "", ""]
    value, low, high = (_rounded(one, metric, width, format) for one in (gap.value, gap.low, gap.high))
    if plain:
        return [value, low, high, gap.p, gap.adjusted, gap.wins, gap.ties, gap.losses]
    interval = "–" if low is None else f"{low} to {high}"
    return [value, interval, f"{gap.adjusted:.3f}", f"{gap.wins}/{gap.ties}/{gap.losses}"]


def _grouped(lines: list[list[Any]]) -> list[list[Any]]:
    """Each metric's name once, and an empty line between metrics that have several systems."""
    result: list[list[Any]] = []
    for before, line in zip([None, *lines], lines, strict=False):
        if before is not None and before[0] == line[0]:
            line = ["", *line[1:]]
        elif before is not None and len({row[1] for row in lines}) > 1:
            result.append([""] * len(line))
        result.append(line)
    return result
