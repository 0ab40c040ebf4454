"""Every paraphraser by name: one file each, found without importing any of them."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import Any

from ..errors import InputError, nearest
from ..parameters import read_parameters, split_spec
from ..paraphraser import Paraphraser

ENTRY_POINTS = "paragauge.paraphrasers"
Given = str | Paraphraser | type[Paraphraser]  # ways to say which paraphraser is meant


@cache
def _files() -> dict[str, str]:
    """Name to module of each paraphraser in this folder; the file name is the name, with - for _."""
    files = sorted(Path(__file__).parent.glob("[!_]*.py"))
    return {file.stem.replace("_", "-"): f"{__name__}.{file.stem}" for file in files}


@cache
def _plugins() -> dict[str, EntryPoint]:
    return {point.name: point for point in entry_points(group=ENTRY_POINTS)}


@cache
def load(name: str) -> type[Paraphraser]:
    """The class of the paraphraser of this name (no presets)."""
    if name in _files():
        module = importlib.import_module(_files()[name])
        return next(
            value
            for value in vars(module).values()
            if isinstance(value, type) and issubclass(value, Paraphraser) and value.__module__ == module.__name__
        )
    try:
        loaded: Any = _plugins()[name].load()
    except Exception as error:  # whatever another package raises
        raise InputError(f"the plug-in '{name}' ({_plugins()[name].value}) cannot be loaded: {error}") from error
    if not (isinstance(loaded, type) and issubclass(loaded, Paraphraser)):
        raise InputError(f"the plug-in '{name}' ({_plugins()[name].value}) is not a paragauge Paraphraser class")
    return loaded


def names() -> list[str]:
    """Names of all paraphrasers, ours first, without their presets."""
    return [*_files(), *(name for name in _plugins() if name not in _files())]


def classes() -> Iterator[type[Paraphraser]]:
    """Every paraphraser that can be loaded: a broken plug-in is an error only for who asks for it."""
    for name in names():
        try:
            yield load(name)
        except InputError:
            if name in _files():
                raise


def parse(spec: str) -> Paraphraser:
    r"""The paraphraser of a name and parameters: `wordswap-2`, `beam:model=FOLDER,width=8`; a comma in a value is `\,`.

    >>> parse("wordswap:rank=2").spec
    'wordswap-2'
    """
    name, written = split_spec(spec, "wordswap:rank=2")
    found, values = _find(name)
    return found(**(values | read_parameters(found, written)))


def paraphraser_of(given: Given) -> Paraphraser:
    """The paraphraser of a name, of a class (with its defaults), or the one given."""
    if isinstance(given, str):
        return parse(given)
    if isinstance(given, type) and issubclass(given, Paraphraser):
        return given()
    if not isinstance(given, Paraphraser):
        raise InputError(f"{given!r:.60} is no paraphraser; expected a name such as 'wordswap-1'")
    return given


def _find(name: str) -> tuple[type[Paraphraser], dict[str, Any]]:
    if name in names():
        return load(name), {}
    presets = {preset: (found, dict(values)) for found in classes() for preset, values in found.presets.items()}
    if name in presets:
        return presets[name]
    raise InputError(f"no paraphraser named '{name}'{nearest(name, [*names(), *presets])}")
