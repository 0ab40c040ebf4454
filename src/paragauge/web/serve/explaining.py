"""Why a candidate got its scores: what was lost, what is lacking, the curve of diversity, which tokens matched."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from ...compute.workspace import Workspace
from ...metric import Metric
from ...metrics import parse
from ...metrics.form.ned import Ned
from ...metrics.meaning._neural import TokenMetric
from ...metrics.overall.parascore import ParaScore, diversity_score
from ...metrics.overall.usable import Usable
from ...report.align import align
from ...tables.judged import as_records
from ...tables.scores import Scores
from ...verdict.explain import Condition, conditions
from ...verdict.judgment import Judgment
from ...verdict.words import MORE_CHANGE, why


def explaining_metrics(chosen: Sequence[Metric]) -> list[Metric]:
    """What an explanation reads beside the metrics that were asked for; none of them loads another model."""
    wanted = parse(_distance(_curve(chosen)))
    return [] if wanted.spec in [metric.spec for metric in chosen] else [wanted]


def verdict_of(scores: Scores, metrics: Sequence[Metric], row: int) -> dict[str, Any] | None:
    """Is it usable, and if not, why; None where that was not asked for."""
    judgments = _judgments(scores, metrics)
    if judgments is None:
        return None
    judgment = judgments[row]
    return {
        "usable": judgment.usable,
        "meaning": judgment.meaning,
        "changed": judgment.changed,
        "outcome": judgment.outcome,
        "findings": as_records(judgment.findings),
        "why": why(judgment, scores.samples.sources[row], scores.samples.candidates[row]),
    }


def _judgments(scores: Scores, metrics: Sequence[Metric]) -> Sequence[Judgment] | None:
    usable = _usable(metrics)
    return None if usable is None else scores.columns[usable.spec].judgments


def explain(scores: Scores, metrics: Sequence[Metric], work: Workspace) -> list[dict[str, Any]]:
    """One explanation per row, of scores that have the columns of `explaining_metrics` too."""
    samples = scores.samples
    matched = _matched(metrics)
    aligned = {} if matched is None else align(samples, matched, range(len(samples)), work)
    diversity = _diversity(scores, metrics)
    judgments = _judgments(scores, metrics)
    result = []
    for row in range(len(samples)):
        found = aligned.get(row)
        alignment = None
        if found is not None:
            alignment = {
                "metric": found.metric,
                "source_tokens": [list(token) for token in found.other_tokens],
                "candidate_tokens": [list(token) for token in found.candidate_tokens],
            }
        result.append(
            {
                "diversity": diversity[row],
                "alignment": alignment,
                "needed": [one._asdict() for one in _needed(scores, metrics, row)],
                "lost": as_records(() if judgments is None else judgments[row].findings),
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


def _usable(metrics: Sequence[Metric]) -> Usable | None:
    return next((metric for metric in metrics if isinstance(metric, Usable)), None)


def _needed(scores: Scores, metrics: Sequence[Metric], row: int) -> list[Condition]:
    """Every condition of a usable candidate: the metric, what it has, what it needs, and what to do about it."""
    usable, judgments = _usable(metrics), _judgments(scores, metrics)
    if usable is None or judgments is None:
        return _needed_wording(scores, metrics, row)
    return conditions(judgments[row], usable.criterion, scores.samples.sources[row], scores.samples.candidates[row])


def _needed_wording(scores: Scores, metrics: Sequence[Metric], row: int) -> list[Condition]:
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
    return [Condition.of(distance, value, metric.gamma, advice)]
