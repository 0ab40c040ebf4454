"""Sources to paraphrases: a list of texts, or a file of any size, by any engine, resumable, scored and filtered."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from typing import Any, NamedTuple, overload

from .._version import __version__
from ..compute.workspace import Progress, no_progress
from ..errors import Hint, InputError, ParagaugeError
from ..evaluate.drive import drive
from ..evaluate.engines import Workers
from ..evaluate.engines import engine as make_engine
from ..evaluate.plan import Part, cut
from ..files.aligned import open_aligned
from ..files.input import Input
from ..files.layout import INPUT_FORMATS, Layout, check_format, format_by_suffix, unknown_suffix
from ..files.rows import Row, open_sources, write_lines, write_rows
from ..files.write import PathLike, check_output, kept_in
from ..metrics import Given as GivenMetric
from ..paraphraser import Candidates
from ..paraphrasers import Given
from ..runs.outputs import is_own, noting
from ..runs.store import Parts, Store, folder_beside
from ..tables.samples import Samples, entries
from .generate import BUDGET_TIMES, PART, PartParaphraser, PartRows, part_paraphraser

_LINES = {".txt": "txt", ".txt.gz": "txt", ".en": "txt"}  # suffixes of texts with a source per line


class Paraphrased(NamedTuple):
    """What became of a file."""

    rows: list[Row] | None  # where they went to no file
    sources: int
    candidates: int
    empty: dict[str, int]  # sources without a candidate, by reason
    rejected: dict[str, int]  # candidates that did not meet the condition, by the part of it that failed
    signature: str


@overload
def paraphrase(sources: PathLike, method: Given | None = ..., n: int = ..., **others: Any) -> Paraphrased: ...


@overload
def paraphrase(sources: Iterable[str], method: Given | None = ..., n: int = ..., **others: Any) -> list[Candidates]: ...


def paraphrase(
    sources: Iterable[str] | PathLike,
    method: Given | None = None,
    n: int = 5,
    *,
    where: str | None = None,
    budget: int | None = None,
    output: PathLike | None = None,
    overwrite: bool = False,
    metrics: Iterable[GivenMetric] = (),
    workers: int | str | None = None,
    progress: Progress = no_progress,
    **layout: Any,
) -> list[Candidates] | Paraphrased:
    """Up to n paraphrases of each source, best first; an empty set has a reason.

    Without a method it is `round-trip` where its models were downloaded before, else `wordnet-swap`.

    `where` is a condition on metrics, as in "cosine.free >= 0.8 and ned.free >= 0.3": candidates are generated until n
    meet it. `budget` (default: 4 n) is how many candidates of a source are asked of the method at most, all rounds
    together: a later round asks for more than the one before it, and what comes again counts again.

    The sources may be the path of a text file (.txt, or format="txt") or of a table with the column `source`, of any
    size: then the rows are given, or written to `output`, as by `paragauge paraphrase`. `metrics` adds columns of
    scores, and `workers` is as in `score`.

    >>> paraphrase([""], "wordnet-swap")[0].reason
    'the source is empty'
    """
    if isinstance(sources, (str, os.PathLike)) and _is_place(os.fspath(sources)):
        return paraphrase_file(
            sources, method, n, output=output, overwrite=overwrite, where=where, budget=budget, metrics=metrics,
            progress=progress, **Workers.read(workers)._asdict(), **layout,
        )  # fmt: skip
    if output is not None or workers is not None:
        raise InputError("output and workers are for the path of a text file or table")
    work = part_paraphraser(method, n, where, budget, metrics)
    listed: Any = sources
    found, _ = work.kept(entries("sources", listed, "a list of texts"))
    return [Candidates(own.candidates, own.reason) for own in found]


def _is_place(name: str) -> bool:
    """Is it the name of a file, and not a text?"""
    return name == "-" or os.path.exists(name) or format_by_suffix(name, INPUT_FORMATS | _LINES) is not None


def sources_in(table: PathLike, layout: Layout = Layout()) -> Input:
    """Texts to be paraphrased: lines (the format `txt`), or the column `source` of a table; `-` is standard input."""
    name, formats = os.fspath(table), INPUT_FORMATS | _LINES
    if layout.format == "txt" or (layout.format is None and format_by_suffix(name, _LINES)):
        return open_aligned(None, [table], encoding=layout.encoding)
    if layout.format is not None:
        check_format(layout.format, formats)
    elif layout.delimiter is None and not format_by_suffix(name, formats) and os.path.isfile(name):
        raise unknown_suffix(name, formats, Hint("or name it, as with {format}", format="txt"))
    return open_sources(table, layout)


def paraphrase_file(
    table: PathLike | Input,
    method: Given | None = None,
    n: int = 5,
    *,
    output: PathLike | None = None,
    overwrite: bool = False,
    spreadsheet: bool = False,
    where: str | None = None,
    budget: int | None = None,
    metrics: Iterable[GivenMetric] = (),
    engine: str | None = None,
    workers: int | None = None,
    address: str | None = None,
    progress: Progress = no_progress,
    **layout: Any,
) -> Paraphrased:
    """Paraphrase the lines of a text file (.txt, or format="txt"), or the column `source` of a table of any size.

    Without a method it is chosen as `paraphrase` does.

    The `output` (jsonl, csv, tsv, parquet) has a row per candidate, which `score` and `filter` read; a source without
    one has a row with a null candidate and the reason. Until the output is whole, finished parts lie in a folder
    next to it; the same call resumes. `metrics` adds columns of scores; `where` and `budget` are as in `paraphrase`.
    """
    rows = table if isinstance(table, Input) else sources_in(table, Layout(**layout))
    work = part_paraphraser(method, n, where, budget, metrics)
    signature = work.paraphraser.signature
    counts: Counter[str] = Counter()
    with ExitStack() as stack:
        store = None
        if output is not None:
            overwrite = overwrite or is_own(folder_beside(output), output)  # written before this was interrupted
            check_output(output, inputs=rows.files, overwrite=overwrite)
            store = Store.beside(output, _identity(rows, work, signature))
            stack.enter_context(kept_in(store.folder))
            stack.callback(store.release)
            work.parts = store.kept(PART)
        finished = []
        chunks = rows.chunks(work.paraphraser.batch)
        for part in _parts(work, chunks, engine, workers, address):
            finished.append(part.lines)
            counts.update(part.counts)
            progress("paraphrasing sources", counts["sources"], rows.length or max(counts["sources"], 1))
        if store is not None and output is not None:
            _write(store, len(finished), output, overwrite, spreadsheet)
            store.remove()
    return Paraphrased(
        None if output is not None else [json.loads(line) for lines in finished for line in lines.splitlines()],
        counts["sources"],
        counts["candidates"],
        _under("empty: ", counts),
        _under("rejected: ", counts),
        signature,
    )


def paraphrase_sources(
    sources: Sequence[str],
    method: Given,
    n: int,
    *,
    parts: Parts | None = None,
    engine: str | None = None,
    workers: int | None = None,
    address: str | None = None,
    progress: Progress = no_progress,
) -> list[Row]:
    """Rows as `paraphrase_file` writes them, of texts at hand; what is finished in `parts` is not done again."""
    work = part_paraphraser(method, n, None, None, ())
    work.parts = parts
    starts = range(0, len(sources), work.paraphraser.batch)
    chunks = (Samples.of(None, sources[start : start + starts.step]) for start in starts)
    rows: list[Row] = []
    done = 0
    for number, part in enumerate(_parts(work, chunks, engine, workers, address)):
        kept = None if parts is None else parts.load(number)
        rows += map(json.loads, (part.lines if kept is None else kept[-1]).splitlines())
        done += part.counts["sources"]
        progress("paraphrasing sources", done, len(sources))
    return rows


def _parts(
    work: PartParaphraser, chunks: Iterable[Samples], engine: str | None, workers: int | None, address: str | None
) -> Iterator[PartRows]:
    # models run on all cores in one process already
    by = make_engine(engine or "local", 1 if workers is None and engine is None else workers, address)
    return drive(by, work, cut(chunks), name=_sources_of, kept=work.parts is not None)


def _sources_of(part: Part) -> str:
    return f"sources {part.first_row:,} to {part.last_row:,}"


def _identity(rows: Input, work: PartParaphraser, signature: str) -> dict[str, Any]:
    return {
        "version": __version__,
        "input": rows.fingerprint(),
        "method": signature,
        "system": work.system,
        "n": work.n,
        "keep": "" if work.condition is None else work.condition.text,
        "metrics": {metric.spec: metric.signature() for metric in work.metrics},
        "budget": None if work.condition is None or work.budget == BUDGET_TIMES * work.n else work.budget,
    }


def _write(store: Store, parts: int, output: PathLike, overwrite: bool, spreadsheet: bool) -> None:
    kept = store.kept(PART)

    def lines() -> Iterator[bytes]:
        for number in range(parts):
            found = kept.load(number)
            if found is None:
                raise ParagaugeError(f"{kept.paths(number)[-1]} was changed during the run; rerun to resume")
            yield from found[-1].splitlines(keepends=True)

    ready = noting(store.folder, output)
    if check_output(output, overwrite=overwrite) == "jsonl":
        write_lines(lines(), output, ready)
    else:
        write_rows(map(json.loads, lines()), output, overwrite=overwrite, spreadsheet=spreadsheet, ready=ready)


def _under(prefix: str, counts: Counter[str]) -> dict[str, int]:
    return {name.removeprefix(prefix): count for name, count in counts.items() if name.startswith(prefix)}
