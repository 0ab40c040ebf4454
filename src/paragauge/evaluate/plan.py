"""The plan of a run: the metrics, what is learned of a whole input in one pass, and the parts that it is cut into."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from ..compute.workspace import Workspace
from ..errors import InputError
from ..files.input import DeferredRows, Input
from ..metric import Metric
from ..metrics import Given, metric_of
from ..tables.samples import Samples
from ..tables.shared_rows import SharedRows
from ..text.tokens import for_language

ROWS = 8_192  # of a part, whichever engine scores it: what a part holds must not depend on the engine

VERDICT = ("meaning", "changed", "usable")
WITH_REFERENCES = (*VERDICT, "parascore", "parascore-free", "bertscore", "bertscore.free", "ned.free", "bleu", "rougeL")
WITHOUT_REFERENCES = (*VERDICT, "parascore-free", "bertscore.free", "cosine.free", "ned.free", "bleu.free")
MODELS = ("encoder", "language model", "pair model")  # what a metric loads that is worth a disk cache


class Part(NamedTuple):
    """Some rows that follow each other, numbered from 0."""

    number: int
    first_row: int  # counted from 1
    rows: Samples | DeferredRows

    @property
    def last_row(self) -> int:
        return self.first_row + len(self.rows) - 1

    @property
    def samples(self) -> Samples:
        """The rows, read where that is still to be done."""
        return self.rows.read() if isinstance(self.rows, DeferredRows) else self.rows


@dataclass(frozen=True)
class Plan:
    """What is scored by which metrics, and what has to be known of all of it before the first part is."""

    chunks: Iterable[Samples]
    metrics: tuple[Metric, ...]
    shared: SharedRows
    prepared: Mapping[str, Any]  # what metrics took from the whole input
    systems: tuple[str, ...]

    def parts(self) -> Iterator[Part]:
        """The input in parts; for a metric of sets, none is cut through the candidates of one source.

        Where the input allows it, the rows are left to be read by the worker that scores them.
        """
        if any(metric.unit == "source" for metric in self.metrics):
            return cut(WholeSets(self.chunks))
        deferred = self.chunks.deferred() if isinstance(self.chunks, Input) else None
        return cut(self.chunks if deferred is None else deferred)


def plan(
    chunks: Iterable[Samples], metrics: Sequence[Metric], empty: str = "worst", reading: Iterable[Samples] | None = None
) -> Plan:
    """One pass over the input, or what is needed of it: the rows that all systems have, and what metrics learn of them.

    A metric is refused that needs references (or sources) where no row has any. `reading` is the pass where it was
    started already.
    """
    work = Workspace()
    learning = [metric for metric in metrics if metric.learns]
    needs, systems = Needs(metrics), {}

    def surveyed() -> Iterator[Samples]:
        for chunk in chunks if reading is None else reading:
            needs.add(chunk)
            systems.update(dict.fromkeys(chunk.systems))
            for metric in learning:
                metric.learn(chunk, work)
            yield chunk

    if isinstance(chunks, Input) and not chunks.several_systems:
        shared = SharedRows(empty)
        for _ in surveyed():
            if not (learning or needs.missing):
                break
    else:
        shared = SharedRows(empty, surveyed())
    needs.check()
    return Plan(chunks, tuple(metrics), shared, work.prepared, tuple(systems))


def cut(chunks: Iterable[Samples | DeferredRows]) -> Iterator[Part]:
    """Chunks as numbered parts."""
    first_row = 1
    for number, rows in enumerate(chunks):
        yield Part(number, first_row, rows)
        first_row += len(rows)


class WholeSets:
    """Chunks cut again so that rows of one source that follow each other stay together.

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
    needs = Needs(metrics)
    for chunk in chunks:
        needs.add(chunk)
        if not needs.missing:
            return
    needs.check()


class Needs:
    """What metrics need of an input that no row has had as far as it was read."""

    def __init__(self, metrics: Iterable[Metric]) -> None:
        self._metrics = list(metrics)
        self._rows = 0
        needed = ("references", "source")
        self.missing = [need for need in needed if any(need in metric.needs for metric in self._metrics)]

    def add(self, chunk: Samples) -> None:
        """Some rows, read."""
        self._rows += len(chunk)
        if "references" in self.missing and any(chunk.references):
            self.missing.remove("references")
        if "source" in self.missing and any(map(str.strip, chunk.sources)):
            self.missing.remove("source")

    def check(self) -> None:
        """Refuse the first metric that needs something that is missing."""
        for metric in self._metrics:
            for need in (need for need in self.missing if need in metric.needs):
                if not self._rows:
                    raise InputError("there are no rows to score")
                free = hasattr(metric, "free") and need == "references"
                hint = f"; '{metric.name}.free' compares with the source" if free else ""
                raise InputError(f"{metric.spec} needs {need} and no row of the input has any{hint}")
