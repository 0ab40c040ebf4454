"""Measure paraphrases: how much meaning they keep and how many words they change.

Every metric is a class of `paragauge.metrics`: `paragauge.metrics.ParaScore(omega=0.1)`.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from ._version import __version__ as __version__

if TYPE_CHECKING:
    from . import metrics as metrics
    from .benchmarks import benchmark as benchmark
    from .comparison.compare import compare as compare
    from .compute.workspace import Workspace as Workspace
    from .errors import InputError as InputError
    from .errors import MissingExtraError as MissingExtraError
    from .errors import ModelError as ModelError
    from .errors import ParagaugeError as ParagaugeError
    from .evaluate.api import score as score
    from .evaluate.judge import Judge as Judge
    from .evaluate.judge import judge as judge
    from .evaluate.score_file import score_file as score_file
    from .files.coerce import read as read
    from .files.ratings import read_ratings as read_ratings
    from .meta.leaderboard import leaderboard as leaderboard
    from .meta.scored import score_ratings as score_ratings
    from .meta.tuning import tune as tune
    from .metric import CountMetric as CountMetric
    from .metric import Metric as Metric
    from .metric import PairMetric as PairMetric
    from .metric import SetMetric as SetMetric
    from .metric import SumMetric as SumMetric
    from .metric import parameter as parameter
    from .metrics import parse as parse
    from .paraphraser import Candidate as Candidate
    from .paraphraser import Candidates as Candidates
    from .paraphraser import Paraphraser as Paraphraser
    from .reports.write import write_report as write_report
    from .select.filter import filter as filter
    from .select.paraphrase import paraphrase as paraphrase
    from .select.paraphrase import paraphrase_file as paraphrase_file
    from .tables.ratings import Ratings as Ratings
    from .tables.samples import Samples as Samples
    from .tables.scores import Scores as Scores

# name to module: nothing is imported before it is used, so that the command line starts at once
_HOMES = {
    "score": "evaluate.api",
    "judge": "evaluate.judge",
    "Judge": "evaluate.judge",
    "score_file": "evaluate.score_file",
    "paraphrase": "select.paraphrase",
    "paraphrase_file": "select.paraphrase",
    "filter": "select.filter",
    "read": "files.coerce",
    "read_ratings": "files.ratings",
    "benchmark": "benchmarks",
    "score_ratings": "meta.scored",
    "leaderboard": "meta.leaderboard",
    "tune": "meta.tuning",
    "compare": "comparison.compare",
    "write_report": "report.write",
    "parse": "metrics",
    "Samples": "tables.samples",
    "Scores": "tables.scores",
    "Ratings": "tables.ratings",
    "Workspace": "compute.workspace",
    **dict.fromkeys(("Metric", "PairMetric", "CountMetric", "SumMetric", "SetMetric", "parameter"), "metric"),
    **dict.fromkeys(("Paraphraser", "Candidate", "Candidates"), "paraphraser"),
    **dict.fromkeys(("ParagaugeError", "InputError", "ModelError", "MissingExtraError"), "errors"),
}
__all__ = ["__version__", "metrics", *_HOMES]


def __getattr__(name: str) -> Any:
    if name == "metrics":
        return importlib.import_module(".metrics", __name__)
    if name in _HOMES:
        return getattr(importlib.import_module(f".{_HOMES[name]}", __name__), name)
    if name[:1].isupper():  # a metric's class, for short: `paragauge.Bleu`
        found = getattr(importlib.import_module(".metrics", __name__), name, None)
        if found is not None:
            return found
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
