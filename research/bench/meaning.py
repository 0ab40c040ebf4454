"""`meaning`: its speed beside ParaScore's, and every metric that runs without further models on every labelled set.

python bench/meaning.py speed     # cold, on Twitter-Para; bert_score too where it is installed
python bench/meaning.py ablation  # what each kind of evidence adds, on development parts (PARAGAUGE_DATA)
python bench/meaning.py diagram   # reliability on test parts of sets that it was not fitted to, drawn to docs/models
python bench/meaning.py table     # Pearson with people of every metric, on samples of every test part (PARAGAUGE_DATA)
"""

from __future__ import annotations

import importlib.util
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.stats import mannwhitneyu, spearmanr

import paragauge as pg
from paragauge.compute.workspace import Workspace
from paragauge.meta.charts import draw
from paragauge.metric import ComparisonMetric, Metric
from paragauge.metrics import parse, variants
from paragauge.metrics.shared.evidence import EVIDENCE
from paragauge.models.pairs.reader import load_reader
from paragauge_research.training.meaning import CONFIGURATION
from paragauge_research.training.meaning.blend import expected_error, reliability
from paragauge_research.training.meaning.configuration import read_configuration
from paragauge_research.training.meaning.development import Graded
from paragauge_research.training.meaning.features import (
    Floats,
    all_pairs,
    best_of_rows,
    blended,
    pair_scores,
    ranked_right,
)
from paragauge_research.training.meaning.report import LABELLED, graded_sets, labelled_sets, triple_sets
from run import race, show, twitter_para

ROWS = 2000
SAMPLE = 200  # rows of each set in the table of all metrics
CARDS = Path(__file__).parents[2] / "docs" / "models"


def speed() -> None:
    """Each contender reads the same sources and candidates, with nothing cached."""
    sources, candidates, references, _ = (column[:ROWS] for column in twitter_para())
    samples = pg.Samples.of(sources, candidates, [[text] for text in references])

    def ours(spec: str) -> Any:
        return lambda: parse(spec).score(samples, Workspace())

    contenders = {
        spec: ours(spec)
        for spec in ("parascore-free", "usable", "usable:precision=int8", "parascore", "meaning:against=both")
    }
    if importlib.util.find_spec("bert_score"):
        from bert_score import BERTScorer

        from paragauge.models.hub.locate import open_model

        scorer = BERTScorer(model_type=str(open_model("default").folder), num_layers=6, use_fast_tokenizer=True)
        contenders["bert_score 0.3.13, F of the source"] = lambda: scorer.score(candidates, sources)[2].numpy()
    spent: dict[str, float] = {}

    def watched(name: str) -> Any:
        def run() -> Any:
            started = time.process_time()
            found = contenders[name]()
            spent[name] = min(spent.get(name, np.inf), time.process_time() - started)
            return found

        return run

    show(
        f"{ROWS:,} rows of Twitter-Para, cold", race({name: watched(name) for name in contenders}, 2), "parascore-free"
    )
    print("processor time, which other work on the machine disturbs less:")
    for name, seconds in spent.items():
        print(f"  {name:<42}{seconds:9.3f} s{spent['parascore-free'] / seconds:9.2f}x")


def ablation() -> None:
    """The blend without each kind of evidence, and each kind alone (it may be turned round): Spearman, area, share."""
    configuration = read_configuration(CONFIGURATION)
    graded, labelled = graded_sets(configuration, "dev")[:3], labelled_sets(configuration, "dev")[:3]
    near = [rows for rows in triple_sets(configuration, "dev") if rows.name.endswith("-near")]
    pairs = all_pairs([*graded, *labelled], near)
    place = {pair: row for row, pair in enumerate(pairs)}
    reader = load_reader("all-MiniLM-L6-v2")
    scores, blend = pair_scores(reader, pairs, reader.settings["base"]), dict(reader.settings["blend"])
    variants = {"all": blend} | {f"without {name}": {**blend, name: 0.0} for name in EVIDENCE}
    variants |= {f"{name} alone": {**dict.fromkeys(EVIDENCE, 0.0), name: blend[name]} for name in EVIDENCE}
    print("| blend |", " | ".join(rows.name for rows in (*graded, *labelled)), "| perturbed, near |")
    print("|---|" + "---:|" * (len(graded) + len(labelled) + 1))
    for name, weights in variants.items():
        values = blended(scores, weights)
        cells = [float(spearmanr(best_of_rows(rows, place, values), rows.scores)[0]) for rows in graded]
        cells += [_area(best_of_rows(rows, place, values), np.array(rows.scores) >= 0.5) for rows in labelled]
        cells.append(float(np.mean([ranked_right(rows, place, values) for rows in near])))
        print(f"| {name} |", " | ".join("–" if value != value else f"{value:.3f}" for value in cells), "|")


