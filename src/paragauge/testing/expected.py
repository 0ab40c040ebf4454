"""What a metric declares, checked; what is expected of it, by its question and its texts; and how checks are run."""

from __future__ import annotations

import dataclasses
import inspect
import types
import typing
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace

import numpy as np

from .. import metrics
from ..metric import ComparisonMetric, Floats, Loads, Metric, Need
from ..tables.samples import Samples
from .texts import plain_rows, plain_sets

# In double precision a score is a handful of operations on exact counts: 1e-9 allows for their rounding, at a scale
# of up to 100, and for nothing else.
ROUNDING = 1e-9
# float32 kernels round differently in batches of another size, and so does a product of matrices read the other way.
FLOAT32 = 1e-5

Values = Mapping[str, Iterable[object]]  # what parameters may be, by name
NONE: Values = types.MappingProxyType({})
STEPS = 7  # tried of a number that may be anything


def is_registered(metric: Metric) -> bool:
    """Is this class the one that its name stands for?"""
    return metric.name in metrics.names() and metrics.load(metric.name) is type(metric)


def question_of(metric: Metric) -> str:
    """What a metric answers, whether it is registered or, as yet, a class of its author's."""
    return metrics.question(metric.name) if is_registered(metric) else metrics.declared_question(type(metric))


def is_neural(metric: Metric) -> bool:
    """Does it read texts through an encoder or another model?"""
    return metric.loads in ("encoder", "language model", "pair model")


def rounding(metric: Metric) -> float:
    """How far beyond the end of its range a score may end."""
    return FLOAT32 if is_neural(metric) else ROUNDING


def exactness(metric: Metric) -> float:
    """How far apart two ways to the same score may end: not at all, unless it is made of products of matrices."""
    return FLOAT32 if is_neural(metric) else ROUNDING if metric.loads == "word vectors" else 0


def equal(found: Floats, expected: Floats, within: float) -> bool:
    """Equal to within a tolerance (beyond 1 a relative one), exactly so if it is 0; NaN equals NaN."""
    if found.shape != expected.shape or not np.array_equal(np.isnan(found), np.isnan(expected)):
        return False
    defined = ~np.isnan(found)
    allowed = within * np.maximum(1, np.abs(expected[defined]))
    return bool((np.abs(found[defined] - expected[defined]) <= allowed).all())


def assert_in_range(metric: Metric, scores: Floats) -> None:
    """Some score is defined, and none is beyond the range."""
    low, high = metric.range
    defined = scores[~np.isnan(scores)]
    assert len(defined), "no row has a score"
    least, most = defined.min(), defined.max()
    assert least >= low - rounding(metric), f"the score {least} is below the range, from {low} to {high}"
    assert most <= high + rounding(metric), f"the score {most} is above the range, from {low} to {high}"


def plain(metric: Metric) -> Samples:
    """Plain rows, or plain sets of them for a metric of sets."""
    return plain_sets() if metric.unit == "source" else plain_rows()


def of_a_copy(metric: Metric) -> float:
    """What the same text twice gets: the best score, but the worst of a metric that rewards distance to the source."""
    if isinstance(
        metric, ComparisonMetric
    ):  # `free` is the same comparison, even where it turns what is better (ned.free)
        metric = replace(metric, free=False)
    low, high = metric.range
    rewards_distance = metric.needs == "source" and question_of(metric) != "meaning"
    return high if metric.higher_is_better != rewards_distance else low


def failures(checks: Iterable[Callable[..., None]], *given: object) -> dict[str, str]:
    """The names of the checks that fail, and what each found."""
    failed = {}
    for check in checks:
        try:
            check(*given)
        except AssertionError as error:
            failed[check.__name__] = str(error)
        except Exception as error:  # whatever a metric or a paraphraser raises
            failed[check.__name__] = f"{type(error).__name__}: {error}"
    return failed


def refuse(name: str, failed: Mapping[str, str], checks: int) -> None:
    """An AssertionError that names what failed, where anything did."""
    if failed:
        lines = (f"\n  {check}: {found}" for check, found in failed.items())
        raise AssertionError(f"{name} fails {len(failed)} of {checks} checks:{''.join(lines)}")


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
