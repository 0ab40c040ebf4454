"""Scores of the probes and the cost of every metric, for the metric cards: writes src/paragauge/cards.json.

    python bench/cards.py [NAME …] && paragauge metrics --cards docs/metrics --overwrite

With names, those metrics alone; the others stay as they were measured.

Cost is processor time per row on the first rows of Twitter-Para (PARAGAUGE_DATA), with the models
loaded and a new workspace. A metric without a default model, or whose extra is not installed, is left out.
"""

from __future__ import annotations

import json
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import paragauge as pg
from paragauge.compute.workspace import Workspace
from paragauge.errors import ParagaugeError
from paragauge.files.table import open_table
from paragauge.metric import Metric
from paragauge.metrics import parse, variants
from paragauge.metrics.shared.wording import Wording
from run import ROOT, twitter_para

EXAMPLES = {"ds-tree": "ds-tree:parses=examples/sets.parses.tsv"}  # what has no default, with an example of ours
EXPENSIVE = ("encoder", "language model", "pair model")


def probe_scores(metric: Metric) -> dict[str, float | None]:
    """The metric's score of each probe."""
    sets = metric.unit == "source"
    (samples,) = open_table(ROOT / "examples" / ("sets.csv" if sets else "probes.csv"))
    scores = metric.score(samples)
    names = samples.systems if sets else samples.ids
    return {name: None if score != score else round(float(score), 6) for name, score in zip(names, scores, strict=True)}


def edit_scores(metric: Metric) -> dict[str, dict[str, float]]:
    """What edits of a copy that no reader would call a change get, as published and with `normalize=yes`."""
    (samples,) = open_table(ROOT / "examples" / "edits.csv")
    return {
        own.spec: dict(zip(samples.ids, (round(float(score), 6) for score in own.score(samples)), strict=True))
        for own in (metric, replace(metric, normalize=True))  # type: ignore[call-arg]
    }


def microseconds(metric: Metric, samples: pg.Samples) -> float:
    """Processor time per row, the best of three."""
    times = []
    for _ in range(3):
        started = time.process_time()
        metric.score(samples, Workspace())
        times.append(time.process_time() - started)
    return 1e6 * min(times) / len(samples)


def main() -> None:
    sources, candidates, references, _ = twitter_para()
    target = Path(pg.__file__).parent / "cards" / "cards.json"
    before: dict[str, Any] = json.loads(target.read_text(encoding="utf-8"))
    found: dict[str, Any] = {}
    for metric in variants():
        if sys.argv[1:] and metric.spec not in sys.argv[1:]:
            found |= {metric.spec: before[metric.spec]} if metric.spec in before else {}
            continue
        rows = 64 if metric.loads in EXPENSIVE else 1024
        samples = pg.Samples.of(sources[:rows], candidates[:rows], [[text] for text in references[:rows]])
        try:
            shown = parse(EXAMPLES.get(metric.spec, metric.spec))
            found[metric.spec] = {"example": shown.spec, "scores": probe_scores(shown)}
            if isinstance(metric, Wording) and metric.unit == "pair":
                found[metric.spec]["edits"] = edit_scores(metric)
            if shown == metric:
                found[metric.spec]["microseconds"] = round(microseconds(metric, samples), 1)
        except ParagaugeError as error:
            print(f"{metric.spec}: {error}")
            continue
        print(metric.spec, found[metric.spec], flush=True)
    target.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
