"""`paragauge score`."""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..errors import InputError, nearest
from ..visible import say
from . import printing
from .progress import Bar
from .tables import Layout, overwrite_option, table_options

if TYPE_CHECKING:
    from ..compute.workspace import Workspace
    from ..files.reading import Input
    from ..metric import Metric
    from ..tables.scores import Scores
    from ..tables.summary import Summary


_FILE = click.Path(path_type=Path)
_KINDS = ("undefined", "failures", "missing", "left_out")  # of rows: shown where there are any


@click.command("score")
@click.argument("table", required=False)
@click.option("-s", "--source", type=_FILE, help="aligned text: the sources, one a line")
@click.option(
    "-c", "--candidate", type=_FILE, multiple=True, help="aligned text: candidates; several files, several systems"
)
@click.option("-r", "--reference", type=_FILE, multiple=True, help="aligned text: references; an empty line is none")
@click.option("-m", "--metric", multiple=True, help="such as bleu, rougeL.free, parascore:omega=0.2; may be repeated")
@table_options
@click.option("--lang", default="auto", show_default=True, help="auto, en, zh, …: how BLEU cuts words")
@click.option("--encoder", help="a name of `paragauge models`, a folder, or a hub id")
@click.option(
    "--empty",
    default="worst",
    show_default=True,
    help="an empty candidate counts as the metric's worst score; or skip: that row is left out, for all systems",
)
@click.option("--layer", type=int, help="which layer of the encoder; the last unless given")
@click.option("--precision", help="float32 or int8 (faster)")
@click.option(
    "--normalize", is_flag=True, help="metrics of wording ignore case, accents, spacing, invisible characters"
)
@click.option("-o", "--output", type=_FILE, help="write every score: parquet, csv, tsv, jsonl")
@click.option("--run", type=_FILE, help="keep everything in this folder; rerun to resume")
@overwrite_option
@printing.format_option
@click.option("--sentence-level", is_flag=True, help="print every row, not the summary")
@click.option("-w", "--width", type=click.IntRange(0, 15), help="digits after the point")
@click.option("-q", "--quiet", is_flag=True, help="no progress, no signatures; warnings remain")
@click.option("--no-cache", is_flag=True, help="neither read nor keep encoded texts on disk")
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
    output: Path | None,
    run: Path | None,
    overwrite: bool,
    format: str,
    sentence_level: bool,
    width: int | None,
    quiet: bool,
    no_cache: bool,
) -> None:
    """Score paraphrases: one row per candidate.

    TABLE is a csv, tsv, jsonl, json, parquet or xlsx file, or - for standard input, with the columns source, candidate
    and, where there are any, references (or reference, reference_1 …), system and id. What no metric reads may be
    absent.

    \b
    Examples:
      paragauge score pairs.csv -m parascore -m bleu -o scores.parquet
      paragauge score -s sources.txt -c candidates.txt -r references.txt
    """
    from ..compute.store import Store
    from ..compute.workspace import Workspace
    from ..evaluate import check_needs, choose, evaluate_input, needs_store
    from ..files.writing import check_folder, check_output

    started = time.monotonic()
    printing.check_format(format, output)
    _check_empty(empty)
    sources = not metric or any("source" in asked.needs for asked in choose(metric, True))
    rows = _open(table, source, candidate, reference, layout, sources)
    first = next(iter(rows), None)
    assert first is not None  # an input without rows is refused when it is opened
    settings = {"encoder": encoder, "layer": layer, "precision": precision, "normalize": normalize or None}
    chosen = choose(metric, any(first.references), lang=lang, **settings)
    inputs = [path for path in (table, source, *candidate, *reference, *_files_of(chosen)) if path is not None]
    if run is not None:
        check_folder(run, inputs)
        if output is not None and Path(os.path.realpath(run)) in Path(os.path.realpath(output)).parents:
            raise InputError(f"-o {output} lies in the folder of --run, which holds the files of the run alone")
    if output is not None:
        check_output(output, inputs=inputs, overwrite=overwrite)
    check_needs(chosen, rows)
    folder = _run(run, rows, chosen, empty) if run is not None else None
    expensive = any(map(needs_store, chosen))
    if no_cache and folder is not None and not folder.complete and expensive:
        store: Store | None = Store(folder.parts / "features.sqlite", limit=sys.maxsize)  # so that it can go on
    else:
        store = Store.default() if expensive and not no_cache else None
    printer = _RowPrinter(format, width, chosen) if sentence_level else None
    with Bar(quiet) as bar, _Output(output, overwrite) as written:
        work = Workspace(store, progress=bar.update)

        def report(found: Scores) -> None:
            bar.update("scoring rows", *rows.progress())
            written.add(found)
            if printer is not None:
                printer.add(found)

        try:
            summary = evaluate_input(rows, chosen, work, folder, report, empty)
        finally:
            work.close()
        written.finish()
    seconds = time.monotonic() - started
    signatures = _signatures(summary, chosen, work, empty)
    _finish(folder, summary, signatures, seconds)
    if printer is not None:
        printer.finish()
    else:
        _print_summary(summary, chosen, signatures, format, width, quiet)
    _print_notes(summary)
    if folder is not None and folder.recomputed and not quiet:
        say(f"note: computed again: {'; '.join(folder.recomputed)}")


