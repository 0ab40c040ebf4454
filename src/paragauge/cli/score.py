"""`paragauge score`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..errors import InputError, nearest
from ..visible import say
from .options.tables import Layout, overwrite_option, table_options
from .report import command_line, report_option
from .terminal import printing
from .terminal.hints import note as print_note
from .terminal.progress import Bar
from .terminal.signals import resumable
from .verdict import print_verdict, read_thresholds, why_column

if TYPE_CHECKING:
    import polars

    from ..comparison.results import Gap
    from ..files.reading.tables import Input
    from ..metric import Metric
    from ..tables.summary import Summary


_FILE = click.Path(path_type=Path)
_KINDS = ("undefined", "failures", "missing", "left_out")  # of rows: shown where there are any


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
@click.option("--lang", default="auto", show_default=True, help="BLEU tokenization language: auto, en, zh, …")
@click.option("--encoder", help="encoder name (see `paragauge models`), model folder or hub id")
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
@click.option("--lenient", is_flag=True, help="count as usable even where a rule sees a number, name or negation lost")
@click.option("-o", "--output", help="write every score: parquet, csv, tsv, jsonl, or a folder/ for one file per part")
@click.option("--run", type=_FILE, help="keep everything in this folder; rerun to resume")
@click.option("--baseline", help="also print the paired difference of every other system to this one, with its p-value")
@report_option
@overwrite_option
@click.option(
    "--workers", type=click.IntRange(1), help="number of processes or Ray actors  [default: all cores where it pays]"
)
@click.option(
    "--engine", type=click.Choice(["local", "ray"]), help="run on this machine or on a Ray cluster  [default: local]"
)
@click.option("--address", help="address of the Ray cluster, e.g. auto  [default: start one on this machine]")
@printing.format_option
@click.option("--sentence-level", is_flag=True, help="print the scores of every row instead of the summary")
@click.option("-w", "--width", type=click.IntRange(0, 15), help="number of decimal places")
@click.option("-q", "--quiet", is_flag=True, help="no progress, no signatures; warnings remain")
@click.option("--no-cache", is_flag=True, help="do not read or write the disk cache of encoded texts")
def score(
    table: str | None,
    source: Path | None,
    candidate: Sequence[Path],
    reference: Sequence[Path],
    metric: Sequence[str],
    layout: Layout,
    lang: str,
    encoder: str | None,
    empty: str,
    layer: int | None,
    precision: str | None,
    normalize: bool,
    accept: str | None,
    min_changed: float | None,
    lenient: bool,
    output: str | None,
    run: Path | None,
    baseline: str | None,
    report: Path | None,
    overwrite: bool,
    workers: int | None,
    engine: str | None,
    address: str | None,
    format: str,
    sentence_level: bool,
    width: int | None,
    quiet: bool,
    no_cache: bool,
) -> None:
    """Score paraphrases: how much of each system is usable, and why the rest is not; then the metrics.

    Usable means that the meaning is kept (--accept), no rule sees a number, a name, a negation or the like lost
    (--lenient), and the words are changed (--min-changed). With -m only the metrics
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
    from ..evaluate import choose
    from ..files.temporary import TemporaryFolder
    from ..workflows.score_file import score_file

    printing.check_format(format, Path(output) if output else None)
    _check_empty(empty)
    thresholds = read_thresholds(accept, min_changed, lenient, metric)
    sources = not metric or any("source" in asked.needs for asked in choose(metric, True))
    rows = _open(table, source, candidate, reference, layout, sources)
    printer = _RowPrinter(format, width) if sentence_level else None
    _check_baseline(baseline, rows, sentence_level)
    inputs = [path for path in (table, source, *candidate, *reference) if path is not None]
    if report is not None:
        from ..report.write import check_report, write_report

        check_report(report, inputs=inputs, overwrite=overwrite)
    with ExitStack() as stack:
        kept = run
        if kept is None and (baseline is not None or report is not None):
            kept = stack.enter_context(TemporaryFolder()) / _run_name(table)
        bar = stack.enter_context(Bar(quiet))
        stack.enter_context(resumable(run))
        found = score_file(
            rows, metrics=metric, run=kept, output=output, overwrite=overwrite, spreadsheet=printing.for_spreadsheet(),
            engine=engine, workers=workers, address=address, empty=empty, lang=lang, cache=not no_cache,
            inputs=inputs, command=command_line(),
            each=printer.add if printer is not None else None, progress=bar.update,
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
        told = set() if metric else print_verdict(found.summary, found.metrics, format, width)
        # the table of differences to a baseline has all metrics
        told = set() if differences else told
        _print_summary(found.summary, found.metrics, found.signatures, format, width, quiet, differences, told)
    for sentence in found.warnings:  # on standard error, and even with -q: they change what the numbers mean
        print_note(sentence)
    if found.recomputed and not quiet:
        say(f"note: computed again: {'; '.join(found.recomputed)}")
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
    from ..files.reading.aligned import open_aligned
    from ..files.reading.tables import open_table

    if table is not None:
        if source or candidates or references:
            raise InputError("give either a table or aligned text files (-s, -c, -r), not both")
        return open_table(table, **layout._asdict(), sources=sources)
    if not candidates or (source is None and sources):
        raise InputError("nothing to score; give a table, or aligned text files with -s and -c")
    return open_aligned(source, candidates, references, layout.encoding)


def _check_empty(empty: str) -> None:
    from ..tables.shared import EMPTY

    if empty not in EMPTY:
        raise InputError(f"--empty {empty} is unknown{nearest(empty, EMPTY)}")


def _check_baseline(baseline: str | None, rows: Input, sentence_level: bool) -> None:
    """Before any work is done."""
    if baseline is None:
        return
    if sentence_level:
        raise InputError("--baseline compares systems, not rows; expected it without --sentence-level")
    systems = dict.fromkeys(system for chunk in rows for system in chunk.systems)
    if baseline not in systems:
        raise InputError(f"--baseline {baseline}: no system has this name{nearest(baseline, systems)}")
    if len(systems) < 2:
        raise InputError(f"--baseline {baseline}: it is the one system of the input; expected at least 2")


class _RowPrinter:
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


def _print_summary(
    summary: Summary,
    chosen: list[Metric],
    signatures: dict[str, str],
    format: str,
    width: int | None,
    quiet: bool,
    differences: Sequence[Gap],
    told: set[str],
) -> None:
    """Each metric per system, but those that were `told` of before; signatures of all."""
    by_name = {metric.spec: metric for metric in chosen}
    rows = [row for row in summary.rows() if row.metric not in told]
    corpus = any(row.corpus is not None for row in rows)
    plain = format in ("json", "csv")
    why = why_column(summary, rows, format) if plain and summary.labels else None
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
        lines.append(line + [signatures[row.metric]] * (plain and not quiet))
    if format == "table":
        lines = _grouped(lines)
    printing.table(header, lines, format, None)
    if format == "table" and not quiet:
        printing.lines("", *signatures.values())


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
