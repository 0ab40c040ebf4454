"""Commands declared once: an option is the default value of the parameter that takes it."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import click

PATH = click.Path(path_type=Path)


class _Declared(NamedTuple):
    """An option or an argument; its name is that of the parameter."""

    kind: type[click.Parameter]
    flags: tuple[str, ...]
    settings: Mapping[str, Any]

    def parameter(self, name: str) -> click.Parameter:
        flags = self.flags
        if self.kind is not click.Argument and not any(flag.startswith("--") for flag in flags):
            flags = (*flags, f"--{name.strip('_').replace('_', '-')}")
        return self.kind([*flags, name], **self.settings)


class _Together(NamedTuple):
    """Options that make one value."""

    make: Callable[..., Any]


def option(
    help: str,
    default: Any = None,
    *flags: str,
    of: Any = None,
    many: bool = False,
    low: Any = None,
    high: Any = None,
    choices: Sequence[str] | None = None,
    kind: type[click.Option] = click.Option,
    **settings: Any,
) -> Any:
    """An option: what it means, its default, and what it may be. A default of False makes it a flag.

    `flags` are its names where they are not that of the parameter alone: `-m`, `--all`.
    """
    if default is False:
        return _Declared(kind, flags, {"help": help, "is_flag": True, **settings})
    of = of or (str if default is None or isinstance(default, tuple) else type(default))
    if low is not None or high is not None:
        of = {int: click.IntRange, float: click.FloatRange}[of](low, high)
    elif choices is not None:
        of = click.Choice(choices)
    elif of is Path:
        of = PATH
    several: dict[str, Any] = {"multiple": True} if many else {}
    known = {} if default is None else {"default": default, "show_default": True}
    return _Declared(kind, flags, {"help": help, "type": of, **several, **known, **settings})


def argument(of: Any = str, **settings: Any) -> Any:
    """An argument; without a default it is required."""
    settings.setdefault("required", "default" not in settings)
    return _Declared(click.Argument, (), {"type": PATH if of is Path else of, **settings})


def together(make: Callable[..., Any]) -> Any:
    """What a function makes of the options that are its parameters, as the value of one parameter."""
    return _Together(make)


def command(
    name: str, group: click.Group | None = None, cls: type[click.Command] = click.Command
) -> Callable[[Callable[..., Any]], click.Command]:
    """A command of the parameters of a function, in their order; `group` is the one that it is added to."""

    def declared(function: Callable[..., Any]) -> click.Command:
        @functools.wraps(function)
        def callback(**values: Any) -> Any:
            return function(**_arguments(function, values))

        help = inspect.cleandoc(function.__doc__ or "")
        found = cls(name, callback=callback, params=list(_parameters(function)), help=help)
        if group is not None:
            group.add_command(found)
        return found

    return declared


def _parameters(function: Callable[..., Any]) -> Iterator[click.Parameter]:
    for name, parameter in inspect.signature(function).parameters.items():
        found = parameter.default
        if isinstance(found, _Together):
            yield from _parameters(found.make)
        else:
            yield found.parameter(name)


def _arguments(function: Callable[..., Any], values: Mapping[str, Any]) -> dict[str, Any]:
    found = {}
    for name, parameter in inspect.signature(function).parameters.items():
        part = parameter.default
        made = isinstance(part, _Together)
        found[name] = part.make(**_arguments(part.make, values)) if made else values[name]
    return found
