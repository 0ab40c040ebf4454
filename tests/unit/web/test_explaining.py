"""What is said of a candidate besides its scores; with a verdict, it is recorded in `tests/golden`."""

from typing import Any

import pytest

from paragauge.compute.workspace import Workspace
from paragauge.evaluate.api import evaluate_whole
from paragauge.metric import Metric
from paragauge.metrics import parse
from paragauge.tables.samples import Samples
from paragauge.web.serve.scoring import explain, explaining_metrics


def explained(metrics: list[Metric], *candidates: str, source: str = "a text of twenty one") -> list[dict[str, Any]]:
    samples = Samples.of([source] * len(candidates), candidates)
    every = [*metrics, *explaining_metrics(metrics)]
    work = Workspace()
    return explain(evaluate_whole(samples, every, work), every, work)


def test_without_a_verdict_the_threshold_of_diversity_is_named():
    source = "0123456789" * 2
    for changed in range(21):
        candidate = "x" * changed + source[changed:]
        (found,) = explained([parse("ned.free")], candidate, source=source)
        (one,) = found["needed"]
        assert one["met"] == (changed >= 7)  # 0.35 · 20
        if changed < 7:
            more = int(one["advice"].split()[3].replace("one", "1"))
            assert changed + more == 7


@pytest.mark.parametrize("spec, gamma", [("parascore-free:gamma=0.5", 0.5), ("parascore-free:omega=0.2", 0.35)])
def test_the_curve_is_that_of_the_parascore_asked_for(spec, gamma, encoder):
    assert encoder
    metric = parse(spec)
    (found,) = explained([metric], "a text of twenty two")
    point = found["diversity"]
    assert (point["gamma"], point["omega"]) == (gamma, metric.omega)
    distance = point["distance"]
    assert point["value"] == pytest.approx(distance * (gamma + 1) / gamma - 1)
    assert point["adds"] == pytest.approx(metric.omega * point["value"])


def test_normalized_wording_has_its_own_distance(encoder):
    assert encoder
    (found,) = explained([parse("parascore-free:normalize=yes")], "A TEXT OF TWENTY ONE")
    assert found["diversity"]["distance"] == 0


def test_no_other_model_is_loaded_for_an_explanation():
    assert [metric.spec for metric in explaining_metrics([parse("bleu.free")])] == ["ned.free"]
    (found,) = explained([parse("bleu.free")], "another text")
    assert found["alignment"] is None
