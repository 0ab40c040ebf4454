"""`score`: rows that are all at hand, in whichever way they are given."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any
from warnings import warn

from ..compute.store import Store
from ..compute.workspace import Progress, Workspace
from ..errors import InputError
from ..files.coerce import read
from ..metric import Metric
from ..metrics import Given
from ..tables.notices import NoticeKind, sentences
from ..tables.samples import Samples
from ..tables.scores import Scores
from ..tables.shared_rows import check_empty
from ..visible import visible
from .choose import check_needs, choose, needs_store
from .part import score_part


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
    **settings: Any,
) -> Scores:
    """Score candidates: one row per candidate, one column per metric.

    `settings` such as encoder="all-mpnet-base-v2", layer=4 or precision="int8" go to every metric that has such a
    parameter and was not given its own. What no metric reads may be left out. Instead of columns, `samples` (or the
    first argument) may be Samples, a DataFrame, a list of rows as dicts, or the path of a table; `columns` renames, as
    in {"source": "question"}; `delimiter` separates the cells of a csv file, and `header` names the columns, in order,
    of a file that has no header line. In the summary an empty candidate counts as the worst score; empty="skip" leaves
    it out, and the same row of other systems.

    >>> found = score(["How old are you?"], ["What is your age?"], metrics=["ned.free"])
    >>> found["ned.free"].round(3).tolist()
    [0.824]
    """
    check_empty(empty)
    table = table_of(sources, candidates, references, systems, ids, samples, columns, delimiter, header)
    chosen = choose(metrics, any(table.references), lang=lang, **settings)
    found = evaluate_whole(table, chosen, work, cache=cache, empty=empty)
    for sentence in sentences(
        found.notices, without=[NoticeKind.COPIES]
    ):  # who calls has the texts, and copies do no harm
        warn(visible(sentence), stacklevel=2)
    return found


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
        raise InputError("candidates (and what the metrics read beside them) are needed, or samples")
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
    kept = Store.kept() if own and cache and any(map(needs_store, metrics)) else None
    work = work or Workspace(kept, progress=progress)
    try:
        work.reported.clear()  # the texts of this call are told of, though an earlier one read them too
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
