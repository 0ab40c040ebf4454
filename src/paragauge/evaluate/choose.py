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
