"""The verdict of a server that was started without any option about metrics."""

import pytest

import paragauge as pg

from .server import serving

SOURCE = "We paid 2500 euros for the old house."
CANDIDATES = ["We paid 3500 euros for the old house.", "The old house cost us 2500 euros.", SOURCE, ""]


@pytest.mark.usefixtures("encoder")
def test_the_default_metrics_say_what_judge_says_in_the_form_that_is_described(tmp_path):
    rows = [{"source": SOURCE, "candidate": candidate} for candidate in CANDIDATES]
    with serving("--runs", tmp_path / "runs") as server:
        found = server.score(*rows, explain=True)
        plain = server.score(*rows)
        schemas = server.ask("/api/openapi.json").json["components"]["schemas"]
    assert [metric["name"] for metric in found["metrics"]][:3] == ["meaning", "changed", "usable"]
    judged = pg.judge([SOURCE] * len(CANDIDATES), CANDIDATES).frame
    for row, expected in zip(found["rows"], judged.iter_rows(named=True), strict=True):
        verdict, explanation = row["verdict"], row["explanation"]
        assert (verdict["usable"], verdict["why"]) == (expected["usable"] == 1, expected["why"])
        for name in ("meaning", "changed"):  # float32 kernels round differently in batches of another size
            assert verdict[name] == pytest.approx(expected[name], abs=1e-4)
            assert row["scores"][name]["score"] == verdict[name]
        assert [*verdict] == schemas["Verdict"]["required"]
        assert [*explanation] == schemas["Explanation"]["required"]
        for needed in explanation["needed"]:
            assert [*needed] == schemas["Explanation"]["properties"]["needed"]["items"]["required"]
    assert [row["verdict"]["why"] for row in plain["rows"]] == [row["verdict"]["why"] for row in found["rows"]]
    assert "explanation" not in plain["rows"][0]
