"""A whole file scored: in bounded memory, by any engine, resumable, every score written where it is asked for."""

from __future__ import annotations

import json
import math
import os
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack
from io import BytesIO
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from .._version import __version__
from ..compute.workspace import Progress, Workspace, no_progress
from ..errors import InputError
from ..files.folders import TemporaryFolder
from ..files.input import Input
from ..files.layout import Layout
from ..files.remote import Remote, is_uri, shown
from ..files.table import open_table
from ..files.write import PathLike, atomic_write, below, check_folder, check_output, kept_in, make_folder
from ..metric import Metric
from ..metrics import Given, declared_question, names, question
from ..runs.outputs import is_own, noting
from ..runs.scores import PART, finish_scores, join, scores_of
from ..runs.store import Parts, Store
from ..tables.notices import sentences
from ..tables.summary import Summary, SummaryRow
from ..verdict.tally import Verdict
from ..verdict.words import conclusion
from .drive import score_parts
from .engines import engine as make_engine
from .judge import verdict_of
from .part import reference_range
from .plan import Needs, choose, needs_store, plan

if TYPE_CHECKING:
    import polars


class FileScores(NamedTuple):
    """What a file's scores sum up to, and what their reader should know."""

    summary: Summary
    rows: list[SummaryRow]
    verdict: Verdict | None  # where the metrics are there that it is made of
    metrics: list[Metric]
    signatures: dict[str, str]
    warnings: list[str]
    repaired: list[str]  # what was wrong with parts of an earlier, interrupted run that were scored again
    record: dict[str, Any]  # all of it, as a run folder keeps it


def score_file(
    table: PathLike | Input,
    *,
    metrics: Iterable[Given] | Given | None = None,
    run: Path | None = None,
    output: PathLike | None = None,
    overwrite: bool = False,
    spreadsheet: bool = False,
    engine: str | None = None,
    workers: int | None = None,
    address: str | None = None,
    empty: str = "worst",
    lang: str = "auto",
    cache: bool = True,
    columns: Mapping[str, str] | None = None,
    delimiter: str | None = None,
    header: Sequence[str] | None = None,
    inputs: Sequence[PathLike] = (),
    command: str | None = None,
    each: Callable[[polars.DataFrame], None] | None = None,
    check: Callable[[Sequence[str]], None] | None = None,
    progress: Progress = no_progress,
    **settings: Any,
) -> FileScores:
    """Score a table of any size: csv, tsv, jsonl, json, parquet, xlsx, or what `open_table` and `open_aligned` give.

    `run` is a folder that keeps everything, so that an interrupted call can be resumed; `output` a file for every
    score, or a folder (a path that ends with a slash) for a file of each part. `engine` is local or ray, by default
    processes on all cores where that pays, `workers` how many processes or actors. `each` is called with the scores of
    every part, in order, `check` with the names of the systems before the first part is scored. `inputs` are other
    files that no output may replace, `command` is kept with the run, so that it can be repeated; the rest is as in
    `score`.
    """
    started = time.monotonic()
    layout = Layout(columns=columns, delimiter=delimiter, header=header)
    rows = table if isinstance(table, Input) else open_table(table, layout)
    reading = iter(rows)
    first = next(reading)  # an input without rows is refused when it is opened
    chosen = choose(metrics, any(first.references), lang=lang, **settings)
    own = run is not None and output is not None and is_own(Path(run), output)  # written before this was interrupted
    _check_outputs(run, output, [*rows.files, *inputs, *_files_of(chosen)], overwrite or own)
    by = None if engine is None and workers is None else make_engine(engine or "local", workers, address)
    needs = Needs(chosen)
    needs.add(first)
    planned = None
    if needs.missing or check is not None:  # what may refuse the input comes before the folder is made
        planned = plan(rows, chosen, empty, chain([first], reading))
    if planned is not None and check is not None:
        check(planned.systems)
    with ExitStack() as stack:
        stack.enter_context(kept_in(run))
        store, parts = None, None
        if run is not None:
            store = Store(Path(run), _identity(rows, chosen, empty))
            stack.callback(store.release)
            parts = None if store.complete else store.kept(PART)
        if parts is None and (output is not None or each is not None):
            parts = Parts(stack.enter_context(TemporaryFolder()), PART)
        planned = planned or plan(rows, chosen, empty, chain([first], reading))
        features: Path | str | None = None
        if any(map(needs_store, chosen)):
            features = "default" if cache else None
            if not cache and store is not None and not store.complete:
                features = store.parts / "features.sqlite"  # so that it can go on
        summary, repaired = score_parts(planned, store=store, parts=parts, engine=by, cache=features, progress=progress)
        signatures = _signatures(planned.prepared, summary, chosen, empty)
        told = [*sentences(summary.notices), *summary.remarks()]
        lines = summary.rows()
        verdict = verdict_of(summary, lines, chosen)
        record = _record(summary, lines, verdict, chosen, signatures, told, empty)
        if parts is not None:
            if each is not None:
                for number in range(summary.chunks):
                    each(scores_of(parts, number).collect())
            if output is not None:
                about = record | {"input": rows.fingerprint()}
                _write(parts, summary.chunks, output, about, spreadsheet, overwrite or own, run)
        if store is not None and not store.complete:
            timings = {"seconds": round(time.monotonic() - started, 3)} | ({"command": command} if command else {})
            finish_scores(store, summary.chunks, record, timings)
        return FileScores(summary, lines, verdict, chosen, signatures, told, repaired, record)


