"""Make the golden values of the tests and accuracies of meta-evaluation: nlpstats, mt-metrics-eval, and R's psych.

    PYTHONPATH=<mt-metrics-eval> python tests/parity/make_meta_golden.py

Run it with a Python that has nlpstats 0.0.1, numpy and scipy, and with R and its package psych. mt-metrics-eval is
google-research/mt-metrics-eval: the functions of `tau_optimization.py` at commit 0b82d96 and `pce.py` at 1b47eab, taken
over by hand, without docstrings and unused methods (the package of that name on PyPI is something else).
Writes meta_golden.json with the inputs, the values and the versions.
"""

import importlib.metadata
import json
import platform
import subprocess
import warnings
from pathlib import Path

import numpy as np

HERE = Path(__file__).parent
PERMUTATIONS = {"system": 4000, "input": 1000, "global": 4000}  # nlpstats takes a minute for 4,000 by input
WILLIAMS = [
    (0.5, 0.4, 0.3, 103),
    (0.62, 0.58, 0.9, 500),
    (0.1, 0.3, -0.2, 12),
    (0.95, 0.93, 0.97, 20),
    (0.4, 0.4, 0.5, 50),
    (-0.1, 0.2, 0.1, 30),
]


def psych(case: tuple[float, float, float, int]) -> dict[str, float]:
    """t and the two-sided p of psych's r.test, which gives the size of t alone."""
    r12, r13, r23, n = case
    code = (
        f"r <- psych::r.test(n={n}, r12={r12}, r13={r13}, r23={r23});"
        "cat(sprintf('%.17g %.17g %s', r$t, r$p, packageVersion('psych')))"
    )
    t, p, version = subprocess.run(["Rscript", "-e", code], capture_output=True, check=True, text=True).stdout.split()
    return {"t": float(t), "p_two_sided": float(p), "version": version}


def judged(random: np.random.Generator, systems: int, inputs: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Ratings, and a better and a worse metric, (systems, inputs), rounded so that the file holds them exactly."""
    human = 0.4 * random.normal(size=(systems, 1)) + random.normal(size=(systems, inputs))
    better = human + 1.0 * random.normal(size=human.shape)
    worse = human + 1.35 * random.normal(size=human.shape) + 0.3 * random.normal(size=(1, inputs))
    return tuple(part.round(3) for part in (better, worse, human))


def permutations() -> dict[str, object]:
    """nlpstats on a full table; it draws from numpy's global state, which is seeded for each case."""
    from nlpstats.correlations import permutation_test, williams_test
    from nlpstats.correlations.correlations import correlate

    better, worse, human = judged(np.random.default_rng(0), 8, 20)
    cases = []
    for level in ("system", "input", "global"):
        for coefficient in ("pearson", "spearman", "kendall"):
            gap = correlate(better, human, level, coefficient) - correlate(worse, human, level, coefficient)
            for method in ("systems", "inputs", "both"):
                np.random.seed(1)
                found = permutation_test(
                    better,
                    worse,
                    human,
                    level,
                    coefficient,
                    method,
                    alternative="greater",
                    n_resamples=PERMUTATIONS[level],
                )
                cases.append(
                    {
                        "level": level, "coefficient": coefficient, "method": method, "gap": float(gap),
                        "permutations": PERMUTATIONS[level],
                        "greater": found.pvalue,
                        # as nlpstats counts it; its own gap, of standardised scores, differs in the last bit
                        "two-sided": float(np.mean(np.abs(found.samples) >= abs(gap) - 1e-12)),
                    }
                )  # fmt: skip
    williams = {
        alternative: float(williams_test(better, worse, human, "global", "pearson", alternative).pvalue)
        for alternative in ("greater", "less", "two-sided")
    }
    return {
        "better": better.tolist(), "worse": worse.tolist(), "human": human.tolist(),
        "cases": cases, "williams": williams,
    }  # fmt: skip


def ties() -> list[dict[str, object]]:
    """Tie calibration on tables with missing entries, and on one without rows to group by."""
    from mt_metrics_eval.tau_optimization import TauSufficientStats, tau_optimization

    found = []
    for seed, (items, systems) in enumerate([(12, 5), (30, 9), (1, 40), (6, 3)]):
        random = np.random.default_rng(seed)
        human = random.integers(0, 4, (items, systems)).astype(float)
        metric = (human + random.normal(size=human.shape)).round(1 + seed % 2)
        missing = random.random(human.shape) < 0.1
        table = np.where(missing, None, metric.astype(object))
        result = tau_optimization(table, human.astype(object), TauSufficientStats.acc_23)
        found.append(
            {
                "metric": table.tolist(), "human": human.tolist(), "thresholds": result.thresholds, "taus": result.taus,
                "best_threshold": float(result.best_threshold), "best_tau": float(result.best_tau),
            }
        )  # fmt: skip
    return found


def soft() -> dict[str, object]:
    """Soft pairwise accuracy of two metrics."""
    from mt_metrics_eval.pce import compute_one_minus_pce, compute_pairwise_p_values

    better, worse, human = judged(np.random.default_rng(2), 9, 60)
    p_human = compute_pairwise_p_values(human, num_permutations=10_000)
    values = [
        compute_one_minus_pce(p_human, compute_pairwise_p_values(part, num_permutations=10_000))
        for part in (better, worse)
    ]
    return {
        "better": better.tolist(), "worse": worse.tolist(), "human": human.tolist(), "permutations": 10_000,
        "values": values,
    }  # fmt: skip


def main() -> None:
    from mt_metrics_eval.tau_optimization import TauSufficientStats, tau_optimization

    warnings.simplefilter("error")
    # the example of mt-metrics-eval's own test, to know that its code is what runs here
    own = tau_optimization([0, 2, 6, 8], [1, 1, 1, 4], TauSufficientStats.acc_23)
    assert own.taus == [3 / 6, 3 / 6, 4 / 6, 4 / 6, 3 / 6]
    versions = {name: importlib.metadata.version(name) for name in ("nlpstats", "numpy", "scipy")}
    williams = [{"case": case, **psych(case)} for case in WILLIAMS]
    golden = {
        "about": {
            "command": "PYTHONPATH=<mt-metrics-eval> python tests/parity/make_meta_golden.py",
            "python": platform.python_version(),
            **versions,
            "mt-metrics-eval": "google-research/mt-metrics-eval, tau_optimization.py of 0b82d96, pce.py of 1b47eab",
            "psych": williams[0]["version"],
        },
        "williams": williams,
        "nlpstats": permutations(),
        "ties": ties(),
        "soft": soft(),
    }
    (HERE / "meta_golden.json").write_text(json.dumps(golden) + "\n")


if __name__ == "__main__":
    main()