def _open(
    table: str | None,
    source: Path | None,
    candidates: Sequence[Path],
    references: Sequence[Path],
    layout: Layout,
    sources: bool,
) -> Input:
    """`sources` says whether any metric reads them."""
    from ..files.reading import open_aligned, open_table

    if table is not None:
        if source or candidates or references:
            raise InputError("give either a table or aligned text files (-s, -c, -r), not both")
        return open_table(table, **layout._asdict(), sources=sources)
    if not candidates or (source is None and sources):
        raise InputError("nothing to score; give a table, or aligned text files with -s and -c")
    return open_aligned(source, candidates, references, layout.encoding)


def _files_of(metrics: list[Metric]) -> list[str]:
    """Files and folders that metrics read: their parameters that name one."""
    values = [value for metric in metrics for value in vars(metric).values()]
    return [value for value in values if isinstance(value, str) and os.path.exists(value)]


def _check_empty(empty: str) -> None:
    from ..tables.shared import EMPTY

    if empty not in EMPTY:
        raise InputError(f"--empty {empty} is unknown{nearest(empty, EMPTY)}")


def _run(path: Path, rows: Input, chosen: list[Metric], empty: str) -> Any:
    from .._version import __version__
    from ..files.runs import Run

    metrics = {metric.spec: metric.signature("?", empty=empty) for metric in chosen}
    return Run(path, {"version": __version__, "input": rows.fingerprint(), "metrics": metrics})


class _Output:
    """`-o`: every score in one file, which appears only when it is whole."""

    def __init__(self, path: Path | None, overwrite: bool) -> None:
        self.path = path
        self._overwrite = overwrite
        self._folder = tempfile.TemporaryDirectory(prefix="paragauge-") if path is not None else None
        self._parts: list[Path] = []

    def add(self, found: Scores) -> None:
        from ..files.writing import write_frame

        if self._folder is not None:
            part = Path(self._folder.name) / f"{len(self._parts):06d}.parquet"
            write_frame(found.frame, part)
            self._parts.append(part)

    def finish(self) -> None:
        from ..files.runs import join

        if self.path is not None:
            join(self._parts, self.path, printing.for_spreadsheet(), overwrite=self._overwrite)

    def __enter__(self) -> _Output:
        return self

    def __exit__(self, *_: object) -> None:
        if self._folder is not None:
            self._folder.cleanup()


class _RowPrinter:
    """`--sentence-level`: one line per sample, one column per metric."""

    def __init__(self, format: str, width: int | None, chosen: list[Metric]) -> None:
        self.format = format
        self.width = width
        self.chosen = chosen
        self._rows: list[list[Any]] = []

    def add(self, found: Scores) -> None:
        columns = [found[metric.spec].tolist() for metric in self.chosen]
        for sample, system, *scores in zip(found.samples.ids, found.samples.systems, *columns, strict=True):
            self._rows.append([sample, system, *map(self._cell, self.chosen, scores)])

    def _cell(self, metric: Metric, value: float) -> Any:
        return _rounded(value, metric, self.width, self.format)

    def finish(self) -> None:
        header = ["sample", "system", *(metric.spec for metric in self.chosen)]
        printing.table(header, self._rows, self.format, None)


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
    summary: Summary, chosen: list[Metric], signatures: dict[str, str], format: str, width: int | None, quiet: bool
) -> None:
    by_name = {metric.spec: metric for metric in chosen}
    corpus = any(row.corpus is not None for row in summary.rows())
    plain = format in ("json", "csv")
    kinds = [kind for kind in _KINDS if plain or any(getattr(row, kind) for row in summary.rows())]
    header = ["metric", "system", "mean", *(["low", "high"] if plain else ["95% interval"])]
    header += ["corpus"] * (corpus or plain) + ["rows"] + [kind.replace("_", " ") for kind in kinds]
    header += ["signature"] * (plain and not quiet)
    lines: list[list[Any]] = []
    for row in summary.rows():
        metric = by_name[row.metric]
        mean, low, high, whole = (
            _rounded(value, metric, width, format) for value in (row.mean, row.low, row.high, row.corpus)
        )
        arrow = "" if plain else " ↑" if row.higher_is_better else " ↓"
        line = [row.metric + arrow, row.system, mean]
        line += [low, high] if plain else ["–" if low is None else f"{low} to {high}"]
        line += [whole] * (corpus or plain) + [row.rows] + [getattr(row, kind) for kind in kinds]
        lines.append(line + [signatures[row.metric]] * (plain and not quiet))
    if format == "table":
        lines = _grouped(lines)
    printing.table(header, lines, format, None)
    if format == "table" and not quiet:
        printing.lines("", *signatures.values())


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


def _signatures(summary: Summary, chosen: list[Metric], work: Workspace, empty: str) -> dict[str, str]:
    from ..evaluate import reference_range

    counts = reference_range(*(summary.references or (0, 0)))
    return {metric.spec: metric.signature(counts, work, empty) for metric in chosen}


def _print_notes(summary: Summary) -> None:
    """On standard error, and even with -q: they change what the numbers mean."""
    from ..evaluate import warnings

    for sentence in [*warnings(summary.notes), *summary.remarks()]:
        say(f"note: {sentence}")


def _finish(folder: Any, summary: Summary, signatures: dict[str, str], seconds: float) -> None:
    if folder is None:
        return
    from ..evaluate import warnings

    record = {
        "rows": summary.size,
        "signatures": signatures,
        "seed": summary.seed,
        "resamples": summary.resamples,
        "summary": [row._asdict() for row in summary.rows()],
        "notes": dict(summary.notes),
        "warnings": [*warnings(summary.notes), *summary.remarks()],
    }
    folder.finish(summary.chunks, record, {"seconds": round(seconds, 3)})