def _area(values: Floats, same: NDArray[np.bool_]) -> float:
    return float(mannwhitneyu(values[same], values[~same]).statistic / same.sum() / (~same).sum())


def diagram() -> None:
    """What is stated against what people said, in bins of a tenth; a dot is as large as its share of the pairs."""
    import altair

    configuration = read_configuration(CONFIGURATION)
    sets = [graded_sets(configuration, "test")[0], *labelled_sets(configuration, "test")[: len(LABELLED)]]
    points = []
    for rows in sets:
        best = _best(parse("meaning"), rows, Workspace())
        people = np.array(rows.scores)
        points += [{"set": rows.name, **entry._asdict()} for entry in reliability(best, people)]
        print(f"{rows.name:24} {len(people):6} rows  expected calibration error {expected_error(best, people):.3f}")
    data = altair.Data(values=points)
    across = altair.X("stated:Q", title="meaning", scale=altair.Scale(domain=[0, 1]))
    up = altair.Y("observed:Q", title="share that people call the same", scale=altair.Scale(domain=[0, 1]))
    right = altair.Data(values=[{"stated": 0, "observed": 0}, {"stated": 1, "observed": 1}])
    line = altair.Chart(right).mark_line(color="#999", strokeDash=[4, 4]).encode(x=across, y=up)
    dots = altair.Chart(data).mark_line(point=False).encode(x=across, y=up, color=altair.Color("set:N", title=None))
    sizes = altair.Chart(data).mark_circle(opacity=0.9).encode(
        x=across, y=up, color="set:N", size=altair.Size("share:Q", legend=None)
    )  # fmt: skip
    draw((line + dots + sizes).properties(width=360, height=300), CARDS / "meaning-reliability", overwrite=True)
    (CARDS / "meaning-reliability.png").unlink()


def table() -> None:
    """Of several comparisons in a row (source, reference) the best counts, as in the report of training.

    A sample of each set, so that every metric takes minutes; features are computed once for all metrics.
    """
    configuration = read_configuration(CONFIGURATION)
    sets = [_sampled(rows) for rows in (*graded_sets(configuration, "test"), *labelled_sets(configuration, "test"))]
    chosen = [metric for metric in map(_of_pairs, variants()) if metric is not None]
    works = [Workspace() for _ in sets]
    lines = []
    for metric in dict.fromkeys(chosen):
        found = [_agreement(metric, rows, work) for rows, work in zip(sets, works, strict=True)]
        lines.append((float(np.nanmean(found)), metric.spec, found))
        print(f"{metric.spec}: {lines[-1][0]:.3f}", file=sys.stderr, flush=True)
    print("| metric |", " | ".join(f"{rows.name} ({len(rows.scores)})" for rows in sets), "| mean |")
    print("|---|" + "---:|" * (len(sets) + 1))
    for mean, name, found in sorted(lines, reverse=True):
        print(f"| `{name}` |", " | ".join(f"{value:.2f}" for value in found), f"| {mean:.3f} |")


def _sampled(rows: Graded) -> Graded:
    chosen = np.sort(np.random.default_rng(1).permutation(len(rows.scores))[:SAMPLE])
    return rows._replace(pairs=[rows.pairs[row] for row in chosen], scores=[rows.scores[row] for row in chosen])


def _of_pairs(metric: Metric) -> Metric | None:
    """The metric as it compares a candidate with its source; None where it does not, or needs another model."""
    if not metric.light or metric.unit != "pair" or metric.loads not in ("nothing", "encoder"):
        return None
    if isinstance(metric, ComparisonMetric):
        metric = replace(metric, free=True)
    return metric if metric.needs == "source" else None


def _best(metric: Metric, rows: Graded, work: Workspace) -> Floats:
    pairs = [pair for row in rows.pairs for pair in row]
    scores = metric.score(pg.Samples.of([one for one, _ in pairs], [other for _, other in pairs]), work)
    if not metric.higher_is_better:
        scores = -scores
    ends = np.cumsum([len(row) for row in rows.pairs])
    return np.array([np.nanmax(part) for part in np.split(scores, ends[:-1])])


def _agreement(metric: Metric, rows: Graded, work: Workspace) -> float:
    best = _best(metric, rows, work)
    known = ~np.isnan(best)
    return float(np.corrcoef(best[known], np.array(rows.scores)[known])[0, 1])


if __name__ == "__main__":
    for name in sys.argv[1:] or ("speed", "ablation", "diagram", "table"):
        {"speed": speed, "ablation": ablation, "diagram": diagram, "table": table}[name]()
