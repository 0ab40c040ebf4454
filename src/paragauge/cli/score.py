"""`paragauge score`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import InputError, nearest
from ..printable import say
from .declare import argument, command, option
from .options import (
    FORMAT,
    LAYOUT,
    NO_CACHE,
    OVERWRITE,
    REPORT,
    Layout,
    Workers,
    command_line,
    quiet,
    settings,
    width,
    workers,
)
from .score_output import RowPrinter, print_summary, print_verdict
from .terminal import printing
from .terminal.hints import note as print_note
from .terminal.progress import Bar
from .terminal.signals import resumable

if TYPE_CHECKING:
    from ..comparison.results import Gap
    from ..files.input import Input

_ACCEPT = re.compile(r"\s*(?:meaning\s*>=\s*)?(\d+\.?\d*|\.\d+)\s*")


@command("score")
def score(
    table: str | None = argument(required=False),
    source: Path | None = option("aligned text: the sources, one per line", None, "-s", of=Path),
    candidate: Sequence[Path] = option(
        "aligned text: the candidates; one file per system, may be repeated", None, "-c", of=Path, many=True
    ),
    reference: Sequence[Path] = option(
        "aligned text: references; an empty line means no reference", None, "-r", of=Path, many=True
    ),
    metric: Sequence[str] = option(
        "e.g. bleu, rougeL.free, parascore:omega=0.2; may be repeated", None, "-m", many=True
    ),
    layout: Layout = LAYOUT,
    parameters: dict[str, Any] = settings("encoder", "lang", "layer", "precision", "normalize"),
    empty: str = option(
        "empty candidates: worst counts them as the metric's worst score, skip leaves the row out for all systems",
        "worst",
    ),
    accept: str | None = option("least meaning of a usable candidate, e.g. 0.7 or 'meaning>=0.7'  [default: 0.5]"),
    min_changed: float | None = option(
        "least share of changed wording of a usable candidate  [default: 0.15]", of=float
    ),
    no_strict: bool = option("count as usable even where a number, name or negation is found lost", False),
    output: str | None = option(
        "write every score: parquet, csv, tsv, jsonl, or a folder/ for one file per part", None, "-o"
    ),
    run: Path | None = option("keep everything in this folder; rerun to resume", of=Path),
    baseline: str | None = option(
        "also print the paired difference of every other system to this one, with its p-value"
    ),
    report: Path | None = REPORT,
    overwrite: bool = OVERWRITE,
    engine: Workers = workers("  [default: all cores where it pays]"),
    format: str = FORMAT,
    sentence_level: bool = option("print the scores of every row instead of the summary", False),
    width: int | None = width(None),
    quiet: bool = quiet("no progress, no signatures; warnings remain"),
    no_cache: bool = NO_CACHE,
) -> None:
    """Score paraphrases: how much of each system is usable, and why the rest is not; then the metrics.

    Usable means that the meaning is kept (--accept), no number, name, negation or the like is found
    lost (--no-strict), and the words are changed (--min-changed). With -m only the metrics
    that it names are printed.

    TABLE is a csv, tsv, jsonl, json, parquet or xlsx file, a quoted pattern or a folder of such files, a URI, or - for
    standard input, with the columns source, candidate and, optionally, references (or reference, reference_1 …), system
    and id. Columns that no metric reads may be missing.

    \b
    Examples:
      paragauge score pairs.csv
      paragauge score pairs.csv --accept 'meaning>=0.7' --min-changed 0.1
      paragauge score pairs.csv -m parascore -m bleu -o scores.parquet
      paragauge score 'shards/*.parquet' -m bleu --workers ray -o scored/
      paragauge score -s sources.txt -c candidates.txt -r references.txt
    """
    from ..evaluate.plan import choose
    from ..evaluate.score_file import score_file
    from ..files.folders import TemporaryFolder

    _check_empty(empty)
    thresholds = _thresholds(accept, min_changed, no_strict, metric)
    sources = not metric or any("source" in asked.needs for asked in choose(metric, True))
    rows = _open(table, source, candidate, reference, layout, sources)
    printer = RowPrinter(format, width) if sentence_level else None
    if baseline is not None and sentence_level:
        raise InputError("--baseline compares systems, not rows; expected it without --sentence-level")
    inputs = [path for path in (table, source, *candidate, *reference) if path is not None]
    if report is not None:
        from ..reports.page import check_report
        from ..reports.write import write_report

        check_report(report, inputs=inputs, overwrite=overwrite)
    with ExitStack() as stack:
        kept = run
        if kept is None and (baseline is not None or report is not None):
            kept = stack.enter_context(TemporaryFolder()) / _run_name(table)
        bar = stack.enter_context(Bar(quiet))
        stack.enter_context(resumable(run))
        found = score_file(
            rows, metrics=metric, run=kept, output=output, overwrite=overwrite, spreadsheet=printing.for_spreadsheet(),
            **engine._asdict(), empty=empty, cache=not no_cache, inputs=inputs, command=command_line(),
            each=printer.add if printer is not None else None, progress=bar.update,
            check=partial(_check_systems, baseline) if baseline is not None or report is not None else None,
            **parameters, **thresholds,
        )  # fmt: skip
        differences: list[Gap] = []
        if baseline is not None and kept is not None:
            from ..comparison.compare import compare

            differences = compare(kept, baseline=baseline, examples=0).gaps
        if report is not None and kept is not None:
            write_report(kept, output=report, overwrite=overwrite, align=True, baseline=baseline)
    if printer is not None:
        printer.finish(found.metrics)
    else:
        printed = set() if metric else print_verdict(found.verdict, format, width)
        # the table of differences to a baseline has all metrics
        printed = set() if differences else printed
        print_summary(found, format, width, quiet, differences, printed)
    for sentence in found.warnings:  # on standard error, and even with -q: they change what the numbers mean
        print_note(sentence)
    if found.repaired and not quiet:
        say(f"note: recomputed damaged parts: {'; '.join(found.repaired)}")
    if report is not None and not quiet:
        say(f"report: {report}")


def _run_name(table: str | None) -> str:
    """By which a report calls a run that has no folder of its own."""
    return re.sub(r"[^\w.-]+", "-", Path(table).stem if table else "").strip("-.") or "scores"


def _thresholds(
    accept: str | None, min_changed: float | None, no_strict: bool, metrics: Sequence[str]
) -> dict[str, Any]:
    """`--accept`, `--min-changed` and `--no-strict`, as the parameters of `usable`."""
    found: dict[str, float] = {}
    if accept is not None:
        read = _ACCEPT.fullmatch(accept)
        if read is None:
            raise InputError(f"--accept {accept!r} is not a threshold of meaning; expected 'meaning>=0.8' or 0.8")
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
    if no_strict and metrics and not any(re.split("[:.]", spec)[0] == "usable" for spec in metrics):
        raise InputError("--no-strict loosens usable, which is not among the metrics; add -m usable")
    return found | ({"strict": False} if no_strict else {})


def _open(
    table: str | None,
    source: Path | None,
    candidates: Sequence[Path],
    references: Sequence[Path],
    layout: Layout,
    sources: bool,
) -> Input:
    """`sources` says whether any metric reads them."""
    from ..files.aligned import open_aligned
    from ..files.table import open_table

    if table is not None:
        if source or candidates or references:
            raise InputError("give either a table or aligned text files (-s, -c, -r), not both")
        return open_table(table, layout, sources=sources)
    if not candidates or (source is None and sources):
        raise InputError("nothing to score; give a table, or aligned text files with -s and -c")
    return open_aligned(source, candidates, references, layout.encoding)


def _check_empty(empty: str) -> None:
    from ..tables.shared_rows import EMPTY

    if empty not in EMPTY:
        raise InputError(f"--empty {empty} is unknown{nearest(empty, EMPTY)}")


def _check_systems(baseline: str | None, systems: Sequence[str]) -> None:
    """Before any work is done."""
    from ..comparison.compare import check_systems

    check_systems(systems)
    if baseline is None:
        return
    if baseline not in systems:
        raise InputError(f"--baseline {baseline}: no system has this name{nearest(baseline, systems)}")
    if len(systems) < 2:
        raise InputError(f"--baseline {baseline}: it is the one system of the input; expected at least 2")
