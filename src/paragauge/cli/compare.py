"""`paragauge compare`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import InputError, nearest
from ..printable import say
from ..tables.display import spread
from .declare import argument, command, option
from .options import OVERWRITE, REPORT, quiet, seed, width
from .terminal import hints, printing

if TYPE_CHECKING:
    from ..comparison.results import Comparison, Example, Slice

FORMATS = ("table", "json", "markdown", "latex")


@command("compare")
def compare(
    inputs: Sequence[str] = argument(nargs=-1, metavar="A [B…]"),
    metric: Sequence[str] = option(
        "metrics of the inputs to compare by; may be repeated  [default: all]", None, "-m", many=True
    ),
    baseline: str | None = option("compare the other systems with this one only  [default: compare all pairs]"),
    examples: int = option("number of pairs to print", 5, low=0),
    resamples: int | None = option(
        "number of resamples  [default: 1000, or what Holm needs]", of=int, low=100, high=1_000_000
    ),
    seed: int = seed("resampling"),
    report: Path | None = REPORT,
    overwrite: bool = OVERWRITE,
    format: str = option("output format: table, json, markdown or latex", "table", "-f"),
    width: int = width(),
    quiet: bool = quiet("systems and differences only: no slices, no examples"),
) -> None:
    """Compare systems or runs on the same samples: paired differences, significance, and where they differ.

    A, B … are run folders (`paragauge score --run`) or files of scores (`paragauge score -o`); one is enough if it has
    several systems. Nothing is scored. Differences are paired, and their intervals resample whole sources; p-values are
    two-sided, with Holm's correction. The metrics of the verdict come first where all inputs have them; slices and
    examples are for the first metric.

    \b
    Examples:
      paragauge compare runs/old runs/new
      paragauge compare runs/first --baseline copy -m bertscore.free -f latex
    """
    from ..comparison.compare import compare as compared
    from ..reports.page import check_report
    from ..reports.write import write_report
    from ..runs.record import without_nan

    if format not in FORMATS:
        raise InputError(f"no format named '{format}'{nearest(format, FORMATS)}")
    if report is not None:
        check_report(report, inputs=inputs, overwrite=overwrite)
    found = compared(
        *inputs, metrics=metric, baseline=baseline, resamples=resamples, seed=seed, examples=0 if quiet else examples
    )
    if format == "json":
        printing.as_json(without_nan(as_record(found)))
    else:
        _print(found, format, width, quiet)
    for note in found.notes:
        hints.note(note)
    if report is not None:
        write_report(
            *inputs, output=report, overwrite=overwrite, metrics=metric, baseline=baseline, resamples=resamples,
            seed=seed,
        )  # fmt: skip
        say(f"report: {report}")


def as_record(found: Comparison) -> dict[str, Any]:
    """The comparison as JSON has it."""
    return {
        "baseline": found.baseline,
        "sources": found.sources,
        "matched": found.matched,
        "systems": [row._asdict() for row in found.systems],
        "differences": [gap._asdict() for gap in found.gaps],
        "slices": [one._asdict() for one in found.slices],
        "examples": [one._asdict() | {"pieces": [list(piece) for piece in one.pieces]} for one in found.examples],
        "notes": found.notes,
    }


def _print(found: Comparison, format: str, digits: int, quiet: bool) -> None:
    rows: list[list[printing.Cell]] = [
        [
            f"{row.metric} {'↑' if row.higher_is_better else '↓'}",
            row.system,
            row.value,
            spread(row.low, row.high, digits),
            *[row.cluster] * (found.baseline is None),
            row.rows,
        ]
        for row in found.systems
    ]
    mean = "score" if any(row.corpus for row in found.systems) else "mean"
    printing.table(
        ["metric", "system", mean, "95% interval", *["cluster"] * (found.baseline is None), "rows"], rows, format,
        f"Systems, on {found.sources:,} sources", digits,
    )  # fmt: skip
    printing.lines("")
    gaps: list[list[printing.Cell]] = [
        [gap.metric, gap.first, gap.second, gap.value, spread(gap.low, gap.high, digits), gap.p, gap.adjusted,
         f"{gap.wins}/{gap.ties}/{gap.losses}"]
        for gap in found.gaps
    ]  # fmt: skip
    second = "second" if found.baseline is None else "baseline"
    printing.table(
        ["metric", "first" if found.baseline is None else "system", second, "difference", "95% interval", "p",
         "p (Holm)", "wins/ties/losses"],
        gaps, format, f"Differences: first − {second}" if found.baseline is None else "Differences: system − baseline",
        digits,
    )  # fmt: skip
    if quiet:
        return
    if found.slices:
        printing.lines("")
        printing.table(
            ["systems", "sources with", "share", "difference", "elsewhere", "95% interval of the change", "p (Holm)"],
            [_slice_line(one, digits) for one in found.slices], format,
            f"Where {found.slices[0].metric} differs more, or less, than elsewhere", digits,
        )  # fmt: skip
    if found.examples:
        printing.lines("")
        printing.table(
            ["sample", "what", "score", "text"],
            [line for one in found.examples for line in _example_lines(one, digits)], format,
            f"Pairs on which {found.examples[0].metric} differs most: [-words of the second alone-], "
            "{+words of the first alone+}", digits,
        )  # fmt: skip


def _slice_line(one: Slice, digits: int) -> list[printing.Cell]:
    interval = spread(one.low, one.high, digits)
    pair = f"{one.first} − {one.second}"
    return [pair, one.slice, f"{one.share:.0%}", one.value, one.elsewhere, interval, one.adjusted]


def _example_lines(one: Example, digits: int) -> list[list[printing.Cell]]:
    marks = {"same": "{}", "removed": "[-{}-]", "added": "{{+{}+}}"}
    texts = []
    for kind, text in one.pieces:
        stripped = text.rstrip()
        texts.append(marks[kind].format(stripped) + text[len(stripped) :])
    lines: list[list[printing.Cell]] = [[one.sample, "source", "", one.source]]
    for place, system, text in ((1, one.second, one.candidates[1]), (0, one.first, "".join(texts))):
        lines.append(["", system, f"{one.scores[place]:.{digits}f}", text])
        lines += [["", "", "", f"({one.notes[place]})"]] if one.notes[place] else []
    return lines
