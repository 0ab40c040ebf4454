"""A run with a verdict that no model is needed for: `meaning` is told by a word or a number that differs."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import polars

from paragauge.compute.workspace import Workspace
from paragauge.evaluate.score_file import score_file
from paragauge.metric import Floats, Metric
from paragauge.metrics import parse
from paragauge.metrics.overall.usable import Usable
from paragauge.tables.samples import Samples
from paragauge.verdict.findings import Finding

SOURCES = [f"We paid {number} euros for the old house." for number in range(200, 220)]
SYSTEMS = {
    "rewrite": [f"The old house was ours for {number} euros." for number in range(200, 220)],
    "slip": [f"The old house was ours for {number + 300} euros." for number in range(200, 220)],
    "copy": list(SOURCES),
}
SYSTEMS["rewrite"][-2:] = ["", "the the the the the the the"]
SYSTEMS["slip"][:5] = SYSTEMS["rewrite"][:5]


@dataclass(frozen=True, kw_only=True)
class Told(Metric):
    """0.9, less the share of a hundred euros that differ; 0.1 where there are none."""

    name = "meaning"
    title = "Meaning"
    range = (0.0, 1.0)
    higher_is_better = True
    citation = "none"
    needs = "source"
    calibrated = True

    def rate(self, samples: Samples, work: Workspace) -> Floats:  # noqa: ARG002
        return np.array(list(map(_told, samples.sources, samples.candidates)))

    def findings(self, samples: Samples, work: Workspace) -> list[tuple[list[Finding], bool]]:  # noqa: ARG002
        return [([], False) for _ in samples.sources]


def _told(source: str, candidate: str) -> float:
    if not candidate.strip():
        return np.nan
    numbers = [re.findall(r"\d+", text) for text in (source, candidate)]
    if not all(numbers):
        return 0.1
    return 0.9 - min(0.8, abs(int(numbers[0][0]) - int(numbers[1][0])) / 1000)


@dataclass(frozen=True, kw_only=True)
class Judging(Usable):
    """`usable` as it is, of that."""

    @property
    def meaning(self) -> Told:
        return Told()


def make_run(folder: Path, beside: str = "ned.free", **thresholds: float) -> Path:
    """Three systems: copies; rewrites, one of them empty and one garbled; and rewrites with other numbers.

    Numbers may differ, unless it is to be `strict`, so that a number more or less moves over the threshold.
    """
    folder.mkdir(parents=True, exist_ok=True)
    rows = [(place, SOURCES[place], text, name) for name, own in SYSTEMS.items() for place, text in enumerate(own)]
    frame = polars.DataFrame(rows, ["id", "source", "candidate", "system"], orient="row")
    frame.write_parquet(folder / "pairs.parquet")
    metrics = [Told(), parse("changed"), Judging(**{"accept": 0.8, "strict": False, **thresholds}), parse(beside)]
    score_file(folder / "pairs.parquet", metrics=metrics, run=folder / "judged")
    return folder / "judged"
