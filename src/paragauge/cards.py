"""Metric cards: what a metric means, in Markdown, made from its metadata."""

from __future__ import annotations

import dataclasses
import inspect
import math
from pathlib import Path

from .metric import Comparison, Metric, SumMetric, written
from .metrics import QUESTIONS, question, variants


def card(metric: Metric) -> str:
    """The card of a metric with its parameters as they are."""
    description, _, definition = inspect.cleandoc(type(metric).__doc__ or "").partition("\n")
    low, high = (f"{end:g}" if math.isfinite(end) else "unbounded" for end in metric.range)
    inputs = "candidate" if metric.requires == "nothing" else f"candidate, {metric.requires}"
    several = ""
    if isinstance(metric, Comparison) and "references" in metric.requires:
        several = " Any number of references per row."
    corpus = "the score of the summed counts, not the mean" if isinstance(metric, SumMetric) else "the mean of the rows"
    lines = [
        f"# {metric.title}: `{metric.spec}`",
        "",
        description,
        "",
        f"- **Question**: {QUESTIONS[question(metric.name)]}",
        f"- **Range**: from {low} to {high}; {'higher' if metric.direction else 'lower'} is better",
        f"- **Inputs**: {inputs}.{several}",
        f"- **Output**: one number per row (NaN with a reason where it is undefined); corpus score: {corpus}",
        f"- **Symmetric**: {'yes' if metric.symmetric else 'no'}",
        "",
        "## Definition",
        "",
        definition.strip(),
        "",
        "## Parameters",
        "",
        *_parameters(metric),
        "",
        "## Limits",
        "",
        metric.limits,
        "",
        "## Related",
        "",
        ", ".join(f"`{name}`" for name in metric.related),
        "",
        "## Source",
        "",
        metric.citation,
    ]
    return "\n".join(lines)


def _parameters(metric: Metric) -> list[str]:
    lines = ["| parameter | default | meaning |", "|---|---|---|"]
    for field in dataclasses.fields(metric):
        meta = field.metadata
        default = written(field.default)
        limits = [f"from {meta['low']:g}"] if meta["low"] is not None else []
        limits += [f"up to {meta['high']:g}"] if meta["high"] is not None else []
        limits += [", ".join(meta["choices"])] if meta["choices"] else []
        extra = f" ({'; '.join(limits)})" if limits else ""
        lines.append(f"| `{field.name}` | {default} | {meta['help']}{extra} |")
    return lines


def write_all(folder: Path) -> list[Path]:
    """Write the card of every metric and preset into a folder, one file each."""
    folder.mkdir(parents=True, exist_ok=True)
    files = []
    for metric in variants():
        file = folder / f"{metric.spec}.md"
        file.write_text(card(metric) + "\n", encoding="utf-8")
        files.append(file)
    return files
