"""Charts: files that open, hold every name, and refuse emptiness."""

import math
import re
import struct
import sys
from xml.etree import ElementTree

import numpy as np
import pytest

from paragauge.errors import InputError, MissingExtraError
from paragauge.meta.charts import draw, forest_chart
from paragauge_research.analyses.agreements import Agreement
from paragauge_research.analyses.attribution import Ability
from paragauge_research.analyses.copies import CopyPoint, Preference
from paragauge_research.analyses.distances import InGroup
from paragauge_research.analyses.figures import ability_chart, copies_chart, groups_chart, omega_chart

NAMES = ["bleu", "rougeL.free", "parascore:omega=0.2", "bertscore"]
VALUES = [-0.2, 0.3, 0.6, 0.58]


def estimate(value):
    return Agreement(value, value - 0.05, value + 0.05, 100, 20, "")


def groups():
    rows = [
        InGroup(name, group, group / 4 - 0.2, group / 4, estimate(value))
        for group in (1, 2, 3, 4)
        for name, value in zip(NAMES, VALUES, strict=True)
    ]
    return groups_chart(rows, "Groups", "source")


def copies():
    shares = np.arange(6) / 10
    points = [
        CopyPoint(name, float(share), value * (1 - share), 0.01, 1.0, 10.0)
        for share in shares
        for name, value in zip(NAMES, VALUES, strict=True)
    ]
    return copies_chart([*points, CopyPoint("undefined", 0.5, math.nan, math.nan, math.nan, 10.0)], "Copies")


def omega():
    omegas = np.arange(11) / 10
    curve = Preference(omegas, np.clip(1 - 2 * omegas, 0, 1), 0.25, 0.475, np.sort(omegas / 2), 11)
    never = Preference(omegas, np.full(11, 0.6), math.inf, math.inf, np.full(11, math.inf), 11)
    return omega_chart({NAMES[0]: curve, NAMES[1]: curve, NAMES[2]: never, NAMES[3]: never}, "Weights")


def forest():
    lows, highs = [value - 0.1 for value in VALUES], [value + 0.1 for value in VALUES]
    return forest_chart(
        [*NAMES, "undefined"],
        [*VALUES, math.nan],
        [*lows[:-1], math.nan, math.nan],
        [*highs[:-1], math.nan, math.nan],
        "Forest",
    )


def ability():
    rows = [
        Ability(name, estimate(value), estimate(value / 2), estimate(value))
        for name, value in zip(NAMES, VALUES, strict=True)
    ]
    return ability_chart([*rows, Ability("undefined", *[estimate(math.nan)] * 3)], "Abilities")


CHARTS = {"Groups": groups, "Copies": copies, "Weights": omega, "Forest": forest, "Abilities": ability}


@pytest.mark.parametrize("title", CHARTS)
def test_files_open_and_hold_every_name(title, tmp_path):
    pytest.importorskip("altair")
    pytest.importorskip("vl_convert")
    files = draw(CHARTS[title](), tmp_path / "new folder" / "chart.v1", scale=1)
    assert (files.svg.name, files.png.name) == ("chart.v1.svg", "chart.v1.png")
    picture = files.png.read_bytes()
    assert picture[:8] == b"\x89PNG\r\n\x1a\n"
    width, height = struct.unpack(">II", picture[16:24])
    tree = ElementTree.fromstring(files.svg.read_text(encoding="utf-8"))
    assert tree.tag == "{http://www.w3.org/2000/svg}svg"
    assert abs(float(tree.get("width")) - width) <= 1
    assert abs(float(tree.get("height")) - height) <= 1
    assert 300 < width < 1200
    texts = ["".join(node.itertext()) for node in tree.iter("{http://www.w3.org/2000/svg}text")]
    assert title in texts
    for name in NAMES:
        assert name in texts
    assert not any(re.search("NaN|null|undefined", text) for text in texts if text != "undefined")


def test_scale(tmp_path):
    pytest.importorskip("altair")
    pytest.importorskip("vl_convert")
    sizes = []
    for scale in (1, 2):
        files = draw(forest(), tmp_path / str(scale), scale=scale)
        sizes.append(struct.unpack(">II", files.png.read_bytes()[16:24]))
    assert sizes[1][0] == pytest.approx(2 * sizes[0][0], abs=2)  # rounded to whole pixels


def test_nothing_to_draw():
    pytest.importorskip("altair")
    pytest.importorskip("vl_convert")
    for chart in (groups_chart, copies_chart, omega_chart, ability_chart):
        with pytest.raises(InputError, match="to draw; expected at least one"):
            chart([])
    with pytest.raises(InputError, match="2 names, 1 values, 1 lows and 1 highs"):
        forest_chart(["a", "b"], [0.1], [0.0], [0.2])


@pytest.mark.parametrize("missing", ["altair", "vl_convert"])
def test_without_the_extra(missing, monkeypatch):
    monkeypatch.setitem(sys.modules, missing, None)
    with pytest.raises(MissingExtraError, match=r'need altair and vl-convert: pip install "paragauge\[charts\]"'):
        forest()


def test_a_name_with_control_characters_is_spelled(tmp_path):
    chart = forest_chart(["a\x1b[2J<b>&\u202ec", "bleu"], [0.1, 0.2], [0.0, 0.1], [0.2, 0.3])
    files = draw(chart, tmp_path / "forest")
    text = "".join(ElementTree.parse(files.svg).getroot().itertext())
    assert r"a\x1b[2J<b>&\u202ec" in text
