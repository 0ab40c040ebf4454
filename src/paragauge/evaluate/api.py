"""Samples and metrics to Scores: the metrics chosen, the input cut into parts, the parts scored and merged."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any
from warnings import warn

from ..compute.store import Store
from ..compute.workspace import Progress, Workspace, no_progress
from ..errors import InputError, ParagaugeError
from ..files.coerce import read
from ..files.table_file import Input
from ..metric import Metric
from ..metrics import Given, metric_of
from ..runs.run import PartFiles, Run
from ..tables.notices import NoticeKind, sentences
from ..tables.samples import Samples
from ..tables.scores import Scores
from ..tables.shared_rows import SharedRows, check_empty
from ..tables.summary import Summary
from ..text.tokens import for_language
from ..visible import visible
from .engines import Engine, Outcome
from .engines import engine as make_engine
from .engines.local import Local
from .part import ROWS, Part, PartResult, PartScorer, Place, aggregation_of, plan, score_part

VERDICT = ("meaning", "changed", "usable")
WITH_REFERENCES = (*VERDICT, "parascore", "parascore-free", "bertscore", "bertscore.free", "ned.free", "bleu", "rougeL")
MODELS = ("encoder", "language model", "pair model")  # what a metric loads that is worth a disk cache
FEW = 3  # parts: fewer are scored in this process, as starting others would take longer
WITHOUT_REFERENCES = (*VERDICT, "parascore-free", "bertscore.free", "cosine.free", "ned.free", "bleu.free")


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
    own = work is None
    if work is None:
        work = workspace_for(metrics, cache=cache, progress=progress)
    try:
        work.reported.clear()  # the texts of this call are told of, though an earlier one read them too
        return score_part(samples, metrics, learn([samples], metrics), work, empty)
    finally:
        if own:
            work.close()


def learn(chunks: Iterable[Samples], metrics: Sequence[Metric]) -> dict[str, Any]:
    """What metrics must know of the whole input before the first row is scored, counted part by part."""
    work = Workspace()
    for metric in metrics:
        metric.prepare(chunks, work)
    return work.prepared


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
    if metrics is not None and (isinstance(metrics, (set, frozenset)) or not isinstance(metrics, Iterable)):
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
    return metric.loads in MODELS


def check_needs(metrics: Iterable[Metric], chunks: Iterable[Samples]) -> None:
    """Refuse a metric that needs references (or sources) where no row of the input has any."""
    found = {"references": False, "source": False}
    rows = 0
    for chunk in chunks:
        rows += len(chunk)
        found["references"] = found["references"] or any(chunk.references)
        found["source"] = found["source"] or any(map(str.strip, chunk.sources))
        if all(found.values()):
            return
    for metric in metrics:
        for need, present in found.items():
            if need in metric.needs and not present:
                if not rows:
                    raise InputError("there are no rows to score")
                hint = (
                    f"; '{metric.name}.free' compares with the source"
                    if hasattr(metric, "free") and need == "references"
                    else ""
                )
                raise InputError(f"{metric.spec} needs {need} and no row of the input has any{hint}")


def evaluate_input(
    chunks: Iterable[Samples],
    metrics: Sequence[Metric],
    learned: Mapping[str, Any] | None = None,
    *,
    run: Run | None = None,
    files: PartFiles | None = None,
    engine: Engine | None = None,
    cache: Path | str | None = None,
    empty: str = "worst",
    progress: Progress = no_progress,
) -> Summary:
    """Score an input part by part in bounded memory, by an engine; with a run folder, go on where it stopped.

    `chunks` must be re-iterable: which rows all systems have is known only at their end. The scores of single rows go
    to the run folder, or to `files`; the summary is that of the parts in their order, whoever scored them. Without an
    engine, all cores are used where that pays. `learned` is what `learn` gives, `cache` as in `PartScorer`.
    """
    one_system = isinstance(chunks, Input) and not chunks.several_systems  # a pass over the input that can be spared
    shared = SharedRows(empty, () if one_system else chunks)
    learned = learn(chunks, metrics) if learned is None else learned
    summary = Summary(shared=shared)
    parts = plan(chunks, metrics)
    if run is not None and run.complete:
        aggregations = {metric.spec: aggregation_of(metric) for metric in metrics}
        for part in parts:
            found = run.load(part.samples, aggregations)
            if files is not None:
                files.save(part.number, found)
            summary.add(found)
        return summary
    scorer = PartScorer(metrics, learned, shared, files if run is None else run.files, cache, progress)
    failed: list[tuple[Place, Outcome[PartResult]]] = []
    for place, outcome in in_order(parts, scorer, _fitting(engine, chunks, metrics)):
        if outcome.result is None:
            failed.append((place, outcome))
            continue
        summary.merge(outcome.result.summary)
        if run is not None:
            run.recomputed += outcome.result.recomputed
        progress("scoring rows", summary.size, _expected(chunks, place))
    if failed:
        raise _failure(failed, summary.chunks, run is not None)
    return summary


def _fitting(engine: Engine | None, chunks: Iterable[Samples], metrics: Sequence[Metric]) -> Engine:
    """The engine given or chosen; but this process alone where starting others would take longer."""
    if engine is None:
        # models run on all cores in one process already, and a process of their own would hold them once more
        alone = any(metric.loads in MODELS for metric in metrics) or not _exceed(chunks, FEW - 1)
        return make_engine("local", 1 if alone else None)
    return engine if not isinstance(engine, Local) or _exceed(chunks, 1) else Local(1)


def _exceed(chunks: Iterable[Samples], parts: int) -> bool:
    """Are there more parts, by what an input tells without being read?"""
    try:
        if isinstance(chunks, Input):
            return chunks.exceeds(parts * ROWS)
        return sum(1 for _ in islice(chunks, parts + 1)) > parts
    except Exception:
        return False  # it comes up again in its turn, when the rows before it are scored


def in_order(parts: Iterator[Part], scorer: PartScorer, engine: Engine) -> Iterator[tuple[Place, Outcome[PartResult]]]:
    """The outcome of every part, in the order of the parts, whichever is ready first."""
    places: dict[int, Place] = {}

    def noted() -> Iterator[Part]:
        for part in parts:
            places[part.number] = Place(part.number, part.first_row, len(part.rows))
            yield part

    ready: dict[int, Outcome[PartResult]] = {}
    following = 0
    for outcome in engine.map(scorer, noted()):
        ready[outcome.number] = outcome
        while following in ready:
            yield places.pop(following), ready.pop(following)
            following += 1


def _expected(chunks: Iterable[Samples], place: Place) -> int:
    """How many rows there may be in all, by how far reading is."""
    if isinstance(chunks, Input):
        if chunks.length is not None:
            return chunks.length
        done, total = chunks.progress()
        return max(place.last_row, round(place.last_row * total / max(done, 1)))
    return place.last_row


def _failure(failed: Sequence[tuple[Place, Outcome[PartResult]]], finished: int, kept: bool) -> ParagaugeError:
    """What went wrong, and with which rows; where it is the same everywhere, that alone."""
    errors = {outcome.error for _, outcome in failed}
    if len(errors) == 1 and not finished:
        return ParagaugeError(str(*errors), failed[0][1].hint)
    told = [
        f"rows {place.first_row:,} to {place.last_row:,} failed (tried {outcome.tries} times): {outcome.error}"
        for place, outcome in failed[:5]
    ]
    more = f"; and {len(failed) - 5} more parts" if len(failed) > 5 else ""
    rest = f"{finished:,} other parts are finished" + ("; rerun to try these again" if kept else "")
    return ParagaugeError("; ".join(told) + f"{more}; {rest}")
