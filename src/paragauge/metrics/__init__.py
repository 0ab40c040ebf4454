"""Every metric by name: one file each, or one for a family; found without importing any of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..errors import InputError
from ..metric import ComparisonMetric, Metric
from ..parameters import read_parameters, split_spec
from ..registry import Classes

QUESTIONS = {
    "meaning": "is the meaning kept?",
    "form": "how alike is the wording?",
    "fluency": "is it good language?",
    "diversity": "how much do the paraphrases of a set differ?",
    "overall": "is it a good paraphrase?",
    "sentinel": "what must a metric beat to mean anything?",
}
FAMILIES = {  # files that hold several
    "deviation": ("lexical-deviation", "word-position-deviation"),
    "novelty": ("novelty", "pinc"),
    "rouge": ("rouge1", "rouge2", "rougeL"),
    "sentinel": ("candidate-only", "copy-rate", "length-ratio", "source-only"),
    "word_vectors": ("embedding-average", "greedy-matching", "vector-extrema", "wmd"),
}
METRICS = Classes[Metric](
    Metric, "metric", "bleu", __name__, group="paragauge.metrics", folders=QUESTIONS, families=FAMILIES
)
Given = str | Metric | type[Metric]  # ways to say which metric is meant

names, load = METRICS.names, METRICS.load


def question(name: str) -> str:
    """The folder or file a metric stands in, which is the question it answers; plug-ins say it by `question`."""
    return METRICS.files[name].split(".")[2] if name in METRICS.files else declared_question(load(name))


def declared_question(metric: type[Metric]) -> str:
    """The question that a plug-in says it answers."""
    return str(getattr(metric, "question", "overall"))


def variants() -> Iterator[Metric]:
    """Every metric with its defaults, and every preset, once each: by question, and by name."""
    places = {question: place for place, question in enumerate(QUESTIONS)}
    for metric in sorted(METRICS.every(), key=lambda own: (places.get(question(own.name), len(places)), own.name)):
        yield from dict.fromkeys([metric(), *(metric(**values) for values in metric.presets.values())])


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
        if not issubclass(metric, ComparisonMetric):
            raise InputError(f"'{base}' has no '.free' variant: it does not compare with references")
        values["free"] = True
    return metric(**(values | read_parameters(metric, written)))


def _find(name: str, own: type[Metric] | None) -> tuple[type[Metric], dict[str, Any]]:
    if own is not None and (name == own.name or name in own.presets):
        return own, dict(own.presets.get(name, {}))
    return METRICS.find(name)


def metric_of(given: Given) -> Metric:
    """The metric of a name, of a class (with its defaults), or the one given."""
    return parse(given) if isinstance(given, str) else METRICS.of(given)


def __getattr__(name: str) -> type[Metric]:
    """The class of a metric, as in `paragauge.metrics.Bleu`: its name is that of the metric, in capitals and joined."""
    for known in (METRICS.files, METRICS.plugins) if name[:1].isupper() else ():
        for own in known:
            if own.replace("-", "").lower() == name.lower() and load(own).__name__ == name:
                return load(own)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*globals(), *(load(name).__name__ for name in METRICS.files)])
