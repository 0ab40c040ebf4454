"""The metrics asked for, or a good default; and whether the input has what they need."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from typing import Any

from ..errors import InputError
from ..metric import Metric
from ..metrics import Given, metric_of
from ..tables.samples import Samples
from ..text.tokens import for_language

VERDICT = ("meaning", "changed", "usable")
WITH_REFERENCES = (*VERDICT, "parascore", "parascore-free", "bertscore", "bertscore.free", "ned.free", "bleu", "rougeL")
WITHOUT_REFERENCES = (*VERDICT, "parascore-free", "bertscore.free", "cosine.free", "ned.free", "bleu.free")
MODELS = ("encoder", "language model", "pair model")  # what a metric loads that is worth a disk cache


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
