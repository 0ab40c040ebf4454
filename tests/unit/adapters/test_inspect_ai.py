"""The scorer of Inspect, in an evaluation by Inspect itself that asks no model."""

from __future__ import annotations

import math

import pytest

import paragauge as pg

pytest.importorskip("inspect_ai", reason="needs the extra inspect")
pytestmark = pytest.mark.filterwarnings("ignore")  # of packages that Inspect imports

ROWS = {
    "How old are you?": "What is your age?",
    "Please pay 2500 dollars now.": "Pay 3500 dollars now, please.",
    " ": "What?",
    "Where is the house?": "",
}


def test_every_sample_has_the_verdict_of_judge(tmp_path):
    from inspect_ai import Task, eval
    from inspect_ai.dataset import Sample
    from inspect_ai.model import ModelOutput
    from inspect_ai.solver import solver

    from paragauge.adapters.inspect_ai import usable

    @solver
    def said():
        async def solve(state, generate):  # noqa: ARG001
            state.output = ModelOutput.from_content("none", ROWS[state.input_text])
            return state

        return solve

    task = Task(dataset=list(map(Sample, ROWS)), solver=said(), scorer=usable(accept=0.4))
    (log,) = eval(task, model="mockllm/model", display="none", log_dir=str(tmp_path))
    assert log.status == "success", log.error
    found = [sample.scores["usable"] for sample in log.samples]
    expected = pg.judge(list(ROWS), list(ROWS.values()), accept=0.4)
    assert [one.reason for one in found] == [row.outcome.value for row in expected.rows]
    assert [one.explanation for one in found] == expected.frame["why"].to_list()
    assert [None if math.isnan(one.value) else bool(one.value) for one in found] == [
        row.usable for row in expected.rows
    ]
    assert found[1].metadata["findings"][0] == {
        "rule": "number", "kind": "number", "source": [11, 15], "candidate": [4, 8]
    }  # fmt: skip
    (summary,) = log.results.scores
    assert (summary.scored_samples, summary.unscored_samples) == (3, 1)
    assert summary.metrics["mean"].value == pytest.approx(1 / 3)
