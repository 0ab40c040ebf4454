"""The rows of a request scored and, on demand, explained."""

from __future__ import annotations

import dataclasses
import functools
import math
import threading
from collections.abc import Mapping, Sequence
from typing import Any

from ...errors import InputError
from ...evaluate.api import evaluate_whole
from ...evaluate.choose import choose
from ...evaluate.score_file import scale_of
from ...metric import Metric
from ...metrics import parse, variants
from ...parameters import Configured, kinds, types_of
from ...tables.notices import NoticeKind, sentences
from ...tables.samples import Samples
from ...tables.scores import ScoreColumn, Scores
from .batches import Batches, Cancellation, SharedWorkspace
from .explaining import explain, explaining_metrics, verdicts


class Scoring:
    """Scores the rows of requests, in the metrics that the server was started with or those that a request names."""

    def __init__(self, metrics: Sequence[str], batches: Batches) -> None:
        self.metrics, self.batches = list(metrics), batches
        self.computing = threading.Lock()
        self._chosen = functools.lru_cache(256)(self._choose)  # while someone types, the metrics stay the same

    def prepare(self) -> None:
        """Load the models of the default metrics, so that the first request need not wait for it."""
        row = {"source": "How old are you?", "candidate": "What is your age?", "references": ["Your age, please?"]}
        self.score({"rows": [row]}, Cancellation())

    def score(self, asked: Mapping[str, Any], cancellation: Cancellation) -> dict[str, Any]:
        """What `/api/score` answers; `asked` is a request that the schema allows."""
        rows = asked["rows"]
        samples = Samples.of(
            [row.get("source") for row in rows],
            [row["candidate"] for row in rows],
            [row.get("references", []) for row in rows],
            systems=[row.get("system") for row in rows],
        )
        with self.computing:
            chosen = self.chosen(asked.get("metrics"), any(samples.references))
            work = SharedWorkspace(self.batches, cancellation, self.computing)
            explained = bool(asked.get("explain")) and any(map(str.strip, samples.sources))
            every = [*chosen, *(explaining_metrics(chosen) if explained else ())]
            found = evaluate_whole(samples, every, work, empty="worst")
            parts = {
                "verdict": verdicts(found, every),
                "explanation": explain(found, every, work) if explained else None,
            }
        columns = {metric.spec: found.columns[metric.spec] for metric in chosen}
        return {
            "metrics": [described(metric, found) for metric in chosen],
            "rows": [
                {"scores": {name: _cell(column, row) for name, column in columns.items()}}
                | {name: own[row] for name, own in parts.items() if own is not None}
                for row in range(len(samples))
            ],
            "warnings": [str(sentence) for sentence in sentences(found.notices, without=[NoticeKind.COPIES])],
        }

    def chosen(self, asked: Sequence[str] | None, references: bool) -> list[Metric]:
        """The metrics that a request names; without any, those of the server, as far as the rows allow."""
        return self._chosen(tuple(asked or ()), references)

    def _choose(self, asked: tuple[str, ...], references: bool) -> list[Metric]:
        if asked:
            return choose([self.allowed(spec) for spec in asked], references)
        found = choose(self.metrics or None, references)
        fitting = [metric for metric in found if references or "references" not in metric.needs]
        return fitting or found

    def listed(self) -> dict[str, Any]:
        """What `/api/metrics` answers: all metrics, and which of them are the default."""
        default = {metric.spec for references in (True, False) for metric in self.chosen(None, references)}
        found = {metric.spec: metric for metric in [*self.chosen(None, True), *variants()]}
        free = [replaced for metric in found.values() if (replaced := _against_source(metric)) is not None]
        every = sorted((found | {metric.spec: metric for metric in free}).values(), key=lambda one: one.spec.lower())
        lines = [described(metric) | {"about": metric.about, "default": metric.spec in default} for metric in every]
        return {"metrics": lines}

    def allowed(self, spec: str) -> Metric:
        """The metric, unless a parameter of it names a file, a model or an address that the server was not given."""
        found = parse(spec)
        if spec not in self.metrics and found.spec not in self.metrics:
            check_parameters(found)
        return found


def check_parameters(found: Configured) -> None:
    """Refuse a parameter of free text, which may name any file of this machine or any address."""
    own: Any = type(found)
    hints = types_of(own)
    for field in dataclasses.fields(found):
        free = str in kinds(hints[field.name]) and field.metadata.get("choices") is None
        if free and getattr(found, field.name) != field.default:
            raise InputError(
                f"{found.name}: {field.name} may name a file or a model, which a request may not choose; it can be "
                "chosen where the server is started"
            )


def described(metric: Metric, scores: Scores | None = None) -> dict[str, Any]:
    """What a reader has to know of a metric, and the signature of its numbers where there are any."""
    about = {"name": metric.spec, "needs": metric.needs} | scale_of(metric)
    return about if scores is None else about | {"signature": scores.signatures[metric.spec]}


def _against_source(metric: Any) -> Any:
    return dataclasses.replace(metric, free=True) if getattr(metric, "free", None) is False else None


def _cell(column: ScoreColumn, row: int) -> dict[str, Any]:
    value = float(column.scores[row])
    return {
        "score": value if math.isfinite(value) else None,
        "reason": column.reasons.get(row),
        "note": column.notes.get(row),
    }
