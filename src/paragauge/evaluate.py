"""Samples and metrics to Scores, chunk by chunk."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any
from warnings import warn

import numpy as np

from .compute.copies import count_copies, describe_copies
from .compute.store import Store
from .compute.workspace import Progress, Workspace
from .errors import InputError
from .files.runs import Run
from .metric import Metric, SumMetric
from .metrics import parse
from .tables.samples import Samples
from .tables.scores import Column, Form, Scores, Summary, reference_counts
from .text.tokens import for_language

WITH_REFERENCES = ("parascore", "parascore-free", "bertscore", "bertscore.free", "ned.free", "bleu", "rougeL")
UNKNOWN_SHARE = 0.1  # English tweets have 0.1% of unknown tokens, Chinese text through an English encoder 30% and more
WITHOUT_REFERENCES = ("parascore-free", "bertscore.free", "cosine.free", "ned.free", "bleu.free")


def score(
    sources: Sequence[str | None] | None = None,
    candidates: Sequence[str | None] | None = None,
    references: Sequence[Sequence[str | None] | None] | None = None,
    *,
    systems: Sequence[str | None] | str | None = None,
    ids: Sequence[object] | None = None,
    samples: Samples | None = None,
    metrics: Sequence[str | Metric] | None = None,
    lang: str = "auto",
    cache: bool = True,
    work: Workspace | None = None,
    **settings: Any,
) -> Scores:
    """Score candidates: one row per candidate, one column per metric.

    `settings` such as encoder="all-mpnet-base-v2", layer=4 or precision="int8" go to every metric that has such a
    parameter and was not given its own.

    >>> found = score(["How old are you?"], ["What is your age?"], metrics=["ned.free"])
    >>> found["ned.free"].round(3).tolist()
    [0.824]
    """
    if samples is None:
        if sources is None or candidates is None:
            raise InputError("score needs sources and candidates, or samples")
        samples = Samples.of(sources, candidates, references, systems, ids)
    chosen = choose(metrics, any(samples.references), lang=lang, **settings)
    found = evaluate_whole(samples, chosen, work, cache=cache)
    for sentence in warnings(found.notes, exact_copies=False):  # who calls has the texts, and copies do no harm
        warn(sentence, stacklevel=2)
    return found


def evaluate_whole(
    samples: Samples,
    metrics: Sequence[Metric],
    work: Workspace | None = None,
    *,
    cache: bool = True,
    progress: Progress | None = None,
) -> Scores:
    """Score rows that are all at hand, in the workspace given or in one of their own."""
    check_needs(metrics, [samples])
    own = work is None
    if work is None:
        work = Workspace(Store.default() if cache and any(map(needs_store, metrics)) else None, progress=progress)
    try:
        for metric in metrics:
            metric.prepare([samples], work)
        work.counted.clear()
        return evaluate(samples, metrics, work)
    finally:
        if own:
            work.close()


def choose(
    metrics: Sequence[str | Metric] | None, references: bool, *, lang: str = "auto", **settings: Any
) -> list[Metric]:
    """The metrics asked for (or a good default), with run-wide settings applied where a metric has them."""
    if metrics is not None and isinstance(metrics, (str, Metric)):
        metrics = [metrics]
    named = metrics or (WITH_REFERENCES if references else WITHOUT_REFERENCES)
    chosen = [parse(metric) if isinstance(metric, str) else metric for metric in named]
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
    """Does it compute anything dear enough for the disk cache?"""
    return any(field.name in ("encoder", "model", "language_model") for field in dataclasses.fields(metric))


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
            if need in metric.requires and not present:
                hint = (
                    f"; '{metric.name}.free' compares with the source"
                    if hasattr(metric, "free") and need == "references"
                    else ""
                )
                raise InputError(f"{metric.spec} needs {need} and no row of the input has any{hint}")


def evaluate(samples: Samples, metrics: Sequence[Metric], work: Workspace) -> Scores:
    """Score one chunk. Undefined rows are NaN with a reason; a metric that breaks its contract is an error."""
    columns = {}
    for metric in metrics:
        counts = metric.counts(samples, work) if isinstance(metric, SumMetric) else None
        if isinstance(metric, SumMetric) and counts is not None:
            scores = metric.from_counts(counts, corpus=False)
        else:
            scores = metric.rate(samples, work)
        if scores.shape != (len(samples),):
            raise InputError(f"{metric.spec} gave scores of shape {scores.shape} for {len(samples)} rows")
        reasons = {int(row): metric.reason(samples, int(row)) for row in np.flatnonzero(np.isnan(scores))}
        form = form_of(metric)
        columns[metric.spec] = Column(
            scores,
            reasons,
            counts,
            form.from_counts,
            form.higher_is_better,
            form.weights(samples),
            metric.remarks(samples, work),
        )
    notes = Counter(work.notes) + Counter(repaired=samples.repaired) + count_copies(samples, work)
    work.notes.clear()
    nrefs = reference_range(*reference_counts(samples))
    signatures = {metric.spec: metric.signature(nrefs, work) for metric in metrics}
    return Scores(samples, columns, signatures, notes)


def form_of(metric: Metric) -> Form:
    """What the summary has to know of a metric."""
    if not isinstance(metric, SumMetric):
        return Form(None, metric.direction, metric.weights)
    counted: SumMetric = metric
    return Form(lambda counts: counted.from_counts(counts, corpus=True), metric.direction, metric.weights)


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
) -> Summary:
    """Score chunk after chunk in bounded memory; with a run folder, go on where it stopped.

    `chunks` must be re-iterable where a metric `surveys`. `report` is handed each chunk's scores, in order.
    """
    if any(metric.unit == "source" for metric in metrics):
        chunks = Together(chunks)
    for metric in metrics:
        metric.prepare(chunks, work)
    forms = {metric.spec: form_of(metric) for metric in metrics}
    summary = Summary()
    for number, chunk in enumerate(chunks):
        found = run.load(number, chunk, forms) if run is not None else None
        if found is None:
            found = evaluate(chunk, metrics, work)
            work.tidy()
            if run is not None:
                run.save(number, found)
        summary.add(found)
        report(found)
    return summary


class Together:
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
