"""The rows of a request scored and, on demand, explained."""

from __future__ import annotations

import dataclasses
import functools
import math
import threading
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ...compute.workspace import Workspace
from ...errors import InputError
from ...evaluate.api import evaluate_whole
from ...evaluate.plan import choose
from ...evaluate.score_file import scale_of
from ...metric import Metric
from ...metrics import parse, variants
from ...metrics.form.ned import Ned
from ...metrics.overall.parascore import ParaScore, diversity_score
from ...metrics.overall.usable import Usable
from ...metrics.shared.encoder import TokenMetric
from ...parameters import Configured, kinds, types_of
from ...reports.align import align
from ...tables.notices import NoticeKind, sentences
from ...tables.samples import Samples
from ...tables.scores import ScoreColumn, Scores, as_records
from ...verdict.judgment import Judgment
from ...verdict.words import MORE_CHANGE, Requirement, conditions, why
from .batches import Batches, Cancellation, SharedWorkspace


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


def explaining_metrics(chosen: Sequence[Metric]) -> list[Metric]:
    """What an explanation reads besides the metrics that were asked for; none of them loads another model."""
    wanted = parse(_distance(_curve(chosen)))
    return [] if wanted.spec in [metric.spec for metric in chosen] else [wanted]


def verdicts(scores: Scores, metrics: Sequence[Metric]) -> list[dict[str, Any]] | None:
    """Is each row usable, and if not, why; None where that was not asked for."""
    _, judgments = _usable(scores, metrics)
    if not judgments:
        return None
    return [
        {
            "usable": judgment.usable,
            "meaning": judgment.meaning,
            "changed": judgment.changed,
            "outcome": judgment.outcome,
            "findings": as_records(judgment.findings),
            "why": why(judgment, source, candidate),
        }
        for judgment, source, candidate in zip(
            judgments, scores.samples.sources, scores.samples.candidates, strict=True
        )
    ]


def explain(scores: Scores, metrics: Sequence[Metric], work: Workspace) -> list[dict[str, Any]]:
    """One explanation per row, of scores that have the columns of `explaining_metrics` too."""
    samples, matched = scores.samples, _matched(metrics)
    usable, judgments = _usable(scores, metrics)
    aligned = {} if matched is None else align(samples, matched, range(len(samples)), work)
    diversity = _diversity(scores, metrics)
    result = []
    for row, (source, candidate) in enumerate(zip(samples.sources, samples.candidates, strict=True)):
        found = aligned.get(row)
        alignment = None if found is None else {
            "metric": found.metric,
            "source_tokens": [list(token) for token in found.other_tokens],
            "candidate_tokens": [list(token) for token in found.candidate_tokens],
        }  # fmt: skip
        if usable is None:
            needed = _needed_wording(scores, metrics, row)
        else:
            needed = conditions(judgments[row], usable.criterion, source, candidate)
        result.append(
            {
                "diversity": diversity[row],
                "alignment": alignment,
                "needed": [one._asdict() for one in needed],
                "lost": as_records(judgments[row].findings if judgments else ()),
            }
        )
    return result


def _matched(metrics: Sequence[Metric]) -> TokenMetric | None:
    """The metric whose matches with the source are shown: BERTScore itself, or one that is made of it."""
    own = [metric for metric in metrics if isinstance(metric, TokenMetric) and metric.needs == "source"]
    return next((metric for metric in own if metric.name == "bertscore"), own[0] if own else None)


def _curve(metrics: Sequence[Metric]) -> ParaScore:
    """The ParaScore that was asked for, or the one without references."""
    return next((one for one in metrics if isinstance(one, ParaScore)), None) or ParaScore(free=True)


def _distance(curve: ParaScore) -> str:
    """The edit distance that its diversity is a function of."""
    return Ned(free=True, normalize=curve.normalize).spec


def _diversity(scores: Scores, metrics: Sequence[Metric]) -> list[dict[str, Any] | None]:
    """The point of each row on the curve of ParaScore, with the parameters of the ParaScore that was asked for."""
    metric = _curve(metrics)
    distances = scores[_distance(metric)]
    values = diversity_score(distances, metric.gamma) if metric.threshold else distances
    about = {"metric": metric.spec, "gamma": metric.gamma, "omega": metric.omega, "threshold": metric.threshold}
    return [
        None if math.isnan(distance) else about | {"distance": distance, "value": value, "adds": metric.omega * value}
        for distance, value in zip(distances.tolist(), np.asarray(values).tolist(), strict=True)
    ]


def _usable(scores: Scores, metrics: Sequence[Metric]) -> tuple[Usable | None, Sequence[Judgment]]:
    """The metric that judges, if it was asked for, and its judgments."""
    usable = next((metric for metric in metrics if isinstance(metric, Usable)), None)
    return usable, () if usable is None else scores.columns[usable.spec].judgments or ()


def _needed_wording(scores: Scores, metrics: Sequence[Metric], row: int) -> list[Requirement]:
    """Without a verdict, the one threshold that a metric has: beyond γ, change earns no more."""
    metric = _curve(metrics)
    distance = _distance(metric)
    value = float(scores[distance][row])
    if math.isnan(value) or not metric.threshold:
        return []
    advice = MORE_CHANGE
    if not metric.normalize:  # else the characters that count are not those that one sees
        longer = max(len(scores.samples.sources[row]), len(scores.samples.candidates[row]))
        edits = round(value * longer)
        more = next(number for number in range(1, longer + 2) if (edits + number) / longer >= metric.gamma)
        advice = f"change at least {'one more character' if more == 1 else f'{more} more characters'}"
    return [Requirement.of(distance, value, metric.gamma, advice)]
