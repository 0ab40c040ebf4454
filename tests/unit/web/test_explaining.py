"""What is said of a candidate beside its scores."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import pytest

from paragauge.compute.workspace import Workspace
from paragauge.evaluate.api import evaluate_whole
from paragauge.metric import Floats, Metric, Need
from paragauge.metrics import parse
from paragauge.metrics.overall.usable import Usable
from paragauge.tables.samples import Samples
from paragauge.verdict.findings import Finding
from paragauge.web.serve import openapi
from paragauge.web.serve.explaining import explain, explaining_metrics, verdicts


@dataclass(frozen=True, kw_only=True)
class Length(Metric):
    """A hundredth of the length of the candidate."""

    title: ClassVar[str] = "Length"
    range: ClassVar[tuple[float, float]] = (0.0, 1.0)
    higher_is_better: ClassVar[bool] = True
    citation: ClassVar[str] = "none"
    needs: ClassVar[Need] = "source"

    def rate(self, samples: Samples, work: Workspace) -> Floats:  # noqa: ARG002
        return np.array([len(text) / 100 for text in samples.candidates])


class Meaning(Length):
    name = "meaning"

    def findings(self, samples: Samples, work: Workspace) -> list[list[Finding]]:  # noqa: ARG002
        return [[] for _ in samples.sources]


class Changed(Length):
    name = "changed"


# long enough for both thresholds
LONG = "Each of these words is another one, so that nobody could say that it comes from a parrot."


class Judging(Usable):
    """`usable` itself, of these two."""

    meaning = Meaning()
    changed = Changed()


def explained(metrics: list[Metric], *candidates: str, source: str = "a text of twenty one") -> list[dict[str, Any]]:
    samples = Samples.of([source] * len(candidates), candidates)
    every = [*metrics, *explaining_metrics(metrics)]
    work = Workspace()
    return explain(evaluate_whole(samples, every, work), every, work)


def test_what_a_usable_candidate_needs():
    short, long = explained([Meaning(), Changed(), Judging(accept=0.8)], "some words of a text", LONG)
    assert [(one["metric"], one["value"], one["least"], one["met"]) for one in short["needed"]] == [
        ("meaning", 0.2, 0.8, False),
        ("changed", 0.2, 0.15, True),
    ]
    assert [one["lacks"] for one in short["needed"]] == [pytest.approx(0.6), 0]
    assert short["needed"][0]["advice"] == "say what the source says, no more and no less"
    assert [one["met"] for one in long["needed"]] == [True, True]
    assert [one["advice"] for one in long["needed"]] == [None, None]


def test_what_a_rule_saw_is_told_with_its_places():
    source, candidate = "We paid 2500 euros.", "We paid 3500 euros."
    (found,) = explained([Judging()], candidate, source=source)
    assert found["lost"] == [{"rule": "number", "kind": "number", "source": [8, 12], "candidate": [8, 12]}]
    assert found["needed"][0]["advice"] == "correct what was found (number: “2500” → “3500”)"
    (found,) = explained([parse("ned.free")], candidate, source=source)
    assert found["lost"] == []


def test_a_loss_that_a_rule_sees_is_a_condition_of_its_own():
    """A threshold that is reached is met, whatever else is wrong."""
    source, candidate = "We paid 2500 euros.", "We paid 3500 euros."
    (found,) = explained([Judging(accept=0.1)], candidate, source=source)
    meaning, changed, rules = found["needed"]
    assert (meaning["value"], meaning["least"], meaning["met"], meaning["lacks"]) == (0.19, 0.1, True, 0.0)
    assert meaning["advice"] is None
    assert changed["met"]
    advice = "correct what was found (number: “2500” → “3500”)"
    assert rules == {
        "metric": "rules", "value": None, "least": None, "met": False, "lacks": None, "advice": advice
    }  # fmt: skip
    (lenient,) = explained([Judging(accept=0.1, strict=False)], candidate, source=source)
    assert [one["met"] for one in lenient["needed"]] == [True, True]


def test_the_verdict_on_each_row_is_as_the_description_has_it():
    """It has `meaning` and `changed` though only `usable` is asked for."""
    samples = Samples.of(["We paid 2500 euros."] * 3, ["We paid 3500 euros.", LONG, ""])
    every = [Judging()]
    found = evaluate_whole(samples, every)
    lost, good, empty = verdicts(found, every)
    finding = {"rule": "number", "kind": "number", "source": [8, 12], "candidate": [8, 12]}
    assert lost == {
        "usable": False, "meaning": 0.19, "changed": 0.19, "outcome": "meaning lost", "findings": [finding],
        "why": "meaning lost (number): “2500” → “3500”",
    }  # fmt: skip
    assert (good["usable"], good["why"]) == (True, None)
    assert (empty["usable"], empty["why"]) == (False, "empty")
    assert verdicts(found, [parse("ned.free")]) is None
    schemas = openapi.description([])["components"]["schemas"]
    assert [*schemas["Verdict"]["properties"]] == [*lost]
    (explained_,) = explained([Judging()], "another text")
    assert schemas["Explanation"]["required"] == [*explained_]
    assert schemas["Explanation"]["properties"]["needed"]["items"]["required"] == [*explained_["needed"][0]]


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
