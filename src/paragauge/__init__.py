"""Measure paraphrases: how much meaning they keep and how many words they change."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from ._version import __version__ as __version__

if TYPE_CHECKING:
    from .errors import InputError as InputError
    from .errors import MissingExtraError as MissingExtraError
    from .errors import ModelError as ModelError
    from .errors import ParagaugeError as ParagaugeError
    from .evaluate import score as score
    from .metric import CountMetric as CountMetric
    from .metric import Metric as Metric
    from .metric import PairMetric as PairMetric
    from .metric import parameter as parameter
    from .metrics import parse as parse
    from .metrics.fluency.perplexity import Perplexity as Perplexity
    from .metrics.fluency.slor import Slor as Slor
    from .metrics.form.bleu import Bleu as Bleu
    from .metrics.form.chrf import Chrf as Chrf
    from .metrics.form.ned import Ned as Ned
    from .metrics.form.rouge1 import Rouge1 as Rouge1
    from .metrics.form.rouge2 import Rouge2 as Rouge2
    from .metrics.form.rougeL import RougeL as RougeL
    from .metrics.form.ter import Ter as Ter
    from .metrics.meaning.bertscore import BertScore as BertScore
    from .metrics.meaning.cosine import Cosine as Cosine
    from .metrics.meaning.parapluie import ParaPluie as ParaPluie
    from .metrics.overall.parascore import ParaScore as ParaScore
    from .samples import Samples as Samples
    from .scores import Scores as Scores
    from .workspace import Workspace as Workspace

# name to module: nothing is imported before it is used, so that the command line starts at once
_HOMES = {
    "score": "evaluate",
    "parse": "metrics",
    "Samples": "samples",
    "Scores": "scores",
    "Workspace": "workspace",
    **dict.fromkeys(("Metric", "PairMetric", "CountMetric", "parameter"), "metric"),
    **dict.fromkeys(("ParagaugeError", "InputError", "ModelError", "MissingExtraError"), "errors"),
    "Perplexity": "metrics.fluency.perplexity",
    "Slor": "metrics.fluency.slor",
    "Bleu": "metrics.form.bleu",
    "Chrf": "metrics.form.chrf",
    "Ned": "metrics.form.ned",
    "Rouge1": "metrics.form.rouge1",
    "Rouge2": "metrics.form.rouge2",
    "RougeL": "metrics.form.rougeL",
    "Ter": "metrics.form.ter",
    "BertScore": "metrics.meaning.bertscore",
    "Cosine": "metrics.meaning.cosine",
    "ParaPluie": "metrics.meaning.parapluie",
    "ParaScore": "metrics.overall.parascore",
}
__all__ = ["__version__", *_HOMES]


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(importlib.import_module(f".{_HOMES[name]}", __name__), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
