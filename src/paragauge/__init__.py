"""Measure paraphrases: how much meaning they keep and how many words they change.

Every metric is a class of `paragauge.metrics`: `paragauge.metrics.ParaScore(omega=0.1)`. Metrics and paraphrasers of
your own begin in `paragauge.metric` and `paragauge.paraphraser`, ratings in `paragauge.meta`, errors in
`paragauge.errors`.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from ._version import __version__ as __version__

if TYPE_CHECKING:
    from . import metrics as metrics
    from .comparison.compare import compare as compare
    from .errors import ParagaugeError as ParagaugeError
    from .evaluate.api import score as score
    from .evaluate.judge import Judge as Judge
    from .evaluate.judge import judge as judge
    from .evaluate.run import Run as Run
    from .evaluate.run import open_run as open_run
    from .files.rows import read as read
    from .meta.leaderboard import leaderboard as leaderboard
    from .meta.tuning import tune as tune
    from .reports.write import write_report as report  # noqa: F401
    from .select.filter import filter as filter
    from .select.paraphrase import paraphrase as paraphrase
    from .tables.samples import Samples as Samples
    from .tables.scores import Scores as Scores
    from .verdict.judgment import Judgment as Judgment

# name to module: nothing is imported before it is used, so that the command line starts at once
_HOMES = {
    "score": "evaluate.api",
    "judge": "evaluate.judge",
    "Judge": "evaluate.judge",
    "compare": "comparison.compare",
    "report": "reports.write",
    "paraphrase": "select.paraphrase",
    "filter": "select.filter",
    "leaderboard": "meta.leaderboard",
    "tune": "meta.tuning",
    "read": "files.rows",
    "open_run": "evaluate.run",
    "Samples": "tables.samples",
    "Scores": "tables.scores",
    "Judgment": "verdict.judgment",
    "Run": "evaluate.run",
    "ParagaugeError": "errors",
}
_NAMES = {"report": "write_report"}  # in its own module, where `report` is a page
__all__ = ["__version__", "metrics", *_HOMES]


def __getattr__(name: str) -> Any:
    if name == "metrics":
        return importlib.import_module(".metrics", __name__)
    if name in _HOMES:
        return getattr(importlib.import_module(f".{_HOMES[name]}", __name__), _NAMES.get(name, name))
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
