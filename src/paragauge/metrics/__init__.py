"""Every metric by name: one file each, found without importing any of them."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import Any

from ..errors import InputError, nearest
from ..metric import Comparison, Metric
from ..parameters import read_parameters, split_spec

ENTRY_POINTS = "paragauge.metrics"
QUESTIONS = {
    "meaning": "is the meaning kept?",
    "form": "how alike is the wording?",
    "fluency": "is it good language?",
    "diversity": "how much do the paraphrases of a set differ?",
    "overall": "is it a good paraphrase?",
    "sentinel": "what must a metric beat to mean anything?",
}


@cache
def _files() -> dict[str, str]:
    """Name to module of each metric in this folder; the file name is the name, with - for _."""
    here = Path(__file__).parent
    return {
        file.stem.replace("_", "-"): f"{__name__}.{question}.{file.stem}"
        for question in QUESTIONS
        for file in sorted((here / question).glob("[!_]*.py"))
    }


@cache
def _plugins() -> dict[str, EntryPoint]:
    return {point.name: point for point in entry_points(group=ENTRY_POINTS)}


@cache
def load(name: str) -> type[Metric]:
    """The class of the metric of this name (no presets)."""
    if name in _files():
        module = importlib.import_module(_files()[name])
        return next(
            value
            for value in vars(module).values()
            if isinstance(value, type) and issubclass(value, Metric) and value.__module__ == module.__name__
        )
    try:
        loaded: Any = _plugins()[name].load()
    except Exception as error:  # whatever another package raises
        raise InputError(f"the plug-in '{name}' ({_plugins()[name].value}) cannot be loaded: {error}") from error
    if not (isinstance(loaded, type) and issubclass(loaded, Metric)):
        raise InputError(f"the plug-in '{name}' ({_plugins()[name].value}) is not a paragauge Metric class")
    return loaded


def names() -> list[str]:
    """Names of all metrics, ours first, without their presets."""
    return [*_files(), *(name for name in _plugins() if name not in _files())]


def question(name: str) -> str:
    """The folder a metric stands in, which is the question it answers; plug-ins say it by `question`."""
    if name in _files():
        return _files()[name].split(".")[-2]
    return declared_question(load(name))


def declared_question(metric: type[Metric]) -> str:
    """The question that a plug-in says it answers."""
    return str(getattr(metric, "question", "overall"))


def variants() -> Iterator[Metric]:
    """Every metric with its defaults, and every preset, once each."""
    for metric in _loaded():
        yield from dict.fromkeys([metric(), *(metric(**values) for values in metric.presets.values())])


def _loaded() -> list[type[Metric]]:
    """Every metric that can be loaded: a broken plug-in is an error only for who asks for it."""
    found = []
    for name in names():
        try:
            found.append(load(name))
        except InputError:
            if name in _files():
                raise
    return found


def parse(spec: str, own: type[Metric] | None = None) -> Metric:
    r"""The metric that `-m` names: `bleu`, `rougeL.free`, `parascore:omega=0.2,gamma=0.4`; a comma in a value is `\,`.

    `own` is a class that is meant by its names whether it is registered or not.

    >>> parse("ned.free").spec
    'ned.free'
    """
    name, written = split_spec(spec, "parascore:omega=0.2")
    base, dot, variant = name.partition(".")
    if dot and variant != "free":
        raise InputError(f"no variant '.{variant}' of '{base}'; the one variant is '.free', against the source")
    metric, values = _find(base, own)
    if dot:
        if not issubclass(metric, Comparison):
            raise InputError(f"'{base}' has no '.free' variant: it does not compare with references")
        values["free"] = True
    return metric(**(values | read_parameters(metric, written)))


Given = str | Metric | type[Metric]  # ways to say which metric is meant


def metric_of(given: Given) -> Metric:
    """The metric of a name, of a class (with its defaults), or the one given."""
    if isinstance(given, str):
        return parse(given)
    if isinstance(given, type) and issubclass(given, Metric):
        return given()
    if not isinstance(given, Metric):
        raise InputError(f"{given!r:.60} is no metric; expected a name such as 'bleu', or a metric such as Bleu()")
    return given


def _find(name: str, own: type[Metric] | None) -> tuple[type[Metric], dict[str, Any]]:
    if own is not None and (name == own.name or name in own.presets):
        return own, dict(own.presets.get(name, {}))
    if name in _files() or name in _plugins():
        return load(name), {}
    presets = {preset: (own, dict(values)) for own in _loaded() for preset, values in own.presets.items()}
    if name in presets:
        return presets[name]
    raise InputError(f"no metric named '{name}'{nearest(name, [*names(), *presets])}")


def __getattr__(name: str) -> type[Metric]:
    """The class of a metric, as in `paragauge.metrics.Bleu`: its name is that of its file, in capitals and joined."""
    stems = {found.replace("-", ""): found for found in _files()}
    if name[:1].isupper() and name.lower() in stems:
        found = load(stems[name.lower()])
        if found.__name__ == name:
            return found
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*globals(), *(load(name).__name__ for name in _files())])
