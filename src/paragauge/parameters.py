"""Parameters of metrics and paraphrasers: fields with help and limits, checked, read and written as they are typed."""

from __future__ import annotations

import dataclasses
import functools
import inspect
import re
import sys
import types
import typing
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from .errors import InputError, nearest

# a full stop that ends a sentence, and not an abbreviation
_END = re.compile(r"(?<!\bet al)(?<!\bcf)(?<!\bvs)(?<!\be\.g)(?<!\bi\.e)\. ")
LARGEST = 1e6  # of a number without a bound of its own: no weight needs more, and no sum of scores overflows


def parameter(
    default: Any,
    help: str,
    *,
    low: float | None = None,
    high: float | None = None,
    choices: Sequence[str] | None = None,
) -> Any:
    """A field of a metric: its default, what it means, and what it may be."""
    return dataclasses.field(default=default, metadata={"help": help, "low": low, "high": high, "choices": choices})


@dataclasses.dataclass(frozen=True, kw_only=True)
class Configured:
    """What is made by a name and parameters: its fields are its parameters, checked when it is made."""

    name: ClassVar[str]
    presets: ClassVar[Mapping[str, Mapping[str, object]]] = {}  # other names, each for some parameter values

    @property
    def about(self) -> str:
        """What it is, in a sentence: the first of its class's docstring."""
        return _END.split((type(self).__doc__ or "").split("\n")[0], maxsplit=1)[0].rstrip(".")

    def __post_init__(self) -> None:
        own: Any = type(self)
        check_dataclass(own)
        hints = types_of(own)
        for field in dataclasses.fields(self):
            value = getattr(self, field.name)
            check_value(self.name, field, hints[field.name], value)
            if type(value) is int and float in kinds(hints[field.name]) and int not in kinds(hints[field.name]):
                object.__setattr__(self, field.name, float(value))  # so that 1 and 1.0 have one signature

    @property
    def spec(self) -> str:
        """What to type to get this: its name and the parameters that are not at their default.

        The shortest of its own names is used: `parascore-free`, not `parascore:free=true`.
        """
        changed = {
            field.name: getattr(self, field.name)
            for field in dataclasses.fields(self)
            if getattr(self, field.name) != field.default
        }
        fitting = {
            name: values
            for name, values in self.presets.items()
            if all(key in changed and changed[key] == value for key, value in values.items())
        }
        return min((as_typed(name, changed, values) for name, values in (fitting | {self.name: {}}).items()), key=len)


def check_dataclass(own: type[Any]) -> None:
    """Refuse a class with parameters that nothing would read."""
    if any(isinstance(value, dataclasses.Field) for value in vars(own).values()):
        raise InputError(f"{own.__name__} has parameters; put @dataclass(frozen=True, kw_only=True) before the class")


def split_spec(spec: str, example: str) -> tuple[str, dict[str, str]]:
    r"""The name and the parameters of what is typed as `name:key=value,key=value`; a comma in a value is `\,`."""
    name, _, tail = spec.partition(":")
    written: dict[str, str] = {}
    for item in filter(None, re.split(r"(?<!\\),", tail)):
        key, equals, value = item.partition("=")
        if not equals:
            raise InputError(f"'{item}' in '{spec}' is not a parameter; expected name=value, as in {example}")
        key = key.strip()
        if key in written:
            raise InputError(f"'{spec}' gives {key} twice; expected each parameter once")
        written[key] = value.strip().replace("\\,", ",")
    return name, written


def as_typed(name: str, changed: Mapping[str, Any], preset: Mapping[str, object]) -> str:
    """A name, `.free` where that is asked for, and the parameters that neither of them sets."""
    left = {key: value for key, value in changed.items() if key not in preset}
    if left.pop("free", False):
        name += ".free"
    listed = ",".join(f"{key}={_escaped(written(value))}" for key, value in left.items())
    return f"{name}:{listed}" if listed else name


def read_parameters(metric: Any, written: Mapping[str, str]) -> dict[str, Any]:
    """Parameters as typed (`omega=0.2`) to values, by the types of the metric's fields."""
    hints = types_of(metric)
    known = [field.name for field in dataclasses.fields(metric)]
    values = {}
    for name, text in written.items():
        if name not in known:
            raise InputError(f"{metric.name} has no parameter '{name}'{nearest(name, known)}")
        values[name] = _read(metric.name, name, hints[name], text)
    return values


@functools.cache
def types_of(metric: Any) -> dict[str, Any]:
    """The types of the fields, and of nothing else: `typing.get_type_hints` would take a tenth of the time to start."""
    found = {}
    for field in dataclasses.fields(metric):
        owner = next(own for own in metric.__mro__ if field.name in inspect.get_annotations(own))
        known = vars(sys.modules[owner.__module__])
        found[field.name] = eval(field.type, known) if isinstance(field.type, str) else field.type
    return found


def kinds(hint: Any) -> tuple[Any, ...]:
    """The types that a field may have: `float | None` has two."""
    return typing.get_args(hint) if isinstance(hint, types.UnionType) else (hint,)


def _read(metric: str, name: str, hint: Any, text: str) -> Any:
    if types.NoneType in kinds(hint) and text.lower() == "none":
        return None
    for kind in kinds(hint):
        if kind is bool and text.lower() in ("true", "yes", "1", "false", "no", "0"):
            return text.lower() in ("true", "yes", "1")
        if kind in (int, float):
            try:
                return kind(text)
            except ValueError:
                continue
        if kind is str:
            return text
    expected = " or ".join("none" if kind is types.NoneType else kind.__name__ for kind in kinds(hint))
    raise InputError(f"{metric}: {name}={text} is not of the expected kind, {expected}")


def check_value(metric: str, field: dataclasses.Field[Any], hint: Any, value: Any) -> None:
    """Refuse a value of another type, outside its limits, or not among its choices."""
    known = kinds(hint)
    fits = any(type(value) is kind or (kind is float and type(value) is int) for kind in known)
    if not fits:
        expected = " or ".join("none" if kind is types.NoneType else kind.__name__ for kind in known)
        raise InputError(f"{metric}: {field.name}={value!r} is not of the expected kind, {expected}")
    choices, low, high = (field.metadata.get(key) for key in ("choices", "low", "high"))
    if choices is not None and value not in choices:
        raise InputError(f"{metric}: {field.name}={value!r} is unknown{nearest(str(value), choices)}")
    if value is None or isinstance(value, (str, bool)):
        return
    if float in known:
        low, high = -LARGEST if low is None else low, LARGEST if high is None else high
    if value != value or (low is not None and value < low) or (high is not None and value > high):
        low, high = (None if limit is None else f"{limit:g}" for limit in (low, high))
        limits = f"from {low}" if high is None else f"up to {high}" if low is None else f"from {low} to {high}"
        raise InputError(f"{metric}: {field.name}={value} is out of range; expected {limits}")


def _escaped(text: str) -> str:
    return text.replace(",", "\\,")


def written(value: Any) -> str:
    """A parameter's value as it is typed on the command line."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "none" if value is None else str(value)
