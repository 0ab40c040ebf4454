"""The verdict of a server that was started without any option about metrics."""

from __future__ import annotations

import pytest

import paragauge as pg

from .server import serving

SOURCE = "We paid 2500 euros for the old house."
CANDIDATES = ["We paid 3500 euros for the old house.", "The old house cost us 2500 euros.", SOURCE, ""]


@pytest.mark.usefixtures("encoder")
def test_the_default_metrics_say_what_is_usable_and_why_the_rest_is_not(tmp_path):
    rows = [{"source": SOURCE, "candidate": candidate} for candidate in CANDIDATES]
    with serving("--runs", tmp_path / "runs") as server:
        found = server.score(*rows, explain=True)
        plain = server.score(*rows)
    assert [metric["name"] for metric in found["metrics"]][:3] == ["meaning", "changed", "usable"]
    judged = pg.judge([SOURCE] * len(CANDIDATES), CANDIDATES).frame
    for row, expected in zip(found["rows"], judged.iter_rows(named=True), strict=True):
        assert row["verdict"]["usable"] == (expected["usable"] == 1)
        assert row["verdict"]["why"] == expected["why"]
        for name in ("meaning", "changed"):  # float32 kernels round differently in batches of another size
            assert row["verdict"][name] == pytest.approx(expected[name], abs=1e-4)
            assert row["scores"][name]["score"] == row["verdict"][name]
    slip, rewrite, copy, empty = found["rows"]
    assert slip["verdict"]["why"].endswith("(number): “2500” → “3500”")
    (lost,) = slip["explanation"]["lost"]
    assert lost["kind"] == "number"
    assert SOURCE[slice(*lost["source"])] == "2500"
    assert CANDIDATES[0][slice(*lost["candidate"])] == "3500"
    assert rewrite["verdict"] == rewrite["verdict"] | {"usable": True, "why": None}
    assert all(one["met"] for one in rewrite["explanation"]["needed"])
    assert (copy["verdict"]["why"], empty["verdict"]["why"]) == ("copy", "empty")
    changed = next(one for one in copy["explanation"]["needed"] if one["metric"] == "changed")
    assert (changed["met"], changed["value"], changed["lacks"]) == (False, 0, 0.15)
    assert empty["explanation"]["needed"] == []
    assert [row["verdict"]["why"] for row in plain["rows"]] == [row["verdict"]["why"] for row in found["rows"]]
    assert "explanation" not in plain["rows"][0]
