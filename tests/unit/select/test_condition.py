"""Conditions: a small grammar, three truth values, and which part failed."""

import contextlib
import math
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paragauge.errors import InputError
from paragauge.select.condition import parse_condition

VALUES = {"meaning": 0.9, "changed": 0.4, "parascore-free": 0.8, "bleu.free": 30.0, "nan": math.nan}


@pytest.mark.parametrize(
    "text, failed",
    [
        ("meaning >= 0.8 and changed >= 0.35", None),
        ("meaning >= 0.8 and changed >= 0.5", "changed >= 0.5"),
        ("meaning < .5 and changed > 1", "meaning < .5"),
        ("meaning < 0.5 or changed < 0.5", None),
        ("meaning < 0.5 or changed > 0.5", "meaning < 0.5 or changed > 0.5"),
        ("not (meaning < 0.5) and not changed == 0", None),
        ("not meaning > 0.5", "not meaning > 0.5"),
        ("0.2 <= changed < 0.9", None),
        ("0.2 <= changed < 0.3", "0.2 <= changed < 0.3"),
        ("parascore-free > 0.7 and bleu.free < 3.1e1", None),
        ("meaning != changed", None),
        ("meaning > -1 and bleu.free >= +30", None),
        ("nan > 0", "nan > 0 (undefined: nan)"),
        ("not nan > 0", "not nan > 0 (undefined: nan)"),
        ("nan > 0 or meaning > 0", None),
        ("(nan > 0 and meaning < 0) or meaning > 0", None),
        ("meaning > 0 and (nan > 0 or changed > 1)", "(nan > 0 or changed > 1) (undefined: nan)"),
    ],
)
def test_what_holds_and_what_fails(text, failed):
    condition = parse_condition(text)
    assert condition.failed(VALUES) == failed
    assert pickle.loads(pickle.dumps(condition)).failed(VALUES) == failed


def test_names_in_their_order_and_in_backquotes():
    condition = parse_condition("`parascore:omega=0.2,gamma=1` > 0.5 and (b > 1 or a > b)")
    assert condition.names == ["parascore:omega=0.2,gamma=1", "b", "a"]
    assert condition.failed({"parascore:omega=0.2,gamma=1": 0.6, "b": 0.0, "a": 1.0}) is None


@pytest.mark.parametrize(
    "text, said",
    [
        ("", "ends too early"),
        ("meaning", "ends too early"),
        ("meaning >=", "ends too early"),
        ("meaning >= 0.8 and", "ends too early"),
        ("(meaning > 1", "ends too early"),
        ("meaning > 1)", "has '\\)' at character 12"),
        ("meaning = 1", "has '=' at character 9"),
        ("meaning > 1 changed > 2", "has 'changed' at character 13"),
        ("__import__('os').system('x')", "at character 12"),
        ("meaning > 1; import os", "has ';' at character 12"),
        ("lambda: 0", "has ':' at character 7"),
        ("and > 1", "has 'and' at character 1"),
        ("(" * 60 + "a > 1" + ")" * 60, "more than 50"),
    ],
)
def test_anything_else_is_refused(text, said):
    with pytest.raises(InputError, match=said):
        parse_condition(text)


@given(st.text(max_size=60))
def test_no_text_does_more_than_be_refused(text):
    with contextlib.suppress(InputError):
        assert parse_condition(text).names is not None


@given(st.lists(st.floats(-2, 2) | st.just(math.nan), min_size=3, max_size=3))
def test_it_agrees_with_python_where_all_is_defined(numbers):
    a, b, c = numbers
    text = "a > b and (b <= c or not a < c)"
    holds = parse_condition(text).failed({"a": a, "b": b, "c": c}) is None
    if any(map(math.isnan, numbers)):
        assert not (holds and math.isnan(a))
    else:
        assert holds == (a > b and (b <= c or not a < c))
