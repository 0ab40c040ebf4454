"""Metrics by name: found without imports, nearest match, plug-ins of other packages."""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from paragauge import metrics
from paragauge.errors import InputError

PLUGIN = textwrap.dedent('''
    """A plug-in."""
    from dataclasses import dataclass
    from typing import ClassVar

    import numpy as np

    from paragauge import PairMetric, parameter


    @dataclass(frozen=True, kw_only=True)
    class SameLength(PairMetric):
        """1 where both texts are equally long."""

        name: ClassVar[str] = "same-length"
        title: ClassVar[str] = "Same length"
        question: ClassVar[str] = "form"
        range: ClassVar[tuple[float, float]] = (0.0, 1.0)
        higher_is_better: ClassVar[bool] = True
        citation: ClassVar[str] = "none, 2024"
        presets: ClassVar[dict[str, dict[str, object]]] = {"nearly-same-length": {"slack": 2}}

        slack: int = parameter(0, "how many characters do not matter", low=0)

        def compare(self, pairs, work):
            return np.array([float(abs(len(one) - len(two)) <= self.slack) for one, two in pairs])


    NOT_A_METRIC = 5
''')


def install(folder: Path, *entry_points: str) -> None:
    """What pip puts into site-packages for a small pure-Python package."""
    (folder / "length_metrics.py").write_text(PLUGIN)
    record = folder / "length_metrics-1.0.dist-info"
    record.mkdir()
    (record / "METADATA").write_text("Metadata-Version: 2.1\nName: length-metrics\nVersion: 1.0\n")
    (record / "entry_points.txt").write_text("\n".join(["[paragauge.metrics]", *entry_points, ""]))


def run(code: str, *paths: Path) -> str:
    search = [*map(str, paths), *filter(None, [os.environ.get("PYTHONPATH")])]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(search)}
    ended = subprocess.run(
        [sys.executable, "-W", "error", "-c", code], env=environment, capture_output=True, text=True, check=False
    )
    assert ended.returncode == 0, ended.stderr
    return ended.stdout.strip()


def test_a_metric_of_another_package(tmp_path):
    install(tmp_path, "same-length = length_metrics:SameLength")
    code = """
from paragauge import metrics, score
metric = metrics.parse("same-length")
print(type(metric).__module__, metric.spec, metrics.question("same-length"))
print(metric.score(sources=["ab", "ab"], candidates=["cd", "cde"], references=[["ef"], ["ef"]]).tolist())
print(metrics.parse("nearly-same-length.free").score(sources=["ab", "ab"], candidates=["cde", "cdefg"]).tolist())
print(score(["ab"], ["cde"], metrics=["same-length.free:slack=1"])["same-length.free:slack=1"].tolist())
"""
    assert run(code, tmp_path).splitlines() == [
        "length_metrics same-length form",
        "[1.0, 0.0]",
        "[1.0, 0.0]",
        "[1.0]",
    ]


def test_a_plugin_that_is_no_metric(tmp_path):
    install(tmp_path, "broken = length_metrics:NOT_A_METRIC")
    code = """
from paragauge import InputError, metrics
try:
    metrics.parse("broken")
except InputError as error:
    print(error)
"""
    assert run(code, tmp_path) == "the plug-in 'broken' (length_metrics:NOT_A_METRIC) is not a paragauge Metric class"


@pytest.mark.parametrize("target", ["length_metrics:NOT_A_METRIC", "length_metrics:Missing", "no_such_module:Metric"])
def test_a_broken_plugin_breaks_nothing_else(tmp_path, target):
    install(tmp_path, f"broken = {target}", "same-length = length_metrics:SameLength")
    code = """
from paragauge import InputError, metrics
print(*(metrics.parse(name).spec for name in ("bleu", "chrf++", "parascore-free", "nearly-same-length")))
try:
    metrics.parse("chfr")
except InputError as error:
    print(str(error)[:47])
"""
    assert run(code, tmp_path).splitlines() == [
        "bleu chrf++ parascore-free nearly-same-length",
        "no metric named 'chfr'; did you mean 'chrf'? kn",
    ]


def test_without_the_package_the_metric_is_unknown():
    with pytest.raises(InputError, match="no metric named 'same-length'"):
        metrics.parse("same-length")


def test_naming_metrics_imports_none_of_them():
    code = """
import sys
from paragauge import metrics
assert "bleu" in metrics.names()
loaded = [name for name in sys.modules if name.startswith("paragauge.metrics.")]
heavy = {"polars", "ctranslate2", "tokenizers", "torch", "sacrebleu", "pandas"} & set(sys.modules)
print(loaded, sorted(heavy))
"""
    assert run(code) == "[] []"


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("chfr", "no metric named 'chfr'; did you mean 'chrf'? known: "),
        ("BLEU", "no metric named 'BLEU'; did you mean 'bleu'? known: "),
        ("rouge-l", "no metric named 'rouge-l'; did you mean 'rougeL'? known: "),
        ("parascore_free", "no metric named 'parascore_free'; did you mean 'parascore-free'? known: "),
        ("zzzzzz", "no metric named 'zzzzzz'; known: "),
        ("", "no metric named ''; known: "),
        ("bleu.fre", "no variant '.fre' of 'bleu'; the one variant is '.free', against the source"),
        ("_rouge", "no metric named '_rouge'; did you mean "),
    ],
)
def test_unknown_names(spec, message):
    with pytest.raises(InputError) as caught:
        metrics.parse(spec)
    assert str(caught.value).startswith(message)
    if "known" in message:
        assert all(name in str(caught.value) for name in metrics.names())


def test_what_a_file_defines_is_known_by_name():
    for module in dict.fromkeys(metrics.METRICS.files.values()):
        own = {
            value.name
            for value in vars(importlib.import_module(module)).values()
            if isinstance(value, type) and value.__module__ == module and "name" in vars(value)
        }
        assert own == {name for name, file in metrics.METRICS.files.items() if file == module}


def test_every_variant_once():
    specs = [metric.spec for metric in metrics.variants()]
    assert len(specs) == len(set(specs))
    assert {"bleu", "chrf", "chrf++", "parascore", "parascore-free", "bertscore", "ned"} <= set(specs)


def test_a_comma_in_a_value_is_escaped_and_read_back():
    metric = metrics.parse(r"bertscore:encoder=/models/one\,two,part=recall")
    assert metric.encoder == "/models/one,two"
    assert metric.part == "recall"
    assert metric.spec == r"bertscore:encoder=/models/one\,two,part=recall"
    assert metrics.parse(metric.spec) == metric
