"""What `paragauge score` prints below the verdict: each metric per system, or with `--sentence-level` every row."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from .terminal import printing
from .verdict import why_column

if TYPE_CHECKING:
    import polars

    from ..comparison.results import Gap
    from ..evaluate.score_file import FileScores
    from ..metric import Metric

_KINDS = ("undefined", "failures", "missing", "left_out")  # of rows: shown where there are any


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
            for sample, system, note, *values in zip(*whose, notes, *scores, strict=True):
                cells = [
                    _rounded(value, own, self.width, self.format) for value, own in zip(values, chosen, strict=True)
                ]
                rows.append([sample, system, *cells, *[note or ""] * (usable is not None)])
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
    told: set[str],
) -> None:
    """Each metric per system, but those that were `told` of before; signatures of all."""
    by_name = {metric.spec: metric for metric in found.metrics}
    rows = [row for row in found.rows if row.metric not in told]
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
