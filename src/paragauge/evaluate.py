"""Samples and metrics to Scores, chunk by chunk."""

from __future__ import annotations

import dataclasses
import functools
import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any
from warnings import warn

import numpy as np

from .compute.copies import count_copies, describe_copies
from .compute.store import Store
from .compute.workspace import Progress, Workspace
from .errors import InputError
from .files.given import read
from .files.reading import Input
from .files.runs import Run
from .metric import Metric, SumMetric
from .metrics import Given, metric_of
from .tables.samples import Samples
from .tables.scores import Aggregation, ScoreColumn, Scores
from .tables.shared import Shared, check_empty
from .tables.summary import Summary, reference_counts
from .text.tokens import for_language
from .visible import visible

WITH_REFERENCES = ("parascore", "parascore-free", "bertscore", "bertscore.free", "ned.free", "bleu", "rougeL")
UNKNOWN_SHARE = 0.1  # English tweets have 0.1% of unknown tokens, Chinese text through an English encoder 30% and more
WITHOUT_REFERENCES = ("parascore-free", "bertscore.free", "cosine.free", "ned.free", "bleu.free")


def score(
    sources: Any = None,
    candidates: Iterable[str | None] | None = None,
    references: Iterable[Iterable[str | None] | None] | None = None,
    *,
    systems: Iterable[str | None] | str | None = None,
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
    if samples is None and candidates is None and not _is_column(sources):
        sources, samples = None, sources
    given = [sources, candidates, references, systems, ids]
    if samples is not None and any(column is not None for column in given):
        raise InputError("score takes either samples or columns of them (sources, candidates, …), not both")
    if samples is None and candidates is None:
        raise InputError("score needs candidates (and what the metrics read beside them), or samples")
    table = read(samples, columns, delimiter, header) if samples is not None else Samples.of(*given)
    chosen = choose(metrics, any(table.references), lang=lang, **settings)
    found = evaluate_whole(table, chosen, work, cache=cache, empty=empty)
    for sentence in warnings(found.notes, exact_copies=False):  # who calls has the texts, and copies do no harm
        warn(visible(sentence), stacklevel=2)
    return found


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
    own = work is None
    if work is None:
        work = workspace_for(metrics, cache=cache, progress=progress)
    try:
        for metric in metrics:
            metric.prepare([samples], work)
        work.counted.clear()
        return evaluate(samples, metrics, work, empty)
    finally:
        if own:
            work.close()


def workspace_for(metrics: Iterable[Metric], *, cache: bool = True, progress: Progress | None = None) -> Workspace:
    """A workspace with the disk cache where a metric computes something expensive enough for it."""
    return Workspace(Store.default() if cache and any(map(needs_store, metrics)) else None, progress=progress)


def _is_column(sources: Any) -> bool:
    """Is the first argument a column of sources, and not a whole table (or its path)?"""
    if sources is None or isinstance(sources, (list, tuple)):
        return not sources or not isinstance(sources[0], Mapping)
    table = isinstance(sources, (str, os.PathLike, Samples)) or hasattr(sources, "columns")
    return isinstance(sources, Iterable) and not table


def choose(
    metrics: Iterable[Given] | Given | None, references: bool, *, lang: str = "auto", **settings: Any
) -> list[Metric]:
    """The metrics asked for (or a good default), with run-wide settings applied where a metric has them."""
    if metrics is not None and isinstance(metrics, (str, Metric, type)):
        metrics = [metrics]
    if metrics is not None and not isinstance(metrics, Iterable):
        raise InputError(f"metrics is {metrics!r:.60}; expected a list of names or metrics, such as ['bleu']")
    named = list(metrics or ()) or (WITH_REFERENCES if references else WITHOUT_REFERENCES)
    chosen = [metric_of(metric) for metric in named]
    tokenizer = for_language(lang)
    common = {key: value for key, value in settings.items() if value is not None}
    if tokenizer != "auto":
        common["tokenizer"] = tokenizer
    result = [_with(metric, common) for metric in chosen]
    unused = [key for key in settings if key in common and not any(hasattr(metric, key) for metric in chosen)]
    if unused:
        raise InputError(f"none of the metrics has a parameter '{unused[0]}'")
    distinct = {metric.spec: metric for metric in result}
    return list(distinct.values())


def _with(metric: Metric, common: dict[str, Any]) -> Metric:
    """The metric with those run-wide settings that it has and that were left at their default."""
    changes = {}
    for field in dataclasses.fields(metric):
        choices = field.metadata.get("choices")
        value = common.get(field.name)
        if value is None or getattr(metric, field.name) != field.default:
            continue
        if field.name == "tokenizer" and (field.default != "auto" or value not in (choices or ())):
            continue  # ROUGE and TER cut words in their own way, in every language
        changes[field.name] = value
    return dataclasses.replace(metric, **changes) if changes else metric


def needs_store(metric: Metric) -> bool:
    """Does it compute anything expensive enough for the disk cache?"""
    return metric.loads in ("encoder", "language model", "pair model")


def check_needs(metrics: Iterable[Metric], chunks: Iterable[Samples]) -> None:
    """Refuse a metric that needs references (or sources) where no row of the input has any."""
    found = {"references": False, "source": False}
    for chunk in chunks:
        found["references"] = found["references"] or any(chunk.references)
        found["source"] = found["source"] or any(map(str.strip, chunk.sources))
        if all(found.values()):
            return
    for metric in metrics:
        for need, present in found.items():
            if need in metric.needs and not present:
                hint = (
                    f"; '{metric.name}.free' compares with the source"
                    if hasattr(metric, "free") and need == "references"
                    else ""
                )
                raise InputError(f"{metric.spec} needs {need} and no row of the input has any{hint}")


def evaluate(samples: Samples, metrics: Sequence[Metric], work: Workspace, empty: str | None = None) -> Scores:
    """Score one chunk. Undefined rows are NaN with a reason; a metric that breaks its contract is an error."""
    columns = {}
    for metric in metrics:
        counts = None
        if isinstance(metric, SumMetric):
            counts = metric.counts(samples, work)
            counts[list(samples.missing)] = np.nan
            scores = metric.from_counts(counts, corpus=False)
        else:
            scores = metric.rate(samples, work)
        if scores.shape != (len(samples),):
            raise InputError(f"{metric.spec} gave scores of shape {scores.shape} for {len(samples)} rows")
        scores = metric.of_candidates(samples, scores)
        reasons = {int(row): metric.why(samples, int(row)) for row in np.flatnonzero(np.isnan(scores))}
        columns[metric.spec] = ScoreColumn(
            scores, reasons, counts, aggregation_of(metric), metric.remarks(samples, work)
        )
    notes = Counter(work.notes) + Counter(repaired=samples.repaired) + count_copies(samples, work)
    work.notes.clear()
    nrefs = reference_range(*reference_counts(samples))
    signatures = {metric.spec: metric.signature(nrefs, work, empty) for metric in metrics}
    return Scores(samples, columns, signatures, notes, empty or "worst")


def aggregation_of(metric: Metric) -> Aggregation:
    """What the summary has to know of a metric."""
    from_counts = functools.partial(metric.from_counts, corpus=True) if isinstance(metric, SumMetric) else None
    return Aggregation(from_counts, metric.higher_is_better, metric.weights, metric.with_failures, metric.worst)


def reference_range(fewest: int, most: int) -> str:
    """`2` or `1-3`: how many references the rows have."""
    return str(most) if fewest == most else f"{fewest}-{most}"


def warnings(notes: Mapping[str, int], *, exact_copies: bool = True) -> list[str]:
    """What the reader of the scores should know, each in one sentence."""
    found = describe_copies(notes, exact=exact_copies)
    for note, count in sorted(notes.items()):
        what, _, encoder = note.partition("|")
        if what == "truncated" and count:
            found.append(f"{count:,} texts are longer than {encoder} can read; what is beyond its limit was ignored")
        if what == "truncated pairs" and count:
            found.append(f"{count:,} pairs are longer than {encoder} can read; what is beyond its limit was ignored")
        share = count / max(notes.get(f"tokens|{encoder}", 0), 1)
        if what == "unknown" and share > UNKNOWN_SHARE:
            found.append(
                f"{share:.0%} of the tokens are unknown to {encoder}, so its scores mean little here; use an encoder "
                "for this language: --encoder m3e-small for Chinese (non-commercial), or a folder or hub id"
            )
        if what == "repaired" and count:
            found.append(f"{count:,} texts held half of a surrogate pair, which was replaced by U+FFFD")
    return found


def evaluate_input(
    chunks: Iterable[Samples],
    metrics: Sequence[Metric],
    work: Workspace,
    run: Run | None = None,
    report: Callable[[Scores], None] = lambda _: None,
    empty: str = "worst",
) -> Summary:
    """Score chunk after chunk in bounded memory; with a run folder, go on where it stopped.

    `chunks` must be re-iterable: which rows all systems have is known only at their end. `report` is handed each
    chunk's scores, in order.
    """
    one_system = isinstance(chunks, Input) and not chunks.several_systems  # a pass over the input that can be spared
    shared = Shared(empty, () if one_system else chunks)
    if any(metric.unit == "source" for metric in metrics):
        chunks = WholeSets(chunks)
    for metric in metrics:
        metric.prepare(chunks, work)
    aggregations = {metric.spec: aggregation_of(metric) for metric in metrics}
    summary = Summary(shared=shared)
    for number, chunk in enumerate(chunks):
        found = run.load(number, chunk, aggregations) if run is not None else None
        if found is None:
            found = evaluate(chunk, metrics, work, empty)
            work.tidy()
            if run is not None:
                run.save(number, found)
        summary.add(found)
        report(found)
    return summary


class WholeSets:
    """Chunks cut anew so that rows of one source that follow each other stay together.

    A set that comes up again later in the file could not be scored as a whole, and is refused.
    """

    def __init__(self, chunks: Iterable[Samples]) -> None:
        self.chunks = chunks

    def __iter__(self) -> Iterator[Samples]:
        seen: set[int] = set()
        rest: Samples | None = None
        for chunk in self.chunks:
            whole = chunk if rest is None else rest + chunk
            last = whole.sources[-1]
            cut = len(whole)
            while cut and whole.sources[cut - 1] == last:
                cut -= 1
            rest = whole.rows(range(cut, len(whole)))
            if cut:
                yield self._checked(whole.rows(range(cut)), seen)
        if rest is not None:
            yield self._checked(rest, seen)

    @staticmethod
    def _checked(chunk: Samples, seen: set[int]) -> Samples:
        fresh = set()
        for rows in chunk.sets():
            key = hash((chunk.systems[rows[0]], chunk.sources[rows[0]]))
            if key in seen:
                raise InputError(
                    f"the candidates of one source must stand together for a metric of sets, but those of "
                    f"{chunk.sources[rows[0]]!r:.60} come up again at row {chunk.ids[rows[0]]}; sort the file by source"
                )
            fresh.add(key)
        seen |= fresh
        return chunk
