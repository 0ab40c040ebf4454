"""The shortest of a metric's own names stands for it."""

from __future__ import annotations

import pytest

from paragauge.metrics import parse


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
def test_spec(typed, spec):
    assert parse(typed).spec == spec
    assert parse(spec) == parse(typed)
