"""`meaning`: its speed beside ParaScore's, and every metric that runs without further models on every labelled set.

python bench/meaning.py speed     # cold, on Twitter-Para; bert_score too where it is installed
python bench/meaning.py table     # Pearson with people, on the test part of every set (PARAGAUGE_DATA)
"""

from __future__ import annotations

import importlib.util
import sys
from dataclasses import replace
from typing import Any

import numpy as np

import paragauge as pg
from paragauge.metric import Comparison, Metric
from paragauge.metrics import parse, variants
from paragauge.training import CONFIGURATION
from paragauge.training.configuration import read_configuration
from paragauge.training.development import Graded
from paragauge.training.report import graded_sets, labelled_sets
from run import race, show, twitter_para

ROWS = 2000


def speed() -> None:
    """Each contender reads the same sources and candidates, with nothing cached."""
    sources, candidates, references, _ = (column[:ROWS] for column in twitter_para())
    samples = pg.Samples.of(sources, candidates, [[text] for text in references])

    def ours(spec: str) -> Any:
        return lambda: parse(spec).score(samples, pg.Workspace())

    contenders = {
        spec: ours(spec)
        for spec in ("parascore-free", "meaning", "meaning:precision=int8", "parascore", "meaning:against=both")
    }
    if importlib.util.find_spec("bert_score"):
        from bert_score import BERTScorer

        from paragauge.models.hub.locate import open_model

        scorer = BERTScorer(model_type=str(open_model("default").folder), num_layers=6, use_fast_tokenizer=True)
        contenders["bert_score 0.3.13, F of the source"] = lambda: scorer.score(candidates, sources)[2].numpy()
    show(f"{ROWS:,} rows of Twitter-Para, cold", race(contenders, rounds=2), "parascore-free")


def table() -> None:
    """Of several comparisons in a row (source, reference) the best counts, as in the report of training."""
    configuration = read_configuration(CONFIGURATION)
    sets = [*graded_sets(configuration, "test"), *labelled_sets(configuration, "test")]
    chosen = [metric for metric in map(_of_pairs, variants()) if metric is not None]
    print(f"{'':24}" + "".join(f"{rows.name[:12]:>13}" for rows in sets) + f"{'mean':>8}")
    lines = []
    for metric in dict.fromkeys(chosen):
        found = [_agreement(metric, rows) for rows in sets]
        lines.append((float(np.nanmean(found)), metric.spec, found))
    for mean, name, found in sorted(lines, reverse=True):
        print(f"{name[:23]:24}" + "".join(f"{value:13.3f}" for value in found) + f"{mean:8.3f}", flush=True)


def _of_pairs(metric: Metric) -> Metric | None:
    """The metric as it compares a candidate with its source; None where it does not, or needs another model."""
    if not metric.light or metric.unit != "pair" or metric.loads not in ("nothing", "encoder"):
        return None
    if isinstance(metric, Comparison):
        metric = replace(metric, free=True)
    return metric if metric.needs == "source" else None


def _agreement(metric: Metric, rows: Graded) -> float:
    pairs = [pair for row in rows.pairs for pair in row]
    scores = metric.score(sources=[one for one, _ in pairs], candidates=[other for _, other in pairs])
    if not metric.higher_is_better:
        scores = -scores
    ends = np.cumsum([len(row) for row in rows.pairs])
    best = np.array([np.nanmax(part) for part in np.split(scores, ends[:-1])])
    known = ~np.isnan(best)
    return float(np.corrcoef(best[known], np.array(rows.scores)[known])[0, 1])


if __name__ == "__main__":
    for name in sys.argv[1:] or ("speed", "table"):
        {"speed": speed, "table": table}[name]()
