"""Every classifier by name: one file each, found without importing any of them."""

from __future__ import annotations

import importlib
from functools import cache
from pathlib import Path
from typing import Any

from ...errors import InputError, nearest
from ...parameters import read_parameters, split_spec
from ..classifier import Classifier

Given = str | Classifier | type[Classifier]  # ways to say which classifier is meant
DEFAULT = ("tfidf", "embeddings")
PAPER = ("mlp", "cnn", "gru", "lstm")  # the networks of Hailu et al. 2020


@cache
def names() -> tuple[str, ...]:
    """Names of all classifiers; the file name is the name."""
    found = {file.stem for file in Path(__file__).parent.glob("[!_]*.py")}
    known = [name for name in (*DEFAULT, *PAPER) if name in found]
    return (*known, *sorted(found - set(known)))


@cache
def load(name: str) -> type[Classifier]:
    """The class of the classifier of this name."""
    module = importlib.import_module(f"{__name__}.{name}")
    return next(
        value
        for value in vars(module).values()
        if isinstance(value, type) and issubclass(value, Classifier) and value.__module__ == module.__name__
    )


def parse(spec: str) -> Classifier:
    r"""The classifier of a name and parameters: `tfidf`, `gru:padding=after,epochs=10`.

    >>> parse("tfidf:ngrams=1").spec
    'tfidf:ngrams=1'
    """
    name, typed = split_spec(spec, "gru:epochs=10")
    presets: dict[str, tuple[type[Classifier], dict[str, Any]]] = {
        preset: (found, dict(values)) for found in map(load, names()) for preset, values in found.presets.items()
    }
    if name in names():
        presets[name] = load(name), {}
    if name not in presets:
        raise InputError(f"no classifier named '{name}'{nearest(name, [*names(), *presets])}")
    found, values = presets[name]
    return found(**(values | read_parameters(found, typed)))


def classifier_of(given: Given) -> Classifier:
    """The classifier of a name, of a class (with its defaults), or the one given."""
    if isinstance(given, str):
        return parse(given)
    if isinstance(given, type) and issubclass(given, Classifier):
        return given()
    if not isinstance(given, Classifier):
        raise InputError(f"{given!r:.60} is no classifier; expected a name such as 'tfidf'")
    return given