def _check_outputs(run: Path | None, output: PathLike | None, inputs: Sequence[PathLike], overwrite: bool) -> None:
    if run is not None:
        check_folder(run, inputs)
        local = output is not None and not is_uri(os.fspath(output))
        if local and Path(os.path.realpath(run)) in Path(os.path.realpath(str(output))).parents:
            raise InputError(f"the output {output} is inside the run folder, which is reserved for the run's files")
    if output is not None:
        if _is_folder(output):
            if is_uri(os.fspath(output)):
                used = Remote(os.fspath(output)).check_folder([os.fspath(given) for given in inputs])
            else:
                check_folder(Path(output), inputs)
                used = os.path.isdir(output) and any(Path(output).iterdir())
            if used and not overwrite:
                raise InputError(f"the folder {shown(os.fspath(output))} is not empty; choose another")
        else:
            check_output(output, inputs=inputs, overwrite=overwrite)


def _is_folder(output: PathLike) -> bool:
    name = os.fspath(output)
    if is_uri(name):
        return name.partition("?")[0].endswith("/")
    return name.endswith(("/", os.sep)) or os.path.isdir(output)


def _files_of(metrics: Sequence[Metric]) -> list[str]:
    """Files and folders that metrics read: their parameters that name one."""
    values = [value for metric in metrics for value in vars(metric).values()]
    return [value for value in values if isinstance(value, str) and os.path.exists(value)]


def _identity(rows: Input, chosen: Sequence[Metric], empty: str) -> dict[str, Any]:
    metrics = {metric.spec: metric.signature("?", empty=empty) for metric in chosen}
    return {"version": __version__, "input": rows.fingerprint(), "metrics": metrics}


def _signatures(prepared: Mapping[str, Any], summary: Summary, chosen: Sequence[Metric], empty: str) -> dict[str, str]:
    work = Workspace()
    work.prepared.update(prepared)
    counts = reference_range(*(summary.references or (0, 0)))
    return {metric.spec: metric.signature(counts, work, empty) for metric in chosen}


def _record(
    summary: Summary,
    lines: Sequence[SummaryRow],
    verdict: Verdict | None,
    chosen: Sequence[Metric],
    signatures: Mapping[str, str],
    told: Sequence[str],
    empty: str,
) -> dict[str, Any]:
    return {
        "rows": summary.size,
        "empty": empty,
        "scales": {metric.spec: scale_of(metric) for metric in chosen},
        "signatures": dict(signatures),
        "seed": summary.seed,
        "resamples": summary.resamples,
        "summary": [row._asdict() for row in lines],
        "notices": summary.notices.record(),
        "warnings": list(told),
    } | ({} if verdict is None else {"verdict": verdict.record() | {"conclusion": conclusion(verdict)}})


def scale_of(metric: Metric) -> dict[str, Any]:
    """What a reader of the scores has to know of a metric; an end of its range that is infinite is None."""
    low, high = (end if math.isfinite(end) else None for end in metric.range)
    return {
        "title": metric.title,
        "question": declared_question(type(metric)) if metric.name not in names() else question(metric.name),
        "low": low,
        "high": high,
        "higher_is_better": metric.higher_is_better,
    }


def _write(
    parts: Parts,
    count: int,
    output: PathLike,
    record: Mapping[str, Any],
    spreadsheet: bool,
    overwrite: bool,
    run: Path | None,
) -> None:
    """One file of all scores or, in a folder, a file of each part and the summary; the run notes that it wrote them."""

    def write(path: PathLike, data: Any) -> None:
        atomic_write(path, data, None if run is None else noting(Path(run), path))

    if not _is_folder(output):
        join(
            [scores_of(parts, number) for number in range(count)], output, spreadsheet, overwrite=overwrite, write=write
        )
        return
    make_folder(output)
    about = {"signatures": json.dumps(record["signatures"]), "input": str(record["input"])}
    for number in range(count):
        buffer = BytesIO()
        scores_of(parts, number).collect().write_parquet(buffer, metadata=about)
        write(below(output, f"{number:06d}.parquet"), buffer.getvalue())
    summary = json.dumps({"parts": count} | dict(record), indent=2, ensure_ascii=False, default=str)
    write(below(output, "summary.json"), (summary + "\n").encode())
