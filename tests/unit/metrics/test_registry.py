"""Metrics by name: found without imports, nearest match, the shortest name of each."""

import importlib
import subprocess
import sys

import pytest

from paragauge import metrics
from paragauge.errors import InputError


def run(code: str) -> str:
    ended = subprocess.run([sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stderr
    return ended.stdout.strip()


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


@pytest.mark.parametrize(
    ("typed", "spec"),
    [
        ("source-bleu", "bleu.free"),
        ("source-bleu:order=2", "bleu.free:order=2"),
        ("bleu.free", "bleu.free"),
        ("parascore.free", "parascore-free"),
        ("chrf:word_order=2", "chrf++"),
        ("distinct:n=1", "distinct-1"),
        ("distinct-2", "distinct"),
        ("distinct:n=4", "distinct:n=4"),
        ("distinct-1:lowercase=yes", "distinct-1:lowercase=yes"),
    ],
)
def test_the_shortest_of_its_own_names_stands_for_a_metric(typed, spec):
    assert metrics.parse(typed).spec == spec
    assert metrics.parse(spec) == metrics.parse(typed)
