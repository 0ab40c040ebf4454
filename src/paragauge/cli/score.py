"""`paragauge score`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..errors import InputError, nearest
from ..visible import say
from .options import (
    Engine,
    Layout,
    encoder_option,
    engine_options,
    lang_option,
    no_cache_option,
    overwrite_option,
    quiet_option,
    table_options,
    width_option,
)
from .report import command_line, report_option
from .summary import RowPrinter, print_summary
from .terminal import printing
from .terminal.hints import note as print_note
from .terminal.progress import Bar
from .terminal.signals import resumable
from .verdict import print_verdict, read_thresholds

if TYPE_CHECKING:
    from ..comparison.results import Gap
    from ..files.input import Input


_FILE = click.Path(path_type=Path)


@click.command("score")
@click.argument("table", required=False)
@click.option("-s", "--source", type=_FILE, help="aligned text: the sources, one per line")
@click.option(
    "-c",
    "--candidate",
    type=_FILE,
    multiple=True,
    help="aligned text: the candidates; one file per system, may be repeated",
)
@click.option(
    "-r", "--reference", type=_FILE, multiple=True, help="aligned text: references; an empty line means no reference"
)
@click.option("-m", "--metric", multiple=True, help="e.g. bleu, rougeL.free, parascore:omega=0.2; may be repeated")
@table_options
@lang_option
@encoder_option
@click.option(
    "--empty",
    default="worst",
    show_default=True,
    help="empty candidates: worst counts them as the metric's worst score, skip leaves the row out for all systems",
)
@click.option("--layer", type=int, help="encoder layer  [default: last]")
@click.option("--precision", help="float32 or int8 (faster)  [default: float32]")
@click.option(
    "--normalize", is_flag=True, help="wording metrics ignore case, accents, whitespace and invisible characters"
)
@click.option("--accept", help="least meaning of a usable candidate, e.g. 0.7 or 'meaning>=0.7'  [default: 0.5]")
@click.option("--min-changed", type=float, help="least share of changed wording of a usable candidate  [default: 0.15]")
@click.option("--lenient", is_flag=True, help="count as usable even where a number, name or negation is found lost")
@click.option("-o", "--output", help="write every score: parquet, csv, tsv, jsonl, or a folder/ for one file per part")
@click.option("--run", type=_FILE, help="keep everything in this folder; rerun to resume")
@click.option("--baseline", help="also print the paired difference of every other system to this one, with its p-value")
@report_option
@overwrite_option
@engine_options("  [default: all cores where it pays]")
@printing.format_option
@click.option("--sentence-level", is_flag=True, help="print the scores of every row instead of the summary")
@width_option(None)
@quiet_option("no progress, no signatures; warnings remain")
@no_cache_option
def score(
    table: str | None, source: Path | None, candidate: Sequence[Path], reference: Sequence[Path], metric: Sequence[str],
    layout: Layout, lang: str, encoder: str | None, empty: str, layer: int | None, precision: str | None,
    normalize: bool, accept: str | None, min_changed: float | None, lenient: bool, output: str | None, run: Path | None,
    baseline: str | None, report: Path | None, overwrite: bool, engine: Engine, format: str, sentence_level: bool,
    width: int | None, quiet: bool, no_cache: bool,
) -> None:  # fmt: skip
    """Score paraphrases: how much of each system is usable, and why the rest is not; then the metrics.

    Usable means that the meaning is kept (--accept), no number, name, negation or the like is found
    lost (--lenient), and the words are changed (--min-changed). With -m only the metrics
    that it names are printed.

    TABLE is a csv, tsv, jsonl, json, parquet or xlsx file, a quoted pattern or a folder of such files, a URI, or - for
    standard input, with the columns source, candidate and, optionally, references (or reference, reference_1 …), system
    and id. Columns that no metric reads may be missing.

    \b
    Examples:
      paragauge score pairs.csv
      paragauge score pairs.csv --accept 'meaning>=0.7' --min-changed 0.1
      paragauge score pairs.csv -m parascore -m bleu -o scores.parquet
      paragauge score 'shards/*.parquet' -m bleu --engine ray -o scored/
      paragauge score -s sources.txt -c candidates.txt -r references.txt
    """
    from ..evaluate.choose import choose
    from ..evaluate.score_file import score_file
    from ..files.folders import TemporaryFolder

    printing.check_format(format, Path(output) if output else None)
    _check_empty(empty)
    thresholds = read_thresholds(accept, min_changed, lenient, metric)
    sources = not metric or any("source" in asked.needs for asked in choose(metric, True))
    rows = _open(table, source, candidate, reference, layout, sources)
    printer = RowPrinter(format, width) if sentence_level else None
    if baseline is not None and sentence_level:
        raise InputError("--baseline compares systems, not rows; expected it without --sentence-level")
    inputs = [path for path in (table, source, *candidate, *reference) if path is not None]
    if report is not None:
        from ..report.page import check_report
        from ..report.write import write_report

        check_report(report, inputs=inputs, overwrite=overwrite)
    with ExitStack() as stack:
        kept = run
        if kept is None and (baseline is not None or report is not None):
            kept = stack.enter_context(TemporaryFolder()) / _run_name(table)
        bar = stack.enter_context(Bar(quiet))
        stack.enter_context(resumable(run))
        found = score_file(
            rows, metrics=metric, run=kept, output=output, overwrite=overwrite, spreadsheet=printing.for_spreadsheet(),
            **engine._asdict(), empty=empty, lang=lang, cache=not no_cache,
            inputs=inputs, command=command_line(),
            each=printer.add if printer is not None else None, progress=bar.update,
            check=partial(_check_systems, baseline) if baseline is not None or report is not None else None,
            encoder=encoder, layer=layer, precision=precision, normalize=normalize or None,
            **thresholds,
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
        told = set() if metric else print_verdict(found.verdict, format, width)
        # the table of differences to a baseline has all metrics
        told = set() if differences else told
        print_summary(found, format, width, quiet, differences, told)
    for sentence in found.warnings:  # on standard error, and even with -q: they change what the numbers mean
        print_note(sentence)
    if found.repaired and not quiet:
        say(f"note: computed again: {'; '.join(found.repaired)}")
    if report is not None and not quiet:
        say(f"report: {report}")


def _run_name(table: str | None) -> str:
    """By which a report calls a run that has no folder of its own."""
    return re.sub(r"[^\w.-]+", "-", Path(table).stem if table else "").strip("-.") or "scores"


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
