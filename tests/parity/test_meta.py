"""Meta-evaluation against nlpstats, mt-metrics-eval and R's psych: the values of make_meta_golden.py."""

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from paragauge.stats.correlation import correlate
from paragauge.stats.pairwise import pairwise_accuracy, soft_pairwise_accuracy
from paragauge.stats.tests import permutation, williams

GOLDEN = json.loads((Path(__file__).parent / "meta_golden.json").read_text(encoding="utf-8"))
LEVELS = {"system": "system", "input": "source", "global": "pooled"}
COEFFICIENTS = {"pearson": "pearson", "spearman": "spearman", "kendall": "kendall-b"}
METHODS = {"systems": "systems", "inputs": "inputs", "both": "crossed"}


def rows(table: dict[str, Any]) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Better, worse, human, sources and systems, one entry per cell of (systems, inputs)."""
    better, worse, human = (np.array(table[name]) for name in ("better", "worse", "human"))
    systems, sources = (part.ravel() for part in np.indices(human.shape))
    return better.ravel(), worse.ravel(), human.ravel(), sources, systems


@pytest.mark.parametrize("golden", GOLDEN["williams"], ids=lambda golden: str(golden["case"]))
def test_williams_is_that_of_psych(golden):
    """psych gives |t|, to all digits; r12 and r13 keep their order here."""
    found = williams(*golden["case"])
    assert abs(found.t) == pytest.approx(abs(golden["t"]), rel=1e-12, abs=1e-15)
    assert found.p_two_sided == pytest.approx(golden["p_two_sided"], rel=1e-10)


def test_williams_is_that_of_nlpstats():
    better, worse, human, _, _ = rows(GOLDEN["nlpstats"])
    r12, r13, r23 = (correlate(*pair).value for pair in ((better, human), (worse, human), (better, worse)))
    found = williams(r12, r13, r23, len(human))
    golden = GOLDEN["nlpstats"]["williams"]
    assert found.p == pytest.approx(golden["greater"], rel=1e-10)
    assert 1 - found.p == pytest.approx(golden["less"], rel=1e-10)
    assert found.p_two_sided == pytest.approx(golden["two-sided"], rel=1e-10)


@pytest.mark.parametrize(
    "golden",
    GOLDEN["nlpstats"]["cases"],
    ids=lambda golden: f"{golden['level']}-{golden['coefficient']}-{golden['method']}",
)
def test_permutation_tests_are_those_of_nlpstats(golden):
    """The two draw differently: p-values agree within four standard errors of both, and (c+1)/(n+1) is not c/n."""
    better, worse, human, sources, systems = rows(GOLDEN["nlpstats"])
    found = permutation(
        better, worse, human, sources, systems, LEVELS[golden["level"]], COEFFICIENTS[golden["coefficient"]],
        METHODS[golden["method"]], permutations=3000,
    )  # fmt: skip
    assert found.difference == pytest.approx(golden["gap"], abs=1e-12)
    for value, other in ((found.p, golden["greater"]), (found.p_two_sided, golden["two-sided"])):
        share = (value + other) / 2
        error = math.sqrt(share * (1 - share) * (1 / 3000 + 1 / golden["permutations"]))
        assert abs(value - other) < 4 * error + 1 / 3000


@pytest.mark.parametrize("golden", GOLDEN["ties"], ids=lambda golden: str(np.shape(golden["human"])))
def test_tie_calibration_is_that_of_mt_metrics_eval(golden):
    cells = [
        (score, rating, item)
        for item, (scores, ratings) in enumerate(zip(golden["metric"], golden["human"], strict=True))
        for score, rating in zip(scores, ratings, strict=True)
        if score is not None
    ]
    scores, human, items = (list(part) for part in zip(*cells, strict=True))
    found = pairwise_accuracy(scores, human, items)
    assert found.epsilon == golden["best_threshold"]
    assert found.value == pytest.approx(golden["best_tau"], abs=1e-12)
    for epsilon, value in zip(golden["thresholds"], golden["taus"], strict=True):
        # mt-metrics-eval keeps a running sum of up to a thousand additions
        assert pairwise_accuracy(scores, human, items, epsilon).value == pytest.approx(value, abs=1e-12)


def test_tie_calibration_of_the_example_in_the_test_of_mt_metrics_eval():
    """tau_optimization_test.py, test_regression_example: nine thresholds, four items, missing entries."""
    metric = [[0, 5, 2, 3, 2], [None, 2, 1, 5, 3], [9, 1, 5, 3, 8], [9, 3, 4, 4, 1]]
    human = [[1, 5, 2, 1, 1], [4, 2, 2, 1, 4], [5, 9, 2, 8, 7], [7, 6, None, 3, 2]]
    cells = [
        (metric[item][place], human[item][place], item)
        for item in range(4)
        for place in range(5)
        if metric[item][place] is not None and human[item][place] is not None
    ]
    scores, ratings, items = (list(part) for part in zip(*cells, strict=True))
    expected = [
        0.4666666666666667, 0.4916666666666668, 0.38333333333333347, 0.29166666666666674, 0.2666666666666667, 0.2,
        0.15833333333333335, 0.15833333333333335, 0.1166666666666667,
    ]  # fmt: skip
    found = [pairwise_accuracy(scores, ratings, items, epsilon).value for epsilon in range(9)]
    assert found == pytest.approx(expected, abs=1e-15)
    best = pairwise_accuracy(scores, ratings, items)
    assert (best.epsilon, best.value) == (1, pytest.approx(0.4916666666666668))


def test_soft_pairwise_accuracy_is_that_of_mt_metrics_eval():
    golden = GOLDEN["soft"]
    number = golden["permutations"]
    for name, expected in zip(("better", "worse"), golden["values"], strict=True):
        found = [soft_pairwise_accuracy(golden[name], golden["human"], number, seed) for seed in range(12)]
        values = [one.value for one in found]
        # theirs is one draw of the error that ours show among themselves; 1/n for (c+1)/(n+1) instead of c/n
        assert abs(expected - np.mean(values)) < 4 * np.std(values, ddof=1) + 1 / number
        assert np.std(values) < 0.003  # else nothing would be told
        assert {one.pairs for one in found} == {36}
