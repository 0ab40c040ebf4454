"""Meta-evaluation: resampled correlations against the same by scipy, and how the cost grows.

    python bench/meta.py [--resamples 1000]

Both sides compute, for 20 metrics on the 7,159 rows of Twitter-Para, Pearson and Spearman correlations in resamples of
whole sources, from the same draws; the largest difference is printed. scipy does a fiftieth of the resamples, since it
is called once per metric and resample, and its time is given per resample. Contenders take turns.
"""

from __future__ import annotations

import argparse
import time

import numpy as np
from scipy import stats

from paragauge.benchmarks import benchmark
from paragauge.stats.agreement import resample
from paragauge.stats.resample import draw

METRICS = 20
TURNS = 3


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--resamples", type=int, default=1000)
    resamples = parser.parse_args().resamples
    ratings = benchmark("twitter-para").load()
    human, sources = ratings.human, ratings.sources()
    random = np.random.default_rng(0)
    scores = np.array([human + random.normal(0, 0.2 * (place + 1), len(human)) for place in range(METRICS)])
    rows = [np.flatnonzero(sources == source) for source in range(sources.max() + 1)]
    few = max(1, resamples // 50)
    print(f"{METRICS} metrics, {len(human):,} rows, {len(rows)} sources, {resamples:,} resamples; scipy {few}")
    for statistic, function in (("pearson", stats.pearsonr), ("spearman", stats.spearmanr)):
        ours, theirs = [], []
        for _ in range(TURNS):
            start = time.perf_counter()
            found = resample(scores, human, sources, statistic, resamples=resamples, seed=1)
            ours.append(time.perf_counter() - start)
            start = time.perf_counter()
            expected = _by_scipy(scores, human, rows, function, resamples, few)
            theirs.append((time.perf_counter() - start) * resamples / few)
        difference = np.abs(found.values[:, :few] - expected).max()
        one, other = min(ours), min(theirs)
        print(f"{statistic:9} scipy {other:7.1f} s   paragauge {one:5.2f} s   {other / one:5.0f}x", end="   ")
        print(f"differ by {difference:.0e}")
    for metrics in (5, 10, 20):
        times = []
        for _ in range(TURNS):
            start = time.perf_counter()
            resample(scores[:metrics], human, sources, "pearson", resamples=resamples)
            times.append(time.perf_counter() - start)
        print(f"pearson, {metrics:2} metrics: {min(times):.2f} s")


def _by_scipy(scores, human, rows, function, resamples, few):  # type: ignore[no-untyped-def]
    weights = draw(len(rows), resamples, 1)[:few].astype(int)
    values = np.empty((len(scores), few))
    for place, weight in enumerate(weights):
        chosen = np.concatenate([np.tile(rows[source], times) for source, times in enumerate(weight) if times])
        for metric, column in enumerate(scores):
            values[metric, place] = function(column[chosen], human[chosen])[0]
    return values


if __name__ == "__main__":
    main()
