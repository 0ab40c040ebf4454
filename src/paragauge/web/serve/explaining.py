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
from ...metrics.overall.parascore import ParaScore, diversity_score
from ...metrics.overall.usable import Usable
from ...metrics.shared.encoder import TokenMetric
from ...reports.align import align
from ...tables.judged import as_records
from ...tables.scores import Scores
from ...verdict.explain import Requirement, conditions
from ...verdict.judgment import Judgment
from ...verdict.words import MORE_CHANGE, why


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
