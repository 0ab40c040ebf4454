"""What `paragauge score` prints first, in every format, and its thresholds."""

import json
import re
from pathlib import Path

import pytest

from paragauge.metrics import parse

from .program import call, refused

pytestmark = pytest.mark.usefixtures("encoder")
PAIRS = Path(__file__).parents[2] / "examples" / "pairs.csv"
HEADER = ["system", "meaning kept", "words changed", "usable", "why not"]


@pytest.fixture(scope="module")
def scored(tmp_path_factory):
    """The command without options; its run is kept, so that the next does not compute the scores again."""
    run = tmp_path_factory.mktemp("scored") / "run"
    return lambda *options: call("score", PAIRS, "--run", run, *options)


def test_the_verdict_comes_first_and_fits(scored):
    lines = scored("-q").stdout.splitlines()
    assert lines[0].split()[:3] == ["system", "meaning", "kept"]
    assert lines[0].endswith("why not")
    metrics = next(number for number, line in enumerate(lines) if line.startswith("metric "))
    verdict = lines[:metrics]
    assert max(map(len, verdict)) <= 100
    copy = next(line for line in verdict if line.startswith("copy "))
    assert re.fullmatch(r"copy +\d\.\d\d(?: \(\S+\))? +0\.00 +0% \(0–\d+\) +14 copies", copy)
    assert any(re.search("(has the most|have equally many) usable candidates", line) for line in verdict)
    usable = parse("usable")
    said = f"Usable: meaning at least {usable.accept:g}, words changed at least {usable.min_changed:g}, and no number"
    assert any(line.startswith(said) for line in verdict)
    first = lines[metrics + 2].split()[0]
    assert first == "parascore"
    assert not any(line.startswith(("usable ↑", "meaning ↑", "changed ↑")) for line in lines)
    whole = scored().stdout.splitlines()
    heading = next(number for number, line in enumerate(whole) if line.startswith("Signatures: "))
    assert whole[heading - 1] == ""
    assert all("|version:" in line for line in whole[heading + 1 :])
    assert not any(line.startswith("Signatures: ") for line in lines)


def test_the_readme_shows_what_is_printed(scored):
    """To a unit of the last digit, as float32 kernels differ between machines."""
    readme = (PAIRS.parents[1] / "README.md").read_text(encoding="utf-8")
    (shown,) = re.findall(r"\$ paragauge score examples/pairs.csv\n(.*?)…\n```", readme, re.DOTALL)
    number = r"\.?\d+(?:\.\d+)?"
    printed = "\n".join(scored("-q").stdout.splitlines()[: shown.count("\n")]) + "\n"
    assert re.sub(number, "0", shown) == re.sub(number, "0", printed)
    for one, other in zip(re.findall(number, shown), re.findall(number, printed), strict=True):
        assert float(one) == pytest.approx(float(other), abs=0.0101 if "." in one else 1)


def test_the_verdict_is_there_with_other_settings_of_the_encoder():
    lines = call("score", PAIRS, "-q", "--set", "precision=int8").stdout.splitlines()
    assert lines[0].split()[:3] == ["system", "meaning", "kept"]
    found = call("score", PAIRS, "--set", "layer=3", "-f", "json")
    assert "not calibrated with this encoder" in found.stderr


def test_thresholds():
    def rate(*options: str) -> dict[str, float]:
        found = json.loads(call("score", PAIRS, "-f", "json", "-m", "usable", *options).stdout)
        return {row["system"]: row["mean"] for row in found}

    assert rate("--accept", "meaning >= 0", "--min-changed", "0")["copy"] == 1
    assert set(rate("--accept", "meaning>=0", "--min-changed", "1").values()) == {0}
    assert rate("--accept", "meaning>=0", "--no-strict")["word-swap"] > rate("--accept", "meaning>=0")["word-swap"]
    assert rate("--accept", "meaning>=1.") == rate("--accept", "meaning>=1") == rate("--accept", "1")
    assert rate("--accept", "meaning>=0.3")["rewrite"] >= rate("--accept", "meaning>=0.9")["rewrite"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--accept", "meaning<0.8"], "--accept 'meaning<0.8' is not a threshold of meaning; expected 'meaning>=0.8'"),
        (["--accept", "much"], "--accept 'much' is not a threshold of meaning; expected 'meaning>=0.8' or 0.8"),
        (["--accept", "bleu>=0.8"], "--accept 'bleu>=0.8' is not a threshold of meaning"),
        (["--accept", "meaning>=80"], "--accept is 80; expected a share from 0 to 1"),
        (
            ["--accept", "meaning>=0.8", "-m", "usable:accept=0.3"],
            "--accept and -m usable:accept=0.3 set the same threshold; give one of them",
        ),
        (["--no-strict", "-m", "bleu"], "--no-strict loosens usable, which is not among the metrics; add -m usable"),
        (["--min-changed", "1.5"], "--min-changed is 1.5; expected a share from 0 to 1"),
        (
            ["--min-changed", "0.1", "-m", "bleu"],
            "--min-changed sets a threshold of usable, which is not among the metrics",
        ),
    ],
)
def test_thresholds_that_are_none(options, message):
    assert message in refused("score", PAIRS, *options)


def test_texts_that_are_not_english(tmp_path):
    file = tmp_path / "zh.csv"
    file.write_text("source,candidate\n你今年多大年纪了？,请问你几岁了？\n", encoding="utf-8")
    assert "meaning was trained on English" in call("score", file, "-q").stderr
