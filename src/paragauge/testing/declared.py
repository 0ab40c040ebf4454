"""Of what a metric declares: its metadata, and that its parameters are its signature and its spec."""

from __future__ import annotations

import dataclasses
import inspect
import types
import typing
from collections.abc import Iterable, Iterator, Mapping

from .. import metrics
from ..metric import Loads, Metric, Need
from .expected import is_registered, question_of

Values = Mapping[str, Iterable[object]]  # what parameters may be, by name
NONE: Values = types.MappingProxyType({})
STEPS = 7  # tried of a number that may be anything


def check_metadata(metric: Metric) -> None:
    """Everything that a card or a list of metrics shows is there, and of the kind that it should be."""
    for name in ("name", "title", "citation", "limits"):
        text = getattr(metric, name)
        assert isinstance(text, str), f"{name} is {text!r}"
        assert text.strip(), f"{name} is empty"
    assert any(character.isdigit() for character in metric.citation), f"the citation {metric.citation!r} has no year"
    assert question_of(metric) in metrics.QUESTIONS, (
        f"question is {question_of(metric)!r}; expected one of {', '.join(metrics.QUESTIONS)}"
    )
    known = {"needs": typing.get_args(Need), "loads": typing.get_args(Loads), "unit": ("pair", "source", "system")}
    for name, choices in known.items():
        value = getattr(metric, name)
        assert value in choices, f"{name} is {value!r}; expected one of {', '.join(choices)}"
    low, high = metric.range
    assert low < high, f"the range {low}, {high} is not in order"
    for name in ("higher_is_better", "symmetric"):
        assert isinstance(getattr(metric, name), bool), f"{name} is {getattr(metric, name)!r}; expected True or False"
    docstring = vars(type(metric)).get("__doc__")
    assert docstring, "no docstring"
    assert not inspect.cleandoc(docstring).startswith(f"{type(metric).__name__}("), "no docstring of its own"
    known_elsewhere = metrics.METRICS.is_of_research
    unknown = {name for name in metric.related if name not in metrics.METRICS and not known_elsewhere(name)}
    assert not unknown, f"related to {', '.join(unknown)}, which do not exist"
    assert metric.name not in metric.related, "related to itself"
    for field in dataclasses.fields(metric):
        assert field.metadata.get("help"), f"the parameter {field.name} is not explained"


def check_signature(metric: Metric, values: Values = NONE) -> None:
    """Every parameter is in the signature; `values` as for `changed`."""
    own = metric.signature("1")
    assert own == dataclasses.replace(metric).signature("1"), "the signature of an equal metric is another"
    assert own.split("|")[0] == metric.name, f"{own} does not begin with {metric.name}"
    assert "|version:" in own, f"{own} has no version"
    assert "\n" not in own, f"{own!r} has several lines"
    for other in changed(metric, values):
        assert other.signature("1") != own, f"{_difference(metric, other)} does not show in {own}"


def check_spec(metric: Metric, values: Values = NONE) -> None:
    """What to type after -m gives the metric back; `values` as for `changed`."""
    for other in (metric, *changed(metric, values)):
        found = metrics.parse(other.spec, None if is_registered(metric) else type(metric))
        assert found == other, f"'{other.spec}' gives {found}, not {other}"
        assert hash(found) == hash(other), f"{found} is equal to {other}, yet has another hash"


def _difference(one: Metric, other: Metric) -> str:
    return next(
        f"{field.name}={getattr(other, field.name)!r}"
        for field in dataclasses.fields(one)
        if getattr(one, field.name) != getattr(other, field.name)
    )


def changed(metric: Metric, values: Values = NONE) -> Iterator[Metric]:
    """Copies of a metric that differ from it in one parameter each.

    What a parameter may be follows from its declaration, or else (the name of a model, of a file) from `values`.
    """
    for field in dataclasses.fields(metric):
        for value in values.get(field.name, _other_values(metric, field)):
            if value != getattr(metric, field.name):
                yield dataclasses.replace(metric, **{field.name: value})


def _other_values(metric: Metric, field: dataclasses.Field[object]) -> Iterator[object]:
    if field.metadata.get("choices"):
        yield from field.metadata["choices"]
        return
    hint = typing.get_type_hints(type(metric))[field.name]
    kinds = typing.get_args(hint) if isinstance(hint, types.UnionType) else (hint,)
    low, high = field.metadata.get("low"), field.metadata.get("high")
    low = low if low is not None else 0 if high is None else min(0, high - STEPS)
    high = low + STEPS if high is None else high
    if bool in kinds:
        yield from (True, False)
    elif int in kinds:
        yield from range(int(low), min(int(high), int(low) + STEPS) + 1)
    elif float in kinds:
        yield from (float(low), low + (high - low) / 3, low + (high - low) * 0.1 * 3, float(high), low + 1e-7)
    else:
        raise AssertionError(
            f"what the parameter {field.name} may be is not known; say it: values={{'{field.name}': [...]}}"
        )
    if types.NoneType in kinds:
        yield None
