"""`score`: rows in whichever way they are given; in memory, or into a run folder or a file."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, overload
from warnings import warn

from ..compute.store import FeatureStore
from ..compute.workspace import Progress, Workspace, no_progress
from ..errors import InputError
from ..files.input import Input, Rows
from ..files.layout import Layout
from ..files.rows import read
from ..files.table import open_table
from ..files.write import PathLike
from ..metric import Metric
from ..metrics import Given
from ..printable import printable
from ..tables.notices import NoticeKind, sentences
from ..tables.samples import Samples
from ..tables.scores import Scores
from ..tables.shared_rows import check_empty
from .engines import Workers
from .part import score_part
from .plan import check_needs, choose, needs_store
from .run import Run, open_run


@overload
def score(
    sources: Any = ..., candidates: Any = ..., references: Any = ..., *, run: None = ..., output: None = ...,
    **others: Any,
) -> Scores: ...  # fmt: skip
@overload
def score(sources: Any = ..., candidates: Any = ..., references: Any = ..., *, run: PathLike, **others: Any) -> Run: ...
@overload
def score(sources: Any = ..., candidates: Any = ..., *, output: PathLike, **others: Any) -> Run: ...
def score(
    sources: Any = None,
    candidates: Iterable[str | None] | None = None,
    references: Iterable[Iterable[str | None] | None] | None = None,
    *,
    systems: Iterable[str | None] | None = None,
    ids: Iterable[object] | None = None,
    samples: Any = None,
    columns: Mapping[str, str] | None = None,
    delimiter: str | None = None,
    header: Sequence[str] | None = None,
    metrics: Iterable[Given] | Given | None = None,
    empty: str = "worst",
    lang: str = "auto",
    cache: bool = True,
    work: Workspace | None = None,
    run: PathLike | None = None,
    output: PathLike | None = None,
    overwrite: bool = False,
    workers: int | str | None = None,
    progress: Progress = no_progress,
    **settings: Any,
) -> Scores | Run:
    """Score candidates: one row per candidate, one column per metric.

    `settings` such as encoder="all-mpnet-base-v2", layer=4 or precision="int8" go to every metric that has such a
    parameter and was not given its own. What no metric reads may be left out. Instead of columns, `samples` (or the
    first argument) may be Samples, a DataFrame, a list of rows as dicts, or the path of a table; `columns` renames, as
    in {"source": "question"}; `delimiter` separates the cells of a csv file, and `header` names the columns, in order,
    of a file that has no header line. In the summary an empty candidate counts as the worst score; empty="skip" leaves
    it out, and the same row of other systems.

    With `run`, a folder that keeps everything, or `output`, a file (or folder/) for every score, a table of any size
    is scored by parts in bounded memory, by `workers` (8; "ray", "ray:auto", "8@ray"), and the same call resumes what
    was interrupted; the result is then a `Run`.

    >>> found = score(["How old are you?"], ["What is your age?"], metrics=["ned.free"])
    >>> found["ned.free"].round(3).tolist()
    [0.824]
    """
    check_empty(empty)
    if run is None and output is None:
        if workers is not None or overwrite:
            raise InputError("workers and overwrite are for scores that are kept; expected run or output too")
        table = table_of(sources, candidates, references, systems, ids, samples, columns, delimiter, header)
        chosen = choose(metrics, any(table.references), lang=lang, **settings)
        found = evaluate_whole(table, chosen, work, cache=cache, empty=empty, progress=progress)
        # who calls has the texts, and copies do no harm
        _warn(sentences(found.notices, without=[NoticeKind.COPIES]))
        return found
    from .score_file import score_file  # which reads the verdict of `judge`, and that is made of the scores here

    place = samples if samples is not None else sources if candidates is None else None
    if isinstance(place, (str, os.PathLike)):
        rows: Input = open_table(place, Layout(columns=columns, delimiter=delimiter, header=header))
    else:
        rows = Rows(table_of(sources, candidates, references, systems, ids, samples, columns, delimiter, header))
    kept = score_file(
        rows, metrics=metrics, run=None if run is None else Path(run), output=output, overwrite=overwrite, empty=empty,
        lang=lang, cache=cache, progress=progress, **Workers.read(workers)._asdict(), **settings,
    )  # fmt: skip
    _warn(kept.warnings)
    return Run(None, kept.record) if run is None else open_run(run)


def _warn(found: Iterable[str]) -> None:
    for sentence in found:
        warn(printable(sentence), stacklevel=3)


def table_of(
    sources: Any = None,
    candidates: Iterable[str | None] | None = None,
    references: Iterable[Iterable[str | None] | None] | None = None,
    systems: Iterable[str | None] | None = None,
    ids: Iterable[object] | None = None,
    samples: Any = None,
    columns: Mapping[str, str] | None = None,
    delimiter: str | None = None,
    header: Sequence[str] | None = None,
) -> Samples:
    """The table that `score` or `judge` was given, in whichever way."""
    if samples is None and candidates is None and not _is_column(sources):
        sources, samples = None, sources
    given = [sources, candidates, references, systems, ids]
    if samples is not None and any(column is not None for column in given):
        raise InputError("either samples or columns of them (sources, candidates, …) are expected, not both")
    if samples is None and candidates is None:
        raise InputError("candidates (and what the metrics read besides them) are needed, or samples")
    return read(samples, columns, delimiter, header) if samples is not None else Samples.of(*given)


def evaluate_whole(
    samples: Samples,
    metrics: Sequence[Metric],
    work: Workspace | None = None,
    *,
    cache: bool = True,
    progress: Progress | None = None,
    empty: str | None = None,
) -> Scores:
    """Score rows that are all at hand, in the workspace given or in one of their own.

    `empty` is what an empty candidate counts in a summary; None where there will be none.
    """
    check_needs(metrics, [samples])
    learned = Workspace()
    for metric in metrics:
        metric.prepare([samples], learned)
    own = work is None
    kept = FeatureStore.kept() if own and cache and any(map(needs_store, metrics)) else None
    work = work or Workspace(kept, progress=progress)
    try:
        work.reported.clear()  # the texts of this call are reported, though an earlier one read them too
        return score_part(samples, metrics, learned.prepared, work, empty)
    finally:
        if kept is not None:
            work.flush()
        elif own:
            work.close()


def _is_column(sources: Any) -> bool:
    """Is the first argument a column of sources, and not a whole table (or its path)?"""
    if sources is None or isinstance(sources, (list, tuple)):
        return not sources or not isinstance(sources[0], Mapping)
    table = isinstance(sources, (str, os.PathLike, Samples)) or hasattr(sources, "columns")
    return isinstance(sources, Iterable) and not table
